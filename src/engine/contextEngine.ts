import { EngineArtifacts } from './artifacts.ts';
import { branchSummaryOf } from './branchSummary.ts';
import { ConversationPath, type ResolvedMessage } from './conversationPath.ts';
import type { MessageEffects } from './effects.ts';
import { Emitter } from './emitter.ts';
import {
  BranchNotFoundError,
  CheckpointNotFoundError,
  ClosedError,
  EmptyConversationError,
  ForeignMessageError,
  InvocationNotFoundError,
  MessageExistsError,
  MessageNotFoundError,
} from './errors.ts';
import type { Estimate } from './estimate/index.ts';
import type { Disposable, Event } from './event.ts';
import { EngineFiles } from './files.ts';
import { isMessageFragment, type Fragment } from './fragments/fragment.ts';
import { isReminder } from './fragments/messages.ts';
import type {
  BranchData,
  BranchInfo,
  ChatData,
  CheckpointData,
  LogEvent,
  MessageData,
  StoreChange,
} from './graph.ts';
import { estimateContext, fragmentsAsJson, type ContextSnapshot, type InspectedContext } from './inspect.ts';
import type { JsonObject } from './json.ts';
import { asNewMessage, PendingMessages, type PendingPlan } from './pendingMessages.ts';
import type { ContextRenderer } from './renderers/contextRenderer.ts';
import { XmlRenderer } from './renderers/xml.ts';
import { EngineState } from './state.ts';
import { checkedId } from './storable.ts';
import type { AddBranch, ChatChanges, ContextStore, NewMessage, SavedMessages } from './store.ts';
import { withContent } from './uiMessage.ts';
import { visualizeGraph } from './visualizeGraph.ts';

/** Which conversation an engine works on, and how. */
export interface ContextEngineOptions {
  readonly store: ContextStore;
  readonly chatId: string;
  /** The chat's owner; another user's chat is not found. */
  readonly userId: string;
  /** Merged into the metadata of the chat. */
  readonly metadata?: JsonObject;
  /** Work on this branch without making it active: an answer stays with its branch. Default: the active one. */
  readonly branch?: string;
  /** When another engine moved the branch since this one last saw it: refuse (default), or save on a new branch. */
  readonly onHeadConflict?: 'error' | 'fork';
}

/** How the system prompt is written. */
export interface ResolveOptions {
  /** Default: XML. */
  readonly renderer?: ContextRenderer;
}

/** For which model something is counted. */
export interface InspectOptions extends ResolveOptions {
  /** `openai:gpt-4o`, `groq:gpt-oss-20b`, …; one that is not known is estimated without a price. */
  readonly modelId: string;
}

/** What a model is sent: pass both to `generateText`, `streamText` or a client of your own. */
export interface ResolvedContext {
  readonly systemPrompt: string;
  /** Root first, pending messages last. */
  readonly messages: ResolvedMessage[];
}

/** What is saved beside the messages themselves. */
export interface SaveOptions {
  /** The turn these messages belong to; default: the id of its user message. */
  readonly invocationId?: string;
}

/** Where a save left the conversation. */
export interface SaveResult {
  readonly headMessageId: string | undefined;
  /** The branch they were saved on: a new one after an edit or a fork. */
  readonly branch: string;
  readonly messageIds: readonly string[];
}

/** The branch one is on now, and how many pending messages and changes were dropped on the way. */
export interface RewindResult extends BranchInfo {
  readonly clearedPending: number;
}

/** What is known of the chat after the first call. */
interface Opened {
  chat: ChatData;
  branch: BranchData;
}

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
  private readonly pending = new PendingMessages();
  private readonly changed = new Emitter<StoreChange>();
  private readonly subscription: Disposable;
  private fragments: Fragment[] = [];
  private opened: Opened | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(private readonly options: ContextEngineOptions) {
    this.store = options.store;
    this.chatId = checkedId(options.chatId, 'chat id');
    checkedId(options.userId, 'user id');
    this.path = new ConversationPath(this.store, this.chatId);
    const effects = async () => {
      await this.exclusive(() => this.follow());
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
    return this.opened?.branch.name ?? this.options.branch ?? 'main';
  }

  /** The last saved message of the branch worked on; undefined while it is empty or nothing was read yet. */
  get headMessageId(): string | undefined {
    return this.opened?.branch.headMessageId ?? undefined;
  }

  /** Null before the first call that reads the store. */
  get chat(): ChatData | null {
    return this.opened?.chat ?? null;
  }

  /**
   * Adds fragments: messages wait for `save()`, reminders go with the pending user message before them, the others make
   * up the system prompt.
   */
  set(...fragments: readonly Fragment[]): this {
    for (const fragment of fragments) {
      if (isMessageFragment(fragment)) this.pending.add(fragment);
      else if (!isReminder(fragment) || !this.pending.remind(fragment)) this.fragments.push(fragment);
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
      await this.follow();
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
      const expectedHead = (await this.open()).branch.headMessageId;
      const saved = await this.savePending(expectedHead, options);
      const { branch } = this.require();
      return {
        headMessageId: branch.headMessageId ?? undefined,
        branch: branch.name,
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
      await this.open();
      const { id } = await this.requireMessage(messageId);
      return this.branchOff({ messageId: id, event: 'rewound' });
    });
  }

  /**
   * Goes on from before a message or a turn: on a new branch at its parent, or an empty one when it was the first.
   * @throws MessageNotFoundError, ForeignMessageError, InvocationNotFoundError
   */
  rewindBefore(target: string | { invocationId: string }): Promise<RewindResult> {
    return this.exclusive(async () => {
      await this.open();
      const message =
        typeof target === 'string'
          ? await this.requireMessage(target)
          : await this.requireInvocation(target.invocationId);
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
      const { branch } = await this.follow();
      const at = messageId === undefined ? branch.headMessageId : (await this.requireMessage(messageId)).id;
      if (at === null) throw new EmptyConversationError('checkpoint');
      return this.store.setCheckpoint(this.chatId, name, at);
    });
  }

  /** Goes on from a checkpoint, on a new branch. @throws CheckpointNotFoundError */
  restore(name: string): Promise<RewindResult> {
    return this.exclusive(async () => {
      await this.open();
      const checkpoint = await this.store.getCheckpoint(this.chatId, name.trim());
      if (!checkpoint) throw new CheckpointNotFoundError(name);
      const details = { checkpoint: checkpoint.name };
      return this.branchOff({ messageId: checkpoint.messageId, event: 'restored', details });
    });
  }

  /** Goes to a branch that exists. Pending messages are dropped and counted. @throws BranchNotFoundError */
  switchBranch(name: string): Promise<RewindResult> {
    return this.exclusive(async () => {
      await this.open();
      return this.arriveAt(await this.store.activateBranch(this.chatId, name));
    });
  }

  /**
   * Makes a branch at the head without going there, for a question by the way. Pending messages stay.
   * @throws EmptyConversationError
   */
  btw(): Promise<BranchInfo> {
    return this.exclusive(async () => {
      const { branch } = await this.follow();
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
    const state = this.state.pendingEffects();
    const artifacts = this.artifacts.pending('path');
    const files = this.files.pending();
    if (!state && artifacts.length === 0 && files.length === 0) return undefined;
    return {
      ...(state ? { state } : {}),
      ...(artifacts.length > 0 ? { artifacts } : {}),
      ...(files.length > 0 ? { files } : {}),
    };
  }

  /** True when something beside messages waits for the next `save()`. */
  get hasPendingChanges(): boolean {
    const ofUser = [this.state.pending('user').size, this.state.pending('app').size];
    const artifacts = this.artifacts.pending('user').length;
    return this.pendingEffects() !== undefined || artifacts > 0 || ofUser.some((size) => size > 0);
  }

  /** Changes title and metadata; metadata is merged with what is there. */
  updateChat(changes: ChatChanges): Promise<ChatData> {
    return this.exclusive(async () => {
      const opened = await this.open();
      opened.chat = await this.store.updateChat(this.chatId, changes);
      return opened.chat;
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
      await this.open();
      return visualizeGraph(await this.store.getGraph(this.chatId));
    });
  }

  /**
   * Adds to what the chat has used up so far: every number of `usage` to the one of its name under `usage` in the
   * chat's metadata. Two engines that do so at once both count.
   */
  trackUsage(usage: Readonly<Record<string, unknown>>): Promise<void> {
    return this.exclusive(async () => {
      const opened = await this.open();
      opened.chat = await this.store.addUsage(this.chatId, numbersOf(usage));
    });
  }

  /** How many questions stand on this path, pending ones included. */
  getTurnCount(): Promise<number> {
    return this.exclusive(async () => {
      await this.follow();
      const { messages, editAt } = await this.plan();
      const all = [...this.path.uiMessages(editAt), ...messages.map(({ message }) => message)];
      // A report is told to the model as if by the person, but nobody asked anything.
      return all.filter((message) => message.role === 'user' && !branchSummaryOf(message)).length;
    });
  }

  /** Everything that happened in this chat, oldest first. */
  async events(): Promise<LogEvent[]> {
    await this.exclusive(() => this.open());
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

  private async open(): Promise<Opened> {
    if (this.opened) return this.opened;
    const { userId, metadata, branch: wanted } = this.options;
    const chat = await this.store.upsertChat({ id: this.chatId, userId, ...(metadata ? { metadata } : {}) });
    const branch =
      wanted === undefined
        ? await this.store.getActiveBranch(this.chatId)
        : await this.store.getBranch(this.chatId, wanted);
    if (!branch) throw new BranchNotFoundError(wanted ?? 'main');
    this.opened = { chat, branch };
    return this.opened;
  }

  /** Takes notice of what other engines added to the branch. */
  private async follow(): Promise<Opened> {
    const branch = await this.branchNow();
    const opened = this.require();
    opened.branch = branch;
    await this.path.moveTo(branch.headMessageId);
    return opened;
  }

  /** The branch as it is now: it may have another name, and its name another branch. */
  private async branchNow(): Promise<BranchData> {
    const { branch } = await this.open();
    const named = await this.store.getBranch(this.chatId, branch.name);
    if (named?.id === branch.id) return named;
    const all = await this.store.listBranches(this.chatId, { includeArchived: true });
    const renamed = all.find(({ id }) => id === branch.id);
    if (renamed) return renamed;
    // Branches stay for good: this is another chat, begun after the one of this id was deleted.
    this.opened = undefined;
    await this.path.moveTo(null);
    return (await this.open()).branch;
  }

  private require(): Opened {
    if (!this.opened) throw new ClosedError('engine');
    return this.opened;
  }

  private async inspected(renderer: ContextRenderer): Promise<InspectedContext> {
    await this.follow();
    const { messages, editAt } = await this.plan();
    return {
      fragments: this.fragments,
      persisted: this.path.uiMessages(editAt),
      pending: messages.map(({ message }) => message),
      renderer,
    };
  }

  private plan(): Promise<PendingPlan> {
    return this.pending.plan({
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
      const messages = this.newMessages(plan, options);
      const shared = {
        userId: this.options.userId,
        user: this.state.pending('user'),
        app: this.state.pending('app'),
        artifacts: this.artifacts.pending('user'),
      };
      const isShared = shared.user.size > 0 || shared.app.size > 0 || shared.artifacts.length > 0;
      if (messages.length === 0 && !isShared) {
        this.state.clear();
        return undefined;
      }
      const { name, isActive } = await this.branchNow();
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
        this.pending.saved(plan.messages.length);
        this.state.clear();
        this.artifacts.clear();
        this.files.saved(messages.at(-1)?.effects?.files ?? []);
        await this.settleOn(saved);
        return saved;
      } catch (error) {
        if (!(error instanceof MessageExistsError) || attempt === MAX_PLANS) throw error;
      }
    }
  }

  /** The messages to store; state, artifacts and files go with the last, or with a node of their own that no model sees. */
  private newMessages(plan: PendingPlan, options: SaveOptions): NewMessage[] {
    const messages = plan.messages.map((message) => asNewMessage(message, options.invocationId));
    const effects = this.pendingEffects();
    if (!effects) return messages;
    const last = messages.pop() ?? stateNode(options.invocationId);
    return [...messages, { ...last, effects }];
  }

  private async settleOn({ branch, messages }: SavedMessages): Promise<void> {
    const opened = this.require();
    const grewFrom = messages[0]?.parentId;
    opened.branch = branch;
    if (messages.length > 0 && grewFrom === this.path.headId) this.path.append(messages);
    else await this.path.moveTo(branch.headMessageId);
    opened.chat = (await this.store.getChat(this.chatId)) ?? opened.chat;
  }

  private async branchOff(
    request: Pick<AddBranch, 'messageId' | 'event' | 'details'>,
  ): Promise<RewindResult> {
    const { name } = await this.branchNow();
    const made = await this.store.addBranch({
      chatId: this.chatId,
      from: name,
      activate: true,
      ...request,
    });
    return this.arriveAt(made);
  }

  private arriveAt(branch: BranchData): RewindResult {
    this.require().branch = branch;
    const clearedPending = this.pending.clear() + this.state.clear() + this.artifacts.clear();
    // The path is read when it is asked for: going somewhere costs the same however long the way there is.
    return { ...branchInfo(branch), clearedPending };
  }

  private async requireMessage(messageId: string): Promise<MessageData> {
    const message = await this.store.getMessage(this.chatId, messageId);
    if (message) return message;
    if (await this.store.isMessageElsewhere(this.chatId, messageId)) throw new ForeignMessageError(messageId);
    throw new MessageNotFoundError(messageId);
  }

  private async requireInvocation(invocationId: string): Promise<MessageData> {
    const message = await this.store.findInvocation(this.chatId, invocationId);
    if (!message) throw new InvocationNotFoundError(invocationId);
    return message;
  }
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

function branchInfo({ id, name, headMessageId, isActive, messageCount, createdAt }: BranchData): BranchInfo {
  return { id, name, headMessageId, isActive, messageCount, createdAt };
}

/** Counts are numbers; whatever else a model reports beside them is left out. */
function numbersOf(usage: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(usage).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}
