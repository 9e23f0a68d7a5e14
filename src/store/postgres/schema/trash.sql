-- Deleted items keep their position in the tree, in a separate place that no reader sees: moving them back is the
-- whole undo. A place is a number in its chat.

-- Whether nothing of the chat leads to a message, but for what one comes from.
CREATE FUNCTION is_unheld(p_chat bigint, p_key bigint, p_from bigint) RETURNS boolean LANGUAGE sql STABLE AS $f$
  SELECT EXISTS (SELECT 1 FROM messages WHERE chat = p_chat AND key = p_key AND place = 0)
    AND NOT EXISTS (SELECT 1 FROM branches WHERE chat = p_chat AND head = p_key AND place = 0)
    AND NOT EXISTS (SELECT 1 FROM checkpoints WHERE chat = p_chat AND message = p_key AND place = 0)
    AND NOT EXISTS (SELECT 1 FROM messages WHERE chat = p_chat AND parent = p_key AND place = 0 AND key IS DISTINCT FROM p_from)
$f$;

-- Moves what nothing but a path to this message reaches, from its end up.
CREATE FUNCTION take_unreached(p_chat bigint, p_end bigint, p_place bigint) RETURNS void LANGUAGE plpgsql AS $f$
DECLARE v_from bigint; v_at bigint := p_end; v_taken bigint[] := '{}'; v_read int;
BEGIN
  WHILE v_at IS NOT NULL AND is_unheld(p_chat, v_at, v_from) LOOP
    v_taken := v_taken || v_at;
    v_from := v_at;
    SELECT parent INTO v_at FROM messages WHERE chat = p_chat AND key = v_from;
  END LOOP;
  UPDATE messages SET place = p_place WHERE chat = p_chat AND key = ANY(v_taken);
  SELECT count(*) INTO v_read FROM messages WHERE chat = p_chat AND key = ANY(v_taken) AND type = 'message';
  UPDATE chats SET messages = messages - v_read WHERE key = p_chat AND v_read > 0;
END $f$;

-- Brings a path back, up to where it meets the chat.
CREATE FUNCTION bring_back(p_chat bigint, p_end bigint) RETURNS void LANGUAGE plpgsql AS $f$
DECLARE m messages; v_keys bigint[]; v_read int;
BEGIN
  SELECT * INTO m FROM messages WHERE chat = p_chat AND key = p_end;
  SELECT array_agg(o.key), count(*) FILTER (WHERE o.type = 'message') INTO v_keys, v_read
    FROM stretches(p_chat, m.segment, m.depth, 0) s
    JOIN messages o ON o.chat = p_chat AND o.segment = s.segment AND o.depth <= s.upto WHERE o.place <> 0;
  IF EXISTS (SELECT 1 FROM messages o JOIN messages n ON n.chat = p_chat AND n.id = o.id AND n.place = 0
    WHERE o.chat = p_chat AND o.key = ANY(v_keys)) THEN PERFORM fail('trash-conflict', 'ids'); END IF;
  UPDATE messages SET place = 0 WHERE chat = p_chat AND key = ANY(v_keys);
  UPDATE chats SET messages = messages + v_read WHERE key = p_chat AND v_read > 0;
END $f$;

CREATE FUNCTION new_place(p_chat bigint, p_kind text) RETURNS bigint LANGUAGE plpgsql AS $f$
DECLARE v_place bigint;
BEGIN
  UPDATE chats SET last_place = last_place + 1 WHERE key = p_chat RETURNING last_place INTO v_place;
  INSERT INTO trash (chat, key, id, kind, deleted_at) VALUES (p_chat, v_place, gen_random_uuid()::text, p_kind, now_ms());
  RETURN v_place;
END $f$;

CREATE FUNCTION trash_json(t trash, c chats) RETURNS json LANGUAGE sql STABLE AS $f$
  SELECT json_build_object('id', t.id, 'kind', t.kind, 'chatId', c.id, 'chatTitle', c.title, 'name',
    CASE t.kind WHEN 'branch' THEN (SELECT name FROM branches WHERE chat = t.chat AND place = t.key LIMIT 1)
      WHEN 'checkpoint' THEN (SELECT name FROM checkpoints WHERE chat = t.chat AND place = t.key LIMIT 1) END,
    'messageCount', CASE t.kind WHEN 'chat' THEN c.messages ELSE
      (SELECT count(*) FROM messages WHERE chat = t.chat AND place = t.key AND type = 'message') END,
    'deletedAt', t.deleted_at)
$f$;

CREATE FUNCTION free_checkpoint_name(p_chat bigint, p_name text) RETURNS text LANGUAGE plpgsql STABLE AS $f$
DECLARE v_free text := p_name; v_start text := p_name; v_end text; v_number int := 2;
BEGIN
  WHILE EXISTS (SELECT 1 FROM checkpoints WHERE chat = p_chat AND name = v_free AND place = 0) LOOP
    v_end := ' (' || v_number || ')';
    WHILE name_length(v_start || v_end) > {{MAX_NAME_LENGTH}} LOOP
      v_start := left(v_start, -1);
    END LOOP;
    v_free := v_start || v_end;
    v_number := v_number + 1;
  END LOOP;
  RETURN v_free;
END $f$;

-- The writes.

CREATE FUNCTION delete_chat(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE id = p->>'chatId' AND trashed_at IS NULL FOR NO KEY UPDATE;
  IF c.key IS NULL OR (p->>'userId' IS NOT NULL AND c.owner <> p->>'userId') OR NOT (is_service() OR c.owner = session_user) THEN
    RETURN ROW(NULL, NULL, 'false'::json, '[]'::json)::outcome;
  END IF;
  PERFORM add_event(c.key, acting_as(NULL, c.owner), 'chat-deleted', NULL, NULL, NULL);
  UPDATE chats SET trashed_at = now_ms() WHERE key = c.key;
  INSERT INTO trash (chat, key, id, kind, deleted_at) VALUES (c.key, 0, gen_random_uuid()::text, 'chat', now_ms());
  RETURN ROW(c.key, NULL, 'true'::json, chat_change(c.id, 'deleted'))::outcome;
END $f$;

-- What a branch needs to be deleted or discarded: that it is not the last, and that the user is not on it.
CREATE FUNCTION put_away_branch(c chats, b branches, p_user text) RETURNS bigint LANGUAGE plpgsql AS $f$
DECLARE v_place bigint;
BEGIN
  IF (SELECT count(*) FROM branches WHERE chat = c.key AND place = 0) = 1 THEN PERFORM fail('branch-last', b.name); END IF;
  IF b.key = active_branch(c.key, p_user) THEN PERFORM fail('branch-active', b.name); END IF;
  PERFORM leave_branch(b);
  v_place := new_place(c.key, 'branch');
  UPDATE branches SET place = v_place WHERE chat = c.key AND key = b.key;
  IF b.head IS NOT NULL THEN PERFORM take_unreached(c.key, b.head, v_place); END IF;
  RETURN v_place;
END $f$;

CREATE FUNCTION delete_branch(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  b branches := require_branch(c.key, p->>'name');
  v_head text; t trash; v_place bigint;
BEGIN
  SELECT id INTO v_head FROM messages WHERE chat = c.key AND key = b.head;
  v_place := put_away_branch(c, b, v_user);
  PERFORM add_event(c.key, v_user, 'branch-deleted', b.name, v_head, NULL);
  SELECT * INTO t FROM trash WHERE chat = c.key AND key = v_place;
  RETURN ROW(c.key, NULL, trash_json(t, c), all_changes(branch_change(c.id, b.name, 'deleted')))::outcome;
END $f$;

CREATE FUNCTION delete_checkpoint(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  k checkpoints; v_place bigint; v_message text;
BEGIN
  SELECT * INTO k FROM checkpoints WHERE chat = c.key AND name = p->>'name' AND place = 0;
  IF k.key IS NULL THEN RETURN ROW(NULL, NULL, 'false'::json, '[]'::json)::outcome; END IF;
  SELECT id INTO v_message FROM messages WHERE chat = c.key AND key = k.message;
  v_place := new_place(c.key, 'checkpoint');
  UPDATE checkpoints SET place = v_place WHERE chat = c.key AND key = k.key;
  PERFORM take_unreached(c.key, k.message, v_place);
  PERFORM add_event(c.key, v_user, 'checkpoint-deleted', NULL, v_message, json_build_object('name', k.name)::text);
  RETURN ROW(c.key, NULL, 'true'::json, checkpoint_change(c.id, k.name, 'deleted'))::outcome;
END $f$;

CREATE FUNCTION restore_from_trash(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE t trash; c chats; b branches; k checkpoints; v_user text; v_name text; v_id text;
BEGIN
  SELECT * INTO t FROM trash WHERE id = p->>'id' AND NOT is_leaving;
  IF t.id IS NOT NULL THEN
    SELECT * INTO c FROM chats WHERE key = t.chat FOR NO KEY UPDATE;
    -- Read again under the lock: another call may have restored it.
    SELECT * INTO t FROM trash WHERE id = p->>'id' AND NOT is_leaving;
  END IF;
  IF t.id IS NULL OR NOT (is_service() OR c.owner = session_user OR (c.access = 'write' AND t.kind <> 'chat')) THEN
    PERFORM fail('not-in-trash');
  END IF;
  v_user := acting_as(p->>'userId', c.owner);
  DELETE FROM trash WHERE chat = t.chat AND key = t.key;
  IF t.kind = 'chat' THEN
    v_id := CASE WHEN EXISTS (SELECT 1 FROM chats WHERE id = c.id AND trashed_at IS NULL) THEN gen_random_uuid()::text ELSE c.id END;
    UPDATE chats SET id = v_id, trashed_at = NULL WHERE key = c.key;
    PERFORM add_event(c.key, v_user, 'chat-undeleted', NULL, NULL, NULL);
    RETURN ROW(c.key, NULL, json_build_object('kind', 'chat', 'chatId', v_id), chat_change(v_id, 'created'))::outcome;
  END IF;
  IF c.trashed_at IS NOT NULL THEN PERFORM fail('trash-conflict', 'chat'); END IF;
  IF t.kind = 'branch' THEN
    SELECT * INTO b FROM branches WHERE chat = c.key AND place = t.key;
    IF b.head IS NOT NULL THEN PERFORM bring_back(c.key, b.head); END IF;
    v_name := CASE WHEN EXISTS (SELECT 1 FROM branches WHERE chat = c.key AND name = b.name AND place = 0)
      THEN next_branch_name(c.key, b.name, NULL) ELSE b.name END;
    UPDATE branches SET place = 0, name = v_name WHERE chat = c.key AND key = b.key;
    PERFORM add_event(c.key, v_user, 'branch-undeleted', v_name, NULL, NULL);
    RETURN ROW(c.key, NULL, json_build_object('kind', 'branch', 'chatId', c.id, 'name', v_name),
      all_changes(branch_change(c.id, v_name, 'created')))::outcome;
  END IF;
  SELECT * INTO k FROM checkpoints WHERE chat = c.key AND place = t.key;
  PERFORM bring_back(c.key, k.message);
  v_name := free_checkpoint_name(c.key, k.name);
  UPDATE checkpoints SET place = 0, name = v_name WHERE chat = c.key AND key = k.key;
  PERFORM add_event(c.key, v_user, 'checkpoint-undeleted', NULL, NULL, json_build_object('name', v_name)::text);
  RETURN ROW(c.key, NULL, json_build_object('kind', 'checkpoint', 'chatId', c.id, 'name', v_name),
    checkpoint_change(c.id, v_name, 'set'))::outcome;
END $f$;
