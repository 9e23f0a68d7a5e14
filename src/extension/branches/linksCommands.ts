import * as vscode from 'vscode';
import type { BranchData } from '../../engine/graph.ts';
import { pickBranch } from './pickBranchOrCheckpoint.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { branchOf, chatOf, messageIdOf } from '../commands/commandArguments.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { ChatsOfUser } from '../commands/pickChat.ts';
import { notify } from '../ui/notifications.ts';
import { askText } from '../ui/inputBox.ts';
import { copyForCommit } from './copyForCommit.ts';
import { chatLinkTo, readChatLink, openChatLink, type ChatLink } from './chatLink.ts';

export function linksCommands(
  deps: Parameters<typeof openChatLink>[0] & Parameters<typeof pickBranch>[0],
  chat: ShownChat,
): CommandHandlers<'copyForCommit' | 'copyLink' | 'openLink'> {
  return {
    copyForCommit: async (argument) => {
      const branch = await givenBranch(deps, argument);
      if (!branch) {
        void notify.information(vscode.l10n.t('There is nothing to export yet.'));
        return;
      }
      await copyForCommit(deps, branch);
    },
    copyLink: async (argument) => {
      const place = await placeOf(deps, argument);
      if (!place) return;
      const workspace = vscode.workspace.name?.slice(0, 200).toWellFormed();
      await vscode.env.clipboard.writeText(chatLinkTo({ ...place, workspace }));
    },
    openLink: async (given) => {
      const link = typeof given === 'string' ? given : await askForLink();
      if (link !== undefined) await openChatLink(deps, chat, link);
    },
  };
}

/** The branch of a tree row, else the active one. */
async function givenBranch(
  { store, current }: ChatsOfUser,
  argument: unknown,
): Promise<BranchData | undefined> {
  const given = branchOf(argument);
  if (given) return store.getBranch(given.chatId, given.name);
  const chatId = chatOf(argument)?.chatId ?? (await current.chatId());
  return (await store.getChat(chatId)) && store.getActiveBranch(chatId);
}

/** Where it was called: on a message, or on a tree row; elsewhere the user is asked. */
async function placeOf(
  deps: Parameters<typeof pickBranch>[0],
  argument: unknown,
): Promise<ChatLink | undefined> {
  const chatId = await deps.current.chatId();
  const messageId = messageIdOf(argument);
  if (messageId !== undefined) return { chatId, messageId };
  const branch = branchOf(argument);
  if (branch) return { chatId: branch.chatId, branch: branch.name };
  const row = chatOf(argument);
  if (row) return { chatId: row.chatId };
  const title = vscode.l10n.t('Select a branch to copy a link to');
  const name = await pickBranch(deps, title, { active: true });
  return name === undefined ? undefined : { chatId, branch: name };
}

/** The clipboard is filled in if it holds such a link. */
async function askForLink(): Promise<string | undefined> {
  const copied = (await vscode.env.clipboard.readText()).trim();
  return askText({
    title: vscode.l10n.t('Open Link'),
    value: readChatLink(copied) ? copied : '',
    placeHolder: `${vscode.env.uriScheme}://…`,
    validateInput: (value) =>
      readChatLink(value.trim())
        ? undefined
        : vscode.l10n.t('Paste a link that Copy Link made of a message or a branch.'),
  });
}
