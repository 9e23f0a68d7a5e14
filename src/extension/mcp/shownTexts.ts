import * as vscode from 'vscode';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { plainUri } from '../ui/plainDocuments.ts';

/** The scheme for texts that are shown before they are written. */
const SCHEME = 'offshoot-asked';

/** The maximum number of remembered texts. */
const MAX_TEXTS = 20;

/** Texts to be written, as documents for review: plain text, with hidden characters spelled out. */
export class ShownTexts implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) => withHiddenSpelledOut(this.texts.get(query) ?? ''),
  });

  uriOf(text: string): vscode.Uri {
    const id = crypto.randomUUID();
    this.texts.set(id, text);
    for (const [oldest] of [...this.texts].slice(0, -MAX_TEXTS)) this.texts.delete(oldest);
    return plainUri(SCHEME, id);
  }

  dispose(): void {
    this.registration.dispose();
    this.texts.clear();
  }
}
