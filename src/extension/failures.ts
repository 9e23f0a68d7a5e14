import * as vscode from 'vscode';
import { OffshootError } from '../engine/errors.ts';
import { WorkspaceFileError } from '../platform/workspaceFiles.ts';

/** The words for a person: our own errors say what to do; of others, the log has the rest. */
export function messageOf(error: unknown): string {
  if (error instanceof OffshootError || error instanceof WorkspaceFileError) return error.message;
  const text = error instanceof Error ? error.message : String(error);
  return vscode.l10n.t('Something went wrong: {0}. The log has the details (Offshoot: Show Log).', text);
}

/**
 * Writes to the log what failed and where. The text of an error stays out: it may quote what was said, or a key. Those
 * of the system, which have a code, speak of files and addresses only.
 */
export function logFailure(log: vscode.LogOutputChannel, what: string, error: unknown): void {
  if (error instanceof OffshootError) {
    log.warn(
      `${what}: ${error.code}${error.cause === undefined ? '' : `, because of ${described(error.cause)}`}`,
    );
  } else log.error(`${what}: ${described(error)}`);
}

function described(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const isSystem = 'code' in error && typeof error.code === 'string';
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [isSystem ? `${error.name}: ${error.message}` : error.name, ...frames].join('\n');
}
