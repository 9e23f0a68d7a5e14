import * as vscode from 'vscode';
import type { BranchData } from '../../engine/graph.ts';
import { DraftDocuments, type ProposedText } from '../ui/draftDocuments.ts';
import { shownName } from '../ui/shownName.ts';

/** A summary that has not been accepted yet. */
export interface SummaryDraft extends ProposedText {
  readonly source: BranchData;
  readonly target: BranchData;
  /** The label of the model that wrote it; undefined: the user. */
  readonly model: string | undefined;
}

/** Summaries as documents. */
export function createSummaryDrafts(): DraftDocuments<SummaryDraft> {
  return new DraftDocuments('offshoot-summary');
}

/** The title of a summary's tab. */
export function titleOfDraft({ source }: SummaryDraft): string {
  return vscode.l10n.t('Summary of {0}', shownName(source.name, 60));
}
