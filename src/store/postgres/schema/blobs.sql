-- Blobs, and the storage used by everything.

CREATE FUNCTION put_blob(p_hash text, p_bytes bytea) RETURNS void LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  -- Other bytes stored under a hash would be shown to everyone who reads that hash.
  IF p_hash <> encode(sha256(p_bytes), 'hex') THEN PERFORM fail('wrong-hash', p_hash); END IF;
  INSERT INTO blobs (hash, size, bytes, put_at) VALUES (p_hash, length(p_bytes), p_bytes, now_ms())
    ON CONFLICT (hash) DO UPDATE SET put_at = excluded.put_at;
  INSERT INTO blob_puts (hash, user_name) VALUES (p_hash, session_user) ON CONFLICT DO NOTHING;
END $entry$;

CREATE FUNCTION get_blob(p_hash text) RETURNS bytea LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN (SELECT b.bytes FROM blobs b WHERE b.hash = p_hash AND may_read_blob(p_hash));
END $entry$;

CREATE FUNCTION has_blob(p_hash text) RETURNS boolean LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN EXISTS (SELECT 1 FROM blobs WHERE hash = p_hash) AND may_read_blob(p_hash);
END $entry$;

CREATE FUNCTION used_bytes() RETURNS float8 LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN (SELECT coalesce(sum(size), 0) FROM blobs b
    WHERE is_service() OR EXISTS (SELECT 1 FROM blob_puts p WHERE p.hash = b.hash AND p.user_name = session_user));
END $entry$;

CREATE FUNCTION storage_report(p_user text, p_grace bigint) RETURNS json LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
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
END $entry$;

CREATE FUNCTION table_sizes() RETURNS TABLE (name text, bytes float8, rows float8) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  -- Those of a table that is partitioned count as one.
  RETURN QUERY SELECT k.relname::text, sum(pg_total_relation_size(t.oid))::float8, sum(greatest(t.reltuples, 0))::float8
    FROM pg_class k
      JOIN pg_class t ON t.relkind = 'r' AND (t.oid = k.oid OR t.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = k.oid))
    WHERE k.relnamespace = 'offshoot'::regnamespace AND k.relkind IN ('r', 'p') AND NOT k.relispartition
    GROUP BY k.oid, k.relname ORDER BY 2 DESC;
END $entry$;
