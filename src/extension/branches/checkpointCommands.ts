import * as vscode from 'vscode';
import { CheckpointNotFoundError, InvalidNameError } from '../../engine/errors.ts';
import { checkedName } from '../../engine/storable.ts';
import { checkpointOf, messageIdOf, typedOf } from '../commands/commandArguments.ts';
import { oneLine } from '../ui/shownName.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import { translated } from '../ui/failures.ts';
import { openPreview } from './openPreview.ts';
import { pickCheckpoint } from './pickBranchOrCheckpoint.ts';
import { notifyWithUndo } from '../files/restoreNotifications.ts';
import { offerUndo } from '../ui/offerUndo.ts';
import { DoubleClicks } from '../ui/doubleClicks.ts';
import { askText } from '../ui/inputBox.ts';
import { showStatus } from '../ui/statusBar.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { MoveContext } from './switchToBranch.ts';

export function checkpointCommands(
  deps: MoveContext,
  chat: ShownChat,
): CommandHandlers<
  | 'createCheckpoint'
  | 'createCheckpointHere'
  | 'restoreCheckpoint'
  | 'openCheckpoint'
  | 'previewCheckpoint'
  | 'renameCheckpoint'
> {
  const { conversations, current, log, store, moves } = deps;
  const clicks = new DoubleClicks();
  const create = async (messageId: string | undefined, typed?: string): Promise<void> => {
    const isUsable = typed !== undefined && problemWith(typed) === undefined;
    const wanted = isUsable ? typed : await askName(deps, messageId, typed);
    if (wanted === undefined) return;
    const chatId = await current.chatId();
    const isStored = (await store.getChat(chatId)) !== undefined;
    // One of that name goes to the trash, with the moment at which it was set.
    const moved = isStored ? await conversations.deleteCheckpoint(chatId, wanted.trim()) : undefined;
    const { name } = await conversations.createCheckpoint(wanted, messageId);
    if (!moved) {
      showStatus(vscode.l10n.t('Checkpoint “{0}” set', name), 4_000);
      return;
    }
    offerUndo(log, vscode.l10n.t('Moved checkpoint “{0}” here', name), async () => {
      await conversations.deleteCheckpoint(chatId, name);
      await conversations.putBack(moved.id);
    });
  };
  /** False when the user cancelled. */
  const restore = async (chatId: string, name: string): Promise<boolean> => {
    const checkpoint = await store.getCheckpoint(chatId, name);
    if (!checkpoint) throw new CheckpointNotFoundError(name);
    const moved = await moves.go({
      chatId,
      messageId: checkpoint.messageId,
      goal: { before: checkpoint.createdAt },
      title: vscode.l10n.t('Restore checkpoint “{0}”', name),
      move: () => conversations.restore(name, chatId),
    });
    if (moved) notifyWithUndo(deps, moved, vscode.l10n.t('Restored checkpoint “{0}”.', name));
    return moved !== undefined;
  };
  return {
    createCheckpoint: (argument) => create(undefined, typedOf(argument)),
    createCheckpointHere: (argument) => create(messageIdOf(argument)),
    restoreCheckpoint: async () => {
      const checkpoint = await pickCheckpoint(deps, vscode.l10n.t('Select a checkpoint to restore'));
      if (checkpoint) await restore(checkpoint.chatId, checkpoint.name);
    },
    openCheckpoint: async (argument) => {
      const checkpoint =
        checkpointOf(argument) ??
        (await pickCheckpoint(deps, vscode.l10n.t('Select a checkpoint to restore')));
      if (!checkpoint) return;
      if (await restore(checkpoint.chatId, checkpoint.name)) {
        await chat.bringToFront();
      }
    },
    previewCheckpoint: async (argument) => {
      const row =
        checkpointOf(argument) ??
        (await pickCheckpoint(deps, vscode.l10n.t('Select a checkpoint to preview')));
      if (!row) return;
      const { chatId, name } = row;
      if (clicks.isSecond(JSON.stringify([chatId, name]), Date.now())) {
        if (await restore(chatId, name)) await chat.bringToFront();
        return;
      }
      const checkpoint = await store.getCheckpoint(chatId, name);
      if (!checkpoint) throw new CheckpointNotFoundError(name);
      const { messageId } = checkpoint;
      const branch = await store.findBranchWith(chatId, messageId);
      if (branch?.isActive && chatId === (await current.chatId())) await chat.reveal(messageId);
      else await openPreview(chatId, messageId, name);
    },
    renameCheckpoint: async (argument) => {
      const checkpoint =
        checkpointOf(argument) ??
        (await pickCheckpoint(deps, vscode.l10n.t('Select a checkpoint to rename')));
      if (!checkpoint) return;
      const { chatId, name } = checkpoint;
      const newName = await askText({
        title: vscode.l10n.t('Rename Checkpoint'),
        value: name,
        validateInput: problemWith,
      });
      if (newName !== undefined) await conversations.renameCheckpoint(chatId, name, newName);
    },
  };
}

/** Proposes the question that led there. */
async function askName(
  deps: MoveContext,
  messageId: string | undefined,
  typed: string | undefined,
): Promise<string | undefined> {
  const { conversations } = deps;
  const path = await conversations.path();
  const end = messageId === undefined ? path.length - 1 : path.findIndex(({ id }) => id === messageId);
  const question = path.slice(0, end + 1).findLast(isUserTurn);
  const value = typed ?? (question ? oneLine(await conversations.messageText(question.id), 40) : '');
  return askText({
    title: vscode.l10n.t('Create Checkpoint'),
    prompt: vscode.l10n.t('A name for this point of the conversation'),
    value,
    validateInput: problemWith,
  });
}

function problemWith(name: string): string | undefined {
  try {
    checkedName(name, defineMessage('checkpoint name'));
    return undefined;
  } catch (error) {
    return error instanceof InvalidNameError ? translated(error.descriptor) : String(error);
  }
}
