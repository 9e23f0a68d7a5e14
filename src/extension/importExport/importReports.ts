import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { openPlain, plainUri } from '../ui/tabs.ts';

const SCHEME = 'offshoot-import';

const MAX_KEPT = 20;

/** What imports left out and why, as documents to read. They are kept until the window closes. */
export class ImportReports implements Disposable {
  private readonly texts = new Map<string, string>();
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) =>
      this.texts.get(query) ?? vscode.l10n.t('This report is gone. Import again to see what is left out.'),
  });

  async show(text: string): Promise<void> {
    const id = crypto.randomUUID();
    this.texts.set(id, text);
    for (const old of [...this.texts.keys()].slice(0, -MAX_KEPT)) this.texts.delete(old);
    await openPlain(plainUri(SCHEME, id), vscode.l10n.t('Import report'));
  }

  dispose(): void {
    this.provider.dispose();
  }
}
