import * as vscode from 'vscode';
import { imageTypeOf } from '../../models/messages/messageFiles.ts';
import { toBase64 } from '../../engine/bytes.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { AlternativesNotice, ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { ActionOf, MessageOf } from '../../protocol/everyPage.ts';
import { switchToBranch, type MoveContext } from '../branches/switchToBranch.ts';
import { logFailure } from '../ui/failures.ts';
import { AnswersHost, loadMessages } from '../pages/answersHost.ts';
import { checkOpen, checkPosition, PositionChangedError } from '../pages/checkPosition.ts';
import { Debouncer } from '../../base/debouncer.ts';
import type { ComposerPrefill, ShownChat } from '../commands/currentChat.ts';
import type { OpenChat } from '../../conversation/conversationParts.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { TreeDrag } from '../tree/treeDrag.ts';
import { ConversationReader, failedView, placeOf } from './conversationReader.ts';
import {
  askFromPage,
  editFromPage,
  attachFromPage,
  actOnQueue,
  type AskedText,
  type AttachAction,
  type QueueAction,
} from './questionsFromPage.ts';
import type { ChatSurface } from './chatPage.ts';
import {
  goOn,
  runSlashCommand,
  takeLimitAction,
  takeOffer,
  openDropped,
  setKeyFor,
} from './commandsFromPage.ts';
import { actOnTodos, changesTodos, type TodosAction } from './shownTodos.ts';
import { actOnSideQuestion, type SideQuestionAction } from './sideQuestions.ts';
import { chatAnswers } from './chatAnswers.ts';
import { hostPageContext } from '../pages/hostPageContext.ts';
import { WebviewHost, type Handlers } from '../pages/webviewHost.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { ProposedChanges } from '../tools/proposedChanges.ts';
import type { MessageQueue } from '../../conversation/messageQueue.ts';
import type { DismissedSideQuestions } from './dismissedSideQuestions.ts';
import type { ViewSources } from './conversationView.ts';
import type { LookBack } from '../branches/lookBack.ts';
import { CONTEXT_VIEW } from '../context/contextView.ts';

export type ChatContext = MoveContext &
  Omit<ViewSources, 'current'> &
  ConstructorParameters<typeof AnswersHost>[0] &
  Parameters<typeof askFromPage>[0] & {
    readonly changes: ProposedChanges;
    /** Operations on conversations while this chat is the open one. */
    readonly conversationsIn: (open: OpenChat) => Conversations;
    readonly dismissed: DismissedSideQuestions;
    readonly onDidRefresh: vscode.Event<void>;
    readonly queue: MessageQueue;
  };

/** How long changes are batched before they are sent to the page, in milliseconds. */
const GATHER_MS = 10;

/** Keeps no copy of the conversation: the page can go at any moment, and a new one gets the content of the store. */
export class ChatView implements ShownChat, Disposable {
  private readonly subscriptions = new DisposableStore();
  readonly host: WebviewHost<ChatProtocol>;
  private readonly deps: Omit<ChatContext, 'current'> & { readonly current: OpenChat };
  private readonly answers: AnswersHost;
  /** The last request that a draft keep its branch: sending it must come after that. */
  private keeping: Promise<void> = Promise.resolve();
  private readonly refresh = new Debouncer(GATHER_MS, () => this.show());
  private readonly reader: ConversationReader;
  /** Undefined until it is asked for. */
  private loadedLookBack: LookBack | undefined;

  constructor(
    given: ChatContext,
    private readonly surface: ChatSurface,
    extensionUri: vscode.Uri,
    private readonly treeDrag: Pick<TreeDrag, 'take' | 'onDidStart'>,
  ) {
    const { chat } = surface;
    const deps = { ...given, current: chat, conversations: given.conversationsIn(chat) };
    this.deps = deps;
    this.reader = new ConversationReader(deps, () => this.refresh.soon());
    const { store, runs, banners, settings, mode } = deps;
    this.answers = new AnswersHost(
      deps,
      (message) => this.host.post(message),
      () => chat.chatId(),
    );
    this.host = new WebviewHost<ChatProtocol>(
      'The chat page',
      loadMessages,
      {
        check: (message) => checkOpen(message, () => deps.current.chatId(), this.place),
        begin: async () => {
          // A page that was hidden begins at the present.
          await this.loadedLookBack?.end();
          await this.refresh.now();
          this.showMeasured();
          this.showEditor();
        },
        used: () => surface.use(),
        handlers: this.handlers(),
        // The same words can be asked twice.
        repeated: new Set(['sendMessage', 'askSideQuestion', 'toggleEditor']),
        answers: {
          ...this.answers.answers,
          ...chatAnswers(deps),
          lookBack: async ({ to }) => {
            const moment = await (await this.lookBack()).show(to);
            return moment ? { moment } : {};
          },
        },
        failed: (error, message) => this.failed(error, message),
      },
      hostPageContext(deps.log, extensionUri, 'main'),
    );
    const refresh = (): void => this.refresh.soon();
    this.subscriptions.addAll(
      this.refresh,
      this.host,
      this.answers,
      store.onDidChange(refresh),
      surface.onDidChangeChat(refresh),
      banners.onDidChange(refresh),
      settings.onDidChange(refresh),
      mode.onDidChange(refresh),
      deps.onDidRefresh(refresh),
      deps.warnings.onDidChange(refresh),
      treeDrag.onDidStart(() => this.host.post({ type: 'treeDragStarted' })),
      vscode.lm.onDidChangeChatModels(refresh),
      deps.review.onDidChange(refresh),
      deps.ownFiles.onDidChange(refresh),
      deps.shared?.onDidChange(refresh) ?? vscode.Disposable.from(),
      deps.usage.onDidCount(refresh),
      deps.chatUsage.onDidCount(refresh),
      deps.context.onDidChange(() => this.showMeasured()),
      deps.lastEditor.onDidChange(() => this.showEditor()),
      runs.onDidChange((event) => {
        if (!this.answers.pass(event) || changesTodos(event)) refresh();
      }),
    );
  }

  bringToFront(): Promise<void> {
    return this.surface.reveal();
  }

  async focus({
    sideQuestion = false,
    text,
    attachments = [],
    isStored,
  }: ComposerPrefill = {}): Promise<void> {
    await this.surface.reveal();
    // The question goes to the branch that the page shows: that must be the open one.
    await this.refresh.now();
    // All of these move the focus.
    const stored = isStored === true ? { isStored } : {};
    if (text !== undefined) this.host.postWhenReady({ type: 'composerFilled', text, attachments, ...stored });
    else if (attachments.length > 0) this.host.postWhenReady({ type: 'attached', attachments });
    else this.host.postWhenReady({ type: 'composerFocused', sideQuestion });
  }

  async offerImage(name: string, bytes: Uint8Array): Promise<void> {
    await this.surface.reveal();
    const mediaType = imageTypeOf(bytes) ?? '';
    this.host.postWhenReady({ type: 'imageOffered', name, mediaType, data: toBase64(bytes) });
  }

  async reveal(messageId: string): Promise<void> {
    await this.surface.reveal();
    // The page must show the branch first.
    await this.refresh.now();
    this.host.postWhenReady({ type: 'messageRevealed', messageId });
  }

  preview(messageId: string): void {
    this.host.postWhenReady({ type: 'messagePreviewed', messageId });
  }

  endPreview(): void {
    this.host.postWhenReady({ type: 'previewEnded' });
  }

  async endLookBack(): Promise<void> {
    await this.loadedLookBack?.end({ takesFocus: true });
    this.host.post({ type: 'previewEnded' });
  }

  async stepQuestion(direction: 'previous' | 'next'): Promise<void> {
    await this.surface.reveal();
    this.host.postWhenReady({ type: 'questionStepped', direction });
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  receive(message: unknown): Promise<void> {
    return this.host.receive(message);
  }

  private failed(error: unknown, message: MessageOf<ChatProtocol>): void {
    // The page may show a chat that is no longer open.
    if (error instanceof PositionChangedError) this.refresh.soon();
    // A question that could not be asked goes back to where it was typed.
    if (message.type === 'sendMessage' || message.type === 'askSideQuestion') {
      this.putBack(message).catch((reason: unknown) =>
        logFailure(this.deps.log, 'A question could not be put back', reason),
      );
    }
  }

  /** By now another chat may be shown: then it goes to the draft of its own. */
  private async putBack({ text, attachments: given, place: { chatId, branch } }: AskedText): Promise<void> {
    const { current, store } = this.deps;
    const isLeft = branch !== undefined && chatId !== (await current.chatId());
    const branchId = isLeft ? (await store.getBranch(chatId, branch))?.id : undefined;
    this.host.post({
      ...({ type: 'composerFilled', text, isReply: true } as const),
      ...(given ? { attachments: given } : {}),
      ...(branchId === undefined ? {} : { branchId }),
    });
  }

  private handlers(): Handlers<Exclude<ActionOf<ChatProtocol>, AlternativesNotice>> {
    const { conversations, store, current, approvals, changes, warnings } = this.deps;
    const ask = async (message: AskedText): Promise<void> => {
      const isAsked = await askFromPage(this.deps, message, async () => {
        // It reports its own failure.
        await this.keeping.catch(() => undefined);
        // Another chat may have been opened while files were read.
        checkPosition(message, await this.place());
      });
      if (!isAsked) await this.putBack(message);
    };
    const attach = async (message: AttachAction): Promise<void> => {
      const added = await attachFromPage(this.deps, message);
      if (added) this.host.post({ type: 'attached', attachments: [added], isReply: true });
    };
    const queue = async (message: QueueAction): Promise<void> => {
      const prefill = await actOnQueue(this.deps, await this.place(), message);
      if (prefill) await this.focus(prefill);
    };
    const sideQuestion = async (message: SideQuestionAction): Promise<void> => {
      const branchId = await actOnSideQuestion(this.deps, await current.chatId(), message);
      if (branchId !== undefined) this.host.post({ type: 'draftDiscarded', branchId });
      this.refresh.soon();
    };
    const todos = (message: TodosAction): Promise<void> => actOnTodos(this.deps, message);
    return {
      ...this.answers.handlers,
      focused: () => undefined,
      lookBackEnded: () => this.loadedLookBack?.end(),
      sendMessage: ask,
      askSideQuestion: ask,
      runSlashCommand,
      dropFiles: attach,
      attachFile: attach,
      toggleEditor: attach,
      editQueued: queue,
      removeQueued: queue,
      sendQueuedNow: queue,
      moveQueued: queue,
      steerQueued: queue,
      dismissSideQuestion: sideQuestion,
      mergeSideQuestion: sideQuestion,
      discardSideQuestion: sideQuestion,
      markTodo: todos,
      clearTodos: todos,
      draftChanged: () => {
        this.keeping = conversations.keepActiveBranch();
        return this.keeping;
      },
      stopAnswer: ({ branch }) => conversations.stop(branch),
      answerApproval: ({ id, choice }) => void approvals.answer(id, choice),
      answerQuestions: ({ id, answers }) => void approvals.answerQuestions(id, answers),
      showChanges: ({ id }) => changes.show(id),
      continueAnswer: ({ branch, onBudget }) =>
        goOn(this.deps, onBudget, (how) => conversations.continueAnswer(branch, how)),
      retryAnswer: ({ branch, onBudget }) =>
        goOn(this.deps, onBudget, (how) => conversations.retryAnswer(branch, how)),
      saveAnswer: ({ branch }) => conversations.saveAnswer(branch),
      compactAndContinue: () => runCommand('offshoot.compact', { continues: true }),
      takeLimitAction: ({ action }) => takeLimitAction(action),
      takeOffer: ({ offer, action }) => takeOffer(offer, action),
      showContext: () => runCommand(`${CONTEXT_VIEW}.focus`),
      runCommand: ({ command }) => runCommand(`offshoot.${command}`),
      runCommandHere: (message) => runCommand(`offshoot.${message.command}`, ...argumentOf(message)),
      switchBranch: async ({ branch }) =>
        void (await switchToBranch(this.deps, await current.chatId(), branch)),
      dropTreeItem: () => openDropped(this.deps, this.treeDrag.take()),
      openVersion: async ({ messageId }) => {
        const chatId = await current.chatId();
        const branch = await store.findBranchUsedWith(chatId, messageId);
        if (!branch || !(await switchToBranch(this.deps, chatId, branch.name))) return;
        await this.refresh.now();
        this.host.post({ type: 'messageRevealed', messageId });
      },
      editMessage: (message) => editFromPage(this.deps, message),
      dismissContextWarning: () => warnings.dismiss(),
      setApiKey: async ({ messageId }) => setKeyFor(this.deps, await current.chatId(), messageId),
    };
  }

  /** Sent after the conversation, which need not wait for the count. */
  private showMeasured(): void {
    const { now } = this.deps.context;
    if (!now?.branch) return;
    const { chatId, branch, tokens, window, price } = now;
    const context = {
      tokens,
      ...(window === undefined ? {} : { window }),
      ...(price.length === 0 ? {} : { price }),
    };
    this.host.post({ type: 'contextMeasured', chatId, branch: branch.name, context });
  }

  private showEditor(): void {
    const { now: editor } = this.deps.lastEditor;
    this.host.post({ type: 'editorChanged', ...(editor && { editor }) });
  }

  private async lookBack(): Promise<LookBack> {
    const { LookBack: loaded } = await import('../branches/lookBack.ts');
    return (this.loadedLookBack ??= this.subscriptions.add(
      new loaded(this.deps, () => this.deps.current.chatId()),
    ));
  }

  private async show(): Promise<void> {
    if (!this.host.isReady) return;
    try {
      const conversation = await this.reader.read();
      this.answers.flush();
      // What begins with that would hold the message up in this process.
      this.host.post({ type: 'conversationChanged', conversation }, () =>
        this.surface.hasShown(conversation),
      );
    } catch (error) {
      logFailure(this.deps.log, 'The conversation could not be shown', error);
      this.host.post(failedView(error, this.deps.shared), () => this.surface.hasShown(undefined));
    }
  }

  private readonly place = (): ReturnType<typeof placeOf> => placeOf(this.deps);
}

/** A command's argument, as a menu would pass it. */
function argumentOf({
  messageId,
  file,
}: Extract<ActionOf<ChatProtocol>, { type: 'runCommandHere' }>): object[] {
  if (messageId !== undefined) return [{ messageId }];
  return file === undefined ? [] : [{ file }];
}
