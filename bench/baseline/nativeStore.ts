// What the engine is compared with: tables, settings and statements as those of a public context engine (text keys, a
// recursive walk of the chain, FTS5 in the order of its rank), on the SQLite that Node has built in. A statement that it
// keeps prepared is kept here, too, and one that it prepares for each call is prepared for each. What only costs time
// is left out: indexes that none of these calls reads, stemming, words of JSON in the index, and writing on opening.
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** @param synchronous `NORMAL` as the public engine has it, which may lose the last commits; `FULL` syncs each */
const settings = (synchronous: 'NORMAL' | 'FULL'): string => `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = ${synchronous};
  PRAGMA cache_size = -64000;
  PRAGMA temp_store = MEMORY;
  PRAGMA mmap_size = 268435456;
  PRAGMA busy_timeout = 5000;
  PRAGMA foreign_keys = ON;
`;

const tables = `
  CREATE TABLE IF NOT EXISTS chats (
    id TEXT PRIMARY KEY,
    userId TEXT NOT NULL,
    title TEXT,
    metadata TEXT,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS messages (
    id TEXT PRIMARY KEY,
    chatId TEXT NOT NULL REFERENCES chats(id) ON DELETE CASCADE,
    parentId TEXT REFERENCES messages(id),
    name TEXT NOT NULL,
    type TEXT,
    data TEXT NOT NULL,
    createdAt INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS messagesOfChat ON messages(chatId);
  CREATE INDEX IF NOT EXISTS messagesOfParent ON messages(parentId);
  CREATE TABLE IF NOT EXISTS branches (
    id TEXT PRIMARY KEY,
    chatId TEXT NOT NULL REFERENCES chats(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    headMessageId TEXT REFERENCES messages(id),
    isActive INTEGER NOT NULL,
    createdAt INTEGER NOT NULL,
    UNIQUE (chatId, name)
  );
  CREATE INDEX IF NOT EXISTS branchesOfChat ON branches(chatId, isActive);
  CREATE TABLE IF NOT EXISTS checkpoints (
    id TEXT PRIMARY KEY,
    chatId TEXT NOT NULL REFERENCES chats(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    messageId TEXT NOT NULL REFERENCES messages(id),
    createdAt INTEGER NOT NULL,
    UNIQUE (chatId, name)
  );
  CREATE VIRTUAL TABLE IF NOT EXISTS messageTexts
    USING fts5(messageId UNINDEXED, chatId UNINDEXED, content, tokenize = 'unicode61');
`;

const insertMessage = `INSERT INTO messages (id, chatId, parentId, name, type, data, createdAt)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

const insertBranch = `INSERT INTO branches (id, chatId, name, headMessageId, isActive, createdAt)
  VALUES (?, ?, ?, ?, ?, ?)`;

const chain = `WITH RECURSIVE chain AS (
    SELECT *, 0 AS depth FROM messages WHERE id = ?
    UNION ALL
    SELECT m.*, c.depth + 1 FROM messages m INNER JOIN chain c ON m.id = c.parentId WHERE c.depth < 100000
  )
  SELECT * FROM chain ORDER BY depth DESC`;

const putCheckpoint = `INSERT INTO checkpoints (id, chatId, name, messageId, createdAt) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT(chatId, name) DO UPDATE SET messageId = excluded.messageId, createdAt = excluded.createdAt`;

/** By the column of the index: FTS5 then sorts on its own, and reads further columns only of what is returned. */
const find = `SELECT m.id, m.chatId, m.parentId, m.name, m.type, m.data, m.createdAt, t.rank,
    snippet(messageTexts, 2, '[', ']', '…', 24) AS snippet
  FROM messageTexts t JOIN messages m ON m.id = t.messageId
  WHERE messageTexts MATCH ? AND t.chatId = ? ORDER BY t.rank LIMIT ?`;

/** A message as the benchmark gives it: `data` is what is stored of it, `text` what is found. */
export interface NativeMessage {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly data: string;
  readonly text: string;
}

export interface NativeBranch {
  readonly name: string;
  readonly headMessageId: string | null;
  readonly isActive: boolean;
}

type Row = Readonly<Record<string, unknown>>;
type Parameter = string | number | null;

/** How much of a message a graph shows of it there. */
const EXCERPT = 50;

/** Each method reads and writes what a call of that name has to, and no more. */
export class NativeStore {
  private readonly database: DatabaseSync;
  private readonly kept = new Map<string, StatementSync>();
  private time = Date.now();

  /** @param file default: in memory */
  constructor(file = ':memory:', synchronous: 'NORMAL' | 'FULL' = 'NORMAL') {
    this.database = new DatabaseSync(file);
    this.database.exec(settings(synchronous));
    this.database.exec(tables);
  }

  /** A whole chat, each message after its parent. */
  fill(chatId: string, messages: readonly NativeMessage[], branches: readonly NativeBranch[]): void {
    this.database.exec('BEGIN');
    const chat = 'INSERT INTO chats (id, userId, createdAt, updatedAt) VALUES (?, ?, ?, ?)';
    this.keep(chat).run(chatId, 'ann', 0, 0);
    const indexing = this.keep('INSERT INTO messageTexts (messageId, chatId, content) VALUES (?, ?, ?)');
    for (const [index, { id, parentId, name, data, text }] of messages.entries()) {
      this.keep(insertMessage).run(id, chatId, parentId, name, 'message', data, index);
      indexing.run(id, chatId, text);
    }
    for (const [index, { name, headMessageId, isActive }] of branches.entries()) {
      const id = crypto.randomUUID();
      this.keep(insertBranch).run(id, chatId, name, headMessageId, isActive ? 1 : 0, index);
    }
    this.database.exec('COMMIT');
  }

  /** What a new engine does first: it looks for the chat and its branch, walks the chain, and reads each message. */
  resolve(chatId: string): unknown[] {
    this.get('SELECT * FROM chats WHERE id = ?', chatId);
    const rows: Row[] = this.keep(chain).all(this.head(chatId));
    return rows.map(asMessage).map(({ data }) => data);
  }

  getGraph(chatId: string): unknown {
    const ofMessages =
      'SELECT id, parentId, name, data, createdAt FROM messages WHERE chatId = ? ORDER BY createdAt';
    const ofBranches =
      'SELECT name, headMessageId, isActive FROM branches WHERE chatId = ? ORDER BY createdAt';
    const ofCheckpoints = 'SELECT name, messageId FROM checkpoints WHERE chatId = ? ORDER BY createdAt';
    return {
      chatId,
      nodes: this.all(ofMessages, chatId).map(({ id, parentId, name, data, createdAt }) => ({
        id,
        parentId,
        role: name,
        content: excerptOf(plainText(data)),
        createdAt,
      })),
      branches: this.all(ofBranches, chatId).map(({ name, headMessageId, isActive }) => ({
        name,
        headMessageId,
        isActive: isActive === 1,
      })),
      checkpoints: this.all(ofCheckpoints, chatId).map(({ name, messageId }) => ({ name, messageId })),
    };
  }

  /**
   * As by an engine that knows its branch: nothing is read. Each has a time of its own, because SQLite writes and syncs
   * nothing where a row stays the same.
   */
  checkpoint(chatId: string, name: string, messageId: string): unknown {
    this.time += 1;
    const checkpoint = { id: crypto.randomUUID(), name, messageId, createdAt: this.time };
    this.database.prepare(putCheckpoint).run(checkpoint.id, chatId, name, messageId, checkpoint.createdAt);
    return checkpoint;
  }

  search(chatId: string, query: string, limit: number): unknown[] {
    return this.all(find, query, chatId, limit).map((row) => ({
      message: asMessage(row),
      rank: row['rank'],
      snippet: row['snippet'],
    }));
  }

  close(): void {
    this.database.close();
  }

  private head(chatId: string): string {
    const row: Row | undefined = this.keep('SELECT * FROM branches WHERE chatId = ? AND isActive = 1').get(
      chatId,
    );
    return String(row?.['headMessageId']);
  }

  private keep(sql: string): StatementSync {
    const known = this.kept.get(sql) ?? this.database.prepare(sql);
    this.kept.set(sql, known);
    return known;
  }

  private get(sql: string, ...parameters: Parameter[]): Row | undefined {
    return this.database.prepare(sql).get(...parameters);
  }

  private all(sql: string, ...parameters: Parameter[]): Row[] {
    return this.database.prepare(sql).all(...parameters);
  }
}

function asMessage(row: Row): Row {
  const { id, chatId, parentId, name, type, data, createdAt } = row;
  return { id, chatId, parentId, name, type, data: JSON.parse(String(data)) as unknown, createdAt };
}

/** All parts are text here. */
function plainText(data: unknown): string {
  const { parts } = JSON.parse(String(data)) as { parts: { text: string }[] };
  return parts.map(({ text }) => text).join(' ');
}

function excerptOf(text: string): string {
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT)}...` : text;
}
