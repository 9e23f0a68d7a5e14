import { z } from 'zod';
import type { Reader, SqlParameter, SqlRow, Transaction } from '../sqlite/database.ts';
import type { StorageParts } from '../durable/storageParts.ts';

// Rows are copied unchanged except for new keys: the trash, the log and undo steps are copied too.

/** The references of a table's rows, by column. */
interface Table {
  readonly name: string;
  /** Its own key, if it has one. */
  readonly key?: string;
  readonly pointers?: Readonly<Record<string, string>>;
  /** The column with the chat it belongs to. */
  readonly chat?: string;
  /** Must be unique in the whole database. */
  readonly id?: string;
}

/** A referenced table comes before the tables that refer to it. */
const tables: readonly Table[] = [
  { name: 'chats', key: 'key', chat: 'key' },
  {
    name: 'messages',
    key: 'key',
    chat: 'chatKey',
    pointers: { chatKey: 'chats', parentKey: 'messages' },
  },
  {
    name: 'branches',
    key: 'key',
    chat: 'chatKey',
    id: 'id',
    pointers: { chatKey: 'chats', headKey: 'messages', forkKey: 'messages', parentKey: 'branches' },
  },
  {
    name: 'checkpoints',
    key: 'key',
    chat: 'chatKey',
    id: 'id',
    pointers: { chatKey: 'chats', messageKey: 'messages' },
  },
  {
    name: 'trash',
    key: 'number',
    chat: 'chatKey',
    id: 'id',
    pointers: { chatKey: 'chats', fromKey: 'chats' },
  },
  { name: 'events', key: 'sequence', chat: 'chatKey', pointers: { chatKey: 'chats' } },
  { name: 'activeBranches', chat: 'chatKey', pointers: { chatKey: 'chats', branchKey: 'branches' } },
  { name: 'drafts', pointers: { branchKey: 'branches' } },
];

/** Tables outside the chats, with the columns that identify a row. */
const independentTables: Readonly<Record<string, readonly string[]>> = {
  sharedState: ['scope', 'owner', 'name'],
};

/** Log entries about undo refer to other log entries. */
const takenBack = z.looseObject({ of: z.number(), by: z.array(z.number()) });

type CopyParts = Pick<StorageParts, 'exportChat'>;

const bytesOf = z.looseObject({ hash: z.string() });

export interface Copied {
  readonly chats: number;
  readonly messages: { readonly first: number; readonly last: number };
}

/**
 * Copies all conversations of another database into this one. Chats that are already here with the same content are
 * left out; a chat whose id another chat here has gets a new id, so that both are kept.
 */
export function copyConversations(from: Reader, to: Transaction, parts: CopyParts): Copied {
  const left = chatsToLeave(from, to, parts);
  const renamed = chatsToRename(from, to, left);
  const further = new Map(tables.map((table) => [table.name, table.key ? lastKey(to, table) : 0]));
  const draftsLeft = branchesOf(from, left);
  let chats = 0;
  for (const table of tables) {
    for (const row of from.all(`SELECT * FROM ${table.name} ORDER BY ${table.key ?? '1'}`)) {
      if (table.chat && left.has(row[table.chat])) continue;
      if (table.name === 'drafts' && draftsLeft.has(row['branchKey'])) continue;
      const copy = withFurtherKeys(row, table, further);
      if (table.id && isTaken(to, table, copy)) copy[table.id] = crypto.randomUUID();
      if (table.name === 'events') copy['details'] = withFurtherEntries(copy, further.get('events') ?? 0);
      if (table.name === 'chats') {
        if (row['trashedAt'] === null) chats += 1;
        copy['id'] = renamed.get(row['key']) ?? row['id'];
      }
      insert(to, table.name, copy);
    }
  }
  copyIndependent(from, to);
  copyArtifacts(from, to);
  const first = (further.get('messages') ?? 0) + 1;
  return { chats, messages: { first, last: lastKey(to, { name: 'messages', key: 'key' }) } };
}

type Row = Record<string, SqlRow[string] | undefined>;

function lastKey(reader: Reader, { name, key = 'rowid' }: Table): number {
  return Number(reader.get(`SELECT coalesce(max(${key}), 0) AS last FROM ${name}`)?.['last']);
}

/** The chats that are already here, by their keys there: nothing else may point to them. */
function chatsToLeave(from: Reader, to: Reader, { exportChat }: CopyParts): ReadonlySet<unknown> {
  const left = new Set<unknown>();
  const alone = `SELECT key, id FROM chats c WHERE trashedAt IS NULL
    AND NOT EXISTS (SELECT 1 FROM trash t WHERE t.fromKey = c.key)`;
  for (const { key, id } of from.all(alone)) {
    if (typeof id !== 'string' || !isInUse(to, id)) continue;
    const [one, other] = [from, to].map((reader) => JSON.stringify(exportChat(reader, id, {})));
    if (one === other) left.add(key);
  }
  return left;
}

/** Chats whose id another chat here has, with their deleted parts, and their new ids. */
function chatsToRename(from: Reader, to: Reader, left: ReadonlySet<unknown>): ReadonlyMap<unknown, string> {
  const renamed = new Map<unknown, string>();
  for (const { key, id } of from.all('SELECT key, id FROM chats WHERE trashedAt IS NULL')) {
    if (typeof id !== 'string' || left.has(key) || !isInUse(to, id)) continue;
    const further = crypto.randomUUID();
    renamed.set(key, further);
    for (const { chatKey } of from.all('SELECT chatKey FROM trash WHERE fromKey = ?', [parameter(key)])) {
      renamed.set(chatKey, further);
    }
  }
  return renamed;
}

function isInUse(reader: Reader, chatId: string): boolean {
  return reader.get('SELECT 1 FROM chats WHERE id = ? AND trashedAt IS NULL', [chatId]) !== undefined;
}

function branchesOf(from: Reader, chats: ReadonlySet<unknown>): ReadonlySet<unknown> {
  const rows = from.all('SELECT key, chatKey FROM branches');
  return new Set(rows.filter(({ chatKey }) => chats.has(chatKey)).map(({ key }) => key));
}

function withFurtherKeys(row: SqlRow, table: Table, further: ReadonlyMap<string, number>): Row {
  const copy: Row = { ...row };
  const pointers = { ...table.pointers, ...(table.key ? { [table.key]: table.name } : {}) };
  for (const [column, target] of Object.entries(pointers)) {
    const key = copy[column];
    if (typeof key === 'number') copy[column] = key + (further.get(target) ?? 0);
  }
  return copy;
}

function isTaken(to: Reader, { name, id = 'id' }: Table, row: Row): boolean {
  return to.get(`SELECT 1 FROM ${name} WHERE ${id} = ?`, [parameter(row[id])]) !== undefined;
}

function withFurtherEntries({ kind, details }: Row, further: number): Row[string] {
  if ((kind !== 'undone' && kind !== 'redone') || typeof details !== 'string') return details;
  const read = takenBack.safeParse(JSON.parse(details));
  if (!read.success) return details;
  const { of, by } = read.data;
  return JSON.stringify({ ...read.data, of: of + further, by: by.map((each) => each + further) });
}

function insert(to: Transaction, table: string, row: Row): void {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  to.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`,
    columns.map((column) => parameter(row[column])),
  );
}

function copyIndependent(from: Reader, to: Transaction): void {
  for (const [table, names] of Object.entries(independentTables)) {
    const where = names.map((name) => `${name} = ?`).join(' AND ');
    for (const row of from.all(`SELECT * FROM ${table}`)) {
      const known = to.get(
        `SELECT 1 FROM ${table} WHERE ${where}`,
        names.map((name) => parameter(row[name])),
      );
      if (!known) insert(to, table, row);
    }
  }
}

/** The versions of a name are numbered after those that are here. */
function copyArtifacts(from: Reader, to: Transaction): void {
  for (const row of from.all('SELECT * FROM sharedArtifacts ORDER BY owner, name, version')) {
    const owned = [parameter(row['owner']), parameter(row['name'])];
    const known = to.all('SELECT details FROM sharedArtifacts WHERE owner = ? AND name = ?', owned);
    const details = bytesOf.parse(JSON.parse(String(row['details'])));
    const hashes = known.map((each) => bytesOf.parse(JSON.parse(String(each['details']))).hash);
    if (hashes.includes(details.hash)) continue;
    const version = hashes.length;
    insert(to, 'sharedArtifacts', { ...row, version, details: JSON.stringify({ ...details, version }) });
  }
}

function parameter(value: Row[string]): SqlParameter {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
