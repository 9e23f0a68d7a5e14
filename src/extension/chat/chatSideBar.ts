import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { ChatFromHost, ConversationView } from '../../protocol/chatFromHost.ts';
import { hostPageContext } from '../pages/hostPageContext.ts';
import { CHAT_VIEW, type ChatPage, type ChatPageHost, type ChatSurface } from './chatPage.ts';
import { ConversationKeeper } from './conversationKeeper.ts';
import { ChatView, type ChatContext } from './chatView.ts';
import type { TreeDrag } from '../tree/treeDrag.ts';

/** How many messages of the last conversation are kept for the next start: what is seen of it at first. */
const KEPT = 12;

export class ChatSideBar implements ChatPageHost, Disposable {
  readonly chat: ChatView;
  private readonly subscriptions = new DisposableStore();
  private view: vscode.WebviewView | undefined;
  private hiding: Disposable | undefined;
  private readonly keeper: ConversationKeeper | undefined;

  constructor(
    private readonly deps: ChatContext,
    private readonly page: ChatPage,
    treeDrag: Pick<TreeDrag, 'take' | 'onDidStart'>,
  ) {
    this.chat = new ChatView(deps, this.surface(), page.extensionUri, treeDrag);
    this.keeper = page.last && this.subscriptions.add(new ConversationKeeper(page.last));
    const changed = (): void => {
      if (!this.isVisible) this.keeper?.forget();
    };
    this.subscriptions.addAll(
      this.chat,
      deps.approvals.onDidChange(() => this.showBadge()),
      page.connect(this),
      // What a hidden page showed last is not what it shows next.
      deps.store.onDidChange(changed),
      deps.current.sideBar.onDidChange(changed),
    );
  }

  get isVisible(): boolean {
    return this.view?.visible === true;
  }

  opened(view: vscode.WebviewView): void {
    this.view = view;
    this.chat.host.open(view.webview);
    this.showBadge();
    // VS Code destroys a hidden page: shown again, it starts from scratch and reports it.
    this.hiding?.dispose();
    this.hiding = view.onDidChangeVisibility(() => {
      if (!view.visible) this.chat.host.hide();
    });
  }

  closed(view: vscode.WebviewView): void {
    if (this.view !== view) return;
    this.hiding?.dispose();
    this.view = undefined;
    this.chat.host.close();
  }

  receive(message: unknown): Promise<void> {
    return this.chat.receive(message);
  }

  dispose(): void {
    this.hiding?.dispose();
    this.subscriptions.dispose();
  }

  private surface(): ChatSurface {
    const { deps, page } = this;
    const { current } = deps;
    const { sideBar } = current;
    return {
      chat: {
        chatId: () => sideBar.chatId(),
        open: (chatId) => sideBar.open(chatId),
        leave: (chatId) => current.leave(chatId),
      },
      onDidChangeChat: sideBar.onDidChange,
      reveal: () => runCommand(`${CHAT_VIEW}.focus`),
      use: () => current.use(undefined),
      hasShown: (conversation) => {
        page.hasShown();
        this.keep(conversation);
      },
    };
  }

  /** For the next start, unless it is not only on this machine, or changes all the time. */
  private keep(conversation: ConversationView | undefined): void {
    if (!conversation || this.deps.shared) this.keeper?.forget();
    else if (!conversation.running) this.keeper?.keep(() => this.lastMessages(conversation));
  }

  private async lastMessages(conversation: ConversationView): Promise<readonly ChatFromHost[]> {
    const { localised } = hostPageContext(this.deps.log, this.page.extensionUri, 'main');
    const messages = conversation.messages.slice(-KEPT);
    // A notice is about this window.
    const shown = { ...conversation, messages, banners: [] };
    return [
      { type: 'localised', ...(await localised()) },
      { type: 'conversationChanged', conversation: shown },
    ];
  }

  /** On the icon, because the page may be hidden. */
  private showBadge(): void {
    const count = this.deps.approvals.list().length;
    if (!this.view) return;
    const tooltip = vscode.l10n.t('{0} waiting for your approval', count);
    this.view.badge = count === 0 ? undefined : { value: count, tooltip };
  }
}
