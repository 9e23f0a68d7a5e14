import * as vscode from 'vscode';
import { BranchNotFoundError, InvalidNameError } from '../../engine/errors.ts';
import { checkedName } from '../../engine/storable.ts';
import type { Services } from '../services.ts';
import { messagesText } from '../messagesText.ts';
import { phrase } from '../../engine/phrase.ts';
import { translated } from '../translated.ts';
import { branchesOf, branchOf } from './arguments.ts';
import { pickBranch } from './pickBranch.ts';
import { offerWayBack } from './wayBack.ts';
import { offerUndo } from '../ui/offerUndo.ts';
import { askText } from '../ui/inputBox.ts';
import { pickOne } from '../ui/quickPick.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { CommandHandlers } from './commandHandlers.ts';

/** Going to branches, naming and archiving them. */
export function branchCommands(
  services: Services,
): CommandHandlers<'switchBranch' | 'openBranch' | 'renameBranch' | 'unarchiveBranch' | 'archiveBranch'> {
  const { store, current } = services;
  const pick = (title: string, active: boolean): Promise<string | undefined> =>
    pickBranch({ store, current }, title, { active });
  return {
    switchBranch: async () => {
      const name = await pick(vscode.l10n.t('Select a branch'), true);
      if (name !== undefined) await switchToBranch(services, await current.chatId(), name);
    },
    openBranch: async (argument) => {
      const branch = branchOf(argument);
      const chatId = branch?.chatId ?? (await current.chatId());
      const name = branch?.name ?? (await pick(vscode.l10n.t('Select a branch'), true));
      if (name === undefined || !(await switchToBranch(services, chatId, name))) return;
      await runCommand('offshoot.chat.focus');
    },
    renameBranch: async (argument) => {
      const branch = branchOf(argument);
      const chatId = branch?.chatId ?? (await current.chatId());
      const name = branch?.name ?? (await pick(vscode.l10n.t('Select a branch to rename'), true));
      if (name === undefined) return;
      const newName = await askText({
        title: vscode.l10n.t('Rename Branch'),
        value: name,
        validateInput: problemWith,
      });
      if (newName !== undefined && newName.trim() !== name) await store.renameBranch(chatId, name, newName);
    },
    unarchiveBranch: async () => {
      const chatId = await current.chatId();
      const branches = await store.listBranches(chatId, { includeArchived: true });
      const items = branches
        .filter(({ archivedAt }) => archivedAt !== undefined)
        .map(({ name, messageCount }) => ({ label: name, description: messagesText(messageCount) }));
      const title = vscode.l10n.t('Select a branch to bring back');
      const picked = await pickOne(items, { title });
      if (picked) await store.unarchiveBranch(chatId, picked.label);
    },
    archiveBranch: async (argument, selection) => {
      const chosen = branchesOf(argument, selection);
      if (chosen.length === 0) {
        const name = await pick(vscode.l10n.t('Select a branch to archive'), false);
        if (name !== undefined) await archive(services, [{ chatId: await current.chatId(), name }]);
      } else await archive(services, chosen);
    },
  };
}

/** Archives branches, all but the one a chat is on where several were chosen, and offers to take it back. */
async function archive(
  { store, log }: Services,
  chosen: readonly { readonly chatId: string; readonly name: string }[],
): Promise<void> {
  const archived: { readonly chatId: string; readonly name: string }[] = [];
  for (const { chatId, name } of chosen) {
    if (chosen.length > 1 && (await store.getBranch(chatId, name))?.isActive) continue;
    await store.archiveBranch(chatId, name);
    archived.push({ chatId, name });
  }
  const [first] = archived;
  if (!first) return;
  const text =
    archived.length === 1
      ? vscode.l10n.t('Archived “{0}”', first.name)
      : vscode.l10n.t('Archived {0} branches', archived.length);
  offerUndo(log, text, async () => {
    for (const { chatId, name } of archived) await store.unarchiveBranch(chatId, name);
  });
}

/**
 * Goes to a branch, and the files with it as far as the user wants.
 * @returns false when the user cancelled
 */
export async function switchToBranch(services: Services, chatId: string, name: string): Promise<boolean> {
  const { conversations, store, moves } = services;
  const branch = await store.getBranch(chatId, name);
  if (!branch) throw new BranchNotFoundError(name);
  const moved = await moves.go({
    chatId,
    messageId: branch.headMessageId,
    title: vscode.l10n.t('Switch to branch {0}', name),
    move: () => conversations.switchBranch(name, chatId),
  });
  if (moved?.restored) offerWayBack(services, moved, vscode.l10n.t('You are on branch {0}.', name));
  return moved !== undefined;
}

function problemWith(name: string): string | undefined {
  try {
    checkedName(name, phrase('branch name'));
    return undefined;
  } catch (error) {
    return error instanceof InvalidNameError ? translated(error.phrase) : String(error);
  }
}
