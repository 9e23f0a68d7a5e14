import * as vscode from 'vscode';
import { phraseOf, type Told } from '../agent/told.ts';
import { worded, type Phrase } from '../engine/phrase.ts';

/** A phrase in the language of the person; in English where there is no translation of it. */
export function translated(said: Phrase): string {
  return worded(said, (template, args) => vscode.l10n.t(template, ...args));
}

/** What is told of an answer, in the language of the person. */
export function translatedTold(told: Told): string {
  return translated(phraseOf(told));
}
