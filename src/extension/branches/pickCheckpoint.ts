import * as vscode from 'vscode';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { messageExcerpt } from '../chats/messageExcerpt.ts';
import { timeAgo } from '../ui/timeAgo.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { CurrentChat } from '../chats/currentChat.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

export interface PickCheckpointDeps {
  readonly current: CurrentChat;
  readonly store: ReadonlyStore;
}

/** How much of the marked message is quoted, in characters. */
const QUOTED = 60;

/** Asks for a checkpoint of the current chat, the newest first; undefined when none was picked or there is none. */
export async function pickCheckpoint(
  { store, current }: PickCheckpointDeps,
  title: string,
): Promise<{ readonly chatId: string; readonly name: string } | undefined> {
  const chatId = await current.chatId();
  const checkpoints = (await store.getChat(chatId)) ? await store.listCheckpoints(chatId) : [];
  if (checkpoints.length === 0) {
    void notify.information(
      vscode.l10n.t('There is no checkpoint in this chat yet. Set one with “Offshoot: Create Checkpoint”.'),
    );
    return undefined;
  }
  const items = await Promise.all(
    checkpoints.toReversed().map(async ({ name, messageId, createdAt }) => {
      const message = await store.getMessage(chatId, messageId);
      const read = message && readUIMessage(message.data);
      const excerpt = read ? messageExcerpt(read, QUOTED) : '';
      return {
        icon: 'bookmark',
        label: name,
        description: [excerpt, timeAgo(createdAt)].filter((text) => text !== '').join(' · '),
        name,
      };
    }),
  );
  const picked = await pickOne(items, { title, matchOnDescription: true });
  return picked && { chatId, name: picked.name };
}
