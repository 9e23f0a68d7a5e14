import * as vscode from 'vscode';
import type { ChatView } from '../chat/chatView.ts';
import { registerCommands } from '../commands/register.ts';
import type { Services } from '../services.ts';
import { GraphPanel } from './graphPanel.ts';

const GRAPH_VIEW = 'offshoot.graph';

/** The graph of the conversation in an editor tab: one at most, and there again after the window was reloaded. */
export function registerGraph(
  services: Services,
  chat: ChatView,
  extensionUri: vscode.Uri,
): vscode.Disposable {
  let open: vscode.WebviewPanel | undefined;
  const show = (panel: vscode.WebviewPanel): void => {
    open = panel;
    const graph = new GraphPanel(panel, services, chat, extensionUri);
    panel.onDidDispose(() => {
      graph.dispose();
      if (open === panel) open = undefined;
    });
  };
  return vscode.Disposable.from(
    {
      dispose: () => {
        open?.dispose();
      },
    },
    vscode.window.registerWebviewPanelSerializer(GRAPH_VIEW, {
      deserializeWebviewPanel: (panel) => {
        if (open) panel.dispose();
        else show(panel);
        return Promise.resolve();
      },
    }),
    registerCommands(services.log, {
      showGraph: () => {
        if (open) open.reveal();
        else {
          const title = vscode.l10n.t('Graph');
          show(vscode.window.createWebviewPanel(GRAPH_VIEW, title, vscode.ViewColumn.Active, {}));
        }
        return Promise.resolve();
      },
    }),
  );
}
