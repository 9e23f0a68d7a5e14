import * as vscode from 'vscode';
import { z } from 'zod';
import type { Disposable } from '../../base/disposable.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { pageHtml } from '../pages/pageHtml.ts';
import type { titleOf, AlternativesPanel, AlternativesPosition, keepFromPanel } from './alternativesPanel.ts';
import { createPanel } from '../ui/tabs.ts';

const ALTERNATIVES_VIEW = 'offshoot.tries';

/** Loaded with the first tab. */
interface Panels {
  readonly keepFromPanel: typeof keepFromPanel;
  readonly titleOf: typeof titleOf;
  readonly AlternativesPanel: typeof AlternativesPanel;
}

/** The state the page keeps, so that it can be restored after the window was reloaded. */
const stateSchema = z.object({ place: z.object({ chatId: z.string(), questionId: z.string() }) });

/** One editor tab for each question. */
export class AlternativesPanels implements Disposable {
  private readonly open = new Set<AlternativesPanel>();
  private readonly registration: Disposable;

  constructor(
    private readonly deps: ConstructorParameters<typeof AlternativesPanel>[0] &
      Parameters<typeof keepFromPanel>[0],
    private readonly chat: ShownChat,
    private readonly extensionUri: vscode.Uri,
    private readonly loadPanels: () => Promise<Panels>,
  ) {
    this.registration = vscode.window.registerWebviewPanelSerializer(ALTERNATIVES_VIEW, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        const read = stateSchema.safeParse(state);
        if (!read.success) {
          panel.dispose();
          return;
        }
        const closing = new AbortController();
        panel.onDidDispose(() => closing.abort());
        const panels = await this.loadPanels();
        // The panel may have been closed during loading.
        if (!closing.signal.aborted) this.fill(panels, panel, read.data.place);
      },
    });
  }

  async show(place: AlternativesPosition, question: string): Promise<void> {
    const panels = await this.loadPanels();
    const known = [...this.open].find(
      (each) => each.place.chatId === place.chatId && each.place.questionId === place.questionId,
    );
    if (known) known.panel.reveal();
    else {
      const title = panels.titleOf(question);
      this.fill(panels, createPanel(ALTERNATIVES_VIEW, title), place);
    }
  }

  areShown(chatId: string): boolean {
    return [...this.open].some(({ place, panel }) => place.chatId === chatId && panel.visible);
  }

  dispose(): void {
    this.registration.dispose();
    for (const { panel } of this.open) panel.dispose();
  }

  private fill(
    { keepFromPanel, AlternativesPanel }: Panels,
    panel: vscode.WebviewPanel,
    place: AlternativesPosition,
  ): void {
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview')],
    };
    const shown = new AlternativesPanel(
      this.deps,
      place,
      panel,
      keepFromPanel(this.deps, this.chat),
      this.extensionUri,
    );
    this.open.add(shown);
    panel.onDidDispose(() => {
      this.open.delete(shown);
      shown.dispose();
    });
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.png');
    panel.webview.html = pageHtml(panel.webview, this.extensionUri, { surface: 'alternatives' });
  }
}
