import { isGivenName } from '../../engine/branchNames.ts';
import { ChatNotFoundError } from '../../engine/errors.ts';
import type { PortableChat } from '../../engine/portableChat.ts';
import type { ContextStore } from '../../engine/store.ts';
import type { ViewedBy } from '../../engine/users.ts';
import { withId, withoutUndefined } from '../common/chatChanges.ts';
import type { MessageReads } from './messageReads.ts';
import { contentOf } from './wire.ts';

export async function exportChat(
  store: Pick<ContextStore, 'getChat' | 'listBranches' | 'listCheckpoints' | 'listEvents'>,
  messages: MessageReads,
  chatId: string,
  by: ViewedBy,
): Promise<PortableChat> {
  const [chat, all, branches, checkpoints, events] = await Promise.all([
    store.getChat(chatId),
    messages.all(chatId),
    store.listBranches(chatId, { ...by, includeArchived: true }),
    store.listCheckpoints(chatId),
    store.listEvents(chatId),
  ]);
  if (!chat) throw new ChatNotFoundError(chatId);
  const { userId: _, title, ...rest } = chat;
  return {
    ...rest,
    ...(title === undefined ? {} : { title }),
    messages: all.map(
      ({ chatId: __, depth: ___, ...message }) =>
        withoutUndefined(message) as PortableChat['messages'][number],
    ),
    branches: branches.map(
      ({ id: __, chatId: ___, messageCount: ____, ...branch }) =>
        withoutUndefined(branch) as PortableChat['branches'][number],
    ),
    checkpoints: checkpoints.map(({ name, messageId, createdAt }) => ({ name, messageId, createdAt })),
    events: events.map(
      ({ sequence: __, chatId: ___, userId: ____, ...event }) =>
        withoutUndefined(event) as PortableChat['events'][number],
    ),
  };
}

export function portableRow(chat: PortableChat): object {
  return {
    id: chat.id,
    title: chat.title ?? null,
    metadata: JSON.stringify(chat.metadata),
    createdAt: chat.createdAt,
    updatedAt: chat.updatedAt,
    messages: chat.messages.map((message) => {
      // File changes belong to another workspace, or are forged: an import must never make us write files.
      const { files: _, ...kept } = message.effects ?? {};
      const effects =
        Object.keys(kept).length > 0 ? (kept as PortableChat['messages'][number]['effects']) : undefined;
      const data = withId(message.data, message.id);
      return {
        ...contentOf({ ...message, data, replaces: message.replaces, effects: effects as never }),
        parentId: message.parentId,
        invocationId: message.invocationId,
        createdAt: message.createdAt,
      };
    }),
    branches: chat.branches.map((branch) => ({ ...branch, isGiven: isGivenName(branch.name) })),
    checkpoints: chat.checkpoints,
    events: chat.events
      // They refer to other entries by sequence numbers of the original log; here they are only history.
      .filter(({ kind }) => kind !== 'undone' && kind !== 'redone')
      .map((event) => ({ ...event, details: JSON.stringify(event.details) })),
  };
}
