import * as vscode from 'vscode';
import type { CompactionProgress } from '../../agent/compaction/compactionOptions.ts';

/** Why an answer waits while its conversation is compacted. */
export function compactingText({ portion, portions }: CompactionProgress): string {
  return portions === 1
    ? vscode.l10n.t('Compacting the conversation…')
    : vscode.l10n.t('Compacting the conversation… ({0}/{1})', portion, portions);
}
