import type { BranchData, MessageData } from '../../engine/graph.ts';
import type { ViewedBy } from '../../engine/viewedBy.ts';
import { findBranch } from '../branches.ts';
import { findChat, requireChatRef } from '../chats.ts';
import type { Reader } from '../database.ts';
import { selectChildren, selectLastUsed, selectSiblings } from '../forks.ts';
import { requireMessage } from '../messages.ts';

export function getChildren(reader: Reader, chatId: string, messageId: string): MessageData[] {
  const chat = requireChatRef(reader, chatId);
  return selectChildren(reader, chat, requireMessage(reader, chat, messageId));
}

export function getSiblings(
  reader: Reader,
  chatId: string,
  messageIds: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const chat = findChat(reader, chatId);
  return chat ? selectSiblings(reader, chat, messageIds) : new Map();
}

export function findBranchUsedWith(
  reader: Reader,
  chatId: string,
  messageId: string,
  by: ViewedBy,
): BranchData | undefined {
  const chat = requireChatRef(reader, chatId, by);
  const name = selectLastUsed(reader, chat, requireMessage(reader, chat, messageId));
  return name === undefined ? undefined : findBranch(reader, chat, name)?.branch;
}
