import { EngineArtifacts } from './artifacts.ts';
import { BranchMoves } from './branchMoves.ts';
import type {
  AsideOptions,
  ContextEngineOptions,
  InspectOptions,
  MoveOptions,
  PendingList,
  ResolvedContext,
  ResolveOptions,
  RewindResult,
  SaveOptions,
  SaveResult,
} from './contextEngineTypes.ts';
import { ConversationHead } from './conversationHead.ts';
import { copyJson } from './copyJson.ts';
import type { MessageEffects } from './effects.ts';
import { Emitter } from '../kit/emitter.ts';
import { ChatNotFoundError, ClosedError } from './errors.ts';
import type { Estimate } from './estimate/estimate.ts';
import type { Disposable, Event } from '../kit/disposable.ts';
import { Sequencer } from '../kit/sequencer.ts';
import { EngineFiles } from './engineFiles.ts';
import { checkedFragment, isMessageFragment, type Fragment } from './fragments/fragment.ts';
import { isReminder, isStandingReminder } from './fragments/reminders.ts';
import type { BranchInfo, ChatData, CheckpointData, GraphData, LogEvent, StoreChange } from './graph.ts';
import { estimateContext, takeSnapshot, type ContextSnapshot, type InspectedContext } from './inspect.ts';
import { PendingTurn } from './pendingTurn.ts';
import type { ContextRenderer } from './renderers/contextRenderer.ts';
import { XmlRenderer } from './renderers/xml.ts';
import { resolvedContext } from './resolvedContext.ts';
import { EngineState } from './state.ts';
import { checkedId } from './storable.ts';
import type { ChatUpdate, ContextStore } from './store.ts';
import { TurnSaver } from './turnSaver.ts';
import { usageNumbers } from './usage.ts';
import { checkedOptions } from './engineOptions.ts';
import { WorkingBranch } from './workingBranch.ts';
import { isUserTurn } from './userTurn.ts';

export type * from './contextEngineTypes.ts';

/**
 * One conversation: what is said waits until `save()`, what is saved never changes, and rewinding adds a branch.
 * @example
 * const context = new ContextEngine({ store, chatId: 'chat-1', userId: 'me' });
 * context.set(role('You are helpful.'), user('Hello', { id: 'q1' }));
 * await context.save();
 */
export class ContextEngine {
  readonly chatId: string;
  /** As whose the chat is read and changed. */
  readonly userId: string;
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

  private readonly store: ContextStore;
  private readonly working: WorkingBranch;
  private readonly turn: PendingTurn;
  private readonly head: ConversationHead;
  private readonly saver: TurnSaver;
  private readonly moves: BranchMoves;
  private readonly changed = new Emitter<StoreChange>();
  private readonly subscription: Disposable;
  private fragments: Fragment[] = [];
  private readonly calls = new Sequencer();
  private closed = false;

  /** @throws InvalidArgumentError, InvalidNameError */
  constructor(options: ContextEngineOptions) {
    checkedOptions(options);
    this.store = options.store;
    this.chatId = options.chatId;
    this.userId = options.userId;
    this.working = new WorkingBranch(options);
    this.state = new EngineState((use) => this.exclusive(async () => use(await this.head.savedState())));
    this.artifacts = new EngineArtifacts(
      (use) => this.exclusive(async () => use(await this.head.savedArtifacts())),
      this.store.blobs,
    );
    this.turn = new PendingTurn(options.userId, this.state, this.artifacts, this.files);
    this.head = new ConversationHead(options, this.working, this.turn.messages);
    this.saver = new TurnSaver(options, this.working, this.head, this.turn);
    this.moves = new BranchMoves(options, this.working, this.turn);
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
  resolve({ renderer = new XmlRenderer(), whole = false }: ResolveOptions = {}): Promise<ResolvedContext> {
    return this.exclusive(async () => {
      const atHead = await this.head.follow();
      // At one moment, so that what is set together is seen together.
      const [systemPrompt, planning] = [this.render(renderer), this.head.plan(atHead)];
      const { before, messages } = await planning;
      const pending = messages.map(({ message }) => message);
      return resolvedContext(systemPrompt, () => (whole ? before.sinceTask : before.sent), pending);
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
    return this.exclusive(() => this.saver.save(options));
  }

  /**
   * Goes on from a message, on a new branch; the branch left stays as it is. Pending messages are dropped and counted.
   * @throws MessageNotFoundError, ForeignMessageError
   */
  rewind(messageId: string, options: MoveOptions = {}): Promise<RewindResult> {
    return this.exclusive(() => this.moves.rewind(messageId, options));
  }

  /**
   * Goes on from before a message or a turn: on a new branch at its parent, or an empty one when it was the first. Of
   * turns with the same id, the one on this path is meant.
   * @throws MessageNotFoundError, ForeignMessageError, InvocationNotFoundError
   */
  rewindBefore(target: string | { invocationId: string }, options: MoveOptions = {}): Promise<RewindResult> {
    return this.exclusive(() => this.moves.rewindBefore(target, options));
  }

  /**
   * Bookmarks the head, or the message given; the same name again moves the bookmark.
   * @throws EmptyConversationError, InvalidNameError
   */
  checkpoint(name: string, { messageId }: { messageId?: string } = {}): Promise<CheckpointData> {
    return this.exclusive(() => this.moves.checkpoint(name, messageId));
  }

  /** Goes on from a checkpoint, on a new branch. @throws CheckpointNotFoundError */
  restore(name: string, options: MoveOptions = {}): Promise<RewindResult> {
    return this.exclusive(() => this.moves.restore(name, options));
  }

  /**
   * Goes to a branch that exists, or to a provisional one that was dropped and comes back. Pending messages are dropped
   * and counted.
   * @throws BranchNotFoundError
   */
  switchBranch(name: string): Promise<RewindResult> {
    return this.exclusive(() => this.moves.switchBranch(name));
  }

  /**
   * Makes a branch at the head, or at the message given, without going there: for a question by the way, or for another
   * answer. Pending messages stay.
   * @throws EmptyConversationError, MessageNotFoundError, ForeignMessageError
   */
  btw(options: AsideOptions = {}): Promise<BranchInfo> {
    return this.exclusive(() => this.moves.btw(options));
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
      return takeSnapshot(modelId, inspected, this.turn.messages.standingReminders, {
        ...{ chatId: this.chatId, branch: this.branch },
        graph: () => this.graph(),
      });
    });
  }

  /** The whole chat as text, for a terminal. See {@link visualizeGraph}. */
  visualizeGraph(): Promise<string> {
    return this.exclusive(async () => {
      await this.working.open();
      // Only scripts and debugging ask for it.
      const { visualizeGraph } = await import('./visualizeGraph.ts');
      return visualizeGraph(await this.graph());
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
      const { before, messages } = await this.head.plan(await this.head.follow());
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
    this.head.dispose();
  }

  /** One call after the other: two rewinds at once are two branches. */
  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(new ClosedError('engine'));
    return this.calls.run(() =>
      work().catch((error: unknown) => {
        // The chat was deleted. Whoever goes on all the same begins it anew, as another engine would.
        if (error instanceof ChatNotFoundError) this.head.forget();
        throw error;
      }),
    );
  }

  private graph(): Promise<GraphData> {
    return this.store.getGraph(this.chatId, { userId: this.userId });
  }

  private async inspected(renderer: ContextRenderer): Promise<InspectedContext> {
    const atHead = await this.head.follow();
    const [fragments, planning] = [[...this.fragments], this.head.plan(atHead)];
    const { before, messages } = await planning;
    return {
      fragments,
      persisted: before.sent,
      pending: messages.map(({ message }) => message),
      renderer,
    };
  }
}
