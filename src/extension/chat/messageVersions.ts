import type { MessageData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { VersionsView } from '../../protocol/views.ts';
import { messageExcerpt } from '../chats/messageExcerpt.ts';

const PREVIEW_LENGTH = 100;

/** The version number of each message where the path forks. */
export async function readVersions(
  store: ReadonlyStore,
  chatId: string,
  path: readonly MessageData[],
): Promise<Map<string, VersionsView>> {
  const ids = path.flatMap(({ id, type }) => (type === 'internal' ? [] : [id]));
  const siblings = await store.getSiblings(chatId, ids);
  const versions = new Map<string, VersionsView>();
  for (const [id, all] of siblings) versions.set(id, await versionsView(store, chatId, all, all.indexOf(id)));
  return versions;
}

/** The version number of an answer that is still being written after a message; undefined if it is the only one. */
export async function versionsBesides(
  store: ReadonlyStore,
  chatId: string,
  messageId: string | null,
): Promise<VersionsView | undefined> {
  const children = messageId === null ? [] : await store.getChildren(chatId, messageId);
  const [first] = children.filter(({ name }) => name === 'assistant');
  if (!first) return undefined;
  const ids = (await store.getSiblings(chatId, [first.id])).get(first.id) ?? [first.id];
  return versionsView(store, chatId, ids, ids.length);
}

/** @param at the index of the shown one in `ids`; one past the end for an answer that is not saved yet */
export async function versionsView(
  store: ReadonlyStore,
  chatId: string,
  ids: readonly string[],
  at: number,
): Promise<VersionsView> {
  const preview = async (id: string | undefined): Promise<VersionsView['before']> => {
    const message = id === undefined ? undefined : await store.getMessage(chatId, id);
    const read = message && readUIMessage(message.data);
    return message && { id: message.id, preview: read ? messageExcerpt(read, PREVIEW_LENGTH) : '' };
  };
  const [before, after] = [await preview(ids[at - 1]), await preview(ids[at + 1])];
  return {
    number: at + 1,
    count: Math.max(ids.length, at + 1),
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  };
}
