import * as vscode from 'vscode';
import type { NamedBranch } from '../../conversation/manageBranches.ts';
import { InvalidNameError } from '../../engine/errors.ts';
import { checkedName } from '../../engine/storable.ts';
import { messagesText } from '../ui/formats.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { translated } from '../ui/failures.ts';
import { branchesOf, branchOf } from '../commands/commandArguments.ts';
import { pickBranch } from './pickBranchOrCheckpoint.ts';
import { switchToBranch, type MoveContext } from './switchToBranch.ts';
import { offerUndo } from '../ui/offerUndo.ts';
import { askText } from '../ui/inputBox.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';

export function manageBranchCommands(
  deps: MoveContext,
  chat: ShownChat,
): CommandHandlers<'switchBranch' | 'openBranch' | 'renameBranch' | 'unarchiveBranch' | 'archiveBranch'> {
  const { store, conversations, current, labels } = deps;
  const pick = (title: string, active: boolean): Promise<string | undefined> =>
    pickBranch({ store, current, labels }, title, { active });
  return {
    switchBranch: async () => {
      const name = await pick(vscode.l10n.t('Select a branch'), true);
      if (name !== undefined) await switchToBranch(deps, await current.chatId(), name);
    },
    openBranch: async (argument) => {
      const branch = branchOf(argument);
      const chatId = branch?.chatId ?? (await current.chatId());
      const name = branch?.name ?? (await pick(vscode.l10n.t('Select a branch'), true));
      if (name === undefined || !(await switchToBranch(deps, chatId, name))) return;
      await chat.bringToFront();
    },
    renameBranch: async (argument) => {
      const branch = branchOf(argument);
      const chatId = branch?.chatId ?? (await current.chatId());
      const name = branch?.name ?? (await pick(vscode.l10n.t('Select a branch to rename'), true));
      if (name === undefined) return;
      const newName = await askText({
        title: vscode.l10n.t('Rename Branch'),
        value: await labels.label(chatId, name),
        validateInput: problemWith,
      });
      if (newName === undefined || newName.trim() === name) return;
      await conversations.renameBranch(chatId, name, newName);
    },
    unarchiveBranch: async (argument, selection) => {
      const chosen = branchesOf(argument, selection);
      if (chosen.length > 0) {
        await conversations.unarchiveBranches(chosen);
        return;
      }
      const chatId = await current.chatId();
      const branches = await store.listBranches(chatId, { includeArchived: true });
      const labelOf = await labels.of(chatId);
      const items = branches
        .filter(({ archivedAt }) => archivedAt !== undefined)
        .map(({ name, messageCount }) => ({
          label: labelOf(name),
          description: messagesText(messageCount),
          name,
        }));
      const title = vscode.l10n.t('Select a branch to unarchive');
      const picked = await pickOne(items, { title });
      if (picked) await conversations.unarchiveBranches([{ chatId, name: picked.name }]);
    },
    archiveBranch: async (argument, selection) => {
      const chosen = branchesOf(argument, selection);
      if (chosen.length === 0) {
        const name = await pick(vscode.l10n.t('Select a branch to archive'), false);
        if (name !== undefined) await archive(deps, [{ chatId: await current.chatId(), name }]);
      } else await archive(deps, chosen);
    },
  };
}

/** If several were selected, active ones are skipped. */
async function archive(
  { conversations, labels, log }: MoveContext,
  chosen: readonly NamedBranch[],
): Promise<void> {
  const archived = await conversations.archiveBranches(chosen);
  const [first] = archived;
  if (!first) return;
  const label = await labels.label(first.chatId, first.name);
  const text =
    archived.length === 1
      ? vscode.l10n.t('Archived “{0}”', label)
      : vscode.l10n.t('Archived {0} branches', archived.length);
  offerUndo(log, text, () => conversations.unarchiveBranches(archived));
}

function problemWith(name: string): string | undefined {
  try {
    checkedName(name, defineMessage('branch name'));
    return undefined;
  } catch (error) {
    return error instanceof InvalidNameError ? translated(error.descriptor) : String(error);
  }
}
