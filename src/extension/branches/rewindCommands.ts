import * as vscode from 'vscode';
import { BranchNotFoundError } from '../../engine/errors.ts';
import { isUserTurn } from '../../engine/userTurn.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import type { ShownChat } from '../chats/shownChat.ts';
import { branchOf, messageIdOf, type BranchArgument } from '../commands/commandArguments.ts';
import { oneLine } from '../ui/oneLine.ts';
import { pickMessage, type PickMessageDeps } from '../chats/pickMessage.ts';
import { notifyWithUndo, type UndoNotificationDeps } from '../fileRestore/undoNotification.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Attachments } from '../attachments/attachedFiles.ts';
import type { CurrentChat } from '../chats/currentChat.ts';
import type { FileMoves } from '../fileRestore/fileMoves.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

export interface RewindCommandsDeps extends PickMessageDeps, UndoNotificationDeps {
  readonly attachments: Attachments;
  readonly current: CurrentChat;
  readonly moves: FileMoves;
  readonly store: ReadonlyStore;
}

/** Going back to a message: to go on from it, to ask it differently, or to have it answered again. */
export function rewindCommands(
  deps: RewindCommandsDeps,
  chat: ShownChat,
): CommandHandlers<'rewind' | 'rewindToHere' | 'editAndBranch' | 'regenerate'> {
  const { conversations, store, current, moves } = deps;
  const rewindTo = async (messageId: string): Promise<void> => {
    const said = oneLine(await conversations.messageText(messageId), 40);
    const moved = await moves.go({
      chatId: await current.chatId(),
      messageId,
      title: vscode.l10n.t('Rewind to “{0}”', said),
      move: () => conversations.rewind(messageId),
    });
    if (!moved) return;
    await chat.focus();
    notifyWithUndo(deps, moved, vscode.l10n.t('Rewound to “{0}”.', said));
  };
  /** A branch's end may be in another chat than the current one. */
  const rewindToHead = async ({ chatId, name }: BranchArgument): Promise<void> => {
    const branch = await store.getBranch(chatId, name);
    if (typeof branch?.headMessageId !== 'string') throw new BranchNotFoundError(name);
    await current.open(chatId);
    await rewindTo(branch.headMessageId);
  };
  return {
    rewind: async () => {
      const messageId = await pickMessage(deps, vscode.l10n.t('Select a message to rewind to'));
      if (messageId !== undefined) await rewindTo(messageId);
    },
    rewindToHere: async (argument) => {
      const branch = branchOf(argument);
      if (branch) return rewindToHead(branch);
      const messageId =
        messageIdOf(argument) ?? (await pickMessage(deps, vscode.l10n.t('Select a message to rewind to')));
      if (messageId !== undefined) await rewindTo(messageId);
    },
    editAndBranch: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId === undefined) return;
      const { parentId } = await conversations.message(messageId);
      let text: string | undefined;
      let attachments: Attachment[] = [];
      const moved = await moves.go({
        chatId: await current.chatId(),
        messageId: parentId,
        title: vscode.l10n.t('Edit and Branch'),
        move: async () => {
          const move = await conversations.rewindToEdit(messageId);
          ({ text } = move);
          attachments = deps.attachments.of(move.parts);
          return move;
        },
      });
      if (!moved) return;
      if (text !== undefined) await chat.focus({ text, attachments });
      notifyWithUndo(deps, moved, vscode.l10n.t('Your question is in the input again.'));
    },
    regenerate: async (argument) => {
      const messageId = messageIdOf(argument) ?? (await conversations.path()).at(-1)?.id;
      if (messageId === undefined) return;
      const chatId = await current.chatId();
      const path = await store.getPath(chatId, messageId);
      const question = path.findLast(isUserTurn);
      await moves.go({
        chatId,
        messageId: question?.id ?? messageId,
        title: vscode.l10n.t('Regenerate'),
        move: () => conversations.regenerate(messageId),
      });
    },
  };
}
