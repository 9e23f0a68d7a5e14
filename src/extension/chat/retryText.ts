import * as vscode from 'vscode';
import type { Retry } from '../../agent/retry.ts';
import { sentences } from '../formats.ts';

/** Says why an answer waits, and for how long. */
export function retryText({ attempt, maxRetries, delay, error }: Retry): string {
  const seconds = Math.max(1, Math.ceil(delay / 1_000));
  return sentences(
    reason(error.code),
    vscode.l10n.t('Trying again in {0} s ({1} of {2}).', seconds, attempt, maxRetries),
  );
}

function reason(code: string): string {
  switch (code) {
    case 'rate-limited':
      return vscode.l10n.t('The model server asks for fewer requests.');
    case 'network':
    case 'timeout':
      return vscode.l10n.t('The model server cannot be reached.');
    default:
      return vscode.l10n.t('The model server has a problem of its own.');
  }
}
