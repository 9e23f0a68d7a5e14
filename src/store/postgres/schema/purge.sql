-- Permanent removal, in batches; an item whose removal has begun cannot be restored.

-- What stays in the trash may stand on messages that are to go: they become part of what needs them.
CREATE FUNCTION hand_over(p_chat bigint) RETURNS void LANGUAGE plpgsql AS $f$
DECLARE v record; v_end messages;
BEGIN
  FOR v IN
    WITH heirs AS (SELECT key FROM trash WHERE chat = p_chat AND NOT is_leaving AND kind <> 'chat'),
      gone AS (SELECT key FROM trash WHERE chat = p_chat AND is_leaving AND kind <> 'chat'),
      needs AS (
        SELECT n.place AS heir, n.parent AS key FROM messages n WHERE n.chat = p_chat AND n.place IN (SELECT key FROM heirs)
        UNION SELECT b.place, b.head FROM branches b WHERE b.chat = p_chat AND b.place IN (SELECT key FROM heirs)
        UNION SELECT k.place, k.message FROM checkpoints k WHERE k.chat = p_chat AND k.place IN (SELECT key FROM heirs))
    SELECT n.heir, n.key FROM needs n JOIN messages m ON m.chat = p_chat AND m.key = n.key AND m.place IN (SELECT key FROM gone)
  LOOP
    SELECT * INTO v_end FROM messages WHERE chat = p_chat AND key = v.key;
    UPDATE messages o SET place = v.heir FROM stretches(p_chat, v_end.segment, v_end.depth, 0) s
      WHERE o.chat = p_chat AND o.segment = s.segment AND o.depth <= s.upto AND o.place = v_end.place;
  END LOOP;
END $f$;

CREATE FUNCTION begin_leaving(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  v_count int; v_chat bigint; v_before bigint := p->>'deletedBefore';
  v_ahead bigint := (p->>'askedAt')::bigint - now_ms();
BEGIN
  -- A time that was counted back by a clock that is wrong is as long ago by this one.
  IF abs(v_ahead) > 60000 THEN v_before := v_before - v_ahead; END IF;
  WITH marked AS (
    UPDATE trash t SET is_leaving = true FROM chats c
    WHERE c.key = t.chat AND NOT t.is_leaving AND (is_service() OR c.owner = session_user)
      AND (p->>'userId' IS NULL OR c.owner = p->>'userId')
      AND (v_before IS NULL OR t.deleted_at < v_before)
      AND (p->'ids' IS NULL OR t.id IN (SELECT json_array_elements_text(p->'ids')))
    RETURNING t.chat)
  SELECT count(*) INTO v_count FROM marked;
  -- With a chat goes all that was deleted of it before.
  UPDATE trash t SET is_leaving = true FROM trash w
    WHERE w.chat = t.chat AND w.key = 0 AND w.is_leaving AND NOT t.is_leaving;
  FOR v_chat IN SELECT DISTINCT chat FROM trash WHERE is_leaving LOOP
    PERFORM 1 FROM chats WHERE key = v_chat FOR NO KEY UPDATE;
    PERFORM hand_over(v_chat);
    DELETE FROM drafts d USING branches b, trash t WHERE t.chat = v_chat AND t.is_leaving AND b.chat = v_chat
      AND (b.place = t.key OR EXISTS (SELECT 1 FROM trash w WHERE w.chat = v_chat AND w.key = 0 AND w.is_leaving))
      AND d.chat = v_chat AND d.branch = b.key;
    DELETE FROM checkpoints k USING trash t WHERE t.chat = v_chat AND t.is_leaving AND k.chat = v_chat AND k.place = t.key;
    DELETE FROM branches b USING trash t WHERE t.chat = v_chat AND t.is_leaving AND b.chat = v_chat AND b.place = t.key;
  END LOOP;
  RETURN ROW(NULL, NULL, to_json(v_count), '[]'::json)::outcome;
END $f$;

-- The newest go first, so that none goes before what follows it.
CREATE FUNCTION remove_piece(p_limit int) RETURNS int LANGUAGE plpgsql AS $f$
DECLARE v_count int;
BEGIN
  WITH piece AS (
    SELECT m.chat, m.key FROM trash t JOIN chats c ON c.key = t.chat AND (is_service() OR c.owner = session_user)
      JOIN messages m ON m.chat = t.chat AND m.place = t.key
    WHERE t.is_leaving ORDER BY m.chat, m.key DESC LIMIT p_limit),
  blobs_gone AS (DELETE FROM message_blobs b USING piece WHERE b.chat = piece.chat AND b.message = piece.key),
  gone AS (DELETE FROM messages m USING piece WHERE m.chat = piece.chat AND m.key = piece.key RETURNING 1)
  SELECT count(*) INTO v_count FROM gone;
  RETURN v_count;
END $f$;

-- What is left once the messages are gone.
CREATE FUNCTION end_leaving() RETURNS void LANGUAGE plpgsql AS $f$
DECLARE v_chats bigint[];
BEGIN
  SELECT array_agg(t.chat) INTO v_chats FROM trash t JOIN chats c ON c.key = t.chat
    WHERE t.key = 0 AND t.is_leaving AND (is_service() OR c.owner = session_user);
  DELETE FROM trash t USING chats c WHERE c.key = t.chat AND t.is_leaving AND (is_service() OR c.owner = session_user);
  DELETE FROM segments s USING unnest(v_chats) k WHERE s.chat = k;
  DELETE FROM branches s USING unnest(v_chats) k WHERE s.chat = k;
  DELETE FROM checkpoints s USING unnest(v_chats) k WHERE s.chat = k;
  DELETE FROM active_branches s USING unnest(v_chats) k WHERE s.chat = k;
  DELETE FROM drafts s USING unnest(v_chats) k WHERE s.chat = k;
  DELETE FROM events s USING unnest(v_chats) k WHERE s.chat = k;
  DELETE FROM changes s USING unnest(v_chats) k WHERE s.chat = k;
  DELETE FROM chats s USING unnest(v_chats) k WHERE s.key = k;
  -- A client that missed more than a day reads everything again.
  DELETE FROM changes WHERE made_at < now_ms() - 86400000;
END $f$;

CREATE FUNCTION is_named(p_hash text) RETURNS boolean LANGUAGE sql STABLE AS $f$
  SELECT EXISTS (SELECT 1 FROM message_blobs WHERE hash = p_hash)
    OR EXISTS (SELECT 1 FROM shared_artifacts WHERE details LIKE '%' || p_hash || '%')
    OR EXISTS (SELECT 1 FROM events WHERE kind IN ('files-restored', 'edits-reviewed') AND details LIKE '%' || p_hash || '%')
    OR EXISTS (SELECT 1 FROM drafts WHERE data LIKE '%' || p_hash || '%')
    OR EXISTS (SELECT 1 FROM chats WHERE metadata LIKE '%' || p_hash || '%')
    OR EXISTS (SELECT 1 FROM shared_state WHERE value LIKE '%' || p_hash || '%')
$f$;

-- Removes what nothing names and was put long enough ago. A person removes only what they alone have put.
CREATE FUNCTION collect_blobs(p_before bigint) RETURNS json LANGUAGE sql AS $f$
  WITH unused AS (
    SELECT hash FROM blobs b WHERE put_at <= p_before AND NOT is_named(hash)
      AND (is_service() OR NOT EXISTS (SELECT 1 FROM blob_puts p WHERE p.hash = b.hash AND p.user_name <> session_user))
  ), puts AS (DELETE FROM blob_puts WHERE hash IN (SELECT hash FROM unused)),
  gone AS (DELETE FROM blobs WHERE hash IN (SELECT hash FROM unused) RETURNING size)
  SELECT json_build_object('count', count(*), 'bytes', coalesce(sum(size), 0)) FROM gone
$f$;

CREATE FUNCTION discard_branch(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  b branches := require_branch(c.key, p->>'name');
  v_place bigint; v_ids text[]; v_hashes text[]; v_times bigint[]; v_count int; v_bytes bigint;
BEGIN
  PERFORM hand_over_children(b);
  v_place := put_away_branch(c, b, v_user);
  UPDATE trash SET is_leaving = true WHERE chat = c.key AND key = v_place;
  PERFORM hand_over(c.key);
  SELECT array_agg(hash), array_agg(saved_at) INTO v_hashes, v_times FROM (
    SELECT n.hash, max(m.created_at) AS saved_at FROM messages m JOIN message_blobs n ON n.chat = c.key AND n.message = m.key
    WHERE m.chat = c.key AND m.place = v_place GROUP BY n.hash) named;
  SELECT array_agg(id) INTO v_ids FROM messages WHERE chat = c.key AND place = v_place;
  DELETE FROM message_blobs n USING messages m WHERE m.chat = c.key AND m.place = v_place AND n.chat = c.key AND n.message = m.key;
  DELETE FROM messages WHERE chat = c.key AND place = v_place;
  DELETE FROM drafts WHERE chat = c.key AND branch = b.key;
  DELETE FROM branches WHERE chat = c.key AND place = v_place;
  DELETE FROM trash WHERE chat = c.key AND key = v_place;
  DELETE FROM events WHERE chat = c.key AND (branch = b.name OR message_id = ANY(v_ids));
  DELETE FROM changes WHERE chat = c.key AND position(b.name in reply) > 0;
  PERFORM add_event(c.key, v_user, 'branch-deleted', b.name, NULL, '{"discarded":true}');
  -- What was put again since is for a message that is not saved yet.
  WITH gone AS (
    DELETE FROM blobs USING unnest(v_hashes, v_times) AS n(hash, saved_at)
    WHERE blobs.hash = n.hash AND blobs.put_at <= n.saved_at AND NOT is_named(blobs.hash) RETURNING blobs.hash, size
  ), puts AS (DELETE FROM blob_puts WHERE hash IN (SELECT hash FROM gone))
  SELECT count(*), coalesce(sum(size), 0) INTO v_count, v_bytes FROM gone;
  RETURN ROW(c.key, NULL, json_build_object('messages', coalesce(array_length(v_ids, 1), 0),
    'blobs', json_build_object('count', v_count, 'bytes', v_bytes)),
    all_changes(branch_change(c.id, b.name, 'deleted')))::outcome;
END $f$;

-- What clients call apart from the writes, piece by piece.

CREATE FUNCTION remove_leaving(p_limit int) RETURNS int LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN RETURN remove_piece(p_limit); END $entry$;

CREATE FUNCTION finish_leaving() RETURNS void LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN PERFORM end_leaving(); END $entry$;

CREATE FUNCTION collect_unused_blobs(p_grace bigint) RETURNS json LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN RETURN collect_blobs(now_ms() - p_grace); END $entry$;
