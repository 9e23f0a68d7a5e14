import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChatPage, type ChatPageHost } from '../../src/extension/chat/chatPage.ts';
import { LastConversation, type LastFile } from '../../src/extension/chat/lastConversation.ts';
import { delay } from '../../src/host/timers.ts';
import { until } from '../fixtures/until.ts';

describe('the page of the chat', () => {
  /** What was shown last is read when the test says so. */
  let read: (messages: readonly object[]) => void;
  let last: LastConversation;

  beforeEach(() => {
    const reading = new Promise<readonly object[]>((resolve) => (read = resolve));
    const file: LastFile = {
      begin: () => undefined,
      read: async () => {
        const messages = (await reading).map((message) => JSON.stringify(message));
        return new TextEncoder().encode(['this', ...messages].join('\n'));
      },
      write: () => Promise.resolve(),
      remove: () => Promise.resolve(),
    };
    last = new LastConversation(
      file,
      () => 'this',
      (error) => assert.fail(String(error)),
    );
  });

  it('shows its last conversation until somebody speaks with it', async () => {
    const page = new ChatPage(vscode.Uri.file('/extension'), last);
    const { view, say, posted } = fakeView();
    page.resolveWebviewView(view);
    say('ready');
    read([{ type: 'one' }, { type: 'two' }]);
    await until(() => Promise.resolve(posted.length === 2 || undefined), 'the messages to be posted');
    assert.deepEqual(posted, [{ type: 'one' }, { type: 'two' }]);
    page.dispose();
  });

  it('does not show it once somebody speaks with it, who knows better', async () => {
    const page = new ChatPage(vscode.Uri.file('/extension'), last);
    const { view, say, posted } = fakeView();
    page.resolveWebviewView(view);
    say('ready');
    page.connect(new Listener());
    read([{ type: 'old' }]);
    // After whatever the reading began.
    await delay(0);
    assert.deepEqual(posted, []);
    page.dispose();
  });

  it('is there before anybody speaks with it, and what it said is heard later, in order', () => {
    const page = new ChatPage(vscode.Uri.file('/extension'), last);
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
    const page = new ChatPage(vscode.Uri.file('/extension'), last);
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
    const page = new ChatPage(vscode.Uri.file('/extension'), last);
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
  posted: unknown[];
} {
  const posted: unknown[] = [];
  const fromPage = new vscode.EventEmitter<unknown>();
  const visibility = new vscode.EventEmitter<void>();
  const closed = new vscode.EventEmitter<void>();
  const webview = {
    html: '',
    options: {},
    cspSource: 'self',
    onDidReceiveMessage: fromPage.event,
    asWebviewUri: (uri: vscode.Uri) => uri,
    postMessage: (message) => Promise.resolve(posted.push(message) > 0),
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
    posted,
  };
}
