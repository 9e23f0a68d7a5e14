-- The log with its sequence numbers, and the records of writes for clients that missed them.

CREATE FUNCTION add_event(p_chat bigint, p_user text, p_kind text, p_branch text, p_message text, p_details text)
RETURNS void LANGUAGE plpgsql AS $f$
DECLARE v_sequence bigint;
BEGIN
  UPDATE chats SET last_event = last_event + 1 WHERE key = p_chat RETURNING last_event INTO v_sequence;
  INSERT INTO events (chat, sequence, user_id, kind, branch, message_id, details, created_at)
    VALUES (p_chat, v_sequence, p_user, p_kind, p_branch, p_message, coalesce(p_details, '{}'), now_ms());
END $f$;

CREATE FUNCTION chat_change(p_id text, p_change text) RETURNS json LANGUAGE sql AS $f$
  SELECT json_build_array(json_build_object('kind', 'chat', 'chatId', p_id, 'change', p_change))
$f$;

CREATE FUNCTION branch_change(p_id text, p_branch text, p_change text) RETURNS json LANGUAGE sql AS $f$
  SELECT json_build_object('kind', 'branch', 'chatId', p_id, 'branch', p_branch, 'change', p_change)
$f$;

CREATE FUNCTION checkpoint_change(p_id text, p_checkpoint text, p_change text) RETURNS json LANGUAGE sql AS $f$
  SELECT json_build_array(
    json_build_object('kind', 'checkpoint', 'chatId', p_id, 'checkpoint', p_checkpoint, 'change', p_change))
$f$;

-- Changes in the order they are told; nulls are left out.
CREATE FUNCTION all_changes(VARIADIC p_changes json[]) RETURNS json LANGUAGE sql AS $f$
  SELECT coalesce(json_agg(c ORDER BY n), '[]') FROM unnest(p_changes) WITH ORDINALITY AS u(c, n) WHERE c IS NOT NULL
$f$;

-- For the planner a table that nobody has counted yet is an empty one, where any index of a chat is as good as the right
-- one: each save would read all of its chat until autovacuum comes by. A smaller one it would read through.
CREATE FUNCTION count_new_tables(p_messages bigint) RETURNS void LANGUAGE plpgsql AS $f$
BEGIN
  IF p_messages >= 250 AND (SELECT reltuples < 256 FROM pg_class WHERE oid = 'messages'::regclass) THEN
    ANALYZE (SKIP_LOCKED) chats, segments, messages, branches, events, changes;
  END IF;
END $f$;

-- Keeps a write with its reply under its number in the chat, and tells those who listen that the chat has changed.
CREATE FUNCTION record_change(p_chat bigint, p_sequence bigint, p_request uuid, p_result json, p_changes json)
RETURNS text LANGUAGE plpgsql AS $f$
DECLARE v_sequence bigint := p_sequence; v_reply text;
BEGIN
  IF v_sequence IS NULL THEN
    UPDATE chats SET last_change = last_change + 1 WHERE key = p_chat RETURNING last_change INTO v_sequence;
  END IF;
  v_reply := json_build_object('chat', p_chat, 'sequence', v_sequence, 'result', p_result, 'changes', p_changes)::text;
  INSERT INTO changes (chat, sequence, request, user_name, reply, made_at)
    VALUES (p_chat, v_sequence, p_request, session_user, v_reply, now_ms());
  IF v_sequence % 64 = 0 THEN PERFORM count_new_tables((SELECT last_message FROM chats WHERE key = p_chat)); END IF;
  IF v_sequence % 256 = 0 THEN
    DELETE FROM changes WHERE chat = p_chat AND sequence <= v_sequence - 512 AND made_at < now_ms() - 3600000;
  END IF;
  IF json_array_length(p_changes) > 0 THEN PERFORM pg_notify('offshoot', p_chat::text); END IF;
  RETURN v_reply;
END $f$;

CREATE FUNCTION log_event(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE c chats := writable(p->>'chatId');
BEGIN
  PERFORM add_event(c.key, acting_as(p->>'userId', c.owner), p->>'kind', p->>'branch', p->>'messageId', p->>'details');
  RETURN ROW(c.key, NULL, NULL, '[]'::json)::outcome;
END $f$;
