import * as vscode from 'vscode';
import { answerMetadataOf } from '../../agent/run/answerMetadata.ts';
import type { Runs } from '../../agent/run/runs.ts';
import type { BranchData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { ChatOutline } from '../branches/outline.ts';
import type { Wanted } from './treeFilter.ts';

export const BRANCH_KINDS = ['failed', 'archived', 'files', 'mine'] as const;
export type BranchKind = (typeof BRANCH_KINDS)[number];

export function kindText(kind: BranchKind): string {
  switch (kind) {
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'archived':
      return vscode.l10n.t('Archived');
    case 'files':
      return vscode.l10n.t('With Files');
    case 'mine':
      return vscode.l10n.t('Mine');
  }
}

export function kindDetail(kind: BranchKind): string {
  switch (kind) {
    case 'failed':
      return vscode.l10n.t('Branches whose last response failed');
    case 'archived':
      return vscode.l10n.t('Archived branches, which are hidden otherwise');
    case 'files':
      return vscode.l10n.t('Branches on which files were changed');
    case 'mine':
      return vscode.l10n.t('Checkpoints, and branches that you named or that begin with your own question');
  }
}

export async function wantedKinds(
  outline: ChatOutline,
  kinds: readonly BranchKind[],
  {
    runs,
    store,
  }: {
    readonly runs: Pick<Runs, 'get' | 'failed'>;
    readonly store: Pick<ReadonlyStore, 'getMessage' | 'listFileChanges'>;
  },
): Promise<Wanted> {
  const chatId = outline.chat.id;
  const changed = kinds.includes('files') ? await store.listFileChanges(chatId) : [];
  const withFiles = new Set(changed.map(({ messageId }) => outline.ownerOf(messageId)));
  const hasFailed = async ({ name, headMessageId: head }: BranchData): Promise<boolean> => {
    // One that is running again no longer counts as failed.
    if (runs.get(chatId, name)) return false;
    if (runs.failed(chatId, name)) return true;
    const message = head === null ? undefined : await store.getMessage(chatId, head);
    const read = message && readUIMessage(message.data);
    return read !== undefined && answerMetadataOf(read)?.status === 'failed';
  };
  const isMine = (branch: BranchData): boolean => {
    if (outline.explorationOf(branch)) return false;
    const { firstOwnId } = outline.find(branch.id) ?? {};
    if (outline.givenNameOf(branch) !== undefined) return true;
    if (outline.isTask(branch)) return false;
    return firstOwnId !== undefined && outline.nameOf(firstOwnId) === 'user';
  };
  const isOf = (kind: BranchKind, branch: BranchData): boolean | Promise<boolean> => {
    switch (kind) {
      case 'failed':
        return hasFailed(branch);
      case 'archived':
        return branch.archivedAt !== undefined;
      case 'files':
        return withFiles.has(branch.id);
      case 'mine':
        return isMine(branch);
    }
  };
  return {
    branch: async (branch) => {
      for (const kind of kinds) if (await isOf(kind, branch)) return true;
      return false;
    },
    checkpoint: () => kinds.includes('mine'),
  };
}
