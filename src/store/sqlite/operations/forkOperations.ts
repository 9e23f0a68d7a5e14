import type { BranchData, MessageData } from '../../../engine/graph.ts';
import type { ViewedBy } from '../../../engine/users.ts';
import { findBranch, keyForOthers } from '../branches.ts';
import { findChat, requireChatRef, type ChatRef } from '../chats.ts';
import type { Reader } from '../database.ts';
import { requireMessage, asStoredMessage, messageColumns, type StoredMessage } from '../messages.ts';
import { isMove, isNoMove } from '../../common/logMoves.ts';
import { integer, text } from '../rows.ts';

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

// Where a conversation forks: the siblings of a message, and how to reach them.

/** In the same role, including the messages themselves. Nodes the model never sees are not alternatives. */
const siblingsOf = `SELECT m.id AS ofId, s.key, s.id FROM json_each(?1) wanted
  CROSS JOIN messages m ON m.chatKey = ?2 AND m.id = wanted.value
  JOIN messages s ON s.parentKey IS m.parentKey AND s.chatKey = ?2
  WHERE s.type <> 'internal' AND s.name = m.name ORDER BY s.key`;

const childrenOf = `SELECT ${messageColumns} FROM messages m
  WHERE m.parentKey = ? AND m.chatKey = ? ORDER BY m.key`;

/** All descendants of a message; read only until the first requested row is found. */
const below = `WITH RECURSIVE below(key) AS (
    SELECT ?1
    UNION ALL
    SELECT m.key FROM below b JOIN messages m ON m.parentKey = b.key AND m.chatKey = ?2
  )`;
const visibleBelow = `${below} SELECT 1 FROM below d JOIN branches b ON b.headKey = d.key
  WHERE b.chatKey = ?2 AND b.archivedAt IS NULL LIMIT 1`;
const hasArchived = 'SELECT 1 FROM branches WHERE chatKey = ? AND archivedAt IS NOT NULL LIMIT 1';

const lastOf = (which: string): string => `SELECT e.sequence FROM events e
  WHERE e.chatKey = ?2 AND e.branch = b.name AND e.userId = ?3 AND ${which} ORDER BY e.sequence DESC LIMIT 1`;

/** The branch below a message that a user used last: visible branches before archived ones. */
const lastUsed = `${below} SELECT b.name FROM below d JOIN branches b ON b.headKey = d.key
  WHERE b.chatKey = ?2
  ORDER BY iif(?4 IS NULL, b.isActive, b.key = ?4) DESC, b.archivedAt IS NOT NULL,
    max(
      coalesce((${lastOf(`${isMove} AND kind = 'switched'`)}), 0),
      coalesce((${lastOf(`${isNoMove} AND kind IN ('messages-saved', 'rewound', 'restored', 'branch-created', 'btw')`)}), 0)
    ) DESC,
    b.key DESC
  LIMIT 1`;

function selectChildren(reader: Reader, chat: ChatRef, { key }: StoredMessage): MessageData[] {
  return reader.all(childrenOf, [key, chat.key]).map((row) => asStoredMessage(row, chat.id).message);
}

/** For each given message with siblings: its siblings, oldest first, without those only on archived branches. */
function selectSiblings(
  reader: Reader,
  chat: ChatRef,
  messageIds: readonly string[],
): Map<string, readonly string[]> {
  const isAllVisible = reader.get(hasArchived, [chat.key]) === undefined;
  const siblings = new Map<string, { key: number; id: string }[]>();
  for (const row of reader.all(siblingsOf, [JSON.stringify(messageIds), chat.key])) {
    const of = text(row, 'ofId');
    const known = siblings.get(of) ?? [];
    known.push({ key: integer(row, 'key'), id: text(row, 'id') });
    siblings.set(of, known);
  }
  const found = new Map<string, readonly string[]>();
  for (const [of, all] of siblings) {
    if (all.length < 2) continue;
    const shown = all.filter(
      ({ key, id }) => isAllVisible || id === of || reader.get(visibleBelow, [key, chat.key]) !== undefined,
    );
    if (shown.length > 1) {
      found.set(
        of,
        shown.map(({ id }) => id),
      );
    }
  }
  return found;
}

function selectLastUsed(reader: Reader, chat: ChatRef, { key }: StoredMessage): string | undefined {
  const row = reader.get(lastUsed, [key, chat.key, chat.viewer, keyForOthers(reader, chat) ?? null]);
  return row && text(row, 'name');
}
