import { DamagedDataError } from '../engine/errors.ts';
import type { Draft } from '../engine/store.ts';
import { readUIMessage } from '../engine/uiMessage.ts';
import type { StoredBranch } from './branches.ts';
import type { Reader, SqlRow, Transaction } from './database.ts';
import { integer, json, text } from './rows.ts';

const put = `INSERT INTO drafts (branchKey, data, updatedAt) VALUES (?, ?, ?)
  ON CONFLICT (branchKey) DO UPDATE SET data = excluded.data, updatedAt = excluded.updatedAt`;
const select = `SELECT c.id AS chatId, b.name AS branch, d.data, d.updatedAt
  FROM drafts d JOIN branches b ON b.key = d.branchKey JOIN chats c ON c.key = b.chatKey WHERE c.trashedAt IS NULL`;

export function putDraft(transaction: Transaction, { key }: StoredBranch, data: string, now: number): void {
  transaction.run(put, [key, data, now]);
}

export function removeDraft(transaction: Transaction, { key }: StoredBranch): void {
  transaction.run('DELETE FROM drafts WHERE branchKey = ?', [key]);
}

export function selectDrafts(reader: Reader, chatId?: string): Draft[] {
  const rows =
    chatId === undefined
      ? reader.all(`${select} ORDER BY d.updatedAt, b.key`)
      : reader.all(`${select} AND c.id = ? ORDER BY d.updatedAt, b.key`, [chatId]);
  return rows.map(asDraft);
}

function asDraft(row: SqlRow): Draft {
  const message = readUIMessage(json(row, 'data'));
  if (!message) throw new DamagedDataError('a draft cannot be read');
  return {
    chatId: text(row, 'chatId'),
    branch: text(row, 'branch'),
    message,
    updatedAt: integer(row, 'updatedAt'),
  };
}
