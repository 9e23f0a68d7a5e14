import * as vscode from 'vscode';
import type { ChatData } from '../../engine/graph.ts';
import { LOCAL_USER } from '../../engine/users.ts';
import { oneLine } from '../ui/shownName.ts';
import type { AboutLines, FoundMessage } from './chatSearch.ts';

/** Why a message is found that is about lines of a file, and whose it is where a chat may be another person's. */
export function aboutTexts({ about }: FoundMessage, chat: Pick<ChatData, 'userId'> | undefined): string[] {
  if (!about) return [];
  const isOfPerson = chat !== undefined && chat.userId !== LOCAL_USER;
  return [...about.map(aboutText), ...(isOfPerson ? [oneLine(chat.userId, 60)] : [])];
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
