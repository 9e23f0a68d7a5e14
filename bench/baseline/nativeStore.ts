// What the engine is compared with: tables and statements as the pages describe them that it began from (text keys, a
// recursive walk of the chain, FTS5), on the SQLite that Node has built in. As there, each call prepares its statement.
import { DatabaseSync } from 'node:sqlite';

const tables = `
  PRAGMA foreign_keys = ON;
  CREATE TABLE chats (
    id TEXT PRIMARY KEY,
    userId TEXT NOT NULL,
    title TEXT,
    metadata TEXT,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL
  );
  CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    chatId TEXT NOT NULL REFERENCES chats(id) ON DELETE CASCADE,
    parentId TEXT REFERENCES messages(id),
    name TEXT NOT NULL,
    type TEXT,
    data TEXT NOT NULL,
    createdAt INTEGER NOT NULL
  );
  CREATE INDEX messagesOfChat ON messages(chatId);
  CREATE INDEX messagesOfParent ON messages(parentId);
  CREATE TABLE branches (
    id TEXT PRIMARY KEY,
    chatId TEXT NOT NULL REFERENCES chats(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    headMessageId TEXT REFERENCES messages(id),
    isActive INTEGER NOT NULL,
    createdAt INTEGER NOT NULL,
    UNIQUE (chatId, name)
  );
  CREATE TABLE checkpoints (
    id TEXT PRIMARY KEY,
    chatId TEXT NOT NULL REFERENCES chats(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    messageId TEXT NOT NULL REFERENCES messages(id),
    createdAt INTEGER NOT NULL,
    UNIQUE (chatId, name)
  );
  CREATE VIRTUAL TABLE messageTexts USING fts5(messageId UNINDEXED, chatId UNINDEXED, content);
`;

const insertMessage = `INSERT INTO messages (id, chatId, parentId, name, type, data, createdAt)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

const chain = `WITH RECURSIVE chain AS (
    SELECT *, 0 AS depth FROM messages WHERE id = ?
    UNION ALL
    SELECT m.*, c.depth + 1 FROM messages m INNER JOIN chain c ON m.id = c.parentId WHERE c.depth < 100000
  )
  SELECT * FROM chain ORDER BY depth DESC`;

const putCheckpoint = `INSERT INTO checkpoints (id, chatId, name, messageId, createdAt) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT(chatId, name) DO UPDATE SET messageId = excluded.messageId, createdAt = excluded.createdAt`;

const find = `SELECT m.*, bm25(messageTexts) AS rank, snippet(messageTexts, 2, '[', ']', '…', 24) AS snippet
  FROM messageTexts t JOIN messages m ON m.id = t.messageId
  WHERE messageTexts MATCH ? AND t.chatId = ? ORDER BY rank LIMIT ?`;

/** A message as the benchmark gives it: `data` is what is stored of it, `text` what is found. */
export interface NativeMessage {
  readonly id: string;
  readonly name: string;
  readonly data: string;
  readonly text: string;
}

type Row = Readonly<Record<string, unknown>>;

/** Each method reads and writes what a call of that name has to, and no more. */
export class NativeStore {
  private readonly database: DatabaseSync;

  constructor() {
    this.database = new DatabaseSync(':memory:');
    this.database.exec(tables);
  }

  createChat(id: string): void {
    this.run('INSERT INTO chats (id, userId, createdAt, updatedAt) VALUES (?, ?, ?, ?)', id, 'ann', 0, 0);
    this.run(
      'INSERT INTO branches (id, chatId, name, isActive, createdAt) VALUES (?, ?, ?, 1, ?)',
      crypto.randomUUID(),
      ...[id, 'main', 0],
    );
  }

  save(chatId: string, messages: readonly NativeMessage[]): void {
    this.database.exec('BEGIN');
    let parentId: string | null = null;
    for (const { id, name, data, text } of messages) {
      this.run(insertMessage, id, chatId, parentId, name, 'message', data, Date.now());
      this.run('INSERT INTO messageTexts (messageId, chatId, content) VALUES (?, ?, ?)', id, chatId, text);
      parentId = id;
    }
    this.run('UPDATE branches SET headMessageId = ? WHERE chatId = ? AND isActive = 1', parentId, chatId);
    this.database.exec('COMMIT');
  }

  /** What a new engine does first: it looks for the chat and its branch, walks the chain, and reads each message. */
  resolve(chatId: string): unknown[] {
    this.get('SELECT * FROM chats WHERE id = ?', chatId);
    const rows = this.all(chain, this.head(chatId));
    return rows.map((row) => ({ ...row, data: JSON.parse(String(row['data'])) as unknown }).data);
  }

  getGraph(chatId: string): unknown {
    const messages = this.all('SELECT * FROM messages WHERE chatId = ? ORDER BY createdAt', chatId);
    return {
      chatId,
      nodes: messages.map(({ id, parentId, name, data, createdAt }) => ({
        id,
        parentId,
        role: name,
        content: plainText(data),
        createdAt,
      })),
      branches: this.all('SELECT * FROM branches WHERE chatId = ? ORDER BY createdAt', chatId),
      checkpoints: this.all('SELECT * FROM checkpoints WHERE chatId = ? ORDER BY createdAt', chatId),
    };
  }

  checkpoint(chatId: string, name: string): unknown {
    const head = this.head(chatId);
    this.run(putCheckpoint, crypto.randomUUID(), chatId, name, head, Date.now());
    return this.get('SELECT * FROM checkpoints WHERE chatId = ? AND name = ?', chatId, name);
  }

  search(chatId: string, query: string, limit: number): unknown[] {
    return this.all(find, query, chatId, limit).map((row) => ({
      message: { ...row, data: JSON.parse(String(row['data'])) as unknown },
      rank: row['rank'],
      snippet: row['snippet'],
    }));
  }

  close(): void {
    this.database.close();
  }

  private head(chatId: string): string {
    const row = this.get('SELECT * FROM branches WHERE chatId = ? AND isActive = 1', chatId);
    return String(row?.['headMessageId']);
  }

  private run(sql: string, ...parameters: (string | number | null)[]): void {
    this.database.prepare(sql).run(...parameters);
  }

  private get(sql: string, ...parameters: (string | number | null)[]): Row | undefined {
    return this.database.prepare(sql).get(...parameters);
  }

  private all(sql: string, ...parameters: (string | number | null)[]): Row[] {
    return this.database.prepare(sql).all(...parameters);
  }
}

/** All parts are text here. */
function plainText(data: unknown): string {
  const { parts } = JSON.parse(String(data)) as { parts: { text: string }[] };
  return parts.map(({ text }) => text).join('\n\n');
}
