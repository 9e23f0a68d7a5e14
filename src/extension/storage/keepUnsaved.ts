import type * as vscode from 'vscode';
import type { AnswerKeeper, AnswerKeeping } from '../../agent/run/recoverAnswers.ts';

/** The key in VS Code's workspace memory. */
export const UNSAVED_ANSWERS = 'offshoot.unsavedAnswers';

/** Stores answers that could not be saved in the workspace memory. */
export function keepUnsaved(memory: vscode.Memento, open: () => Promise<AnswerKeeper>): AnswerKeeping {
  return { isEmpty: () => memory.get(UNSAVED_ANSWERS) === undefined, open };
}
