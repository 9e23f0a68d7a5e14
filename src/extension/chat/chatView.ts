import * as vscode from 'vscode';
import { imageTypeOf } from '../../agent/attachments/imageType.ts';
import { toBase64 } from '../../engine/base64.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { ShownPosition } from '../../protocol/answersFromPage.ts';
import type { ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { NoticeOf, RequestOf } from '../../protocol/envelope.ts';
import { switchToBranch, type SwitchToBranchDeps } from '../branches/switchToBranch.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { AnswersHost, type AnswersHostDeps } from '../answers/answersHost.ts';
import { checkPosition, PositionChangedError } from '../pages/checkPosition.ts';
import { Debouncer } from '../../kit/debouncer.ts';
import type { ComposerPrefill, ShownChat } from '../chats/shownChat.ts';
import type { TreeDrag } from '../tree/treeDrag.ts';
import { NEW_BRANCH, readConversation } from './conversationView.ts';
import { CHAT_VIEW, type ChatPage, type ChatPageHost } from './chatPage.ts';
import { actOnQueue } from './queueActions.ts';
import { chatAnswers } from './chatAnswers.ts';
import { pageSurroundings } from '../pages/pageSurroundings.ts';
import { WebviewHost } from '../pages/webviewHost.ts';
import type { CommandId } from '../manifest/ids.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { SideQuestions } from './sideQuestions.ts';
import type { Attachments } from '../attachments/attachedFiles.ts';
import type { Banners } from '../ui/banners.ts';
import type { ProposedChanges } from '../tools/proposedChanges.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { MessageQueue } from '../../conversation/messageQueue.ts';
import type { CurrentChat } from '../chats/currentChat.ts';
import type { DismissedSideQuestions } from './dismissedSideQuestions.ts';
import type { ModelRegistry } from '../../agent/modelRegistry.ts';
import type { FileMoves } from '../fileRestore/fileMoves.ts';
import type { Runs } from '../../agent/runs.ts';
import type { Settings } from '../settings/settings.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { BranchUsage } from './branchUsage.ts';
import type { ContextWarnings } from '../context/contextWarnings.ts';

export interface ChatViewDeps extends AnswersHostDeps, SwitchToBranchDeps {
  readonly approvals: Approvals;
  readonly sideQuestions: SideQuestions;
  readonly attachments: Attachments;
  readonly banners: Banners;
  readonly changes: ProposedChanges;
  readonly conversations: Conversations;
  readonly current: CurrentChat;
  readonly dismissed: DismissedSideQuestions;
  readonly log: vscode.LogOutputChannel;
  readonly models: ModelRegistry;
  readonly moves: FileMoves;
  readonly onDidRefresh: vscode.Event<void>;
  readonly queue: MessageQueue;
  readonly runs: Runs;
  readonly settings: Settings;
  readonly store: ReadonlyStore;
  readonly usage: BranchUsage;
  readonly warnings: ContextWarnings;
}

/** How long changes are gathered before the page is told, in milliseconds. */
const GATHER_MS = 10;

/**
 * The host's side of the chat page. It holds nothing of the conversation: the page can go at any moment, and a new one
 * gets what the store says.
 */
export class ChatView implements ShownChat, ChatPageHost, Disposable {
  private readonly subscriptions: Disposable[] = [];
  private readonly host: WebviewHost<ChatProtocol>;
  private readonly answers: AnswersHost;
  private readonly refresh = new Debouncer(GATHER_MS, () => this.show());
  private view: vscode.WebviewView | undefined;
  private hiding: Disposable | undefined;

  constructor(
    private readonly deps: ChatViewDeps,
    private readonly page: ChatPage,
    private readonly treeDrag: Pick<TreeDrag, 'take' | 'onDidStart'>,
  ) {
    const { store, runs, current, banners, settings, approvals } = deps;
    this.answers = new AnswersHost(deps, (message) => this.host.post(message));
    this.host = new WebviewHost<ChatProtocol>(
      'The chat page',
      async () => (await import('../../protocol/chatFromPage.ts')).chatFromPage,
      {
        check: async (message) => {
          if ('place' in message) checkPosition(message, await this.place());
        },
        begin: () => this.refresh.now(),
        handle: (message) => this.handle(message),
        answers: { ...this.answers.answers, ...chatAnswers(deps) },
        failed: (error, message) => this.failed(error, message),
      },
      pageSurroundings(deps.log, page.extensionUri, 'main'),
    );
    const refresh = (): void => this.refresh.soon();
    this.subscriptions.push(
      this.refresh,
      this.host,
      this.answers,
      store.onDidChange(refresh),
      current.onDidChange(refresh),
      banners.onDidChange(refresh),
      settings.onDidChange(refresh),
      deps.onDidRefresh(refresh),
      deps.warnings.onDidChange(refresh),
      approvals.onDidChange(() => this.showBadge()),
      treeDrag.onDidStart(() => this.host.post({ type: 'treeDragStarted' })),
      vscode.lm.onDidChangeChatModels(refresh),
      deps.usage.onDidCount(refresh),
      runs.onDidChange((event) => {
        if (!this.answers.pass(event)) refresh();
      }),
      page.connect(this),
    );
  }

  opened(view: vscode.WebviewView): void {
    this.view = view;
    this.host.open(view.webview);
    this.showBadge();
    // A hidden page is gone: when it is shown again, it begins anew and says so.
    this.hiding?.dispose();
    this.hiding = view.onDidChangeVisibility(() => {
      if (!view.visible) this.host.hide();
    });
  }

  closed(view: vscode.WebviewView): void {
    if (this.view !== view) return;
    this.hiding?.dispose();
    this.view = undefined;
    this.host.close();
  }

  /** Shows the chat and puts the keyboard into its input; with text, that text is put there. */
  async focus({ sideQuestion = false, text, attachments = [] }: ComposerPrefill = {}): Promise<void> {
    await runCommand(`${CHAT_VIEW}.focus`);
    // What is asked with it is asked of the branch that the page shows: that has to be the one that is open now.
    await this.refresh.now();
    // All of these move the focus.
    if (text !== undefined) this.host.postWhenReady({ type: 'composerFilled', text, attachments });
    else if (attachments.length > 0) this.host.postWhenReady({ type: 'attached', attachments });
    else this.host.postWhenReady({ type: 'composerFocused', sideQuestion });
  }

  /** Gives a picture to the page, which makes it as small as models want it, and adds it to the next question. */
  async offerImage(name: string, bytes: Uint8Array): Promise<void> {
    await runCommand(`${CHAT_VIEW}.focus`);
    const mediaType = imageTypeOf(bytes) ?? '';
    this.host.postWhenReady({ type: 'imageOffered', name, mediaType, data: toBase64(bytes) });
  }

  /** Shows the chat with a message of the branch it is on in view. */
  async reveal(messageId: string): Promise<void> {
    await runCommand(`${CHAT_VIEW}.focus`);
    // The page has to be on the branch first.
    await this.refresh.now();
    this.host.postWhenReady({ type: 'messageRevealed', messageId });
  }

  /** Shows a message of the branch it is on, without the keyboard, until {@link endPreview}. */
  preview(messageId: string): void {
    this.host.postWhenReady({ type: 'messagePreviewed', messageId });
  }

  /** The page is again where it was before the first preview. */
  endPreview(): void {
    this.host.postWhenReady({ type: 'previewEnded' });
  }

  /** Goes to the question before or after the one where one is. */
  async stepQuestion(direction: 'previous' | 'next'): Promise<void> {
    await runCommand(`${CHAT_VIEW}.focus`);
    this.host.postWhenReady({ type: 'questionStepped', direction });
  }

  dispose(): void {
    this.hiding?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** What the page says; what does not follow the protocol is refused, and nothing else happens. Tells its failures itself. */
  receive(message: unknown): Promise<void> {
    return this.host.receive(message);
  }

  private failed(error: unknown, message: NoticeOf<ChatProtocol> | RequestOf<ChatProtocol>): void {
    // The page may show what is no longer open.
    if (error instanceof PositionChangedError) this.refresh.soon();
    // What could not be asked goes back to where it was typed.
    if (message.type === 'sendMessage' || message.type === 'askSideQuestion') {
      const { text, attachments: given } = message;
      this.host.post({ type: 'composerFilled', text, ...(given ? { attachments: given } : {}) });
    }
  }

  private async handle(message: Exclude<NoticeOf<ChatProtocol>, { type: 'ready' }>): Promise<void> {
    const { conversations, dismissed, store, current, approvals, changes, attachments } = this.deps;
    switch (message.type) {
      case 'sendMessage':
      case 'askSideQuestion': {
        const parts = await attachments.parts(message.attachments ?? []);
        // Another chat may have been opened while files were read.
        checkPosition(message, await this.place());
        if (message.type === 'sendMessage')
          await conversations.askOrQueue(message.text, parts, message.steers);
        else await conversations.askSideQuestion(message.text, parts);
        return;
      }
      case 'editQueued':
      case 'removeQueued':
      case 'sendQueuedNow':
      case 'moveQueued':
      case 'steerQueued': {
        const prefill = await actOnQueue(this.deps, await this.place(), message);
        if (prefill) await this.focus(prefill);
        return;
      }
      case 'dismissSideQuestion': {
        const branch = await store.getBranch(await current.chatId(), message.branch);
        if (branch) await dismissed.add(branch.id);
        this.refresh.soon();
        return;
      }
      case 'stopAnswer':
        return conversations.stop(message.branch);
      case 'answerApproval':
        approvals.answer(message.id, message.choice);
        return;
      case 'showChanges':
        await changes.show(message.id);
        return;
      case 'continueAnswer':
        await conversations.continueAnswer(message.branch);
        return;
      case 'attach':
      case 'newChat':
      case 'openSampleChat':
      case 'pickBranch':
      case 'pickEffort':
      case 'pickMessage':
      case 'pickModel':
      case 'summariseContext':
        await runCommand(PLAIN_COMMANDS[message.type]);
        return;
      case 'regenerate':
      case 'regenerateWith':
      case 'tryTimes':
      case 'compareAnswers':
      case 'rewindTo':
      case 'createCheckpoint':
      case 'copyMessage':
        await runCommand(MESSAGE_COMMANDS[message.type], { messageId: message.messageId });
        return;
      case 'switchBranch':
        await switchToBranch(this.deps, await current.chatId(), message.branch);
        return;
      case 'dropTreeItem': {
        const node = this.treeDrag.take();
        if (node?.kind === 'branch') await switchToBranch(this.deps, node.chatId, node.name);
        else if (node) await runCommand('offshoot.openCheckpoint', node);
        return;
      }
      case 'openVersion': {
        const chatId = await current.chatId();
        const branch = await store.findBranchUsedWith(chatId, message.messageId);
        if (!branch || !(await switchToBranch(this.deps, chatId, branch.name))) return;
        await this.refresh.now();
        this.host.post({ type: 'messageRevealed', messageId: message.messageId });
        return;
      }
      case 'editMessage': {
        const { messageId, text } = message;
        const { parentId } = await conversations.message(messageId);
        await this.deps.moves.go({
          chatId: await current.chatId(),
          messageId: parentId,
          title: vscode.l10n.t('Edit and Branch'),
          move: () => conversations.edit(messageId, text),
        });
        return;
      }
      case 'dismissContextWarning':
        return this.deps.warnings.dismiss();
      case 'setApiKey':
        await runCommand('offshoot.setApiKey', {
          modelId: await conversations.modelIdOf(message.messageId),
        });
        return;
      default:
        return this.answers.handle(message, await current.chatId());
    }
  }

  /** How many tools wait for the user, on the icon: the page may be out of sight. */
  private showBadge(): void {
    const count = this.deps.approvals.list().length;
    if (!this.view) return;
    const tooltip = vscode.l10n.t('{0} waiting for your approval', count);
    this.view.badge = count === 0 ? undefined : { value: count, tooltip };
  }

  private async show(): Promise<void> {
    if (!this.host.isReady) return;
    try {
      const conversation = await readConversation(this.deps);
      this.answers.flush();
      this.host.post({ type: 'conversationChanged', conversation });
      this.page.hasShown();
    } catch (error) {
      logFailure(this.deps.log, 'The conversation could not be shown', error);
      this.host.post({ type: 'conversationFailed', reason: messageOf(error) });
    }
  }

  /** What is open, as the page should show it. */
  private async place(): Promise<ShownPosition & { readonly branch: string }> {
    const { store, current } = this.deps;
    const chatId = await current.chatId();
    const branch = (await store.getChat(chatId)) && (await store.getActiveBranch(chatId));
    return { chatId, branch: branch?.name ?? NEW_BRANCH };
  }
}

type PageCommands = Readonly<Partial<Record<NoticeOf<ChatProtocol>['type'], CommandId>>>;

/** What the page asks for that is a command as the palette has it. */
const PLAIN_COMMANDS = {
  attach: 'offshoot.attach',
  newChat: 'offshoot.newChat',
  openSampleChat: 'offshoot.openSampleChat',
  pickBranch: 'offshoot.switchBranch',
  pickEffort: 'offshoot.selectReasoningEffort',
  pickMessage: 'offshoot.goToMessage',
  pickModel: 'offshoot.selectModel',
  summariseContext: 'offshoot.summariseContext',
} as const satisfies PageCommands;

/** The commands it asks for on a message. */
const MESSAGE_COMMANDS = {
  regenerate: 'offshoot.regenerate',
  regenerateWith: 'offshoot.regenerateWith',
  tryTimes: 'offshoot.tryTimes',
  compareAnswers: 'offshoot.compareAnswers',
  rewindTo: 'offshoot.rewindToHere',
  createCheckpoint: 'offshoot.createCheckpointHere',
  copyMessage: 'offshoot.copyMessage',
} as const satisfies PageCommands;
