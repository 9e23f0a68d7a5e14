import type * as vscode from 'vscode';
import type { Services } from '../services.ts';
import { registerCommands } from './register.ts';

/** What can be done with a change that code of an answer would make. */
export function registerSuggestionCommands({ suggestions, log }: Services): vscode.Disposable {
  return registerCommands(log, {
    applyCode: () => suggestions.apply(),
    discardCode: () => suggestions.discard(),
  });
}
