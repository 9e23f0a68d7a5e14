import * as vscode from 'vscode';
import { MessageNotFoundError } from '../../engine/errors.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ActionOf } from '../../protocol/everyPage.ts';
import { graphFromPage, type GraphChanged, type GraphProtocol } from '../../protocol/graphMessages.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { pageHtml } from '../pages/pageHtml.ts';
import { hostPageContext } from '../pages/hostPageContext.ts';
import { WebviewHost, type Answers, type Handlers } from '../pages/webviewHost.ts';
import { switchToBranch, openMessage, type MoveContext } from '../branches/switchToBranch.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { Debouncer } from '../../base/debouncer.ts';
import { describeNodes, previewOf, readGraph, sinceThen } from './readGraph.ts';
import { setPanelTitle } from '../ui/tabs.ts';
import { runCommand } from '../manifest/runCommand.ts';

/** In milliseconds. */
const GATHER_MS = 50;

/** Keeps only what was sent to the page. */
export class GraphPanel implements Disposable {
  private readonly subscriptions = new DisposableStore();
  private readonly host: WebviewHost<GraphProtocol>;
  private sent: Omit<GraphChanged, 'type'> | undefined;
  private readonly refresh = new Debouncer(GATHER_MS, () => this.show());

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly deps: MoveContext &
      Parameters<typeof readGraph>[0] & { readonly onDidRefresh: vscode.Event<void> },
    chat: ShownChat,
    extensionUri: vscode.Uri,
  ) {
    const { store, runs, current, approvals } = deps;
    const { webview } = panel;
    const refresh = (): void => this.refresh.soon();
    webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')],
    };
    this.host = new WebviewHost<GraphProtocol>(
      'The graph',
      () => graphFromPage,
      {
        begin: () => {
          this.sent = undefined;
          return this.refresh.now();
        },
        handlers: {
          switchBranch: async ({ chatId, branch }) => void (await switchToBranch(deps, chatId, branch)),
          showMessage: async ({ chatId, messageId }) => {
            if (!(await store.getMessage(chatId, messageId))) throw new MessageNotFoundError(messageId);
            return openMessage(deps, chat, chatId, messageId);
          },
          compare: ({ chatId, messageIds }) => runCommand('offshoot.compareBranches', { chatId, messageIds }),
        } satisfies Handlers<ActionOf<GraphProtocol>>,
        answers: {
          describeNodes: async ({ chatId, ids }) => ({ nodes: await describeNodes(store, chatId, ids) }),
          previewNode: async ({ chatId, id }) => {
            const found = await store.getMessage(chatId, id);
            return found ? { preview: previewOf(found) } : {};
          },
        } satisfies Answers<GraphProtocol>,
      },
      hostPageContext(deps.log, extensionUri, 'graph'),
    );
    this.host.attach(panel);
    this.subscriptions.addAll(
      this.refresh,
      this.host,
      store.onDidChange(({ kind }) => {
        if (kind !== 'draft') refresh();
      }),
      current.onDidChange(refresh),
      deps.onDidRefresh(refresh),
      approvals.onDidChange(refresh),
      runs.onDidChange(({ kind }) => {
        if (kind !== 'delta' && kind !== 'part') refresh();
      }),
    );
    panel.iconPath = new vscode.ThemeIcon('type-hierarchy');
    webview.html = pageHtml(webview, extensionUri, { entry: 'graph' });
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private async show(): Promise<void> {
    if (!this.host.isReady) return;
    try {
      const chatId = await this.deps.current.chatId();
      const now = (await readGraph(this.deps, chatId)) ?? emptyGraph(chatId, this.deps.store);
      const title = now.chat.title === '' ? vscode.l10n.t('New chat') : now.chat.title;
      setPanelTitle(this.panel, vscode.l10n.t('Graph: {0}', title));
      this.host.post({ type: 'graphChanged', ...sinceThen(this.sent, now), chat: { id: chatId, title } });
      this.sent = now;
    } catch (error) {
      logFailure(this.deps.log, 'The graph could not be shown', error);
      // The page may show another graph by now: everything is sent again when possible.
      this.sent = undefined;
      this.host.post({ type: 'graphFailed', reason: messageOf(error) });
    }
  }
}

/** A chat that its first question has yet to create. */
function emptyGraph(chatId: string, store: ReadonlyStore): Omit<GraphChanged, 'type'> {
  return {
    chat: { id: chatId, title: '' },
    from: 0,
    ids: [],
    parents: [],
    roles: [],
    branches: [],
    checkpoints: [],
    isReadOnly: store.isReadOnly,
  };
}
