import type * as vscode from 'vscode';
import type { AnswerKeeper, AnswerKeeping } from '../../agent/run/recoverAnswers.ts';

export const UNSAVED_ANSWERS = 'offshoot.unsavedAnswers';

export function keepUnsaved(memory: vscode.Memento, open: () => Promise<AnswerKeeper>): AnswerKeeping {
  return { isEmpty: () => memory.get(UNSAVED_ANSWERS) === undefined, open };
}
