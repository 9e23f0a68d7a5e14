import * as vscode from 'vscode';
import { OffshootError } from '../engine/errors.ts';

/** The words for a person: our own errors say what to do; of others, the log has the rest. */
export function messageOf(error: unknown): string {
  if (error instanceof OffshootError) return error.message;
  const text = error instanceof Error ? error.message : String(error);
  return vscode.l10n.t('Something went wrong: {0}. The log has the details (Offshoot: Show Log).', text);
}

/** For the log: what happened, and the code of it; the text of an error may quote what was said. */
export function logFailure(log: vscode.LogOutputChannel, what: string, error: unknown): void {
  if (error instanceof OffshootError) log.warn(`${what}: ${error.code}`);
  else log.error(`${what}:`, error instanceof Error ? error : String(error));
}
