import * as vscode from 'vscode';
import { oneLine } from '../ui/shownName.ts';
import type { AboutLines, FoundMessage } from './chatSearch.ts';

/** Why a message is found that is about lines of a file, and whose it is where it is another person's. */
export function aboutTexts({ about = [], author }: FoundMessage): string[] {
  return [...about.map(aboutText), ...(author === undefined ? [] : [oneLine(author, 60)])];
}

function aboutText(about: AboutLines): string {
  switch (about) {
    case 'wrote':
      return vscode.l10n.t('wrote these lines');
    case 'imported':
      return vscode.l10n.t('wrote these lines, imported');
    case 'attached':
      return vscode.l10n.t('lines attached');
    case 'named':
      return vscode.l10n.t('names these lines');
  }
}
