import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { CHAT_VIEW, type ChatPage, type ChatPageHost, type ChatSurface } from './chatPage.ts';
import { ChatView, type ChatContext } from './chatView.ts';
import type { TreeDrag } from '../tree/treeDrag.ts';

export class ChatSideBar implements ChatPageHost, Disposable {
  readonly chat: ChatView;
  private readonly subscriptions = new DisposableStore();
  private view: vscode.WebviewView | undefined;
  private hiding: Disposable | undefined;

  constructor(
    private readonly deps: ChatContext,
    page: ChatPage,
    treeDrag: Pick<TreeDrag, 'take' | 'onDidStart'>,
  ) {
    this.chat = new ChatView(deps, sideBarSurface(deps.current, page), page.extensionUri, treeDrag);
    this.subscriptions.addAll(
      this.chat,
      deps.approvals.onDidChange(() => this.showBadge()),
      page.connect(this),
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

  /** On the icon, because the page may be hidden. */
  private showBadge(): void {
    const count = this.deps.approvals.list().length;
    if (!this.view) return;
    const tooltip = vscode.l10n.t('{0} waiting for your approval', count);
    this.view.badge = count === 0 ? undefined : { value: count, tooltip };
  }
}

function sideBarSurface(current: CurrentChat, page: ChatPage): ChatSurface {
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
    hasShown: () => page.hasShown(),
  };
}
