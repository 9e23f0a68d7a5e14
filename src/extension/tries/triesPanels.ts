import * as vscode from 'vscode';
import { z } from 'zod';
import type { Disposable } from '../../engine/event.ts';
import { pageHtml } from '../chat/html.ts';
import type { Services } from '../services.ts';
import { titleOf, TriesPanel, type KeepTry, type TriesPlace } from './triesPanel.ts';
import { createPanel } from '../ui/tabs.ts';

const TRIES_VIEW = 'offshoot.tries';

/** What the page keeps of itself, so that it comes back after the window was reloaded. */
const stateSchema = z.object({ place: z.object({ chatId: z.string(), questionId: z.string() }) });

/** The editor tabs that show answers side by side, one for each question. */
export class TriesPanels implements Disposable {
  private readonly open = new Set<TriesPanel>();
  private readonly registration: Disposable;

  constructor(
    private readonly services: Services,
    private readonly extensionUri: vscode.Uri,
    private readonly keep: KeepTry,
  ) {
    this.registration = vscode.window.registerWebviewPanelSerializer(TRIES_VIEW, {
      deserializeWebviewPanel: (panel, state: unknown) => {
        const read = stateSchema.safeParse(state);
        if (read.success) this.fill(panel, read.data.place);
        else panel.dispose();
        return Promise.resolve();
      },
    });
  }

  show(place: TriesPlace, question: string): void {
    const known = [...this.open].find(
      (each) => each.place.chatId === place.chatId && each.place.questionId === place.questionId,
    );
    if (known) known.panel.reveal();
    else {
      const title = titleOf(question);
      this.fill(createPanel(TRIES_VIEW, title), place);
    }
  }

  dispose(): void {
    this.registration.dispose();
    for (const { panel } of this.open) panel.dispose();
  }

  private fill(panel: vscode.WebviewPanel, place: TriesPlace): void {
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview')],
    };
    const shown = new TriesPanel(this.services, place, panel, this.keep);
    this.open.add(shown);
    panel.onDidDispose(() => {
      this.open.delete(shown);
      shown.dispose();
    });
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.png');
    panel.webview.html = pageHtml(panel.webview, this.extensionUri, { surface: 'tries' });
  }
}
