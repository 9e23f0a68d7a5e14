import type { ViewedBy } from '../../../engine/users.ts';
import { findBranch, requireBranch, type StoredBranch } from '../branches.ts';
import { findChat, requireChatRef, givenViewer, type ChatRef } from '../chats.ts';
import { bodies, quiet, type Transaction, type Database, type Reader, type SqlRow } from '../database.ts';
import { DamagedDataError } from '../../../engine/errors.ts';
import type { Draft } from '../../../engine/store.ts';
import { readUIMessage } from '../../../engine/uiMessage.ts';
import { integer, json, optionalText, text } from '../rows.ts';

export const draftWrites = bodies({
  saveDraft(transaction, now, { chatId, branch, data, owner, userId }) {
    const chat = requireChatRef(transaction, chatId, { userId });
    putDraft(transaction, chat, requireBranch(transaction, chat, branch), { data, owner }, now);
    return quiet(undefined);
  },

  deleteDraft(transaction, _now, { chatId, branch, ...by }) {
    const chat = findChat(transaction, chatId, by);
    const stored = chat && findBranch(transaction, chat, branch);
    if (stored) removeDraft(transaction, chat, stored);
    return quiet(undefined);
  },
});

const put = `INSERT INTO drafts (branchKey, userId, data, updatedAt, owner) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (branchKey, userId, answerId) DO UPDATE SET
    data = excluded.data, updatedAt = excluded.updatedAt, owner = excluded.owner`;
/** Begins with the drafts, which are few, because a chat may have any number of branches. */
const select = `SELECT c.id AS chatId, b.name AS branch, d.userId, d.data, d.updatedAt, d.owner
  FROM drafts d CROSS JOIN branches b ON b.key = d.branchKey CROSS JOIN chats c ON c.key = b.chatKey
  WHERE c.trashedAt IS NULL AND d.answerId = '' AND d.userId = coalesce(?, c.userId)`;
const remove = `DELETE FROM drafts WHERE branchKey = ? AND userId = ? AND answerId = ''`;

function putDraft(
  transaction: Transaction,
  { viewer }: ChatRef,
  { key }: StoredBranch,
  { data, owner }: { readonly data: string; readonly owner: string | null },
  now: number,
): void {
  transaction.run(put, [key, viewer, data, now, owner]);
}

function removeDraft(transaction: Transaction, { viewer }: ChatRef, { key }: StoredBranch): void {
  transaction.run(remove, [key, viewer]);
}

export function selectDrafts(
  reader: Reader & Pick<Database, 'isElsewhere'>,
  chatId: string | undefined,
  by: ViewedBy,
): Draft[] {
  const viewer = givenViewer(by);
  // Usually there are none, and every engine looks for them each time.
  if (!reader.get('SELECT 1 FROM drafts LIMIT 1')) return [];
  const isElsewhere = (owner: string): boolean => reader.isElsewhere?.(owner) ?? false;
  const rows =
    chatId === undefined
      ? reader.all(`${select} ORDER BY c.key, b.key`, [viewer])
      : reader.all(`${select} AND c.id = ? ORDER BY c.key, b.key`, [viewer, chatId]);
  return rows.map((row) => asDraft(row, isElsewhere));
}

function asDraft(row: SqlRow, isElsewhere: (owner: string) => boolean): Draft {
  const message = readUIMessage(json(row, 'data'));
  if (!message) throw new DamagedDataError('a draft cannot be read');
  const owner = optionalText(row, 'owner');
  return {
    chatId: text(row, 'chatId'),
    userId: text(row, 'userId'),
    branch: text(row, 'branch'),
    message,
    updatedAt: integer(row, 'updatedAt'),
    isBeingWritten: owner !== undefined && isElsewhere(owner),
  };
}
