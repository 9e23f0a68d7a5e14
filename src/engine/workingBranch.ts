import type { ContextEngineOptions } from './contextEngineTypes.ts';
import {
  BranchNotFoundError,
  ClosedError,
  ForeignMessageError,
  InvocationNotFoundError,
  MessageNotFoundError,
} from './errors.ts';
import type { BranchData, ChatData, MessageData } from './graph.ts';
import { checkedId } from './storable.ts';
import type { SavedArtifacts } from './artifacts.ts';
import { ConversationPath, type ConversationView } from './conversationPath.ts';
import type { Disposable } from '../base/disposable.ts';
import { OpenAnswers, type AnswerAt } from './openAnswer.ts';
import type { Conversation, PendingMessages, PendingPlan } from './pendingMessages.ts';
import type { ReminderChat } from './reminderRound.ts';
import type { SavedState } from './state.ts';
import type { Draft } from './store.ts';

interface Opened {
  chat: ChatData;
  branch: BranchData;
}

/** Others may rename, extend or delete the branch: it is identified by id and looked up on each use. */
export class WorkingBranch {
  private opened: Opened | undefined;

  constructor(private readonly options: ContextEngineOptions) {}

  /** The last known name. */
  get name(): string {
    return this.opened?.branch.name ?? this.options.branch ?? 'main';
  }

  /** The head this engine last read. */
  get headMessageId(): string | undefined {
    return this.opened?.branch.headMessageId ?? undefined;
  }

  get chat(): ChatData | undefined {
    return this.opened?.chat;
  }

  /** Opens the chat, or makes it; only once. @throws ChatNotFoundError, BranchNotFoundError */
  async open(): Promise<Readonly<Opened>> {
    if (this.opened) return this.opened;
    const { store, chatId, userId, metadata, branch: wanted } = this.options;
    const chat = await store.upsertChat({ id: chatId, userId, ...(metadata ? { metadata } : {}) });
    const branch =
      wanted === undefined
        ? await store.getActiveBranch(chatId, { userId })
        : await store.getBranch(chatId, wanted, { userId });
    if (!branch) throw new BranchNotFoundError(wanted ?? 'main');
    this.opened = { chat, branch };
    return this.opened;
  }

  /** Starts from scratch with the next call: the chat was deleted. */
  forget(): void {
    this.opened = undefined;
  }

  /** Picks up changes by other engines. */
  async follow(): Promise<BranchData> {
    return this.goTo(await this.now());
  }

  /** The current branch: it may have another name, and its name may belong to another branch. */
  async now(): Promise<BranchData> {
    const { branch } = await this.open();
    const { store, chatId, userId } = this.options;
    const named = await store.getBranch(chatId, branch.name, { userId });
    if (named?.id === branch.id) return named;
    const all = await store.listBranches(chatId, { includeArchived: true, userId });
    const renamed = all.find(({ id }) => id === branch.id);
    if (renamed) return renamed;
    // The branch was deleted, or the whole chat was and another one was made under its id.
    this.forget();
    return (await this.open()).branch;
  }

  /** The path is read on demand, so that moving costs the same for any path length. */
  goTo(branch: BranchData): BranchData {
    this.require().branch = branch;
    return branch;
  }

  /** A message was stored on the branch after the head that this engine has read: it goes on from there. */
  advance(branch: BranchData, from: string | null): void {
    const { opened } = this;
    const isThere = opened?.branch.id === branch.id && opened.branch.headMessageId === from;
    if (isThere) opened.branch = branch;
  }

  async grew(branch: BranchData): Promise<void> {
    const opened = this.require();
    opened.branch = branch;
    opened.chat = (await this.options.store.getChat(opened.chat.id)) ?? opened.chat;
  }

  chatIs(chat: ChatData): ChatData {
    this.require().chat = chat;
    return chat;
  }

  /** @throws MessageNotFoundError, ForeignMessageError */
  async requireMessage(messageId: string): Promise<MessageData> {
    const { store, chatId } = this.options;
    const message = await store.getMessage(chatId, checkedId(messageId, 'message id'));
    if (message) return message;
    if (await store.isMessageElsewhere(chatId, messageId)) throw new ForeignMessageError(messageId);
    throw new MessageNotFoundError(messageId);
  }

  /** The first message of a turn, preferably on this path. @throws InvocationNotFoundError */
  async requireInvocation(invocationId: string): Promise<MessageData> {
    const { store, chatId } = this.options;
    const { headMessageId } = await this.now();
    const message = await store.findInvocation(chatId, checkedId(invocationId, 'invocation id'), {
      preferPathTo: headMessageId,
    });
    if (!message) throw new InvocationNotFoundError(invocationId);
    return message;
  }

  private require(): Opened {
    if (!this.opened) throw new ClosedError('engine');
    return this.opened;
  }
}

/** The conversation up to a head, and the answer that is open there. */
export interface AtHead extends AnswerAt {
  readonly view: ConversationView;
}

/** How often the head is looked up again because its branch was deleted in between. */
const MAX_LOOKS = 5;

/** The conversation at the head of the current branch, which others may move. */
export class ConversationHead implements Disposable {
  private readonly path: ConversationPath;
  private readonly answers: OpenAnswers;

  constructor(
    private readonly options: ContextEngineOptions,
    private readonly working: WorkingBranch,
    private readonly pending: PendingMessages,
  ) {
    this.path = new ConversationPath(options.store, options.chatId);
    this.answers = new OpenAnswers(options);
  }

  /** Picks up changes by other engines. */
  async look(): Promise<AtHead> {
    // First: an answer that is stored in between is found in one of the two.
    const drafts = await this.answers.drafts();
    const view = await this.follow();
    return this.withAnswer(view, this.working.name, drafts);
  }

  async follow(): Promise<ConversationView> {
    for (let attempt = 1; ; attempt++) {
      const { headMessageId } = await this.working.follow();
      try {
        return await this.path.atHead(headMessageId);
      } catch (error) {
        // The branch was deleted just now.
        if (!(error instanceof MessageNotFoundError) || attempt === MAX_LOOKS) throw error;
      }
    }
  }

  /** The conversation up to a head that was already looked up. @param drafts of the chat, for the open answer */
  async at(headMessageId: string | null, branch: string, drafts: readonly Draft[]): Promise<AtHead> {
    return this.withAnswer(await this.path.atHead(headMessageId), branch, drafts);
  }

  /** What reminders read of the chat. */
  get chat(): ReminderChat {
    return { branch: this.working.name, usage: this.working.chat?.metadata['usage'] };
  }

  plan(atHead: AtHead): Promise<PendingPlan> {
    return this.pending.plan(this.conversation(atHead));
  }

  /** The last message of the conversation, under the id it has or would be saved under. */
  async last(): Promise<{ readonly id: string; readonly name: string } | undefined> {
    const atHead = await this.look();
    const pending = await this.pending.last(this.conversation(atHead));
    if (pending) return pending;
    const message = atHead.open ?? atHead.view.lastMessage;
    return message && { id: message.id, name: message.role };
  }

  grow(messages: readonly MessageData[]): Promise<void> {
    return this.path.grow(messages);
  }

  async savedState(): Promise<SavedState> {
    const path = (await this.savedBefore()).effects.state;
    const { store, userId } = this.options;
    const user = await store.getSharedState({ scope: 'user', userId });
    return { path, user, app: await store.getSharedState({ scope: 'app' }) };
  }

  async savedArtifacts(): Promise<SavedArtifacts> {
    const path = (await this.savedBefore()).effects.artifacts;
    const { store, userId } = this.options;
    return { path, user: await store.getSharedArtifacts(userId) };
  }

  forget(): void {
    this.working.forget();
    this.path.forget();
  }

  dispose(): void {
    this.path.dispose();
  }

  /** What the next save builds on: the head, or where an edit branches off. */
  private async savedBefore(): Promise<ConversationView> {
    const view = await this.follow();
    // An open answer matters to "the last answer" only.
    const atHead = this.pending.hasLazy ? await this.look() : { view, open: undefined, isOver: false };
    return this.pending.before(this.conversation(atHead));
  }

  private async withAnswer(
    view: ConversationView,
    branch: string,
    drafts: readonly Draft[],
  ): Promise<AtHead> {
    return {
      view,
      ...(await this.answers.at(
        view,
        drafts.find((draft) => draft.branch === branch),
      )),
    };
  }

  private conversation({ view, open }: AtHead): Conversation {
    const { store, chatId } = this.options;
    return {
      chat: this.chat,
      atHead: view,
      open,
      at: (messageId) => this.path.at(messageId),
      parentsOf: (ids) => store.getParentIds(chatId, ids),
    };
  }
}
