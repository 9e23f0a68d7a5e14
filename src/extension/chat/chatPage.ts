import * as vscode from 'vscode';
import { pageHtml } from '../pages/pageHtml.ts';
import type { ViewId } from '../manifest/ids.ts';
import type { OpenChat } from '../../conversation/conversationParts.ts';
import type { Event } from '../../base/disposable.ts';
import type { ConversationView } from '../../protocol/chatFromHost.ts';
import type { LastConversation } from './lastConversation.ts';

export const CHAT_VIEW = 'offshoot.chat' satisfies ViewId;

export interface ChatPageHost {
  opened(view: vscode.WebviewView): void;
  closed(view: vscode.WebviewView): void;
  /** Reports its own failures. */
  receive(message: unknown): Promise<void>;
}

/**
 * Gets its page as soon as it exists, which shows its last conversation until a host is connected. Keeps the page's
 * messages until then.
 */
export class ChatPage implements vscode.WebviewViewProvider, vscode.Disposable {
  private readonly opened = new vscode.EventEmitter<void>();
  readonly onDidOpen = this.opened.event;
  private readonly asked = new vscode.EventEmitter<void>();
  /** Fires for each message that nobody takes yet: the page is loaded. */
  readonly onDidAsk = this.asked.event;
  private host: ChatPageHost | undefined;
  private view: vscode.WebviewView | undefined;
  private unheard: unknown[] = [];
  private isShown: () => void = () => undefined;
  private isWaiting = true;
  readonly shown = new Promise<void>((resolve) => (this.isShown = resolve));

  /** @param last undefined where a file can't be read faster than a store */
  constructor(
    readonly extensionUri: vscode.Uri,
    readonly last: LastConversation | undefined,
  ) {}

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    this.unheard = [];
    view.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview')],
    };
    const subscriptions = vscode.Disposable.from(
      view.webview.onDidReceiveMessage((message: unknown) => {
        if (this.host) {
          void this.host.receive(message);
          return;
        }
        this.unheard.push(message);
        this.asked.fire();
        void this.showLast(view);
      }),
      // VS Code destroys a hidden page: when shown again, it starts from scratch.
      view.onDidChangeVisibility(() => (this.unheard = [])),
    );
    view.onDidDispose(() => {
      subscriptions.dispose();
      this.host?.closed(view);
      if (this.view === view) this.view = undefined;
    });
    this.host?.opened(view);
    view.webview.html = pageHtml(view.webview, this.extensionUri);
    this.opened.fire();
  }

  /** A page that the user looks at has no conversation yet. */
  get isAwaited(): boolean {
    return this.isWaiting && this.view?.visible === true;
  }

  /** Must be called once the page has a conversation to show, or the reason why there is none. */
  hasShown(): void {
    this.isWaiting = false;
    this.isShown();
  }

  /** Makes this the page's host; it first receives the buffered messages. */
  connect(host: ChatPageHost): vscode.Disposable {
    this.host = host;
    if (this.view) host.opened(this.view);
    for (const message of this.unheard.splice(0)) void host.receive(message);
    return new vscode.Disposable(() => {
      if (this.host === host) this.host = undefined;
    });
  }

  private async showLast(view: vscode.WebviewView): Promise<void> {
    for (const message of (await this.last?.take()) ?? []) {
      // What a host sends is newer.
      if (!this.host && this.view === view) void view.webview.postMessage(message);
    }
  }

  dispose(): void {
    this.opened.dispose();
    this.asked.dispose();
  }
}

/** The side bar, or an editor tab. */
export interface ChatSurface {
  /** The chat it shows, which also decides where other chats opened from it appear. */
  readonly chat: OpenChat;
  readonly onDidChangeChat: Event<void>;
  reveal(): Promise<void>;
  /** The user is here: commands on "the chat" mean this one. */
  use(): void;
  /** @param conversation undefined: the reason why there is none */
  hasShown(conversation: ConversationView | undefined): void;
}
