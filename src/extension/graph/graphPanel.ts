import * as vscode from 'vscode';
import { MessageNotFoundError } from '../../engine/errors.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { GraphChanged, GraphFromHost } from '../../protocol/graphFromHost.ts';
import { graphFromPage, type GraphFromPage } from '../../protocol/graphFromPage.ts';
import type { ShownChat } from '../chats/shownChat.ts';
import { pageHtml } from '../pages/pageHtml.ts';
import { pageTexts } from '../pages/pageTexts.ts';
import { switchToBranch, type SwitchToBranchDeps } from '../branches/switchToBranch.ts';
import { openMessage, type OpenMessageDeps } from '../branches/openMessage.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { readMessage } from '../pages/readMessage.ts';
import { Debouncer } from '../../kit/debouncer.ts';
import { describeNodes, previewOf, readGraph, sinceThen, type ReadGraphDeps } from './readGraph.ts';
import { setPanelTitle } from '../ui/tabs.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { CurrentChat } from '../chats/currentChat.ts';
import type { Runs } from '../../agent/runs.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

export interface GraphPanelDeps extends OpenMessageDeps, ReadGraphDeps, SwitchToBranchDeps {
  readonly approvals: Approvals;
  readonly current: CurrentChat;
  readonly log: vscode.LogOutputChannel;
  readonly onDidRefresh: vscode.Event<void>;
  readonly runs: Runs;
  readonly store: ReadonlyStore;
}

/** How long changes are gathered before the page is told, in milliseconds. */
const GATHER_MS = 50;

/** The host's side of the page that draws the conversation. It holds nothing but what the page was told. */
export class GraphPanel implements Disposable {
  private readonly subscriptions: Disposable[] = [];
  private told: Omit<GraphChanged, 'type'> | undefined;
  private isReady = false;
  private readonly refresh = new Debouncer(GATHER_MS, () => this.show());

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly services: GraphPanelDeps,
    private readonly chat: ShownChat,
    extensionUri: vscode.Uri,
  ) {
    const { store, runs, current, approvals } = services;
    const { webview } = panel;
    const refresh = (): void => this.refresh.soon();
    webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')],
    };
    this.subscriptions.push(
      this.refresh,
      webview.onDidReceiveMessage((message: unknown) => this.receive(message)),
      // A hidden page is gone: when it is shown again, it begins anew and says so.
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.isReady = false;
      }),
      store.onDidChange(refresh),
      current.onDidChange(refresh),
      services.onDidRefresh(refresh),
      approvals.onDidChange(refresh),
      runs.onDidChange(({ kind }) => {
        if (kind !== 'delta' && kind !== 'part') refresh();
      }),
    );
    panel.iconPath = new vscode.ThemeIcon('type-hierarchy');
    webview.html = pageHtml(webview, extensionUri, { entry: 'graph' });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private receive(message: unknown): void {
    const read = readMessage(graphFromPage, message, 'The graph', this.services.log);
    if (!read) return;
    this.handle(read).catch((error: unknown) => {
      logFailure(this.services.log, `graph ${read.type}`, error);
      this.post({ type: 'actionFailed', text: messageOf(error) });
    });
  }

  private async handle(message: GraphFromPage): Promise<void> {
    const { store } = this.services;
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.told = undefined;
        this.post({ type: 'localised', texts: pageTexts(), locale: vscode.env.language });
        return this.refresh.now();
      case 'describeNodes': {
        const { chatId } = message;
        const nodes = await describeNodes(this.services, chatId, message.ids);
        this.post({ type: 'nodesDescribed', chatId, nodes });
        return;
      }
      case 'previewNode': {
        const { chatId, id } = message;
        const found = await store.getMessage(chatId, id);
        if (found) this.post({ type: 'nodePreviewed', chatId, id, ...previewOf(found) });
        return;
      }
      case 'switchBranch':
        await switchToBranch(this.services, message.chatId, message.branch);
        return;
      case 'showMessage':
        if (!(await store.getMessage(message.chatId, message.messageId))) {
          throw new MessageNotFoundError(message.messageId);
        }
        return openMessage(this.services, this.chat, message.chatId, message.messageId);
      case 'compare':
        await runCommand('offshoot.compareBranches', {
          chatId: message.chatId,
          messageIds: message.messageIds,
        });
    }
  }

  private async show(): Promise<void> {
    if (!this.isReady) return;
    try {
      const chatId = await this.services.current.chatId();
      const now = (await readGraph(this.services, chatId)) ?? emptyGraph(chatId, this.services);
      const title = now.chat.title === '' ? vscode.l10n.t('New chat') : now.chat.title;
      setPanelTitle(this.panel, vscode.l10n.t('Graph: {0}', title));
      this.post({ type: 'graphChanged', ...sinceThen(this.told, now), chat: { id: chatId, title } });
      this.told = now;
    } catch (error) {
      logFailure(this.services.log, 'The graph could not be shown', error);
      // What it shows is another graph by now, perhaps: everything is told anew when it can be.
      this.told = undefined;
      this.post({ type: 'graphFailed', reason: messageOf(error) });
    }
  }

  private post(message: GraphFromHost): void {
    // A page that is gone or hidden misses nothing: it asks for everything when it is back.
    void this.panel.webview.postMessage(message);
  }
}

/** A chat that its first question has still to make. */
function emptyGraph(chatId: string, { store }: GraphPanelDeps): Omit<GraphChanged, 'type'> {
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
