import * as vscode from 'vscode';
import { imageTypeOf } from '../../agent/attachments/imageType.ts';
import { fromBase64, toBase64 } from '../../engine/base64.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { FromHost } from '../../protocol/fromHost.ts';
import type { FromPage, ShownPlace } from '../../protocol/fromPage.ts';
import { proposeFiles } from '../workspaceFiles/proposeFiles.ts';
import { workspaceFolders } from '../workspaceFiles/editorWorkspace.ts';
import { switchToBranch, type SwitchToBranchDeps } from '../branches/switchToBranch.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { AnswersHost, type AnswersHostDeps } from '../answers/answersHost.ts';
import { checkPlace, PlaceChangedError } from '../pages/checkPosition.ts';
import { readFromPage } from '../pages/readMessage.ts';
import { Debouncer } from '../../kit/debouncer.ts';
import type { ComposerPrefill, ShownChat } from '../chats/shownChat.ts';
import type { TreeDrag } from '../tree/treeDrag.ts';
import { NEW_BRANCH, readConversation, readEarlier } from './conversationView.ts';
import { CHAT_VIEW, type ChatPage, type ChatPageHost } from './chatPage.ts';
import { pageTexts } from '../pages/pageTexts.ts';
import type { CommandId } from '../manifest/ids.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { Asides } from './sideQuestions.ts';
import type { Attachments } from '../attachments/attachedFiles.ts';
import type { Banners } from '../ui/banners.ts';
import type { ProposedChanges } from '../tools/proposedChanges.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { CurrentChat } from '../chats/currentChat.ts';
import type { DismissedAsides } from './dismissedSideQuestions.ts';
import type { ModelRegistry } from '../../agent/modelRegistry.ts';
import type { FileMoves } from '../fileRestore/fileMoves.ts';
import type { Runs } from '../../agent/runs.ts';
import type { Settings } from '../settings/settings.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { BranchUsage } from './branchUsage.ts';
import type { ContextWarnings } from '../context/contextWarnings.ts';

export interface ChatViewDeps extends AnswersHostDeps, SwitchToBranchDeps {
  readonly approvals: Approvals;
  readonly asides: Asides;
  readonly attachments: Attachments;
  readonly banners: Banners;
  readonly changes: ProposedChanges;
  readonly conversations: Conversations;
  readonly current: CurrentChat;
  readonly dismissed: DismissedAsides;
  readonly log: vscode.LogOutputChannel;
  readonly models: ModelRegistry;
  readonly moves: FileMoves;
  readonly onDidRefresh: vscode.Event<void>;
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
  private readonly answers: AnswersHost;
  private readonly refresh = new Debouncer(GATHER_MS, () => this.show());
  private view: vscode.WebviewView | undefined;
  private hiding: Disposable | undefined;
  private isReady = false;
  /** What the page is told once it is there. */
  private queued: FromHost[] = [];

  constructor(
    private readonly services: ChatViewDeps,
    private readonly page: ChatPage,
    private readonly treeDrag: Pick<TreeDrag, 'take' | 'onDidStart'>,
  ) {
    const { store, runs, current, banners, settings, approvals } = services;
    this.answers = new AnswersHost(services, (message) => this.post(message));
    const refresh = (): void => this.refresh.soon();
    this.subscriptions.push(
      this.refresh,
      this.answers,
      store.onDidChange(refresh),
      current.onDidChange(refresh),
      banners.onDidChange(refresh),
      settings.onDidChange(refresh),
      services.onDidRefresh(refresh),
      services.warnings.onDidChange(refresh),
      approvals.onDidChange(() => this.showBadge()),
      treeDrag.onDidStart(() => this.post({ type: 'treeDragStarted' })),
      vscode.lm.onDidChangeChatModels(refresh),
      services.usage.onDidCount(refresh),
      runs.onDidChange((event) => {
        if (!this.answers.pass(event)) refresh();
      }),
      page.connect(this),
    );
  }

  opened(view: vscode.WebviewView): void {
    this.view = view;
    this.showBadge();
    this.isReady = false;
    // A hidden page is gone: when it is shown again, it begins anew and says so.
    this.hiding?.dispose();
    this.hiding = view.onDidChangeVisibility(() => {
      if (!view.visible) this.isReady = false;
    });
  }

  closed(view: vscode.WebviewView): void {
    if (this.view !== view) return;
    this.hiding?.dispose();
    this.view = undefined;
    this.isReady = false;
  }

  /** Shows the chat and puts the keyboard into its input; with text, that text is put there. */
  async focus({ aside = false, text, attachments = [] }: ComposerPrefill = {}): Promise<void> {
    await runCommand(`${CHAT_VIEW}.focus`);
    // What is asked with it is asked of the branch that the page shows: that has to be the one that is open now.
    await this.refresh.now();
    // All of these move the focus.
    if (text !== undefined) this.postWhenReady({ type: 'composerFilled', text, attachments });
    else if (attachments.length > 0) this.postWhenReady({ type: 'attached', attachments });
    else this.postWhenReady({ type: 'composerFocused', aside });
  }

  /** Gives a picture to the page, which makes it as small as models want it, and adds it to the next question. */
  async offerImage(name: string, bytes: Uint8Array): Promise<void> {
    await runCommand(`${CHAT_VIEW}.focus`);
    const mediaType = imageTypeOf(bytes) ?? '';
    this.postWhenReady({ type: 'imageOffered', name, mediaType, data: toBase64(bytes) });
  }

  /** Shows the chat with a message of the branch it is on in view. */
  async reveal(messageId: string): Promise<void> {
    await runCommand(`${CHAT_VIEW}.focus`);
    // The page has to be on the branch first.
    await this.refresh.now();
    this.postWhenReady({ type: 'messageRevealed', messageId });
  }

  /** Shows a message of the branch it is on, without the keyboard, until {@link endPreview}. */
  preview(messageId: string): void {
    this.postWhenReady({ type: 'messagePreviewed', messageId });
  }

  /** The page is again where it was before the first preview. */
  endPreview(): void {
    this.postWhenReady({ type: 'previewEnded' });
  }

  /** Goes to the question before or after the one where one is. */
  async stepQuestion(direction: 'previous' | 'next'): Promise<void> {
    await runCommand(`${CHAT_VIEW}.focus`);
    this.postWhenReady({ type: 'questionStepped', direction });
  }

  dispose(): void {
    this.hiding?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** What the page says; what does not follow the protocol is refused, and nothing else happens. Tells its failures itself. */
  async receive(message: unknown): Promise<void> {
    let read: FromPage | undefined;
    try {
      read = await readFromPage(message, 'The chat page', this.services.log);
      if (read) await this.handle(read);
    } catch (error) {
      logFailure(this.services.log, read?.type ?? 'The chat page', error);
      this.post({ type: 'actionFailed', text: messageOf(error) });
      // The page may show what is no longer open.
      if (error instanceof PlaceChangedError) this.refresh.soon();
      // What could not be asked goes back to where it was typed.
      if (read?.type === 'sendMessage' || read?.type === 'askAside') {
        const { text, attachments: given } = read;
        this.post({ type: 'composerFilled', text, ...(given ? { attachments: given } : {}) });
      }
    }
  }

  private async handle(message: FromPage): Promise<void> {
    const { conversations, dismissed, store, current, approvals, changes, attachments } = this.services;
    if ('place' in message) checkPlace(message, await this.place());
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.post({ type: 'localised', texts: pageTexts(), locale: vscode.env.language });
        await this.refresh.now();
        for (const queued of this.queued.splice(0)) this.post(queued);
        return;
      case 'sendMessage':
      case 'askAside': {
        const parts = await attachments.parts(message.attachments ?? []);
        // Another chat may have been opened while files were read.
        checkPlace(message, await this.place());
        if (message.type === 'sendMessage') await conversations.ask(message.text, parts);
        else await conversations.askAside(message.text, parts);
        return;
      }
      case 'addImage': {
        const { request, name } = message;
        const attachment = await attachments.addImage(name, fromBase64(message.data));
        this.post({ type: 'imageAdded', request, attachment });
        return;
      }
      case 'loadImage': {
        const { hash } = message;
        const bytes = await attachments.load(hash);
        const mediaType = bytes && imageTypeOf(bytes);
        // Whatever else is kept is no business of the page.
        const loaded = bytes && mediaType ? { mediaType, data: toBase64(bytes) } : { mediaType: '' };
        this.post({ type: 'imageLoaded', hash, ...loaded });
        return;
      }
      case 'proposeFiles': {
        const { query } = message;
        this.post({ type: 'filesProposed', query, paths: await proposeFiles(workspaceFolders(), query) });
        return;
      }
      case 'dismissAside': {
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
      case 'keepTry':
      case 'stopTries':
        this.services.log.warn(
          `The chat page asked for ${message.type}, which only the page of answers does`,
        );
        return;
      case 'switchBranch':
        await switchToBranch(this.services, await current.chatId(), message.branch);
        return;
      case 'dropTreeItem': {
        const node = this.treeDrag.take();
        if (node?.kind === 'branch') await switchToBranch(this.services, node.chatId, node.name);
        else if (node) await runCommand('offshoot.openCheckpoint', node);
        return;
      }
      case 'openVersion': {
        const chatId = await current.chatId();
        const branch = await store.findBranchUsedWith(chatId, message.messageId);
        if (!branch || !(await switchToBranch(this.services, chatId, branch.name))) return;
        await this.refresh.now();
        this.post({ type: 'messageRevealed', messageId: message.messageId });
        return;
      }
      case 'editMessage': {
        const { messageId, text } = message;
        const { parentId } = await conversations.message(messageId);
        await this.services.moves.go({
          chatId: await current.chatId(),
          messageId: parentId,
          title: vscode.l10n.t('Edit and Branch'),
          move: () => conversations.edit(messageId, text),
        });
        return;
      }
      case 'dismissContextWarning':
        return this.services.warnings.dismiss();
      case 'setApiKey':
        await runCommand('offshoot.setApiKey', {
          modelId: await conversations.modelIdOf(message.messageId),
        });
        return;
      case 'loadEarlier': {
        const messages = await readEarlier(this.services, message);
        const { request, branch, place } = message;
        this.post({ type: 'earlierMessages', request, chatId: place.chatId, branch, messages });
        return;
      }
      default:
        return this.answers.handle(message, await current.chatId());
    }
  }

  /** How many tools wait for the user, on the icon: the page may be out of sight. */
  private showBadge(): void {
    const count = this.services.approvals.list().length;
    if (!this.view) return;
    const tooltip = vscode.l10n.t('{0} waiting for your approval', count);
    this.view.badge = count === 0 ? undefined : { value: count, tooltip };
  }

  private async show(): Promise<void> {
    if (!this.view || !this.isReady) return;
    try {
      const conversation = await readConversation(this.services);
      this.answers.flush();
      this.post({ type: 'conversationChanged', conversation });
      this.page.hasShown();
    } catch (error) {
      logFailure(this.services.log, 'The conversation could not be shown', error);
      this.post({ type: 'conversationFailed', reason: messageOf(error) });
    }
  }

  /** What is open, as the page should show it. */
  private async place(): Promise<ShownPlace> {
    const { store, current } = this.services;
    const chatId = await current.chatId();
    const branch = (await store.getChat(chatId)) && (await store.getActiveBranch(chatId));
    return { chatId, branch: branch?.name ?? NEW_BRANCH };
  }

  private postWhenReady(message: FromHost): void {
    if (this.isReady) this.post(message);
    else this.queued.push(message);
  }

  private post(message: FromHost): void {
    // A page that is gone or hidden misses nothing: it asks for everything when it is back.
    void this.view?.webview.postMessage(message);
  }
}

type PageCommands = Readonly<Partial<Record<FromPage['type'], CommandId>>>;

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
