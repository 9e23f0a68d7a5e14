import type * as vscode from 'vscode';
import type { AnswerKeeper, AnswerKeeping } from '../../agent/answerKeeper.ts';

/** Where VS Code's memory of the workspace has them. */
export const UNSAVED_ANSWERS = 'offshoot.unsavedAnswers';

/** Keeps answers that could not be saved in the memory of the workspace. */
export function keepUnsaved(memory: vscode.Memento, open: () => Promise<AnswerKeeper>): AnswerKeeping {
  return { isEmpty: () => memory.get(UNSAVED_ANSWERS) === undefined, open };
}
