import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ChatTab } from '../commands/currentChat.ts';
import { pageHtml } from '../pages/pageHtml.ts';
import type { TreeDrag } from '../tree/treeDrag.ts';
import { logFailure } from '../ui/failures.ts';
import { setPanelTitle } from '../ui/tabs.ts';
import { BranchUsage } from './branchUsage.ts';
import { ChatUsage } from './chatUsage.ts';
import type { ChatSurface } from './chatPage.ts';
import { ChatView, type ChatContext } from './chatView.ts';

/** How long changes of the chat are batched before its tab is renamed, in milliseconds. */
const GATHER_MS = 10;

/** A chat in an editor tab, which never changes: what is opened from here opens in the side bar. */
export class ChatPanel implements ChatTab, Disposable {
  readonly view: ChatView;
  private readonly subscriptions = new DisposableStore();
  private isDisposed = false;
  private readonly naming = new Debouncer(GATHER_MS, () => this.showTitle());

  constructor(
    private readonly deps: ChatContext,
    readonly chatId: string,
    readonly panel: vscode.WebviewPanel,
    extensionUri: vscode.Uri,
    treeDrag: Pick<TreeDrag, 'take' | 'onDidStart'>,
  ) {
    const { current, store } = deps;
    const { webview } = panel;
    webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')],
    };
    // Each page has its own count: two long chats would keep evicting each other's.
    const usage = this.subscriptions.add(new BranchUsage(store));
    const chatUsage = this.subscriptions.add(new ChatUsage(store));
    this.view = new ChatView({ ...deps, usage, chatUsage }, this.surface(), extensionUri, treeDrag);
    this.view.host.attach(panel);
    this.subscriptions.addAll(
      this.view,
      this.naming,
      panel.onDidChangeViewState(() => {
        if (panel.active) current.use(this);
      }),
      store.onDidChange((change) => {
        if (change.chatId === chatId) this.naming.soon();
      }),
      deps.onDidRefresh(() => this.naming.soon()),
    );
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
    webview.html = pageHtml(webview, extensionUri);
    this.naming.soon();
  }

  dispose(): void {
    this.isDisposed = true;
    const { current } = this.deps;
    if (current.tabInUse === this) current.use(undefined);
    this.subscriptions.dispose();
  }

  private surface(): ChatSurface {
    const { deps, chatId, panel } = this;
    const { current } = deps;
    return {
      chat: {
        chatId: () => Promise.resolve(chatId),
        open: async (other) => {
          if (other !== chatId) await current.openInSideBar(other);
        },
        leave: (other) => current.leave(other),
      },
      onDidChangeChat: () => ({ dispose: () => undefined }),
      reveal: () => {
        panel.reveal();
        return Promise.resolve();
      },
      use: () => current.use(this),
      hasShown: () => undefined,
    };
  }

  private async showTitle(): Promise<void> {
    try {
      const title = (await this.deps.store.getChat(this.chatId))?.title;
      // The panel may have been closed during the read.
      if (!this.isDisposed) setPanelTitle(this.panel, title ?? vscode.l10n.t('New chat'));
    } catch (error) {
      logFailure(this.deps.log, 'A tab could not be named', error);
    }
  }
}
