-- The tables. All data of a chat is keyed by the chat first, so that the large tables can be partitioned by it: each
-- unique index of segments, messages, branches, events, changes and message_blobs includes the chat, and
-- docs/partition-by-chat.sql names those of the partitions with a number appended. Numbers of messages, branches,
-- events and so on count within their chat, and are assigned while the chat's row is locked: later ones are greater.
--
-- JSON that users or models wrote is stored as text: it may contain NUL, and must be returned unchanged.

CREATE TABLE chats (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL,
  owner text NOT NULL,
  title text,
  metadata text NOT NULL,
  access text NOT NULL DEFAULT 'private' CHECK (access IN ('private', 'read', 'write')),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  trashed_at bigint,
  -- How many messages can be read on it, so that no list has to count them.
  messages bigint NOT NULL DEFAULT 0,
  last_message bigint NOT NULL DEFAULT 0,
  last_segment bigint NOT NULL DEFAULT 0,
  last_branch bigint NOT NULL DEFAULT 0,
  last_checkpoint bigint NOT NULL DEFAULT 0,
  last_event bigint NOT NULL DEFAULT 0,
  last_change bigint NOT NULL DEFAULT 0,
  last_place bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX chats_by_id ON chats (id) WHERE trashed_at IS NULL;
CREATE INDEX chats_by_use ON chats (updated_at DESC, key DESC) WHERE trashed_at IS NULL;
CREATE INDEX chats_by_owner ON chats (owner);
CREATE INDEX chats_shared ON chats (access) WHERE access <> 'private';

-- A stretch of messages that follow one another. A path is a few of them, however long it is.
CREATE TABLE segments (
  chat bigint NOT NULL,
  key bigint NOT NULL,
  -- The message that its first one follows; null where it begins a conversation.
  parent bigint,
  parent_segment bigint,
  parent_depth int,
  PRIMARY KEY (chat, key)
);

CREATE TABLE messages (
  chat bigint NOT NULL,
  key bigint NOT NULL,
  id text NOT NULL,
  parent bigint,
  segment bigint NOT NULL,
  depth int NOT NULL CHECK (depth > 0),
  -- 0: in the chat; else the entry of the trash that holds it.
  place bigint NOT NULL DEFAULT 0,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('message', 'fragment', 'internal')),
  author text NOT NULL,
  data text NOT NULL,
  effects text,
  artifacts text,
  invocation_id text NOT NULL,
  replaces text,
  created_at bigint NOT NULL,
  -- How many of type 'message' there are from the root to it, and the last of them.
  message_count int NOT NULL,
  last_read bigint,
  words tsvector,
  word_count int NOT NULL DEFAULT 0,
  PRIMARY KEY (chat, key)
);
CREATE UNIQUE INDEX messages_by_path ON messages (chat, segment, depth);
CREATE UNIQUE INDEX messages_by_id ON messages (chat, id) WHERE place = 0;
CREATE INDEX messages_by_parent ON messages (chat, parent);
CREATE INDEX messages_by_invocation ON messages (chat, invocation_id);
-- What is everywhere is looked for from the newest on.
CREATE INDEX messages_by_time ON messages (created_at DESC, chat DESC, key DESC);
CREATE INDEX messages_by_word ON messages USING gin (words) WITH (fastupdate = on);

CREATE TABLE branches (
  chat bigint NOT NULL,
  key bigint NOT NULL,
  id text NOT NULL,
  -- By bytes, as in the log: names are looked for by what they begin with.
  name text COLLATE "C" NOT NULL,
  head bigint,
  fork bigint,
  parent bigint,
  place bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  archived_at bigint,
  PRIMARY KEY (chat, key)
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX branches_by_name ON branches (chat, name) WHERE place = 0;

-- The active branch of each user; without a row, it is the oldest visible branch.
CREATE TABLE active_branches (
  chat bigint NOT NULL,
  user_id text NOT NULL,
  branch bigint NOT NULL,
  PRIMARY KEY (chat, user_id)
);

CREATE TABLE checkpoints (
  chat bigint NOT NULL,
  key bigint NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  message bigint NOT NULL,
  place bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  PRIMARY KEY (chat, key)
);
CREATE UNIQUE INDEX checkpoints_by_name ON checkpoints (chat, name) WHERE place = 0;

-- What was deleted. The key is the place of what went with it; 0 is the whole chat. The number says in which order.
CREATE TABLE trash (
  chat bigint NOT NULL,
  key bigint NOT NULL,
  id text NOT NULL UNIQUE,
  kind text NOT NULL CHECK (kind IN ('chat', 'branch', 'checkpoint')),
  deleted_at bigint NOT NULL,
  is_leaving boolean NOT NULL DEFAULT false,
  number bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (chat, key)
);

CREATE TABLE events (
  chat bigint NOT NULL,
  sequence bigint NOT NULL,
  user_id text NOT NULL,
  kind text NOT NULL,
  branch text COLLATE "C",
  message_id text,
  details text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (chat, sequence)
);
-- Going from branch to branch apart from all else that befalls one: who goes to and fro thousands of times does not make
-- what is asked of the rest slow.
CREATE INDEX events_of_branches ON events (chat, branch, sequence) WHERE branch IS NOT NULL AND {{isNoMove}};
CREATE INDEX moves_of_branches ON events (chat, branch, sequence) WHERE branch IS NOT NULL AND {{isMove}};

-- The last writes of each chat: who missed some catches up by their numbers, and a write that is repeated because its
-- answer was lost gets the answer it got. Old ones go.
CREATE TABLE changes (
  chat bigint NOT NULL,
  sequence bigint NOT NULL,
  request uuid,
  user_name text NOT NULL,
  reply text NOT NULL,
  made_at bigint NOT NULL,
  PRIMARY KEY (chat, sequence)
);
CREATE UNIQUE INDEX changes_by_request ON changes (request, chat) WHERE request IS NOT NULL;

CREATE TABLE drafts (
  chat bigint NOT NULL,
  branch bigint NOT NULL,
  user_id text NOT NULL,
  data text NOT NULL,
  updated_at bigint NOT NULL,
  client uuid,
  PRIMARY KEY (chat, branch, user_id)
) WITH (fillfactor = 60);
CREATE INDEX drafts_by_user ON drafts (user_id);

CREATE TABLE shared_state (
  scope text NOT NULL CHECK (scope IN ('user', 'app')),
  owner text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (scope, owner, name)
);

CREATE TABLE shared_artifacts (
  owner text NOT NULL,
  name text NOT NULL,
  version int NOT NULL,
  details text NOT NULL,
  PRIMARY KEY (owner, name, version)
);

CREATE TABLE blobs (
  hash text PRIMARY KEY,
  size int NOT NULL,
  bytes bytea NOT NULL,
  put_at bigint NOT NULL
);
ALTER TABLE blobs ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Who has had bytes in hand: they can name them in a message, which is what lets others read them.
CREATE TABLE blob_puts (
  hash text NOT NULL,
  user_name text NOT NULL,
  PRIMARY KEY (hash, user_name)
);

CREATE TABLE message_blobs (
  chat bigint NOT NULL,
  message bigint NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (chat, message, hash)
);
CREATE INDEX message_blobs_by_hash ON message_blobs (hash);

-- Which programs are connected, and where their users are. After a crash of the server nobody is.
CREATE UNLOGGED TABLE presence (
  client uuid PRIMARY KEY,
  user_name text NOT NULL,
  user_id text NOT NULL,
  chat bigint,
  branch text,
  seen_at bigint NOT NULL
);
CREATE INDEX presence_by_chat ON presence (chat);

CREATE TYPE message_row AS (
  key double precision, id text, parent_id text, depth int, name text, type text, data text, effects text, artifacts text,
  invocation_id text, replaces text, created_at double precision
);

-- What became of messages that came from outside, in the order they came in.
CREATE TYPE placed_messages AS (
  ids text[],
  -- What each follows: its id, its key, and its number among these, from 1, if it came with them.
  parent_ids text[],
  parents bigint[],
  ups int[],
  -- The keys of those that were stored, and of those that are in the chat now.
  keys bigint[],
  found bigint[],
  added bigint,
  readable bigint,
  latest bigint,
  last_message bigint,
  last_segment bigint
);

-- What a write gives back: of which chat it was, its number there, its result and what is to be told.
CREATE TYPE outcome AS (chat bigint, sequence bigint, result json, changes json);
