import * as vscode from 'vscode';
import { answerMetadataOf } from '../../agent/run/answerMetadata.ts';
import { BranchNotFoundError, OffshootError } from '../../engine/errors.ts';
import type { BranchData } from '../../engine/graph.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { BranchFilesRecord } from '../../host/branchFiles.ts';
import type { ModelRegistry } from '../../models/modelRegistry.ts';
import type { AlternativesNotice } from '../../protocol/chatFromPage.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';
import type { ChangedFiles } from '../files/changedFiles.ts';
import type { KnownOwnFiles } from '../files/knownOwnFiles.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { askText } from '../ui/inputBox.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne } from '../ui/quickPick.ts';
import { differencesBetween, differencesFromBase, openDifferences } from './compareAttempts.ts';

export interface AttemptContext {
  readonly conversations: Conversations;
  readonly files: Pick<ChangedFiles, 'keeper'>;
  readonly labels: BranchLabels;
  readonly models: ModelRegistry;
  readonly ownFiles: OwnFiles;
  readonly store: ReadonlyStore;
}

/** A branch with files of its own, discarded ones as well. */
interface Attempt {
  readonly known: KnownOwnFiles;
  readonly branch: BranchData;
  readonly record: BranchFilesRecord;
  readonly label: string;
}

type ActOn = Extract<AlternativesNotice, { type: 'actOnAttempt' }>;
type OpenFile = Extract<AlternativesNotice, { type: 'openAttemptFile' }>;

export async function actOnAttempt(
  deps: AttemptContext,
  chatId: string,
  { branch: name, action }: Pick<ActOn, 'branch' | 'action'>,
): Promise<void> {
  const attempt = await attemptOf(deps, chatId, name);
  const { known, record } = attempt;
  switch (action) {
    case 'compare':
      return compareWithBase(deps, attempt);
    case 'compareWith':
      return compareWithAnother(deps, attempt);
    case 'ask':
      return askThere(deps, attempt);
    case 'runCheck':
      return known.progress.check(record.id, { chatId, branch: name });
    case 'stopCheck':
      return known.progress.checks.stop(record.id);
    case 'showCheck':
      known.progress.checks.show(record.id);
  }
}

export async function openAttemptFile(
  deps: AttemptContext,
  chatId: string,
  { branch, folder, path, compares }: Pick<OpenFile, 'branch' | 'folder' | 'path' | 'compares'>,
): Promise<void> {
  const attempt = await attemptOf(deps, chatId, branch);
  const { known, record } = attempt;
  const isFile = (file: { readonly folder: string; readonly path: string }): boolean =>
    file.folder === folder && file.path === path;
  if (compares) {
    await compareWithBase(deps, attempt, isFile);
    return;
  }
  // A page names no file but those that it was shown.
  const changed = (await known.progress.changedFiles(record.id)).find(isFile);
  const own = record.folders.find(({ source }) => source === folder);
  if (!changed || !own || changed.kind === 'deleted') return;
  const uri = vscode.Uri.joinPath(vscode.Uri.parse(own.uri, true), path);
  await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
}

async function attemptOf(
  { labels, ownFiles, store }: AttemptContext,
  chatId: string,
  name: string,
): Promise<Attempt> {
  const branch = await store.getBranch(chatId, name);
  if (!branch) throw new BranchNotFoundError(name);
  const known = await ownFiles.knownOf(chatId);
  const record = await known?.recordAt(branch);
  if (await known?.isElsewhere(branch)) await known?.requireAt(branch);
  if (known && record) return { known, branch, record, label: await labels.label(chatId, name) };
  throw new OffshootError('no-own-files', defineMessage('This branch has no files of its own any more.'));
}

async function compareWithBase(
  { files, ownFiles }: AttemptContext,
  { label, record }: Attempt,
  isShown: (file: { readonly folder: string; readonly path: string }) => boolean = () => true,
): Promise<void> {
  const differences = differencesFromBase(await (await ownFiles.host()).changes(record.id));
  await openDifferences(
    (...content) => files.keeper.keep(...content),
    vscode.l10n.t('Changes on {0}', label),
    differences.filter(({ location }) => isShown(location)),
  );
}

async function compareWithAnother(deps: AttemptContext, attempt: Attempt): Promise<void> {
  const { files, labels, ownFiles, store } = deps;
  const { branch, known, label, record } = attempt;
  const others: { readonly label: string; readonly id: string }[] = [];
  const labelOf = await labels.of(branch.chatId);
  for (const each of await store.listBranches(branch.chatId)) {
    const other = await known.recordAt(each);
    if (other && other.id !== record.id && !others.some(({ id }) => id === other.id))
      others.push({ label: labelOf(each.name), id: other.id });
  }
  if (others.length === 0) {
    void notify.information(vscode.l10n.t('No other branch of this chat has files of its own.'));
    return;
  }
  const [only] = others;
  const title = vscode.l10n.t('Compare {0} With', label);
  const placeHolder = vscode.l10n.t('Select a branch');
  const picked = others.length === 1 ? only : await pickOne(others, { title, placeHolder });
  if (!picked) return;
  const host = await ownFiles.host();
  await openDifferences(
    (...content) => files.keeper.keep(...content),
    `${label} ↔ ${picked.label}`,
    differencesBetween(await host.changes(record.id), await host.changes(picked.id)),
  );
}

/** The model that answered there answers again, if there is one. */
async function askThere(
  { conversations, models, store }: AttemptContext,
  { branch, label }: Attempt,
): Promise<void> {
  const { chatId, name, headMessageId } = branch;
  const question = await askText({
    title: vscode.l10n.t('Ask on {0}', label),
    prompt: vscode.l10n.t('The answer changes the files of this branch.'),
    placeHolder: vscode.l10n.t('Ask a follow-up question'),
  });
  if (question === undefined || question.trim() === '') return;
  const path = headMessageId === null ? [] : await store.getPath(chatId, headMessageId);
  const answer = path.findLast((message) => message.name === 'assistant');
  const read = answer && readUIMessage(answer.data);
  const id = read && answerMetadataOf(read)?.modelId;
  const model = (id === undefined ? undefined : await models.find(id)) ?? (await models.current());
  await conversations.askOnBranch({ chatId, branch: name, question: question.trim(), model });
}
