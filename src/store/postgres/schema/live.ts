import { entry } from './access.ts';

/** Presence, and missed changes. */
export const live = [
  `-- A replica knows nobody: presence is not written ahead.
CREATE FUNCTION is_there(p_client uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $f$
BEGIN
  IF pg_is_in_recovery() THEN RETURN false; END IF;
  RETURN EXISTS (SELECT 1 FROM presence p WHERE p.client = p_client AND p.seen_at > now_ms() - 15000);
END $f$;
`,
  entry(
    'hello',
    '',
    'json',
    `BEGIN
  RETURN json_build_object('version', (SELECT max(version) FROM schema_versions), 'user', session_user::text, 'isService', is_service(),
    'isReadOnly', pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean);
END`,
  ),
  entry(
    'beat',
    'p_client uuid, p_user text, p_chat text, p_branch text',
    'void',
    `DECLARE c chats; v_user text := acting_as(p_user, NULL); v_before presence;
BEGIN
  SELECT * INTO c FROM chats WHERE id = p_chat AND trashed_at IS NULL;
  IF NOT may_read(c, NULL) THEN c := NULL; END IF;
  SELECT * INTO v_before FROM presence WHERE client = p_client;
  -- A client is its user's: nobody can speak for another's.
  IF v_before.client IS NOT NULL AND v_before.user_name <> session_user THEN RETURN; END IF;
  INSERT INTO presence (client, user_name, user_id, chat, branch, seen_at)
    VALUES (p_client, session_user, v_user, c.key, CASE WHEN c.key IS NOT NULL THEN p_branch END, now_ms())
    ON CONFLICT (client) DO UPDATE SET chat = excluded.chat, branch = excluded.branch, user_id = excluded.user_id, seen_at = excluded.seen_at;
  IF v_before.chat IS DISTINCT FROM c.key OR v_before.branch IS DISTINCT FROM p_branch THEN
    IF v_before.chat IS NOT NULL THEN PERFORM pg_notify('offshoot_presence', v_before.chat::text); END IF;
    IF c.key IS NOT NULL THEN PERFORM pg_notify('offshoot_presence', c.key::text); END IF;
  END IF;
  DELETE FROM presence WHERE seen_at < now_ms() - 60000;
END`,
    'VOLATILE',
  ),
  entry(
    'leave',
    'p_client uuid',
    'void',
    `DECLARE v_chat bigint;
BEGIN
  DELETE FROM presence WHERE client = p_client AND user_name = session_user RETURNING chat INTO v_chat;
  IF v_chat IS NOT NULL THEN PERFORM pg_notify('offshoot_presence', v_chat::text); END IF;
END`,
    'VOLATILE',
  ),
  entry(
    'list_presence',
    'p_chat text',
    'TABLE (user_id text, branch text, client text)',
    `DECLARE c chats := readable(p_chat);
BEGIN
  IF pg_is_in_recovery() THEN RETURN; END IF;
  RETURN QUERY SELECT p.user_id, p.branch, p.client::text FROM presence p
    WHERE p.chat = c.key AND p.seen_at > now_ms() - 15000 ORDER BY p.user_id, p.client;
END`,
  ),
  entry(
    'last_changes',
    '',
    'TABLE (chat float8, chat_id text, sequence float8)',
    `BEGIN
  RETURN QUERY SELECT c.key::float8, c.id, c.last_change::float8 FROM chats c WHERE may_read(c, NULL);
END`,
  ),
  entry(
    'changes_since',
    'p_chat bigint, p_sequence bigint',
    'TABLE (chat_id text, sequence float8, request text, changes json)',
    `DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE key = p_chat;
  IF c.key IS NULL OR NOT may_read(c, NULL) THEN RETURN; END IF;
  RETURN QUERY SELECT c.id, s.sequence::float8, s.request::text, s.reply::json->'changes' FROM changes s
    WHERE s.chat = c.key AND s.sequence > p_sequence ORDER BY s.sequence LIMIT 1000;
END`,
  ),
  entry(
    'chat_id_of',
    'p_chat bigint',
    'text',
    `DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE key = p_chat;
  RETURN CASE WHEN may_read(c, NULL) THEN c.id END;
END`,
  ),
].join('\n');

/** Blobs, and the storage used by everything. */
export const blobs = [
  entry(
    'put_blob',
    'p_hash text, p_bytes bytea',
    'void',
    `BEGIN
  -- Other bytes stored under a hash would be shown to everyone who reads that hash.
  IF p_hash <> encode(sha256(p_bytes), 'hex') THEN PERFORM fail('wrong-hash', p_hash); END IF;
  INSERT INTO blobs (hash, size, bytes, put_at) VALUES (p_hash, length(p_bytes), p_bytes, now_ms())
    ON CONFLICT (hash) DO UPDATE SET put_at = excluded.put_at;
  INSERT INTO blob_puts (hash, user_name) VALUES (p_hash, session_user) ON CONFLICT DO NOTHING;
END`,
    'VOLATILE',
  ),
  entry(
    'get_blob',
    'p_hash text',
    'bytea',
    `BEGIN
  RETURN (SELECT b.bytes FROM blobs b WHERE b.hash = p_hash AND may_read_blob(p_hash));
END`,
  ),
  entry(
    'has_blob',
    'p_hash text',
    'boolean',
    `BEGIN
  RETURN EXISTS (SELECT 1 FROM blobs WHERE hash = p_hash) AND may_read_blob(p_hash);
END`,
  ),
  entry(
    'used_bytes',
    '',
    'float8',
    `BEGIN
  RETURN (SELECT coalesce(sum(size), 0) FROM blobs b
    WHERE is_service() OR EXISTS (SELECT 1 FROM blob_puts p WHERE p.hash = b.hash AND p.user_name = session_user));
END`,
  ),
  entry(
    'storage_report',
    'p_user text, p_grace bigint',
    'json',
    `BEGIN
  RETURN (WITH mine AS (SELECT c.* FROM chats c WHERE (p_user IS NULL OR c.owner = p_user) AND (is_service() OR c.owner = session_user)),
    sizes AS (
      SELECT c.key, m.place, count(*) AS count, sum(octet_length(m.data) + coalesce(octet_length(m.effects), 0) + coalesce(octet_length(m.artifacts), 0)) AS bytes
      FROM mine c JOIN messages m ON m.chat = c.key GROUP BY c.key, m.place),
    shown AS (
      SELECT c.key, json_build_object('chatId', c.id, 'title', c.title,
        'messages', json_build_object('count', coalesce(s.count, 0), 'bytes', coalesce(s.bytes, 0)),
        'branches', (SELECT count(*) FROM branches b WHERE b.chat = c.key AND b.place = 0),
        'archivedBranches', (SELECT count(*) FROM branches b WHERE b.chat = c.key AND b.place = 0 AND b.archived_at IS NOT NULL)) AS size,
        coalesce(s.bytes, 0) AS bytes
      FROM mine c LEFT JOIN sizes s ON s.key = c.key AND s.place = 0 WHERE c.trashed_at IS NULL),
    own_blobs AS (SELECT b.* FROM blobs b WHERE is_service() OR EXISTS (SELECT 1 FROM blob_puts p WHERE p.hash = b.hash AND p.user_name = session_user))
  SELECT json_build_object(
    'database', json_build_object('bytes', pg_database_size(current_database()), 'free', 0),
    'chats', (SELECT coalesce(json_agg(size ORDER BY bytes DESC, key), '[]') FROM shown),
    'trash', json_build_object(
      'entries', (SELECT count(*) FROM trash t JOIN mine c ON c.key = t.chat),
      'count', (SELECT coalesce(sum(s.count), 0) FROM sizes s JOIN mine c ON c.key = s.key WHERE s.place <> 0 OR c.trashed_at IS NOT NULL),
      'bytes', (SELECT coalesce(sum(s.bytes), 0) FROM sizes s JOIN mine c ON c.key = s.key WHERE s.place <> 0 OR c.trashed_at IS NOT NULL)),
    'blobs', (SELECT json_build_object('count', count(*), 'bytes', coalesce(sum(size), 0)) FROM own_blobs),
    'unusedBlobs', (SELECT json_build_object('count', count(*), 'bytes', coalesce(sum(size), 0)) FROM own_blobs
      WHERE put_at < now_ms() - p_grace AND NOT is_named(hash))));
END`,
  ),
  entry(
    'table_sizes',
    '',
    'TABLE (name text, bytes float8, rows float8)',
    `BEGIN
  -- Those of a table that is partitioned count as one.
  RETURN QUERY SELECT k.relname::text, sum(pg_total_relation_size(t.oid))::float8, sum(greatest(t.reltuples, 0))::float8
    FROM pg_class k
      JOIN pg_class t ON t.relkind = 'r' AND (t.oid = k.oid OR t.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = k.oid))
    WHERE k.relnamespace = 'offshoot'::regnamespace AND k.relkind IN ('r', 'p') AND NOT k.relispartition
    GROUP BY k.oid, k.relname ORDER BY 2 DESC;
END`,
  ),
].join('\n');
