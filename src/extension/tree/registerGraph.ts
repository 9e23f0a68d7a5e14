import * as vscode from 'vscode';
import type { ShownChat } from '../commands/currentChat.ts';
import type { CommandPart } from '../commands/commandHandlers.ts';
import { createPanel } from '../ui/tabs.ts';
import type { GraphPanel } from './graphPanel.ts';

const GRAPH_VIEW = 'offshoot.graph';

/** At most one, restored after the window was reloaded. */
export function registerGraph(
  deps: ConstructorParameters<typeof GraphPanel>[1],
  chat: ShownChat,
  extensionUri: vscode.Uri,
  loadPanel: () => Promise<{ readonly GraphPanel: typeof GraphPanel }>,
): CommandPart<'showGraph'> {
  let open: vscode.WebviewPanel | undefined;
  const show = async (panel: vscode.WebviewPanel): Promise<void> => {
    open = panel;
    panel.onDidDispose(() => {
      if (open === panel) open = undefined;
    });
    const { GraphPanel } = await loadPanel();
    // The panel may have been closed during loading.
    if (open !== panel) return;
    const graph = new GraphPanel(panel, deps, chat, extensionUri);
    panel.onDidDispose(() => graph.dispose());
  };
  const parts = vscode.Disposable.from(
    {
      dispose: () => {
        open?.dispose();
      },
    },
    vscode.window.registerWebviewPanelSerializer(GRAPH_VIEW, {
      deserializeWebviewPanel: async (panel) => {
        if (open) panel.dispose();
        else await show(panel);
      },
    }),
  );
  return {
    dispose: () => void parts.dispose(),
    handlers: {
      showGraph: async () => {
        if (open) open.reveal();
        else {
          const title = vscode.l10n.t('Graph');
          await show(createPanel(GRAPH_VIEW, title));
        }
      },
    },
  };
}
