import { DamagedDataError, ReadOnlyError } from '../../engine/errors.ts';
import type { Connection } from './connection.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

/**
 * The additions of each version. A released entry is never edited: the next change is another entry. Nor does an
 * entry remove anything that earlier versions read, since they show a file of a later version without writing to it.
 * Rows refer to each other by integer keys, because following a chain of them is twice as fast as with text keys.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE chats (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    userId TEXT NOT NULL,
    title TEXT,
    metadata TEXT NOT NULL,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL,
    trashedAt INTEGER
  );
  CREATE UNIQUE INDEX chatsById ON chats(id) WHERE trashedAt IS NULL;
  CREATE INDEX chatsByUse ON chats(updatedAt, key);

  CREATE TABLE messages (
    key INTEGER PRIMARY KEY,
    chatKey INTEGER NOT NULL REFERENCES chats(key) ON DELETE CASCADE,
    id TEXT NOT NULL,
    parentKey INTEGER REFERENCES messages(key),
    depth INTEGER NOT NULL CHECK (depth > 0),
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    effects TEXT,
    invocationId TEXT NOT NULL,
    replaces TEXT,
    createdAt INTEGER NOT NULL,
    -- The id first, so that a message can also be found in whichever chat it is.
    UNIQUE (id, chatKey),
    CHECK (parentKey < key)
  );
  CREATE INDEX messagesByParent ON messages(parentKey);
  CREATE INDEX messagesByInvocation ON messages(chatKey, invocationId);

  CREATE TABLE branches (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    chatKey INTEGER NOT NULL REFERENCES chats(key) ON DELETE CASCADE,
    name TEXT NOT NULL,
    headKey INTEGER REFERENCES messages(key),
    forkKey INTEGER REFERENCES messages(key),
    parentKey INTEGER REFERENCES branches(key) ON DELETE SET NULL,
    isActive INTEGER NOT NULL CHECK (isActive IN (0, 1)),
    createdAt INTEGER NOT NULL,
    archivedAt INTEGER,
    UNIQUE (chatKey, name)
  );
  CREATE INDEX branchesByTime ON branches(chatKey, createdAt);
  CREATE UNIQUE INDEX oneActiveBranch ON branches(chatKey) WHERE isActive = 1;
  CREATE INDEX branchesByHead ON branches(headKey);
  CREATE INDEX branchesByFork ON branches(forkKey);
  CREATE INDEX branchesByParent ON branches(parentKey);

  CREATE TABLE checkpoints (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    chatKey INTEGER NOT NULL REFERENCES chats(key) ON DELETE CASCADE,
    name TEXT NOT NULL,
    messageKey INTEGER NOT NULL REFERENCES messages(key),
    createdAt INTEGER NOT NULL,
    UNIQUE (chatKey, name)
  );
  CREATE INDEX checkpointsByMessage ON checkpoints(messageKey);

  CREATE TABLE trash (
    chatKey INTEGER PRIMARY KEY REFERENCES chats(key) ON DELETE CASCADE,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('chat', 'branch', 'checkpoint')),
    fromKey INTEGER REFERENCES chats(key),
    isLeaving INTEGER NOT NULL CHECK (isLeaving IN (0, 1))
  );
  CREATE INDEX trashByChat ON trash(fromKey);

  CREATE TABLE events (
    sequence INTEGER PRIMARY KEY,
    chatKey INTEGER NOT NULL REFERENCES chats(key) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    branch TEXT,
    messageId TEXT,
    details TEXT NOT NULL,
    createdAt INTEGER NOT NULL
  );
  CREATE INDEX eventsByChat ON events(chatKey, sequence);

  CREATE TABLE drafts (
    branchKey INTEGER PRIMARY KEY REFERENCES branches(key) ON DELETE CASCADE,
    data TEXT NOT NULL,
    updatedAt INTEGER NOT NULL
  );

  CREATE TABLE sharedState (
    scope TEXT NOT NULL CHECK (scope IN ('user', 'app')),
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (scope, owner, name)
  ) WITHOUT ROWID;

  CREATE TABLE sharedArtifacts (
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (owner, name, version)
  ) WITHOUT ROWID;

  -- What the index reads of each message; 'indexed_text' is ours (messageText.ts).
  CREATE VIEW indexedTexts(rowid, text) AS SELECT key, indexed_text(type, data) FROM messages;

  -- The words of those texts, and not the texts once more: a third of the file less.
  CREATE VIRTUAL TABLE messageTexts USING fts4(content="indexedTexts", text, tokenize=unicode61);
  `,
  `
  -- How many messages there are from the root to this one: fewer than its depth where nodes between hold only changes.
  ALTER TABLE messages ADD COLUMN messageCount INTEGER NOT NULL DEFAULT 0;
  WITH RECURSIVE counted(key, count) AS (
    SELECT key, type = 'message' FROM messages WHERE parentKey IS NULL
    UNION ALL
    SELECT m.key, c.count + (m.type = 'message') FROM counted c JOIN messages m ON m.parentKey = c.key
  )
  UPDATE messages SET messageCount = c.count FROM counted c WHERE c.key = messages.key;
  `,
  `
  -- Which branch each user is on, but for the owner of the chat: the owner's is marked in the table of branches.
  CREATE TABLE activeBranches (
    chatKey INTEGER NOT NULL REFERENCES chats(key) ON DELETE CASCADE,
    userId TEXT NOT NULL,
    branchKey INTEGER NOT NULL REFERENCES branches(key) ON DELETE CASCADE,
    PRIMARY KEY (chatKey, userId)
  ) WITHOUT ROWID;
  CREATE INDEX activeBranchesByBranch ON activeBranches(branchKey);

  -- Drafts of several users on one branch.
  CREATE TABLE userDrafts (
    branchKey INTEGER NOT NULL REFERENCES branches(key) ON DELETE CASCADE,
    userId TEXT NOT NULL,
    data TEXT NOT NULL,
    updatedAt INTEGER NOT NULL,
    PRIMARY KEY (branchKey, userId)
  ) WITHOUT ROWID;
  INSERT INTO userDrafts (branchKey, userId, data, updatedAt)
    SELECT d.branchKey, c.userId, d.data, d.updatedAt
    FROM drafts d JOIN branches b ON b.key = d.branchKey JOIN chats c ON c.key = b.chatKey;
  DROP TABLE drafts;
  ALTER TABLE userDrafts RENAME TO drafts;

  -- Who did it.
  ALTER TABLE events ADD COLUMN userId TEXT NOT NULL DEFAULT '';
  UPDATE events SET userId = (SELECT userId FROM chats WHERE key = events.chatKey);
  `,
  `
  -- What other processes asked the writer for, and what it answered: a request that is repeated is not done twice.
  CREATE TABLE requests (
    id TEXT PRIMARY KEY,
    reply TEXT NOT NULL,
    keptUntil INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX requestsByTime ON requests(keptUntil);

  -- Which window writes the answer.
  ALTER TABLE drafts ADD COLUMN owner TEXT;
  `,
  `
  -- What became of a branch, and which names branches had, without reading the log of the whole chat.
  CREATE INDEX eventsByBranch ON events(chatKey, branch);
  `,
  `
  -- Going from branch to branch apart from all else that befalls one: who goes to and fro thousands of times does not
  -- make what is asked of the rest slow, and an entry is in one index at most.
  DROP INDEX eventsByBranch;
  CREATE INDEX eventsOfBranches ON events(chatKey, branch)
    WHERE branch IS NOT NULL AND kind NOT IN ('switched', 'undone', 'redone', 'branch-dropped');
  CREATE INDEX movesOfBranches ON events(chatKey, branch)
    WHERE branch IS NOT NULL AND kind IN ('switched', 'undone', 'redone', 'branch-dropped');
  `,
  `
  -- The same, with conditions that cost each entry less.
  DROP INDEX eventsOfBranches;
  DROP INDEX movesOfBranches;
  CREATE INDEX eventsOfBranches ON events(chatKey, branch) WHERE branch IS NOT NULL
    AND kind <> 'switched' AND kind <> 'undone' AND kind <> 'redone' AND kind <> 'branch-dropped';
  CREATE INDEX movesOfBranches ON events(chatKey, branch) WHERE branch IS NOT NULL
    AND (kind = 'switched' OR kind = 'undone' OR kind = 'redone' OR kind = 'branch-dropped');
  `,
  `
  -- What is listed is in the order of its keys, whatever the clock said: that of checkpoints in which they were last set,
  -- that of the trash in which things were deleted.
  UPDATE checkpoints SET key = n.later
    FROM (SELECT key AS earlier, (SELECT max(key) FROM checkpoints) + row_number() OVER (ORDER BY createdAt, key) AS later
      FROM checkpoints) n
    WHERE n.earlier = checkpoints.key;
  ALTER TABLE trash ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
  UPDATE trash SET number = n.number
    FROM (SELECT t.chatKey, row_number() OVER (ORDER BY c.trashedAt, t.chatKey) AS number
      FROM trash t JOIN chats c ON c.key = t.chatKey) n
    WHERE n.chatKey = trash.chatKey;
  DROP INDEX branchesByTime;
  CREATE INDEX branchesByChat ON branches(chatKey);

  -- A draft may be an answer under an id of its own: a branch has several, each with what became of it. The others have
  -- '' in its place. A cancel has a column of its own, so that no save of the writer undoes it.
  CREATE TABLE draftsAndAnswers (
    branchKey INTEGER NOT NULL REFERENCES branches(key) ON DELETE CASCADE,
    userId TEXT NOT NULL,
    answerId TEXT NOT NULL DEFAULT '',
    number INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    claim TEXT,
    revision INTEGER NOT NULL DEFAULT 0,
    afterId TEXT,
    status TEXT CHECK (status IN ('running', 'failed', 'cancelled')),
    error TEXT,
    cancelAt INTEGER,
    updatedAt INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (branchKey, userId, answerId)
  ) WITHOUT ROWID;
  INSERT INTO draftsAndAnswers (branchKey, userId, owner, updatedAt, data)
    SELECT branchKey, userId, owner, updatedAt, data FROM drafts;
  DROP TABLE drafts;
  ALTER TABLE draftsAndAnswers RENAME TO drafts;
  `,
];

/** The version of the schema this program writes, kept in `user_version`. */
export const SCHEMA_VERSION = migrations.length;

export function schemaVersionOf(connection: Connection): number {
  const version = connection.get('PRAGMA user_version')?.['user_version'];
  if (typeof version !== 'number') throw new DamagedDataError('it has no schema version');
  return version;
}

/** Does nothing at that version or a later one. @throws ReadOnlyError when a newer version wrote it */
export function migrate(connection: Connection, to = SCHEMA_VERSION): void {
  const version = schemaVersionOf(connection);
  if (version > SCHEMA_VERSION) {
    throw new ReadOnlyError(
      defineMessage(
        'This conversation database was written by a newer version of Offshoot ({0} > {1}). Update Offshoot to open it.',
        version,
        SCHEMA_VERSION,
      ),
    );
  }
  for (const [index, statements] of migrations.slice(0, to).entries()) {
    if (index < version) continue;
    connection.execute(`BEGIN; ${statements} PRAGMA user_version = ${index + 1}; COMMIT;`);
  }
}
