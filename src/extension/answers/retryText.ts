import * as vscode from 'vscode';
import type { Retry } from '../../agent/retry.ts';
import { sentences } from '../ui/formats.ts';

/** Why an answer waits, and for how long. */
export function retryText({ attempt, maxRetries, delay, error }: Retry): string {
  const seconds = Math.max(1, Math.ceil(delay / 1_000));
  return sentences(
    reason(error.code),
    vscode.l10n.t('Retrying in {0} s ({1}/{2})…', seconds, attempt, maxRetries),
  );
}

function reason(code: string): string {
  switch (code) {
    case 'rate-limited':
      return vscode.l10n.t('Rate limited.');
    case 'overloaded':
      return vscode.l10n.t('The model server is overloaded.');
    case 'network':
    case 'timeout':
      return vscode.l10n.t('Can’t reach the model server.');
    default:
      return vscode.l10n.t('Server error.');
  }
}
