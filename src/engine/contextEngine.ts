import type { Answering } from './answering.ts';
import { RunningAnswers } from './answers/answerEngine.ts';
import type { Answers } from './answers/answerTypes.ts';
import { EngineAnswers } from './answers/engineAnswers.ts';
import { EngineArtifacts } from './artifacts.ts';
import { BranchMoves } from './branchMoves.ts';
import type {
  AsideOptions,
  ContextEngineOptions,
  ForkOptions,
  InspectOptions,
  MessagesOptions,
  MoveOptions,
  PendingList,
  PrepareStep,
  ResolvedContext,
  ResolvedMessage,
  ResolveOptions,
  RewindResult,
  SaveOptions,
  SaveResult,
} from './contextEngineTypes.ts';
import { ConversationHead, WorkingBranch } from './workingBranch.ts';
import { copyJson } from './json.ts';
import type { MessageEffects } from './effects.ts';
import { Emitter } from '../base/emitter.ts';
import { ChatNotFoundError, ClosedError, EngineBusyError } from './errors.ts';
import type { Estimate } from './estimate/estimate.ts';
import type { Disposable, Event } from '../base/disposable.ts';
import { Sequencer } from '../base/sequencer.ts';
import { untilAborted } from '../base/untilAborted.ts';
import { EngineFiles } from './engineFiles.ts';
import { Loadings, type LoadFragments } from './fragments/awaited.ts';
import type { MessageInput } from './fragments/conversationFragments.ts';
import { checkedFragment, isMessageFragment, type Fragment } from './fragments/fragment.ts';
import { givenMessage } from './fragments/givenMessage.ts';
import { isReminder, isStandingReminder } from './fragments/reminders.ts';
import type { BranchInfo, ChatData, CheckpointData, GraphData, LogEvent, StoreChange } from './graph.ts';
import { estimateContext, takeSnapshot, type ContextSnapshot, type InspectedContext } from './inspect.ts';
import { waitingIn, type PendingPlan } from './pendingMessages.ts';
import { PendingTurn, TurnSaver } from './pendingTurn.ts';
import type { ContextRenderer } from './renderers/contextRenderer.ts';
import { XmlRenderer } from './renderers/xml.ts';
import { resolvedContext } from './sentPath.ts';
import { EngineState } from './state.ts';
import { checkedId, copyGiven } from './storable.ts';
import type { ChatUpdate, ContextStore } from './store.ts';
import { usageNumbers } from './usage.ts';
import { checkedOptions } from './engineOptions.ts';
import { isUserTurn } from './pathSummary.ts';
import type { UIMessagePart } from './uiMessage.ts';

export type * from './contextEngineTypes.ts';

/**
 * One conversation: new messages are pending until `save()`, saved messages never change, and rewinding adds a
 * branch.
 * @example
 * const context = new ContextEngine({ store, chatId: 'chat-1', userId: 'me' });
 * context.set(role('You are helpful.'), user('Hello', { id: 'q1' }));
 * await context.save();
 */
export class ContextEngine {
  readonly chatId: string;
  /** The user as whom the chat is read and changed. */
  readonly userId: string;
  readonly state: EngineState;
  readonly artifacts: EngineArtifacts;
  readonly files = new EngineFiles();
  /**
   * The messages pending until `save()`, to show or drop them.
   * @example
   * ```ts
   * const context = new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c', userId: 'u' });
   * context.set(user('Hello', { id: 'q1' }), user('Never mind', { id: 'q2' }));
   * assert.equal(context.pending.remove('q2'), true);
   * assert.deepEqual(context.pending.list().map(({ id }) => id), ['q1']);
   * ```
   */
  readonly pending: PendingList;
  /** Answers that survive a restart, and can be watched, canceled and reopened by any engine of the chat. */
  readonly answers: Answers;

  private readonly options: ContextEngineOptions;
  private readonly store: ContextStore;
  private readonly working: WorkingBranch;
  private readonly turn: PendingTurn;
  private readonly head: ConversationHead;
  private readonly saver: TurnSaver;
  private readonly moves: BranchMoves;
  private readonly running = new RunningAnswers();
  private readonly changed = new Emitter<StoreChange>();
  private readonly subscription: Disposable;
  private fragments: Fragment[] = [];
  private readonly calls = new Sequencer();
  private readonly loadings = new Loadings();
  private answering: Answering | undefined;
  /** Closed with the engine. */
  private ownStore: ContextStore | undefined;
  private closed = false;

  /** @throws InvalidArgumentError, InvalidNameError */
  constructor(options: ContextEngineOptions) {
    const own = checkedOptions(options);
    this.options = own;
    this.store = own.store;
    this.chatId = own.chatId;
    this.userId = own.userId;
    this.working = new WorkingBranch(own);
    this.state = new EngineState((use) => this.exclusive(async () => use(await this.head.savedState())));
    this.artifacts = new EngineArtifacts(
      (use) => this.exclusive(async () => use(await this.head.savedArtifacts())),
      this.store.blobs,
    );
    this.turn = new PendingTurn(own.userId, this.state, this.artifacts, this.files);
    this.head = new ConversationHead(own, this.working, this.turn.messages);
    this.saver = new TurnSaver(own, this.working, this.head, this.turn);
    this.moves = new BranchMoves(own, this.working, this.turn);
    this.answers = new EngineAnswers({
      options: own,
      working: this.working,
      onDidChange: this.changed.event,
      exclusive: (work) => this.exclusive(work),
      running: this.running,
    });
    const { messages } = this.turn;
    this.pending = { list: () => copyJson(messages.list()), remove: (id) => messages.remove(id) };
    this.subscription = this.store.onDidChange((change) => {
      if (change.chatId === this.chatId) this.changed.fire(change);
    });
  }

  /** Fires on every durable change to this chat, by any engine. */
  get onDidChange(): Event<StoreChange> {
    return this.changed.event;
  }

  /** The current branch; before the first call that reads the store, the branch it will begin with, if known. */
  get branch(): string {
    return this.working.name;
  }

  /** The last saved message of the current branch; undefined while it is empty or the store was not read yet. */
  get headMessageId(): string | undefined {
    return this.working.headMessageId;
  }

  /** Null before the first call that reads the store. */
  get chat(): ChatData | null {
    return copyJson(this.working.chat ?? null);
  }

  /**
   * Adds fragments: messages are pending until `save()`, reminders go with the pending user message before them, all
   * others make up the system prompt. Messages are copied. If one fragment cannot be used, none is added.
   * @throws InvalidArgumentError, InvalidNameError, NotStorableError, AsyncFragmentError
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

  /** The system prompt alone, which waits for nothing. @throws AsyncFragmentError */
  render(renderer: ContextRenderer): string {
    return renderer.render(this.fragments);
  }

  /**
   * What the model gets. Pending messages have the ids they will be saved under.
   * @throws FragmentLoadError, and the reason of the signal as soon as that is aborted
   */
  resolve({
    renderer = new XmlRenderer(),
    whole = false,
    signal,
  }: ResolveOptions = {}): Promise<ResolvedContext> {
    return this.waiting(signal, async (load) => {
      const [fragments, plan] = await this.now(load);
      const { before } = plan;
      const systemPrompt = renderer.render(fragments);
      return resolvedContext(systemPrompt, () => (whole ? before.sinceTask : before.sent), waitingIn(plan));
    });
  }

  /**
   * The messages of {@link resolve} alone: those on the path, an answer that is being filled, and pending ones. Answers
   * without content are left out.
   */
  getMessages({ whole = false, signal }: MessagesOptions = {}): Promise<ResolvedMessage[]> {
    return this.waiting(signal, async () => {
      const plan = await this.head.plan(await this.head.look());
      const saved = whole ? plan.before.sinceTask : plan.before.sent;
      return resolvedContext('', () => saved, waitingIn(plan)).messages;
    });
  }

  /**
   * The last message: the last pending one, or else the answer that is being filled, even while it is empty, or else
   * the last one on the path. Undefined when there is none.
   */
  headMessage(): Promise<{ readonly id: string; readonly name: string } | undefined> {
    return this.exclusive(() => this.head.last());
  }

  /**
   * Stores all pending messages in one transaction. A message whose id exists is an edit: it is stored under a new id
   * on a new branch, and the original does not change. On failure nothing is stored and everything stays pending.
   * Messages set while it runs wait for the next save. An answer that is being filled is stored before them.
   * @throws HeadConflictError, NotStorableError, ReadOnlyError, and the reason of the signal; MessageExistsError where
   * edits are refused
   */
  save(options: SaveOptions = {}): Promise<SaveResult> {
    const given = { ...options };
    if (given.invocationId !== undefined) checkedId(given.invocationId, 'invocation id');
    return this.exclusive(() => this.saver.save(given));
  }

  /**
   * Saves a message of the user with everything pending, and reserves the answer to it; or keeps what there is of that
   * answer, durably and without making it final. It is then part of what `resolve()` gives, also for an engine that
   * opens the chat later. It becomes a message, under this id, with `save()`: when it is set itself, or before the
   * messages that follow it, unless it is empty. One answer is open on a branch. Where the branch is left, it stays there. Where another engine moved the branch, a
   * part of the answer is kept as `onHeadConflict` says.
   * @example
   * ```ts
   * const context = new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c', userId: 'u' });
   * const id = await context.continue(user('Count to two.'));
   * await context.continue(assistant('One,', { id }));
   * assert.deepEqual((await context.getMessages()).map(textOf), ['Count to two.', 'One,']);
   * await context.set(assistant('One, two.', { id })).save();
   * assert.equal(context.headMessageId, id);
   * ```
   * @returns the id of the answer
   * @throws AnswerNotOpenError for another answer, InvalidArgumentError for one without an id
   * @throws AnswerInProgressError where another program keeps a draft on the branch; what `save()` throws
   */
  async continue(message: Fragment | MessageInput): Promise<string> {
    const given = givenMessage(message);
    return this.exclusive(async () => {
      // Loaded on demand: only programs that fill answers themselves need it.
      const { Answering } = await import('./answering.ts');
      this.answering ??= new Answering(this.options, this.working, this.turn, this.saver);
      return this.answering.continue(given);
    });
  }

  /**
   * For the option `prepareStep` of `generateText` and `streamText` of AI SDK 7: before each further step of an answer
   * it asks the reminders for `tool-output` (of each tool that the last step called) and for `steer`, and adds those
   * that are due as one message with the user's role. One loop of an engine runs at a time. See {@link PrepareStep} for
   * what is stored. It throws what {@link afterStep} throws, and so does the call of the AI SDK.
   */
  prepareStep(): PrepareStep {
    const progress = { seen: 0 };
    return (step) =>
      this.exclusive(async () =>
        (await import('./reminderLoop.ts')).prepareStep(step, progress, this.head, this.turn.messages),
      );
  }

  /**
   * The same for a loop of your own: the message to send before the next step, if a reminder is due.
   * @param parts what the last step has added to the answer: its text, and the tools it called as they ended
   * @throws ReminderFailedError when a reminder fails: the step can be tried again
   * @throws InvalidArgumentError for what are no parts
   * @example
   * ```ts
   * const context = new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c', userId: 'u' });
   * context.set(user('Read them all.'), reminder('Sum up.', { target: 'steer', when: everyNToolCalls(2) }));
   * const read = { type: 'tool-read', state: 'output-available', input: {}, output: '' };
   * assert.equal(await context.afterStep([{ ...read, toolCallId: 'c1' }]), undefined);
   * const message = await context.afterStep([{ ...read, toolCallId: 'c2' }]);
   * assert.equal(message.content, '<system-reminder>Sum up.</system-reminder>');
   * ```
   */
  afterStep(parts: readonly UIMessagePart[]): Promise<ResolvedMessage | undefined> {
    const given = copyGiven(parts);
    return this.exclusive(async () =>
      (await import('./reminderLoop.ts')).afterStep(given, this.head, this.turn.messages),
    );
  }

  /**
   * Continues from a message on a new branch, the old one unchanged. Pending messages are dropped and counted.
   * @throws MessageNotFoundError, ForeignMessageError
   */
  rewind(messageId: string, options: MoveOptions = {}): Promise<RewindResult> {
    const how = { ...options };
    return this.exclusive(() => this.moves.rewind(messageId, how));
  }

  /**
   * Continues from before a message or a turn: on a new branch at its parent, or an empty one when it was the first.
   * If turns share an id, the one on this path is used.
   * @throws MessageNotFoundError, ForeignMessageError, InvocationNotFoundError
   */
  rewindBefore(target: string | { invocationId: string }, options: MoveOptions = {}): Promise<RewindResult> {
    const to = typeof target === 'object' ? { ...target } : target;
    const how = { ...options };
    return this.exclusive(() => this.moves.rewindBefore(to, how));
  }

  /** Bookmarks the head or a message; reusing a name moves it. @throws EmptyConversationError, InvalidNameError */
  checkpoint(name: string, { messageId }: { messageId?: string } = {}): Promise<CheckpointData> {
    return this.exclusive(() => this.moves.checkpoint(name, messageId));
  }

  /** Continues from a checkpoint on a new branch. @throws CheckpointNotFoundError */
  restore(name: string, options: MoveOptions = {}): Promise<RewindResult> {
    const how = { ...options };
    return this.exclusive(() => this.moves.restore(name, how));
  }

  /**
   * Switches to a branch; a dropped provisional one is made again. Pending messages are dropped and counted.
   * @throws BranchNotFoundError
   */
  switchBranch(name: string): Promise<RewindResult> {
    return this.exclusive(() => this.moves.switchBranch(name));
  }

  /**
   * Makes a branch without switching to it, for a side question or another answer. Pending messages stay.
   * @throws EmptyConversationError, MessageNotFoundError, ForeignMessageError
   */
  btw(options: AsideOptions = {}): Promise<BranchInfo> {
    const how = { ...options };
    return this.exclusive(() => this.moves.btw(how));
  }

  /** What the next `save()` will store in addition to messages; undefined when there is nothing. */
  pendingEffects(): MessageEffects | undefined {
    return this.turn.effects();
  }

  /** True when the next `save()` will store something in addition to messages. */
  get hasPendingChanges(): boolean {
    return this.turn.hasChanges;
  }

  /**
   * Changes title and metadata; metadata is merged with the existing metadata. A function is given the current chat,
   * and no other change happens between its call and the update. It must have no side effects, because it may be
   * called more than once.
   */
  updateChat(changes: ChatUpdate): Promise<ChatData> {
    const given = copyGiven(changes);
    return this.exclusive(async () => {
      await this.working.open();
      return copyJson(this.working.chatIs(await this.store.updateChat(this.chatId, given)));
    });
  }

  /** The tokens of what a model would get now, and what they cost; counted without the network. */
  estimate({ modelId, renderer, signal }: InspectOptions): Promise<Estimate> {
    return this.waiting(signal, async (load) =>
      estimateContext(modelId, await this.inspected(load, renderer)),
    );
  }

  /** Everything there is to inspect, for debugging. Plain data: `JSON.stringify` keeps all of it. */
  inspect({ modelId, renderer, signal }: InspectOptions): Promise<ContextSnapshot> {
    return this.waiting(signal, async (load) => {
      const inspected = await this.inspected(load, renderer);
      return takeSnapshot(modelId, inspected, this.turn.messages.standingReminders, {
        chatId: this.chatId,
        branch: this.branch,
        graph: () => this.graph(),
      });
    });
  }

  /** The whole chat as text, for a terminal. See {@link visualizeGraph}. */
  visualizeGraph(): Promise<string> {
    return this.exclusive(async () => {
      await this.working.open();
      // Loaded on demand: only scripts and debugging need it.
      const { visualizeGraph } = await import('./visualizeGraph.ts');
      return visualizeGraph(await this.graph());
    });
  }

  /**
   * Adds to the chat's total usage: each number of `usage` to the one of the same name under `usage` in the chat's
   * metadata, including the groups of AI SDK 7. Concurrent calls of two engines both count.
   * @example
   * ```ts
   * const context = new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c', userId: 'u' });
   * await context.trackUsage({ inputTokens: 10, inputTokenDetails: { cacheReadTokens: 8 } });
   * await context.trackUsage({ inputTokens: 5, inputTokenDetails: { cacheReadTokens: 1 } });
   * const { usage } = context.chat.metadata;
   * assert.deepEqual(usage, { inputTokens: 15, inputTokenDetails: { cacheReadTokens: 9 } });
   * ```
   */
  async trackUsage(usage: Readonly<Record<string, unknown>>): Promise<void> {
    const counts = usageNumbers(usage);
    return this.exclusive(async () => {
      await this.working.open();
      this.working.chatIs(await this.store.addUsage(this.chatId, counts));
    });
  }

  /** The number of questions on this path, including pending ones. */
  getTurnCount(): Promise<number> {
    return this.exclusive(async () => {
      const { before, messages } = await this.head.plan(await this.head.look());
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

  /**
   * Makes a child with the same fragments and no messages, in a store of its own: what is done there changes nothing
   * here. The default is a store in memory, which is closed with the child.
   * @example
   * ```ts
   * const context = new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c', userId: 'u' });
   * await context.set(role('You are brief.'), user('Hello')).save();
   * const child = await context.fork();
   * const { systemPrompt, messages } = await child.set(user('Summarize the file.')).resolve();
   * assert.deepEqual([systemPrompt, messages.length], ['<role>You are brief.</role>', 1]);
   * ```
   */
  async fork({ store, chatId = crypto.randomUUID() }: ForkOptions = {}): Promise<ContextEngine> {
    if (this.closed) throw new ClosedError('engine');
    const fragments = [...this.fragments, ...this.turn.messages.standingReminders];
    const used = store ?? (await this.store.createInMemory());
    const { metadata: _metadata, branch: _branch, ...how } = this.options;
    const child = new ContextEngine({ ...how, store: used, chatId });
    if (!store) child.ownStore = used;
    return child.set(...fragments);
  }

  /**
   * Closes this engine; the store stays open. Pending messages are dropped, answers that it writes are interrupted, and
   * fragments that are still being loaded are not waited for. A second call does nothing.
   */
  async close(): Promise<void> {
    this.closed = true;
    this.subscription.dispose();
    this.changed.dispose();
    this.loadings.stop(new ClosedError('engine'));
    try {
      await this.running.close();
    } finally {
      await this.calls.idle();
      this.head.dispose();
      await this.ownStore?.close();
    }
  }

  /** Runs calls one after the other, so that two concurrent rewinds make two branches. */
  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(new ClosedError('engine'));
    // It would wait for a call that waits for it.
    if (this.turn.messages.isAsking) return Promise.reject(new EngineBusyError());
    return this.calls.run(() =>
      work().catch((error: unknown) => {
        // The chat was deleted. A caller that continues starts from scratch, as a new engine would.
        if (error instanceof ChatNotFoundError) this.head.forget();
        throw error;
      }),
    );
  }

  private graph(): Promise<GraphData> {
    return this.store.getGraph(this.chatId, { userId: this.userId });
  }

  /** As {@link exclusive}, for what waits for fragments: until the caller aborts it, also while other calls run. */
  private waiting<T>(signal: AbortSignal | undefined, work: (load: LoadFragments) => Promise<T>): Promise<T> {
    return untilAborted(signal, () => this.exclusive(() => this.loadings.run(signal, work)));
  }

  /** Both begin at the same moment, so that fragments set together are seen together. */
  private async now(load: LoadFragments): Promise<[readonly Fragment[], PendingPlan]> {
    const atHead = await this.head.look();
    return Promise.all([load(this.fragments), this.head.plan(atHead)]);
  }

  private async inspected(
    load: LoadFragments,
    renderer: ContextRenderer = new XmlRenderer(),
  ): Promise<InspectedContext> {
    const [fragments, plan] = await this.now(load);
    return { fragments, persisted: plan.before.sent, pending: waitingIn(plan), renderer };
  }
}
