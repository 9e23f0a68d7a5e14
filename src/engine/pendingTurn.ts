import type { EngineArtifacts } from './artifacts.ts';
import type { ArtifactVersion, FileChange, MessageEffects } from './effects.ts';
import type { EngineFiles } from './engineFiles.ts';
import { asNewMessage, PendingMessages, type PendingPlan } from './pendingMessages.ts';
import type { EngineState } from './state.ts';
import type { NewMessage, SharedChanges, SavedMessages } from './store.ts';
import type { ContextEngineOptions, SaveOptions, SaveResult } from './contextEngineTypes.ts';
import type { ConversationHead, WorkingBranch } from './workingBranch.ts';
import { HeadConflictError, MessageExistsError, MessageNotFoundError } from './errors.ts';
import { untilAborted } from '../base/untilAborted.ts';
import { isBlank, OpenAnswers } from './openAnswer.ts';

/**
 * Everything pending until `save()`: messages, and other changes. A save takes all of it at one moment (`begin`) and
 * afterwards forgets exactly that (`commit`), or nothing (`rollBack`); later additions stay pending.
 */
export class PendingTurn {
  readonly messages = new PendingMessages();

  constructor(
    private readonly userId: string,
    private readonly state: EngineState,
    private readonly artifacts: EngineArtifacts,
    private readonly files: EngineFiles,
  ) {}

  effects(): MessageEffects | undefined {
    return asEffects(this.state.effects('all'), this.artifacts.pending('path'), this.files.pending());
  }

  /** True when something in addition to messages is pending. */
  get hasChanges(): boolean {
    const hasShared = this.state.hasSharedChanges || this.artifacts.pending('user').length > 0;
    return hasShared || this.effects() !== undefined;
  }

  begin(): void {
    for (const part of [this.messages, this.state, this.artifacts, this.files]) part.begin();
  }

  shared(): SharedChanges {
    return {
      userId: this.userId,
      user: this.state.leaving('user'),
      app: this.state.leaving('app'),
      artifacts: this.artifacts.leaving('user'),
    };
  }

  /** The items being saved as messages to store: the effects go with the last, or with a node that no model sees. */
  newMessages(plan: PendingPlan, invocationId: string | undefined): NewMessage[] {
    const messages = plan.messages.map((message) => asNewMessage(message, invocationId));
    const { open } = plan;
    // The open answer is complete once another message follows it. It belongs to the turn of its question.
    if (open && messages.length > 0 && !isBlank(open.message)) {
      messages.splice(open.at, 0, asNewMessage({ message: open.message, replaces: undefined }, undefined));
    }
    const { state, artifacts, files } = this;
    const effects = asEffects(state.effects('leaving'), artifacts.leaving('path'), files.leaving());
    if (!effects) return messages;
    const last = messages.pop() ?? stateNode(invocationId);
    return [...messages, { ...last, effects }];
  }

  rollBack(): void {
    for (const part of [this.messages, this.state, this.artifacts, this.files]) part.rollBack();
  }

  commit(): void {
    for (const part of [this.messages, this.state, this.artifacts, this.files]) part.commit();
  }

  /** Drops what was begun, as the branch is left; the files stay changed. Returns how many items there were. */
  drop(): number {
    this.files.rollBack();
    this.messages.answer.begin();
    return this.messages.commit() + this.state.commit() + this.artifacts.commit();
  }
}

export function hasSharedChanges({ user, app, artifacts }: SharedChanges): boolean {
  return user.size > 0 || app.size > 0 || artifacts.length > 0;
}

function asEffects(
  state: MessageEffects['state'],
  artifacts: readonly ArtifactVersion[],
  files: readonly FileChange[],
): MessageEffects | undefined {
  if (!state && artifacts.length === 0 && files.length === 0) return undefined;
  return {
    ...(state ? { state } : {}),
    ...(artifacts.length > 0 ? { artifacts } : {}),
    ...(files.length > 0 ? { files } : {}),
  };
}

function stateNode(invocationId: string | undefined): NewMessage {
  return {
    id: crypto.randomUUID(),
    name: 'state',
    type: 'internal',
    data: null,
    invocationId,
    replaces: undefined,
    effects: undefined,
  };
}

/** How often a save is planned again because another engine took an id in between. */
const MAX_PLANS = 5;

/** How often a turn is planned again because other engines were faster: each time, the turn of one of them is saved. */
const MAX_GRAFTS = 200;

/** Stores all pending items in one transaction. */
export class TurnSaver {
  private readonly answers: OpenAnswers;

  constructor(
    private readonly options: ContextEngineOptions,
    private readonly working: WorkingBranch,
    private readonly head: ConversationHead,
    private readonly turn: PendingTurn,
  ) {
    this.answers = new OpenAnswers(options);
  }

  /** @throws HeadConflictError, NotStorableError, ReadOnlyError; everything stays pending in that case */
  async save(options: SaveOptions): Promise<SaveResult> {
    const saved = await this.savePending(options);
    if (!saved) await this.working.follow();
    const messages = saved?.messages ?? [];
    const versions = [
      ...messages.flatMap(({ effects }) => effects?.artifacts ?? []),
      ...(saved?.artifacts ?? []),
    ];
    return {
      headMessageId: this.working.headMessageId,
      branch: this.working.name,
      messageIds: messages.map(({ id }) => id),
      artifacts: versions.map(({ name, version }) => ({ name, version })),
    };
  }

  /** @returns undefined when nothing was pending */
  private async savePending({
    invocationId,
    signal,
    onlyNew = false,
  }: SaveOptions): Promise<SavedMessages | undefined> {
    const { store, chatId, userId, branch, onHeadConflict = 'error', branchNames: naming } = this.options;
    const isGrafted = onHeadConflict === 'graft';
    let plans = 1;
    let grafts = 0;
    for (;;) {
      const [{ name, isActive }, drafts] = await Promise.all([
        // If the branch was deleted, this is another branch, and the head last read is its head.
        isGrafted ? this.working.follow() : this.working.now(),
        this.answers.drafts(),
      ]);
      const expectedHead = this.working.headMessageId ?? null;
      const atHead = await this.head.at(expectedHead, name, drafts);
      this.turn.begin();
      let plan: PendingPlan;
      let saved: SavedMessages;
      try {
        plan = await untilAborted(signal, () => this.head.plan(atHead));
        const edited = onlyNew ? plan.messages.find(({ replaces }) => replaces !== undefined) : undefined;
        if (edited?.replaces !== undefined) throw new MessageExistsError(edited.replaces);
        const messages = this.turn.newMessages(plan, invocationId);
        const shared = this.turn.shared();
        if (messages.length === 0 && !hasSharedChanges(shared)) {
          this.turn.commit();
          return undefined;
        }
        saved = await store.saveMessages({
          chatId,
          userId,
          branch: name,
          expectedHead,
          onHeadConflict: isGrafted ? 'error' : onHeadConflict,
          newBranchAt: plan.editAt,
          activate: isActive || branch === undefined,
          ...(naming ? { naming } : {}),
          messages,
          shared,
        });
      } catch (error) {
        this.turn.rollBack();
        // An id was taken, or the place of an edit was deleted, since the save was planned.
        const isOutdated = error instanceof MessageExistsError || error instanceof MessageNotFoundError;
        if (isOutdated && !onlyNew && plans++ < MAX_PLANS) continue;
        // Another engine moved the branch since then.
        const isRaced = isGrafted && error instanceof HeadConflictError && grafts++ < MAX_GRAFTS;
        if (!isRaced) throw error;
        continue;
      }
      this.turn.commit();
      await this.head.grow(saved.messages);
      await this.working.grew(saved.branch);
      const isClosed = atHead.open !== undefined && !plan.editAt && plan.messages.length > 0;
      if (isClosed || atHead.isOver) await this.answers.close(name);
      return saved;
    }
  }
}
