import type * as vscode from 'vscode';
import type { Services } from '../services.ts';

/** What can be done with a change that code of an answer would make. */
export function registerSuggestionCommands({ suggestions, commands }: Services): vscode.Disposable {
  return commands.add({
    applyCode: () => suggestions.apply(),
    discardCode: () => suggestions.discard(),
  });
}
