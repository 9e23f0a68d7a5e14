import { EngineArtifacts } from './artifacts.ts';
import type {
  ContextEngineOptions,
  InspectOptions,
  PendingList,
  ResolvedContext,
  ResolveOptions,
  RewindResult,
  SaveOptions,
  SaveResult,
} from './contextEngineTypes.ts';
import { ConversationPath, type ConversationView } from './conversationPath.ts';
import { copyJson } from './copyJson.ts';
import type { MessageEffects } from './effects.ts';
import { Emitter } from '../kit/emitter.ts';
import {
  ChatNotFoundError,
  CheckpointNotFoundError,
  ClosedError,
  EmptyConversationError,
  MessageExistsError,
  MessageNotFoundError,
} from './errors.ts';
import type { Estimate } from './estimate/estimate.ts';
import type { Disposable, Event } from '../kit/disposable.ts';
import { Sequencer } from '../kit/sequencer.ts';
import { EngineFiles } from './engineFiles.ts';
import { checkedFragment, isMessageFragment, type Fragment } from './fragments/fragment.ts';
import { isReminder, isStandingReminder } from './fragments/reminders.ts';
import type { BranchData, BranchInfo, ChatData, CheckpointData, LogEvent, StoreChange } from './graph.ts';
import { estimateContext, fragmentsAsJson, type ContextSnapshot, type InspectedContext } from './inspect.ts';
import type { Conversation, PendingPlan } from './pendingMessages.ts';
import { hasSharedChanges, PendingTurn } from './pendingTurn.ts';
import type { ContextRenderer } from './renderers/contextRenderer.ts';
import { XmlRenderer } from './renderers/xml.ts';
import { resolvedContext } from './resolvedContext.ts';
import { EngineState } from './state.ts';
import { checkedId, checkedName } from './storable.ts';
import type { ChatUpdate, ContextStore, SavedMessages } from './store.ts';
import { usageNumbers } from './usage.ts';
import { checkedOptions } from './engineOptions.ts';
import { WorkingBranch } from './workingBranch.ts';
import { isUserTurn } from './userTurn.ts';

export type * from './contextEngineTypes.ts';

/** How often a save is planned anew because another engine took an id in between. */
const MAX_PLANS = 5;

/**
 * One conversation: what is said waits until `save()`, what is saved never changes, and rewinding adds a branch.
 * @example
 * const context = new ContextEngine({ store, chatId: 'chat-1', userId: 'me' });
 * context.set(role('You are helpful.'), user('Hello', { id: 'q1' }));
 * await context.save();
 */
export class ContextEngine {
  readonly chatId: string;
  readonly state: EngineState;
  readonly artifacts: EngineArtifacts;
  readonly files = new EngineFiles();
  /**
   * The messages that wait for `save()`: to show them, and to drop one.
   * @example
   * ```ts
   * const context = new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c', userId: 'u' });
   * context.set(user('Hello', { id: 'q1' }), user('Never mind', { id: 'q2' }));
   * assert.equal(context.pending.remove('q2'), true);
   * assert.deepEqual(context.pending.list().map(({ id }) => id), ['q1']);
   * ```
   */
  readonly pending: PendingList;

  private readonly options: ContextEngineOptions;
  private readonly store: ContextStore;
  private readonly path: ConversationPath;
  private readonly working: WorkingBranch;
  private readonly turn: PendingTurn;
  private readonly changed = new Emitter<StoreChange>();
  private readonly subscription: Disposable;
  private fragments: Fragment[] = [];
  private readonly calls = new Sequencer();
  private closed = false;

  /** @throws InvalidArgumentError, InvalidNameError */
  constructor(options: ContextEngineOptions) {
    this.options = checkedOptions(options);
    this.store = options.store;
    this.chatId = options.chatId;
    this.path = new ConversationPath(this.store, this.chatId);
    this.working = new WorkingBranch(options);
    const { userId } = options;
    this.state = new EngineState((use) =>
      this.exclusive(async () => {
        const path = (await this.savedBefore()).effects.state;
        const user = await this.store.getSharedState({ scope: 'user', userId });
        return use({ path, user, app: await this.store.getSharedState({ scope: 'app' }) });
      }),
    );
    this.artifacts = new EngineArtifacts(
      (use) =>
        this.exclusive(async () => {
          const path = (await this.savedBefore()).effects.artifacts;
          return use({ path, user: await this.store.getSharedArtifacts(userId) });
        }),
      this.store.blobs,
    );
    this.turn = new PendingTurn(userId, this.state, this.artifacts, this.files);
    const { messages } = this.turn;
    this.pending = { list: () => copyJson(messages.list()), remove: (id) => messages.remove(id) };
    this.subscription = this.store.onDidChange((change) => {
      if (change.chatId === this.chatId) this.changed.fire(change);
    });
  }

  /** Tells of every durable change to this chat, whichever engine made it. */
  get onDidChange(): Event<StoreChange> {
    return this.changed.event;
  }

  /** The branch worked on; before the first call that reads the store, the one it will begin with as far as known. */
  get branch(): string {
    return this.working.name;
  }

  /** The last saved message of the branch worked on; undefined while it is empty or nothing was read yet. */
  get headMessageId(): string | undefined {
    return this.working.headMessageId;
  }

  /** Null before the first call that reads the store. */
  get chat(): ChatData | null {
    return copyJson(this.working.chat ?? null);
  }

  /**
   * Adds fragments: messages wait for `save()`, reminders go with the pending user message before them, the others make
   * up the system prompt. All of them or, when one cannot be used, none.
   * @throws InvalidArgumentError, InvalidNameError, NotStorableError
   */
  set(...fragments: readonly Fragment[]): this {
    const { messages } = this.turn;
    for (const fragment of fragments.map(checkedFragment)) {
      if (isMessageFragment(fragment)) messages.add(fragment);
      else if (isStandingReminder(fragment)) messages.remindAlways(fragment);
      else if (!isReminder(fragment) || !messages.remind(fragment)) this.fragments.push(fragment);
    }
    return this;
  }

  /** The system prompt alone. */
  render(renderer: ContextRenderer): string {
    return renderer.render(this.fragments);
  }

  /** What the model gets. The ids shown for pending messages are those they will be saved under. */
  resolve({ renderer = new XmlRenderer() }: ResolveOptions = {}): Promise<ResolvedContext> {
    return this.exclusive(async () => {
      const atHead = await this.follow();
      // At one moment, so that what is set together is seen together.
      const [systemPrompt, planning] = [this.render(renderer), this.plan(atHead)];
      const { before, messages } = await planning;
      const pending = messages.map(({ message }) => message);
      return resolvedContext(systemPrompt, before, pending);
    });
  }

  /**
   * Stores what is pending, in one transaction. A message whose id exists is an edit: it is stored under a new id on a
   * new branch, and the original stays as it is. When it fails, nothing is stored and everything is still pending. What
   * is set while it runs waits for the next one.
   * @throws HeadConflictError, NotStorableError, ReadOnlyError
   */
  save(options: SaveOptions = {}): Promise<SaveResult> {
    if (options.invocationId !== undefined) checkedId(options.invocationId, 'invocation id');
    return this.exclusive(async () => {
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
    });
  }

  /**
   * Goes on from a message, on a new branch; the branch left stays as it is. Pending messages are dropped and counted.
   * @throws MessageNotFoundError, ForeignMessageError
   */
  rewind(messageId: string): Promise<RewindResult> {
    return this.leave(async () => {
      const { id } = await this.working.requireMessage(messageId);
      return this.working.branchOff({ messageId: id, event: 'rewound' });
    });
  }

  /**
   * Goes on from before a message or a turn: on a new branch at its parent, or an empty one when it was the first. Of
   * turns with the same id, the one on this path is meant.
   * @throws MessageNotFoundError, ForeignMessageError, InvocationNotFoundError
   */
  rewindBefore(target: string | { invocationId: string }): Promise<RewindResult> {
    return this.leave(async () => {
      const message =
        typeof target === 'object'
          ? await this.working.requireInvocation(target.invocationId)
          : await this.working.requireMessage(target);
      const details =
        typeof target === 'object' ? { beforeInvocation: target.invocationId } : { before: target };
      return this.working.branchOff({ messageId: message.parentId, event: 'rewound', details });
    });
  }

  /**
   * Bookmarks the head, or the message given; the same name again moves the bookmark.
   * @throws EmptyConversationError, InvalidNameError
   */
  checkpoint(name: string, { messageId }: { messageId?: string } = {}): Promise<CheckpointData> {
    return this.exclusive(async () => {
      const checked = checkedName(name, 'checkpoint name');
      const branch = await this.working.follow();
      const at =
        messageId === undefined ? branch.headMessageId : (await this.working.requireMessage(messageId)).id;
      if (at === null) throw new EmptyConversationError('checkpoint');
      return this.store.setCheckpoint(this.chatId, checked, at);
    });
  }

  /** Goes on from a checkpoint, on a new branch. @throws CheckpointNotFoundError */
  restore(name: string): Promise<RewindResult> {
    return this.leave(async () => {
      const checkpoint = await this.store.getCheckpoint(this.chatId, checkedName(name, 'checkpoint name'));
      if (!checkpoint) throw new CheckpointNotFoundError(name);
      const details = { checkpoint: checkpoint.name };
      return this.working.branchOff({ messageId: checkpoint.messageId, event: 'restored', details });
    });
  }

  /** Goes to a branch that exists. Pending messages are dropped and counted. @throws BranchNotFoundError */
  switchBranch(name: string): Promise<RewindResult> {
    return this.leave(async () =>
      this.working.goTo(await this.store.activateBranch(this.chatId, checkedId(name, 'branch name'))),
    );
  }

  /**
   * Makes a branch at the head without going there, for a question by the way. Pending messages stay.
   * @throws EmptyConversationError
   */
  btw(): Promise<BranchInfo> {
    return this.exclusive(async () => {
      const branch = await this.working.follow();
      if (branch.headMessageId === null) throw new EmptyConversationError('btw branch');
      const { name: from, headMessageId: messageId } = branch;
      const made = await this.store.addBranch({
        chatId: this.chatId,
        from,
        messageId,
        activate: false,
        event: 'btw',
      });
      return branchInfo(made);
    });
  }

  /** What waits for the next `save()` beside messages; undefined when nothing does. */
  pendingEffects(): MessageEffects | undefined {
    return this.turn.effects();
  }

  /** True when something beside messages waits for the next `save()`. */
  get hasPendingChanges(): boolean {
    return this.turn.hasChanges;
  }

  /**
   * Changes title and metadata; metadata is merged with what is there. A function is given the chat as it is in that
   * moment, whoever changed it last, and nothing comes between what it reads and what it gives back. It must do nothing
   * else, for it may be called more than once.
   * @example
   * ```js
   * const context = new ContextEngine({ store, chatId: 'chat-1', userId: 'me' });
   * await context.updateChat({ title: 'Trees', metadata: { tags: ['graph'] } });
   * const chat = await context.updateChat(({ metadata }) => ({
   *   metadata: { tags: [...metadata.tags, 'tree'] },
   * }));
   * console.log(chat.title, chat.metadata.tags.join(', ')); // Trees graph, tree
   * ```
   */
  updateChat(changes: ChatUpdate): Promise<ChatData> {
    return this.exclusive(async () => {
      await this.working.open();
      return copyJson(this.working.chatIs(await this.store.updateChat(this.chatId, changes)));
    });
  }

  /** The tokens of what a model would get now, and what they cost; counted without the network. */
  estimate({ modelId, renderer = new XmlRenderer() }: InspectOptions): Promise<Estimate> {
    return this.exclusive(async () => estimateContext(modelId, await this.inspected(renderer)));
  }

  /** Everything there is to see, for debugging. Plain data: `JSON.stringify` keeps all of it. */
  inspect({ modelId, renderer = new XmlRenderer() }: InspectOptions): Promise<ContextSnapshot> {
    return this.exclusive(async () => {
      const inspected = await this.inspected(renderer);
      return {
        estimate: await estimateContext(modelId, inspected),
        rendered: renderer.render(inspected.fragments),
        fragments: {
          context: fragmentsAsJson([...inspected.fragments, ...this.turn.messages.standingReminders]),
          pending: copyJson(inspected.pending),
          persisted: copyJson(inspected.persisted),
        },
        graph: await this.store.getGraph(this.chatId),
        meta: { chatId: this.chatId, branch: this.branch, timestamp: Date.now() },
      };
    });
  }

  /** The whole chat as text, for a terminal. See {@link visualizeGraph}. */
  visualizeGraph(): Promise<string> {
    return this.exclusive(async () => {
      await this.working.open();
      // Only scripts and debugging ask for it.
      const { visualizeGraph } = await import('./visualizeGraph.ts');
      return visualizeGraph(await this.store.getGraph(this.chatId));
    });
  }

  /**
   * Adds to what the chat has used up so far: every number of `usage` to the one of its name under `usage` in the
   * chat's metadata, the groups of AI SDK 7 included. Two engines that do so at once both count.
   * @example
   * ```ts
   * const context = new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c', userId: 'u' });
   * await context.trackUsage({ inputTokens: 10, inputTokenDetails: { cacheReadTokens: 8 } });
   * await context.trackUsage({ inputTokens: 5, inputTokenDetails: { cacheReadTokens: 1 } });
   * assert.deepEqual(context.chat?.metadata['usage'], {
   *   inputTokens: 15,
   *   inputTokenDetails: { cacheReadTokens: 9 },
   * });
   * ```
   */
  trackUsage(usage: Readonly<Record<string, unknown>>): Promise<void> {
    return this.exclusive(async () => {
      await this.working.open();
      this.working.chatIs(await this.store.addUsage(this.chatId, usageNumbers(usage)));
    });
  }

  /** How many questions stand on this path, pending ones included. */
  getTurnCount(): Promise<number> {
    return this.exclusive(async () => {
      const { before, messages } = await this.plan(await this.follow());
      return before.turns + messages.filter(({ message }) => isUserTurn(message)).length;
    });
  }

  /** Everything that happened in this chat, oldest first. */
  events(): Promise<LogEvent[]> {
    return this.exclusive(async () => {
      await this.working.open();
      return this.store.listEvents(this.chatId);
    });
  }

  /** Ends this engine; the store stays open. What is pending is dropped. A second call does nothing. */
  async close(): Promise<void> {
    this.closed = true;
    this.subscription.dispose();
    this.changed.dispose();
    await this.calls.idle();
    this.path.dispose();
  }

  /** One call after the other: two rewinds at once are two branches. */
  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(new ClosedError('engine'));
    return this.calls.run(() =>
      work().catch((error: unknown) => {
        // The chat was deleted. Whoever goes on all the same begins it anew, as another engine would.
        if (error instanceof ChatNotFoundError) this.forget();
        throw error;
      }),
    );
  }

  private forget(): void {
    this.working.forget();
    this.path.forget();
  }

  /** The conversation at the head, which others may have moved. */
  private async follow(): Promise<ConversationView> {
    for (let attempt = 1; ; attempt++) {
      const { headMessageId } = await this.working.follow();
      try {
        return await this.path.atHead(headMessageId);
      } catch (error) {
        // The branch was deleted just now.
        if (!(error instanceof MessageNotFoundError) || attempt === MAX_PLANS) throw error;
      }
    }
  }

  /** What the next save comes after: the head, or where an edit branches off. */
  private async savedBefore(): Promise<ConversationView> {
    return this.turn.messages.before(this.conversation(await this.follow()));
  }

  private async inspected(renderer: ContextRenderer): Promise<InspectedContext> {
    const atHead = await this.follow();
    const [fragments, planning] = [[...this.fragments], this.plan(atHead)];
    const { before, messages } = await planning;
    return {
      fragments,
      persisted: before.messages,
      pending: messages.map(({ message }) => message),
      renderer,
    };
  }

  private plan(atHead: ConversationView): Promise<PendingPlan> {
    return this.turn.messages.plan(this.conversation(atHead));
  }

  private conversation(atHead: ConversationView): Conversation {
    return {
      atHead,
      at: (messageId) => this.path.at(messageId),
      parentsOf: (ids) => this.store.getParentIds(this.chatId, ids),
    };
  }

  private async savePending(options: SaveOptions): Promise<SavedMessages | undefined> {
    for (let attempt = 1; ; attempt++) {
      // Where it was deleted, this is another branch, and what was seen of it is its head.
      const { name, isActive } = await this.working.now();
      const expectedHead = this.working.headMessageId ?? null;
      const atHead = await this.path.atHead(expectedHead);
      this.turn.begin();
      let saved: SavedMessages;
      try {
        const plan = await this.plan(atHead);
        const messages = this.turn.newMessages(plan, options.invocationId);
        const shared = this.turn.shared();
        if (messages.length === 0 && !hasSharedChanges(shared)) {
          this.turn.commit();
          return undefined;
        }
        saved = await this.store.saveMessages({
          chatId: this.chatId,
          branch: name,
          expectedHead,
          onHeadConflict: this.options.onHeadConflict ?? 'error',
          newBranchAt: plan.editAt,
          activate: isActive || this.options.branch === undefined,
          messages,
          shared,
        });
      } catch (error) {
        this.turn.rollBack();
        // An id was taken, or the place of an edit deleted, since this was planned.
        const isOutdated = error instanceof MessageExistsError || error instanceof MessageNotFoundError;
        if (isOutdated && attempt < MAX_PLANS) continue;
        throw error;
      }
      this.turn.commit();
      await this.path.grow(saved.messages);
      await this.working.grew(saved.branch);
      return saved;
    }
  }

  /** Goes elsewhere. What waits when it begins is dropped once it has arrived, and not before. */
  private leave(go: () => Promise<BranchData>): Promise<RewindResult> {
    return this.exclusive(async () => {
      await this.working.open();
      this.turn.begin();
      try {
        const branch = await go();
        return { ...branchInfo(branch), clearedPending: this.turn.drop() };
      } catch (error) {
        this.turn.rollBack();
        throw error;
      }
    });
  }
}

function branchInfo({ id, name, headMessageId, isActive, messageCount, createdAt }: BranchData): BranchInfo {
  return { id, name, headMessageId, isActive, messageCount, createdAt };
}
