import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChatPage, type ChatPageHost } from '../../src/extension/chat/chatPage.ts';

describe('the page of the chat', () => {
  it('is there before anybody speaks with it, and what it said is heard later, in order', () => {
    const page = new ChatPage(vscode.Uri.file('/extension'));
    const { view, say } = fakeView();
    page.resolveWebviewView(view);
    assert.match(view.webview.html, /<script type="module"/);
    say('ready');
    say('second');

    const host = new Listener();
    const connection = page.connect(host);
    assert.deepEqual(host.heard, ['opened', 'ready', 'second']);
    say('third');
    assert.deepEqual(host.heard.at(-1), 'third');

    connection.dispose();
    say('after');
    assert.equal(host.heard.includes('after'), false);
    page.dispose();
  });

  it('does not tell what a page said that was hidden since', () => {
    const page = new ChatPage(vscode.Uri.file('/extension'));
    const { view, say, hide } = fakeView();
    page.resolveWebviewView(view);
    say('ready');
    hide();

    const host = new Listener();
    page.connect(host);
    assert.deepEqual(host.heard, ['opened']);
    page.dispose();
  });

  it('tells that it is closed, and of another one that is opened', () => {
    const page = new ChatPage(vscode.Uri.file('/extension'));
    const host = new Listener();
    page.connect(host);
    const first = fakeView();
    page.resolveWebviewView(first.view);
    first.close();
    page.resolveWebviewView(fakeView().view);
    assert.deepEqual(host.heard, ['opened', 'closed', 'opened']);
    page.dispose();
  });
});

class Listener implements ChatPageHost {
  readonly heard: unknown[] = [];

  opened(): void {
    this.heard.push('opened');
  }

  closed(): void {
    this.heard.push('closed');
  }

  receive(message: unknown): Promise<void> {
    this.heard.push(message);
    return Promise.resolve();
  }
}

/** As much of a view as a page uses. */
function fakeView(): {
  view: vscode.WebviewView;
  say: (message: unknown) => void;
  hide: () => void;
  close: () => void;
} {
  const fromPage = new vscode.EventEmitter<unknown>();
  const visibility = new vscode.EventEmitter<void>();
  const closed = new vscode.EventEmitter<void>();
  const webview = {
    html: '',
    options: {},
    cspSource: 'self',
    onDidReceiveMessage: fromPage.event,
    asWebviewUri: (uri: vscode.Uri) => uri,
    postMessage: () => Promise.resolve(true),
  } satisfies vscode.Webview;
  const view: vscode.WebviewView = {
    viewType: 'offshoot.chat',
    webview,
    visible: true,
    onDidDispose: closed.event,
    onDidChangeVisibility: visibility.event,
    show: () => undefined,
  };
  return {
    view,
    say: (message) => fromPage.fire(message),
    hide: () => visibility.fire(),
    close: () => closed.fire(),
  };
}
