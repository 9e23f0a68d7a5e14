import { EngineArtifacts } from './artifacts.ts';
import type {
  ContextEngineOptions,
  InspectOptions,
  ResolvedContext,
  ResolveOptions,
  RewindResult,
  SaveOptions,
  SaveResult,
} from './contextEngineTypes.ts';
import { ConversationPath } from './conversationPath.ts';
import type { MessageEffects } from './effects.ts';
import { Emitter } from './emitter.ts';
import {
  CheckpointNotFoundError,
  ClosedError,
  EmptyConversationError,
  MessageExistsError,
} from './errors.ts';
import type { Estimate } from './estimate/index.ts';
import type { Disposable, Event } from './event.ts';
import { EngineFiles } from './files.ts';
import { isMessageFragment, type Fragment } from './fragments/fragment.ts';
import { isReminder } from './fragments/messages.ts';
import type { BranchData, BranchInfo, ChatData, CheckpointData, LogEvent, StoreChange } from './graph.ts';
import { estimateContext, fragmentsAsJson, type ContextSnapshot, type InspectedContext } from './inspect.ts';
import type { PendingPlan } from './pendingMessages.ts';
import { hasSharedChanges, PendingTurn } from './pendingTurn.ts';
import type { ContextRenderer } from './renderers/contextRenderer.ts';
import { isToldNote } from './pathSummary.ts';
import { XmlRenderer } from './renderers/xml.ts';
import { EngineState } from './state.ts';
import { checkedId } from './storable.ts';
import type { AddBranch, ChatUpdate, ContextStore, SavedMessages } from './store.ts';
import { withContent } from './uiMessage.ts';
import { visualizeGraph } from './visualizeGraph.ts';
import { WorkingBranch } from './workingBranch.ts';

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

  private readonly store: ContextStore;
  private readonly path: ConversationPath;
  private readonly working: WorkingBranch;
  private readonly pending: PendingTurn;
  private readonly changed = new Emitter<StoreChange>();
  private readonly subscription: Disposable;
  private fragments: Fragment[] = [];
  private queue: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(private readonly options: ContextEngineOptions) {
    this.store = options.store;
    this.chatId = checkedId(options.chatId, 'chat id');
    checkedId(options.userId, 'user id');
    this.path = new ConversationPath(this.store, this.chatId);
    this.working = new WorkingBranch(options, this.path);
    const effects = async () => {
      await this.exclusive(() => this.working.follow());
      return this.path.effects();
    };
    this.state = new EngineState({
      path: async () => (await effects()).state,
      user: () => this.store.getSharedState({ scope: 'user', userId: options.userId }),
      app: () => this.store.getSharedState({ scope: 'app' }),
    });
    this.artifacts = new EngineArtifacts(
      {
        path: async () => (await effects()).artifacts,
        user: () => this.store.getSharedArtifacts(options.userId),
      },
      this.store.blobs,
    );
    this.pending = new PendingTurn(options.userId, this.state, this.artifacts, this.files);
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
    return this.working.chat ?? null;
  }

  /**
   * Adds fragments: messages wait for `save()`, reminders go with the pending user message before them, the others make
   * up the system prompt.
   */
  set(...fragments: readonly Fragment[]): this {
    for (const fragment of fragments) {
      if (isMessageFragment(fragment)) this.pending.messages.add(fragment);
      else if (!isReminder(fragment) || !this.pending.messages.remind(fragment))
        this.fragments.push(fragment);
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
      await this.working.follow();
      const { messages, editAt } = await this.plan();
      return {
        systemPrompt: this.render(renderer),
        messages: [...this.path.uiMessages(editAt), ...messages.map(({ message }) => withContent(message))],
      };
    });
  }

  /**
   * Stores what is pending, in one transaction. A message whose id exists is an edit: it is stored under a new id on a
   * new branch, and the original stays as it is. When it fails, nothing is stored and everything is still pending.
   * @throws HeadConflictError, NotStorableError, ReadOnlyError
   */
  save(options: SaveOptions = {}): Promise<SaveResult> {
    if (options.invocationId !== undefined) checkedId(options.invocationId, 'invocation id');
    return this.exclusive(async () => {
      const expectedHead = (await this.working.open()).branch.headMessageId;
      const saved = await this.savePending(expectedHead, options);
      return {
        headMessageId: this.working.headMessageId,
        branch: this.working.name,
        messageIds: saved?.messages.map(({ id }) => id) ?? [],
      };
    });
  }

  /**
   * Goes on from a message, on a new branch; the branch left stays as it is. Pending messages are dropped and counted.
   * @throws MessageNotFoundError, ForeignMessageError
   */
  rewind(messageId: string): Promise<RewindResult> {
    return this.exclusive(async () => {
      await this.working.open();
      const { id } = await this.working.requireMessage(messageId);
      return this.branchOff({ messageId: id, event: 'rewound' });
    });
  }

  /**
   * Goes on from before a message or a turn: on a new branch at its parent, or an empty one when it was the first.
   * @throws MessageNotFoundError, ForeignMessageError, InvocationNotFoundError
   */
  rewindBefore(target: string | { invocationId: string }): Promise<RewindResult> {
    return this.exclusive(async () => {
      await this.working.open();
      const message =
        typeof target === 'string'
          ? await this.working.requireMessage(target)
          : await this.working.requireInvocation(target.invocationId);
      const details =
        typeof target === 'string' ? { before: target } : { beforeInvocation: target.invocationId };
      return this.branchOff({ messageId: message.parentId, event: 'rewound', details });
    });
  }

  /**
   * Bookmarks the head, or the message given; the same name again moves the bookmark.
   * @throws EmptyConversationError, InvalidNameError
   */
  checkpoint(name: string, { messageId }: { messageId?: string } = {}): Promise<CheckpointData> {
    return this.exclusive(async () => {
      const branch = await this.working.follow();
      const at =
        messageId === undefined ? branch.headMessageId : (await this.working.requireMessage(messageId)).id;
      if (at === null) throw new EmptyConversationError('checkpoint');
      return this.store.setCheckpoint(this.chatId, name, at);
    });
  }

  /** Goes on from a checkpoint, on a new branch. @throws CheckpointNotFoundError */
  restore(name: string): Promise<RewindResult> {
    return this.exclusive(async () => {
      await this.working.open();
      const checkpoint = await this.store.getCheckpoint(this.chatId, name.trim());
      if (!checkpoint) throw new CheckpointNotFoundError(name);
      const details = { checkpoint: checkpoint.name };
      return this.branchOff({ messageId: checkpoint.messageId, event: 'restored', details });
    });
  }

  /** Goes to a branch that exists. Pending messages are dropped and counted. @throws BranchNotFoundError */
  switchBranch(name: string): Promise<RewindResult> {
    return this.exclusive(async () => {
      await this.working.open();
      return this.arrivedAt(this.working.goTo(await this.store.activateBranch(this.chatId, name)));
    });
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
    return this.pending.effects();
  }

  /** True when something beside messages waits for the next `save()`. */
  get hasPendingChanges(): boolean {
    return this.pendingEffects() !== undefined || hasSharedChanges(this.pending.shared());
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
      return this.working.chatIs(await this.store.updateChat(this.chatId, changes));
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
        rendered: this.render(renderer),
        fragments: {
          context: fragmentsAsJson(this.fragments),
          pending: inspected.pending,
          persisted: inspected.persisted,
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
      return visualizeGraph(await this.store.getGraph(this.chatId));
    });
  }

  /**
   * Adds to what the chat has used up so far: every number of `usage` to the one of its name under `usage` in the
   * chat's metadata. Two engines that do so at once both count.
   */
  trackUsage(usage: Readonly<Record<string, unknown>>): Promise<void> {
    return this.exclusive(async () => {
      await this.working.open();
      this.working.chatIs(await this.store.addUsage(this.chatId, numbersOf(usage)));
    });
  }

  /** How many questions stand on this path, pending ones included. */
  getTurnCount(): Promise<number> {
    return this.exclusive(async () => {
      await this.working.follow();
      const { messages, editAt } = await this.plan();
      const all = [...this.path.uiMessages(editAt), ...messages.map(({ message }) => message)];
      // A report is told to the model as if by the person, but nobody asked anything.
      return all.filter((message) => message.role === 'user' && !isToldNote(message)).length;
    });
  }

  /** Everything that happened in this chat, oldest first. */
  async events(): Promise<LogEvent[]> {
    await this.exclusive(() => this.working.open());
    return this.store.listEvents(this.chatId);
  }

  /** Ends this engine; the store stays open. What is pending is dropped. A second call does nothing. */
  async close(): Promise<void> {
    this.closed = true;
    this.subscription.dispose();
    this.changed.dispose();
    await this.queue.catch(() => undefined);
  }

  /** One call after the other: two rewinds at once are two branches. */
  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(new ClosedError('engine'));
    const result = this.queue.then(work, work);
    this.queue = result.catch(() => undefined);
    return result;
  }

  private async inspected(renderer: ContextRenderer): Promise<InspectedContext> {
    await this.working.follow();
    const { messages, editAt } = await this.plan();
    return {
      fragments: this.fragments,
      persisted: this.path.uiMessages(editAt),
      pending: messages.map(({ message }) => message),
      renderer,
    };
  }

  private plan(): Promise<PendingPlan> {
    return this.pending.messages.plan({
      lastAssistantId: () => this.path.lastAssistantId(),
      parentsOf: (ids) => this.store.getParentIds(this.chatId, ids),
    });
  }

  private async savePending(
    expectedHead: string | null,
    options: SaveOptions,
  ): Promise<SavedMessages | undefined> {
    for (let attempt = 1; ; attempt++) {
      // Lazy messages are settled against the path, which has to be loaded for that.
      await this.path.moveTo(expectedHead);
      const plan = await this.plan();
      const messages = this.pending.newMessages(plan, options.invocationId);
      const shared = this.pending.shared();
      if (messages.length === 0 && !hasSharedChanges(shared)) {
        this.state.clear();
        return undefined;
      }
      const { name, isActive } = await this.working.now();
      try {
        const saved = await this.store.saveMessages({
          chatId: this.chatId,
          branch: name,
          expectedHead,
          onHeadConflict: this.options.onHeadConflict ?? 'error',
          newBranchAt: plan.editAt,
          activate: isActive || this.options.branch === undefined,
          messages,
          shared,
        });
        this.pending.saved(plan, messages);
        await this.working.grew(saved);
        return saved;
      } catch (error) {
        if (!(error instanceof MessageExistsError) || attempt === MAX_PLANS) throw error;
      }
    }
  }

  private async branchOff(
    request: Pick<AddBranch, 'messageId' | 'event' | 'details'>,
  ): Promise<RewindResult> {
    return this.arrivedAt(await this.working.branchOff(request));
  }

  private arrivedAt(branch: BranchData): RewindResult {
    return { ...branchInfo(branch), clearedPending: this.pending.clear() };
  }
}

function branchInfo({ id, name, headMessageId, isActive, messageCount, createdAt }: BranchData): BranchInfo {
  return { id, name, headMessageId, isActive, messageCount, createdAt };
}

/** Counts are numbers; whatever else a model reports beside them is left out. */
function numbersOf(usage: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(usage).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}
