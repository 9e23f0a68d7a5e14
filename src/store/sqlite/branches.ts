import { FIRST_BRANCH, nextBranchName, type BranchNaming } from '../../engine/branchNames.ts';
import { BranchNotFoundError } from '../../engine/errors.ts';
import type { BranchData } from '../../engine/graph.ts';
import type { ViewedBy } from '../../engine/users.ts';
import { isNoMove } from '../common/logMoves.ts';
import { givenViewer, nextKey, type ChatRef } from './chats.ts';
import type { Reader, SqlRow, Transaction } from './database.ts';
import { integer, optionalInteger, optionalText, text } from './rows.ts';

export interface StoredBranch {
  readonly key: number;
  readonly headKey: number | undefined;
  readonly branch: BranchData;
}

const ownColumns = `b.key, b.id, b.name, b.headKey, b.parentKey, b.isActive, b.createdAt, b.archivedAt, h.id AS headId,
  coalesce(h.messageCount, 0) AS messageCount, f.id AS forkId`;
const heads = 'LEFT JOIN messages h ON h.key = b.headKey LEFT JOIN messages f ON f.key = b.forkKey';
/** The row is found before it is joined: SQLite prepares a join with parameters again on each run. */
const select = (which: string, more = ''): string => `SELECT ${ownColumns}, p.name AS parentName${more}
  FROM (SELECT * FROM branches WHERE ${which} LIMIT 1) b ${heads}
  LEFT JOIN branches p ON p.key = b.parentKey AND p.chatKey = b.chatKey`;
const byKey = select('key = ?');
const byName = select('chatKey = ? AND name = ?');
const byChatAndName = select(
  'chatKey = (SELECT key FROM chats WHERE id = ? AND trashedAt IS NULL) AND name = ?',
  ', b.chatKey, (SELECT userId FROM chats WHERE key = b.chatKey) AS owner',
);
/** The owner's active branch; those of other users are in a separate table. */
const active = select('chatKey = ? AND isActive = 1');
/** Without the parents' names: the list contains them as well, and a join would cost as much as everything else. */
const inOrder = `SELECT ${ownColumns} FROM branches b ${heads} WHERE b.chatKey = ? ORDER BY b.key`;

const headsInOrder = 'SELECT key, name, headKey, isActive FROM branches WHERE chatKey = ? ORDER BY key';

/** A user new to a chat begins on the oldest visible branch. */
const othersKey = `SELECT coalesce(
    (SELECT branchKey FROM activeBranches WHERE chatKey = ?1 AND userId = ?2),
    (SELECT key FROM branches WHERE chatKey = ?1 ORDER BY archivedAt IS NOT NULL, key LIMIT 1)) AS key`;
const usersOn = 'SELECT userId FROM activeBranches WHERE branchKey = ?';
/** Where users on a branch move when it is archived or deleted. */
const nextBest = `SELECT key FROM branches WHERE chatKey = ?1 AND key <> ?2
  ORDER BY archivedAt IS NOT NULL, key IS NOT (SELECT parentKey FROM branches WHERE key = ?2), key LIMIT 1`;

/** Names in a range; uses the index, so that not every branch is read. */
const namesNow = 'SELECT name FROM branches WHERE chatKey = ? AND name >= ? AND name < ?';
/** Current and former names of branches. */
const namesEver = `${namesNow} UNION SELECT branch FROM events
  WHERE chatKey = ? AND branch >= ? AND branch < ? AND ${isNoMove}`;

const insert = `INSERT INTO branches (key, id, chatKey, name, headKey, forkKey, parentKey, isActive, createdAt)
  VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)`;

export function findBranch(reader: Reader, chat: ChatRef, name: string): StoredBranch | undefined {
  const row = reader.get(byName, [chat.key, name]);
  return row && withParent(row, chat.id, keyForOthers(reader, chat));
}

/** Same as {@link findBranch}, by the chat's id; undefined also when there is no such chat. */
export function findBranchOf(
  reader: Reader,
  chatId: string,
  name: string,
  by: ViewedBy,
): StoredBranch | undefined {
  const viewer = givenViewer(by);
  const row = reader.getKept(byChatAndName, [chatId, name]);
  if (!row) return undefined;
  const [key, owner] = [integer(row, 'chatKey'), text(row, 'owner')];
  return withParent(row, chatId, keyForOthers(reader, { key, owner, viewer: viewer ?? owner }));
}

/** The active branch of a user who is not the chat's owner; undefined for the owner, whose branch is marked. */
export function keyForOthers(
  reader: Reader,
  { key, owner, viewer }: Pick<ChatRef, 'key' | 'owner' | 'viewer'>,
): number | undefined {
  const row = viewer === owner ? undefined : reader.get(othersKey, [key, viewer]);
  return row && optionalInteger(row, 'key');
}

/** @throws BranchNotFoundError */
export function requireBranch(reader: Reader, chat: ChatRef, name: string): StoredBranch {
  const branch = findBranch(reader, chat, name);
  if (!branch) throw new BranchNotFoundError(name);
  return branch;
}

export function findActiveBranch(reader: Reader, chat: ChatRef): StoredBranch | undefined {
  const key = keyForOthers(reader, chat);
  const row = key === undefined ? reader.get(active, [chat.key]) : reader.get(byKey, [key]);
  return row && withParent(row, chat.id, key);
}

export function selectBranches(reader: Reader, chat: ChatRef, includeArchived: boolean): StoredBranch[] {
  const rows = reader.all(inOrder, [chat.key]);
  const names = new Map(rows.map((row) => [row['key'], text(row, 'name')]));
  const key = keyForOthers(reader, chat);
  const all = rows.map((row) => asBranch(row, chat.id, names.get(row['parentKey'] ?? null), key));
  return includeArchived ? all : all.filter(({ branch }) => branch.archivedAt === undefined);
}

/** What a graph shows of a branch. */
export interface BranchHead {
  readonly name: string;
  readonly headKey: number | undefined;
  readonly isActive: boolean;
}

/** As {@link selectBranches} with archived ones, in a third of the time: no message is looked up. */
export function selectBranchHeads(reader: Reader, chat: ChatRef): BranchHead[] {
  const activeKey = keyForOthers(reader, chat);
  return reader.map(headsInOrder, [chat.key], (row) => ({
    name: text(row, 'name'),
    headKey: optionalInteger(row, 'headKey'),
    isActive: isActiveFor(row, activeKey),
  }));
}

export interface NewBranch {
  /** A free name; without one it is numbered. */
  readonly name?: string;
  readonly naming?: BranchNaming | undefined;
  /** The branch it is made from; undefined for the first one. */
  readonly parent: StoredBranch | undefined;
  readonly headKey: number | undefined;
}

/** Makes an inactive branch. */
export function insertBranch(
  transaction: Transaction,
  chat: ChatRef,
  { name: given, naming, parent, headKey }: NewBranch,
  now: number,
): StoredBranch {
  const name = given ?? (parent ? nextName(transaction, chat, parent.branch.name, naming) : FIRST_BRANCH);
  const key = nextKey(transaction, 'branches');
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

export function freeName(reader: Reader, chat: ChatRef, name: string): string {
  return findBranch(reader, chat, name) ? nextName(reader, chat, name) : name;
}

export function activate(
  transaction: Transaction,
  { key: chatKey, owner, viewer }: ChatRef,
  { key }: { readonly key: number },
): void {
  if (viewer === owner) {
    transaction.run('UPDATE branches SET isActive = 0 WHERE chatKey = ? AND isActive = 1', [chatKey]);
    transaction.run('UPDATE branches SET isActive = 1 WHERE key = ?', [key]);
  } else {
    const put = 'INSERT OR REPLACE INTO activeBranches (chatKey, userId, branchKey) VALUES (?, ?, ?)';
    transaction.run(put, [chatKey, viewer, key]);
  }
}

/** Moves all users on a branch to another before it is archived or deleted: to its parent branch if possible. */
export function leaveBranch(transaction: Transaction, chat: ChatRef, { key }: StoredBranch): void {
  const owners = transaction.get('SELECT isActive FROM branches WHERE key = ?', [key]);
  const users = transaction.all(usersOn, [key]).map((row) => text(row, 'userId'));
  if (owners && integer(owners, 'isActive') === 1) users.push(chat.owner);
  const next = users.length === 0 ? undefined : transaction.get(nextBest, [chat.key, key]);
  if (!next) return;
  for (const viewer of users) activate(transaction, { ...chat, viewer }, { key: integer(next, 'key') });
}

export function handOverChildren(transaction: Transaction, key: number): void {
  transaction.run(
    'UPDATE branches SET parentKey = (SELECT parentKey FROM branches WHERE key = ?1) WHERE parentKey = ?1',
    [key],
  );
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

function nextName(reader: Reader, chat: ChatRef, from: string, naming: BranchNaming = 'nested'): string {
  const versions = [chat.key, `${from}-v`, `${from}-w`];
  const ofFirst = [chat.key, `${FIRST_BRANCH}-v`, `${FIRST_BRANCH}-w`];
  const names = (rows: SqlRow[]): string[] => rows.map((row) => text(row, 'name'));
  // The log refers to branches by name: if a number were used twice, its entries would be ambiguous.
  const flatTaken = (): string[] => names(reader.all(namesEver, [...ofFirst, ...ofFirst]));
  return naming === 'flat'
    ? nextBranchName(FIRST_BRANCH, flatTaken())
    : nextBranchName(from, names(reader.all(namesNow, versions)), flatTaken);
}

function withParent(row: SqlRow, chatId: string, activeKey: number | undefined): StoredBranch {
  return asBranch(row, chatId, optionalText(row, 'parentName'), activeKey);
}

function asBranch(
  row: SqlRow,
  chatId: string,
  parentBranch: string | undefined,
  activeKey: number | undefined,
): StoredBranch {
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
      isActive: isActiveFor(row, activeKey),
      messageCount: integer(row, 'messageCount'),
      createdAt: integer(row, 'createdAt'),
      archivedAt: optionalInteger(row, 'archivedAt'),
    },
  };
}

/** @param activeKey the viewer's active branch; undefined: the one that is marked */
function isActiveFor(row: SqlRow, activeKey: number | undefined): boolean {
  return activeKey === undefined ? integer(row, 'isActive') === 1 : integer(row, 'key') === activeKey;
}
