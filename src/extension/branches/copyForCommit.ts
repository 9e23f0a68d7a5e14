import * as vscode from 'vscode';
import type { BranchData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readDecidedFiles } from '../../files/decidedFiles.ts';
import { notify } from '../ui/notifications.ts';
import { pickMany, type PickRow } from '../ui/quickPick.ts';
import { oneLine } from '../ui/shownName.ts';
import type { BranchLabels } from './branchLabels.ts';
import { chatLinkTo } from './chatLink.ts';
import { commitSummary, commitText, type CommitSummary } from './commitText.ts';

/** Longer subjects are cut where commits are listed, in characters. */
const SUBJECT_LENGTH = 72;

type Part = keyof CommitSummary | 'link';

/** Copies what was asked and done on a branch, as far as the user selects it. */
export async function copyForCommit(
  { store, labels }: { readonly store: ReadonlyStore; readonly labels: Pick<BranchLabels, 'label'> },
  branch: BranchData,
): Promise<void> {
  const { chatId, name, headMessageId } = branch;
  if (headMessageId === null) {
    void notify.information(vscode.l10n.t('Nothing was said there yet.'));
    return;
  }
  const path = await store.getPath(chatId, headMessageId);
  const summary = commitSummary(path, await readDecidedFiles(store, chatId, headMessageId));
  const label = await labels.label(chatId, name);
  const picked = await pickMany(rowsOf(summary), {
    title: vscode.l10n.t('Copy “{0}” for a Commit', label),
    placeHolder: vscode.l10n.t('Select what the message says'),
  });
  if (!picked) return;
  const parts = new Set(picked.map(({ part }) => part));
  const linesOf = (part: keyof CommitSummary): readonly string[] => (parts.has(part) ? summary[part] : []);
  const workspace = vscode.workspace.name?.slice(0, 200).toWellFormed();
  const text = commitText({
    subject: oneLine(label, SUBJECT_LENGTH),
    questions: linesOf('questions'),
    decisions: linesOf('decisions'),
    files: linesOf('files'),
    link: parts.has('link') ? chatLinkTo({ chatId, branch: name, workspace }) : undefined,
  });
  await vscode.env.clipboard.writeText(text);
  void notify.information(vscode.l10n.t('Copied. Paste it into a commit message or a pull request.'));
}

/** Only what there is. The link is for those who have the conversation, and no one else: it has to be selected. */
function rowsOf({ questions, decisions, files }: CommitSummary): (PickRow & { readonly part: Part })[] {
  const row = (part: keyof CommitSummary, label: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [{ part, label, description: String(lines.length), detail: lines[0] ?? '', picked: true }];
  return [
    ...row('questions', vscode.l10n.t('Questions'), questions),
    ...row('decisions', vscode.l10n.t('Decisions'), decisions),
    ...row('files', vscode.l10n.t('Changed Files'), files),
    { part: 'link', label: vscode.l10n.t('Link to the Chat'), description: 'Offshoot-Chat:' },
  ];
}
