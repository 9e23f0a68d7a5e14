import * as vscode from 'vscode';
import { phraseOf, type Notice } from '../../agent/notice.ts';
import { worded, type Phrase } from '../../engine/phrase.ts';

/** A phrase in the language of the person; in English where there is no translation of it. */
export function translated(said: Phrase): string {
  return worded(said, (template, args) => vscode.l10n.t(template, ...args));
}

/** A notice in the language of the user. */
export function translatedNotice(notice: Notice): string {
  return translated(phraseOf(notice));
}
