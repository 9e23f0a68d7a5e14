import * as vscode from 'vscode';
import { z } from 'zod';
import type { Disposable } from '../../kit/disposable.ts';
import type { ShownChat } from '../chats/shownChat.ts';
import { pageHtml } from '../pages/pageHtml.ts';
import type { AlternativesPanelDeps, titleOf, TriesPanel, TriesPlace } from './alternativesPanel.ts';
import { createPanel } from '../ui/tabs.ts';
import type { KeepFromPanelDeps, keepTry } from './keepFromPanel.ts';

export type AlternativesPanelsDeps = AlternativesPanelDeps & KeepFromPanelDeps;

const TRIES_VIEW = 'offshoot.tries';

/** What is loaded with the first tab. */
interface Panels {
  readonly keepTry: typeof keepTry;
  readonly titleOf: typeof titleOf;
  readonly TriesPanel: typeof TriesPanel;
}

/** What the page keeps of itself, so that it comes back after the window was reloaded. */
const stateSchema = z.object({ place: z.object({ chatId: z.string(), questionId: z.string() }) });

/** The editor tabs that show answers side by side, one for each question. */
export class TriesPanels implements Disposable {
  private readonly open = new Set<TriesPanel>();
  private readonly registration: Disposable;

  constructor(
    private readonly services: AlternativesPanelsDeps,
    private readonly chat: ShownChat,
    private readonly extensionUri: vscode.Uri,
    private readonly loadPanels: () => Promise<Panels>,
  ) {
    this.registration = vscode.window.registerWebviewPanelSerializer(TRIES_VIEW, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        const read = stateSchema.safeParse(state);
        if (!read.success) {
          panel.dispose();
          return;
        }
        const closing = new AbortController();
        panel.onDidDispose(() => closing.abort());
        const panels = await this.loadPanels();
        // It may have been closed meanwhile.
        if (!closing.signal.aborted) this.fill(panels, panel, read.data.place);
      },
    });
  }

  async show(place: TriesPlace, question: string): Promise<void> {
    const panels = await this.loadPanels();
    const known = [...this.open].find(
      (each) => each.place.chatId === place.chatId && each.place.questionId === place.questionId,
    );
    if (known) known.panel.reveal();
    else {
      const title = panels.titleOf(question);
      this.fill(panels, createPanel(TRIES_VIEW, title), place);
    }
  }

  dispose(): void {
    this.registration.dispose();
    for (const { panel } of this.open) panel.dispose();
  }

  private fill({ keepTry, TriesPanel }: Panels, panel: vscode.WebviewPanel, place: TriesPlace): void {
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview')],
    };
    const shown = new TriesPanel(this.services, place, panel, keepTry(this.services, this.chat));
    this.open.add(shown);
    panel.onDidDispose(() => {
      this.open.delete(shown);
      shown.dispose();
    });
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.png');
    panel.webview.html = pageHtml(panel.webview, this.extensionUri, { surface: 'tries' });
  }
}
