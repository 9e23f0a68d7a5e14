import * as vscode from 'vscode';
import type { InspectedFile } from '../../files/inspectFiles.ts';

/** What a restore does to a file, in its row. */
export function whatHappens({
  planned: { target },
  current,
}: Pick<InspectedFile, 'planned' | 'current'>): string {
  if (target === null) return vscode.l10n.t('is removed');
  if (current !== null) return vscode.l10n.t('is changed back');
  switch (target.kind) {
    case 'link':
      return vscode.l10n.t('comes back as a link');
    case 'folder':
      return vscode.l10n.t('comes back as a folder');
    case undefined:
      // Whose it was, its other names and its attributes are not known.
      return vscode.l10n.t('comes back as a new file of yours');
  }
}
