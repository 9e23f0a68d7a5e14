import { nextBranchName } from '../engine/branchNames.ts';
import { BranchNotFoundError } from '../engine/errors.ts';
import type { BranchData } from '../engine/graph.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';
import { givenViewer, nextKey, type ChatRef } from './chats.ts';
import type { Reader, SqlRow, Transaction } from './database.ts';
import { integer, optionalInteger, optionalText, text } from './rows.ts';

export const FIRST_BRANCH = 'main';

/** A branch with its keys. */
export interface StoredBranch {
  readonly key: number;
  readonly headKey: number | undefined;
  readonly branch: BranchData;
}

/** Who has never been in a chat begins on the oldest branch in sight. */
const oldestFirst = 'ORDER BY archivedAt IS NOT NULL, createdAt, key';

/**
 * The branch that a user is on.
 * @param chatKey a column: with a parameter, SQLite would prepare the statement anew each time it runs
 */
export const activeKey = (chatKey: string, viewer: string): string => `coalesce(
    (SELECT branchKey FROM activeBranches WHERE chatKey = ${chatKey} AND userId = ${viewer}),
    (SELECT key FROM branches WHERE chatKey = ${chatKey} ${oldestFirst} LIMIT 1))`;

const columnsWith = (active: string): string => `b.key, b.id, b.name, b.headKey, b.parentKey,
  b.createdAt, b.archivedAt, h.id AS headId, coalesce(h.messageCount, 0) AS messageCount, f.id AS forkId,
  b.key = ${active} AS isActive`;
const heads = 'LEFT JOIN messages h ON h.key = b.headKey LEFT JOIN messages f ON f.key = b.forkKey';
/** The one is found before it is joined: SQLite prepares a join with parameters anew each time it runs. */
const select = (
  which: string,
  viewer: string,
): string => `SELECT ${columnsWith(activeKey('b.chatKey', viewer))}, p.name AS parentName
  FROM (SELECT * FROM branches WHERE ${which} LIMIT 1) b ${heads}
  LEFT JOIN branches p ON p.key = b.parentKey AND p.chatKey = b.chatKey`;
const byName = select('chatKey = ?1 AND name = ?2', '?3');
const byChatAndName = select(
  'chatKey = (SELECT key FROM chats WHERE id = ?1 AND trashedAt IS NULL) AND name = ?2',
  'coalesce(?3, (SELECT userId FROM chats WHERE key = b.chatKey))',
);
const chosenKey = '(SELECT branchKey FROM activeBranches WHERE chatKey = ?1 AND userId = ?2)';
const active = select(`key = ${chosenKey}`, '?2');
const oldest = select(`chatKey = ?1 ${oldestFirst}`, '?2');
/** Without what the rows show together: the parents' names, and the branch of one who has never been in the chat. */
const inOrder = `SELECT ${columnsWith(`coalesce(${chosenKey}, 0)`)} FROM branches b ${heads}
  WHERE b.chatKey = ?1 ORDER BY b.createdAt, b.key`;

const usersOn = 'SELECT userId FROM activeBranches WHERE branchKey = ?';
/** Where those who are on a branch go when it goes out of sight. */
const nextBest = `SELECT key FROM branches WHERE chatKey = ?1 AND key <> ?2
  ORDER BY archivedAt IS NOT NULL, key IS NOT (SELECT parentKey FROM branches WHERE key = ?2), createdAt, key LIMIT 1`;

const insert = `INSERT INTO branches (key, id, chatKey, name, headKey, forkKey, parentKey, isActive, createdAt)
  VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)`;

export function findBranch(reader: Reader, chat: ChatRef, name: string): StoredBranch | undefined {
  const row = reader.get(byName, [chat.key, name, chat.viewer]);
  return row && withParent(row, chat.id);
}

/** As {@link findBranch}, by the chat's id; undefined also when there is no such chat. */
export function findBranchOf(
  reader: Reader,
  chatId: string,
  name: string,
  by: ViewedBy,
): StoredBranch | undefined {
  const row = reader.get(byChatAndName, [chatId, name, givenViewer(by)]);
  return row && withParent(row, chatId);
}

/** @throws BranchNotFoundError */
export function requireBranch(reader: Reader, chat: ChatRef, name: string): StoredBranch {
  const branch = findBranch(reader, chat, name);
  if (!branch) throw new BranchNotFoundError(name);
  return branch;
}

export function findActiveBranch(reader: Reader, chat: ChatRef): StoredBranch | undefined {
  const asked = [chat.key, chat.viewer];
  const row = reader.get(active, asked) ?? reader.get(oldest, asked);
  return row && withParent(row, chat.id);
}

export function selectBranches(reader: Reader, chat: ChatRef, includeArchived: boolean): StoredBranch[] {
  const rows = reader.all(inOrder, [chat.key, chat.viewer]);
  const names = new Map(rows.map((row) => [row['key'], text(row, 'name')]));
  // Who has never been in the chat is on the oldest in sight, here as in `activeKey`.
  const isAnyActive = rows.some((row) => row['isActive'] === 1);
  const first = isAnyActive ? undefined : (rows.find((row) => row['archivedAt'] === null) ?? rows[0]);
  const all = rows.map((row) =>
    asBranch(row === first ? { ...row, isActive: 1 } : row, chat.id, names.get(row['parentKey'] ?? null)),
  );
  return includeArchived ? all : all.filter(({ branch }) => branch.archivedAt === undefined);
}

export interface NewBranch {
  /** A name that is free; without one it follows the parent's, and a taken name is skipped. */
  readonly name?: string;
  /** The branch it is made from; nothing for the first one. */
  readonly parent: StoredBranch | undefined;
  readonly headKey: number | undefined;
}

/** Makes an inactive branch. */
export function insertBranch(
  transaction: Transaction,
  chat: ChatRef,
  { name: given, parent, headKey }: NewBranch,
  now: number,
): StoredBranch {
  const name =
    given ??
    (parent
      ? nextBranchName(parent.branch.name, namesLike(transaction, chat, parent.branch.name))
      : FIRST_BRANCH);
  const key = nextKey(transaction, 'branches', 'key');
  transaction.run(insert, [
    key,
    crypto.randomUUID(),
    chat.key,
    name,
    headKey ?? null,
    headKey ?? null,
    parent?.key ?? null,
    now,
  ]);
  return requireBranch(transaction, chat, name);
}

/** This name, or the next one made of it when it is taken. */
export function freeName(reader: Reader, chat: ChatRef, name: string): string {
  return findBranch(reader, chat, name) ? nextBranchName(name, namesLike(reader, chat, name)) : name;
}

/** Makes a branch the one the viewer is on. */
export function activate(transaction: Transaction, chat: ChatRef, { key }: { readonly key: number }): void {
  transaction.run('INSERT OR REPLACE INTO activeBranches (chatKey, userId, branchKey) VALUES (?, ?, ?)', [
    chat.key,
    chat.viewer,
    key,
  ]);
}

/** Brings everybody who is on a branch to another, before it goes out of sight: to the one it was made from, if that can be. */
export function leaveBranch(transaction: Transaction, chat: ChatRef, { key }: StoredBranch): void {
  const users = transaction.all(usersOn, [key]);
  const next = users.length === 0 ? undefined : transaction.get(nextBest, [chat.key, key]);
  if (!next) return;
  for (const user of users) {
    activate(transaction, { ...chat, viewer: text(user, 'userId') }, { key: integer(next, 'key') });
  }
}

export function moveHead(transaction: Transaction, { key }: StoredBranch, headKey: number): void {
  transaction.run('UPDATE branches SET headKey = ? WHERE key = ?', [headKey, key]);
}

export function setBranchName(transaction: Transaction, { key }: StoredBranch, name: string): void {
  transaction.run('UPDATE branches SET name = ? WHERE key = ?', [name, key]);
}

export function setArchived(transaction: Transaction, { key }: StoredBranch, at: number | null): void {
  transaction.run('UPDATE branches SET archivedAt = ? WHERE key = ?', [at, key]);
}

/** Names that begin with `<name>-v`; the range uses the index, so that it does not read every branch. */
function namesLike(reader: Reader, chat: ChatRef, name: string): string[] {
  return reader
    .all('SELECT name FROM branches WHERE chatKey = ? AND name >= ? AND name < ?', [
      chat.key,
      `${name}-v`,
      `${name}-w`,
    ])
    .map((row) => text(row, 'name'));
}

function withParent(row: SqlRow, chatId: string): StoredBranch {
  return asBranch(row, chatId, optionalText(row, 'parentName'));
}

function asBranch(row: SqlRow, chatId: string, parentBranch: string | undefined): StoredBranch {
  return {
    key: integer(row, 'key'),
    headKey: optionalInteger(row, 'headKey'),
    branch: {
      id: text(row, 'id'),
      chatId,
      name: text(row, 'name'),
      headMessageId: optionalText(row, 'headId') ?? null,
      forkMessageId: optionalText(row, 'forkId') ?? null,
      parentBranch,
      isActive: integer(row, 'isActive') === 1,
      messageCount: integer(row, 'messageCount'),
      createdAt: integer(row, 'createdAt'),
      archivedAt: optionalInteger(row, 'archivedAt'),
    },
  };
}
