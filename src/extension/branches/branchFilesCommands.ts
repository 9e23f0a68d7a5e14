import * as vscode from 'vscode';
import { BranchBusyError } from '../../agent/run/run.ts';
import { BranchNotFoundError, OffshootError } from '../../engine/errors.ts';
import type { BranchData } from '../../engine/graph.ts';
import type { BranchFilesRecord } from '../../host/branchFiles.ts';
import { BranchFilesError } from '../../host/branchFilesError.ts';
import { branchOf, chatOf } from '../commands/commandArguments.ts';
import type { CommandHandler, CommandHandlers } from '../commands/commandHandlers.ts';
import { requireFolders } from '../files/knownOwnFiles.ts';
import { askText } from '../ui/inputBox.ts';
import { confirm, notify } from '../ui/notifications.ts';
import { keepBranch, type KeepContext } from './keepBranch.ts';
import { createGitBranch } from './newGitBranch.ts';
import { makeOwnFiles } from './newOwnFiles.ts';
import { switchToBranch } from './switchToBranch.ts';

export { KnownOwnFiles } from '../files/knownOwnFiles.ts';

export type BranchFilesContext = KeepContext;

/** Files that only one branch works with: made, shown, kept in the workspace, and discarded. */
export function branchFilesCommands(
  deps: BranchFilesContext,
): CommandHandlers<
  | 'workInOwnFiles'
  | 'bringBackBranchFiles'
  | 'btwInOwnFiles'
  | 'keepBranchFiles'
  | 'keepSomeBranchFiles'
  | 'discardBranchFiles'
  | 'openBranchFolder'
  | 'createGitBranch'
> {
  const begin = explained(async (argument) => {
    await workInOwnFiles(deps, await chosenBranch(deps, argument));
  });
  return {
    workInOwnFiles: begin,
    bringBackBranchFiles: begin,
    btwInOwnFiles: explained(async (argument) => {
      const { chatId, name } = await chosenBranch(deps, argument);
      const question = await askText({
        title: vscode.l10n.t('By the Way in Own Files'),
        prompt: vscode.l10n.t('A side question whose answer changes files of its own, not the workspace.'),
        placeHolder: vscode.l10n.t('Ask a side question'),
      });
      if (question === undefined || question.trim() === '') return;
      if (!(await switchToBranch(deps, chatId, name))) return;
      await askInOwnFiles(deps, chatId, question.trim());
    }),
    keepBranchFiles: explained(async (argument) => {
      const branch = await chosenBranch(deps, argument);
      await keepBranch(deps, branch, await ownFilesOf(deps, branch), 'all');
    }),
    keepSomeBranchFiles: explained(async (argument) => {
      const branch = await chosenBranch(deps, argument);
      await keepBranch(deps, branch, await ownFilesOf(deps, branch), 'pick');
    }),
    discardBranchFiles: explained(async (argument) => {
      const branch = await chosenBranch(deps, argument);
      await discard(deps, branch, await ownFilesOf(deps, branch));
    }),
    openBranchFolder: explained(async (argument) => {
      const record = await ownFilesOf(deps, await chosenBranch(deps, argument));
      const [folder] = record.folders;
      if (!folder) return;
      const uri = vscode.Uri.parse(folder.uri, true);
      await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
    }),
    createGitBranch: explained(async (argument) => createGitBranch(deps, await chosenBranch(deps, argument))),
  };
}

/** A branch of the active one, which answers while that goes on. */
async function askInOwnFiles(deps: BranchFilesContext, chatId: string, question: string): Promise<void> {
  const { conversations } = deps;
  const name = await conversations.beginSideQuestion(chatId);
  let isReady = false;
  try {
    isReady = await workInOwnFiles(deps, await chosenBranch(deps, { kind: 'branch', chatId, name }));
  } finally {
    if (!isReady) await conversations.discardBranch(chatId, name);
  }
  if (isReady) await conversations.askSideQuestion(question, [], name);
}

async function chosenBranch({ store, current }: BranchFilesContext, argument: unknown): Promise<BranchData> {
  const given = branchOf(argument);
  // A chat with one branch has one row.
  const chatId = given?.chatId ?? chatOf(argument)?.chatId ?? (await current.chatId());
  const branch = given
    ? await store.getBranch(chatId, given.name)
    : (await store.getChat(chatId)) && (await store.getActiveBranch(chatId));
  if (!branch) throw new BranchNotFoundError(given?.name ?? '');
  return branch;
}

/** @throws OffshootError where there are none */
async function ownFilesOf({ ownFiles }: BranchFilesContext, branch: BranchData): Promise<BranchFilesRecord> {
  return ((await ownFiles.known()) ?? (await ownFiles.load())).requireAt(branch);
}

/** A branch whose files were discarded gets them again, with what it had changed. @returns false when the user cancelled */
async function workInOwnFiles(deps: BranchFilesContext, branch: BranchData): Promise<boolean> {
  const { ownFiles, conversations, runs } = deps;
  const { chatId, name } = branch;
  requireFolders();
  if (runs.get(chatId, name)) throw new BranchBusyError(name);
  const known = await (await ownFiles.known())?.recordAt(branch);
  if (known?.state === 'open') {
    void notify.information(vscode.l10n.t('This branch works in its own files already.'));
    return true;
  }
  const label = await deps.labels.label(chatId, name);
  return makeOwnFiles(ownFiles, { chatId, id: known?.id, label }, async ({ id }) => {
    if (!known) await conversations.setBranchFiles(chatId, name, id);
  });
}

async function discard(
  deps: BranchFilesContext,
  branch: BranchData,
  record: BranchFilesRecord,
): Promise<void> {
  const { labels, ownFiles, runs } = deps;
  const { chatId, name } = branch;
  const inUse = runs.list(chatId).find((run) => run.ownFiles === record.id);
  if (inUse) throw new BranchBusyError(inUse.branch);
  const labelOf = await labels.of(chatId);
  const names = await (await ownFiles.load()).branchesWith(record);
  const others = names.filter((each) => each !== name).map((each) => labelOf(each));
  const isSure = await confirm(
    vscode.l10n.t('Discard the files of “{0}”?', await labels.label(chatId, name)),
    [
      vscode.l10n.t(
        'What was changed is kept. “Bring Files Back” in the menu of the branch makes them again.',
      ),
      ...(others.length > 0 ? [vscode.l10n.t('These branches lose them too: {0}', others.join(', '))] : []),
    ],
    vscode.l10n.t('Discard'),
  );
  if (!isSure) return;
  await (await ownFiles.host()).discard(record.id);
  await ownFiles.refresh();
  deps.hooks.tell((reader) => reader.branch('BranchDiscarded', chatId, name));
}

/** A name that git takes. */
/** The user is told of a problem of the host in their language. */
export function explained(handler: CommandHandler): CommandHandler {
  return async (...args) => {
    try {
      await handler(...args);
    } catch (error) {
      if (!(error instanceof BranchFilesError)) throw error;
      throw new OffshootError(error.code, branchFilesProblem(error), { cause: error });
    }
  };
}

function branchFilesProblem({ code, about }: BranchFilesError): string {
  switch (code) {
    case 'no-git':
      return vscode.l10n.t('Git wasn’t found. Install it so that a branch can have its own files.');
    case 'git-failed':
      return vscode.l10n.t('Git couldn’t do this: {0}', about);
    case 'too-large':
      return vscode.l10n.t('Too much to copy: {0}. Let git ignore what isn’t needed, or commit it.', about);
    case 'not-found':
      return vscode.l10n.t('The files of this branch aren’t on this machine.');
    case 'not-local':
      return vscode.l10n.t('“{0}” isn’t on this machine, so a branch can’t have its own files.', about);
    case 'no-repository':
      return vscode.l10n.t('“{0}” isn’t in a git repository.', about);
    case 'busy':
      return vscode.l10n.t(
        'The files of this branch are being made or removed, here or in another window. Try again when that’s done.',
      );
    case 'branch-exists':
      return vscode.l10n.t('The repository already has a branch “{0}”. Enter another name.', about);
  }
}
