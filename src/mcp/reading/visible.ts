import { isArchived } from '../../engine/chatFlags.ts';
import type { BranchData, ChatData, MessageData } from '../../engine/graph.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { shownText } from '../../importExport/messageMarkdown.ts';
import { ToolFailure, type Reading } from './readingTool.ts';
import { oneLine, quoted } from './shownText.ts';

// What programs may see: what the user sees in lists. Archived or trashed items are not visible.

/** @throws ToolFailure when it does not exist, or is archived */
export async function visibleChat({ store, userId }: Reading, chatId: string): Promise<ChatData> {
  const chat = await store.getChat(chatId, { userId });
  if (!chat) {
    throw new ToolFailure('chat-not-found', `There is no chat ${quoted(chatId)}. list_branches lists them.`);
  }
  if (isArchived(chat)) {
    throw new ToolFailure(
      'chat-archived',
      'The user archived this chat. Ask them to restore it from the archive.',
    );
  }
  return chat;
}

/** The branch with a name; without one, the user's current branch. @throws ToolFailure */
export async function visibleBranch(
  { store, userId }: Reading,
  chatId: string,
  name: string | undefined,
): Promise<BranchData> {
  const by = { userId };
  const branch =
    name === undefined ? await store.getActiveBranch(chatId, by) : await store.getBranch(chatId, name, by);
  if (!branch) {
    throw new ToolFailure(
      'branch-not-found',
      `The chat has no branch ${quoted(name ?? 'main')}. list_branches lists them.`,
    );
  }
  if (branch.archivedAt !== undefined) {
    throw new ToolFailure('branch-archived', 'The user archived this branch. Ask them to restore it.');
  }
  return branch;
}

/** Where a message is visible: on a branch, or only at a checkpoint; undefined: nowhere. */
export async function whereVisible(
  { store, userId }: Reading,
  chatId: string,
  messageId: string,
): Promise<{ readonly branch: BranchData | undefined } | undefined> {
  const branch = await store.findBranchUsedWith(chatId, messageId, { userId });
  if (branch?.archivedAt !== undefined) return undefined;
  if (branch) return { branch };
  const skeleton = new Map((await store.getSkeleton(chatId)).map((node) => [node.id, node]));
  for (const checkpoint of await store.listCheckpoints(chatId)) {
    for (let at = skeleton.get(checkpoint.messageId); at; at = skeleton.get(at.parentId ?? '')) {
      if (at.id === messageId) return { branch: undefined };
    }
  }
  return undefined;
}

/** @throws ToolFailure when it does not exist, or is only on something archived */
export async function visibleMessage(
  reading: Reading,
  chatId: string,
  messageId: string,
): Promise<MessageData> {
  const message = await reading.store.getMessage(chatId, messageId);
  if (!message || !(await whereVisible(reading, chatId, messageId))) {
    throw new ToolFailure('message-not-found', `The chat has no message ${quoted(messageId)}.`);
  }
  return message;
}

/** Whether it has readable content: nodes that only keep state have none. */
export function isSpoken({ type }: Pick<MessageData, 'type'>): boolean {
  return type !== 'internal';
}

export function excerpt(message: MessageData | undefined, limit: number): string {
  if (!message || !isSpoken(message)) return '';
  const text = typeof message.data === 'string' ? message.data : spoken(message, limit);
  return oneLine(text, limit);
}

/** Builds no more of a long message than is shown. */
function spoken(message: MessageData, limit: number): string {
  const read = readUIMessage(message.data);
  return read ? shownText(message).slice(0, limit * 4) : '';
}
