-- Chats themselves, checkpoints and drafts: the writes.

CREATE FUNCTION chat_json(c chats) RETURNS json LANGUAGE sql STABLE AS $f$
  SELECT json_build_object('id', c.id, 'userId', c.owner, 'title', c.title, 'metadata', c.metadata,
    'createdAt', c.created_at, 'updatedAt', c.updated_at)
$f$;

-- Makes a chat with its first branch; one of that id is opened instead, where that is asked for.
CREATE FUNCTION create_chat(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE c chats; b branches; v_none branches; v_user text := acting_as(p->>'userId', NULL); v_now bigint := now_ms();
BEGIN
  INSERT INTO chats (id, owner, title, metadata, created_at, updated_at)
    VALUES (p->>'id', v_user, p->>'title', coalesce(p->>'metadata', '{}'), v_now, v_now)
    ON CONFLICT (id) WHERE trashed_at IS NULL DO NOTHING RETURNING * INTO c;
  IF c.key IS NULL THEN
    IF NOT coalesce((p->>'orOpen')::boolean, false) THEN PERFORM fail('chat-exists', p->>'id'); END IF;
    SELECT * INTO c FROM chats WHERE id = p->>'id' AND trashed_at IS NULL;
    IF c.key IS NULL OR NOT may_read(c, v_user) THEN PERFORM fail('chat-not-found', p->>'id'); END IF;
    RETURN ROW(NULL, NULL, chat_json(c), '[]'::json)::outcome;
  END IF;
  b := insert_branch(c.key, NULL, NULL, v_none, NULL);
  PERFORM put_on(c.key, v_user, b.key);
  PERFORM add_event(c.key, v_user, 'chat-created', b.name, NULL, NULL);
  RETURN ROW(c.key, NULL, chat_json(c), chat_change(c.id, 'created'))::outcome;
END $f$;

-- Changes a chat that is as it was seen; null: it is another by now, and nothing was changed.
CREATE FUNCTION update_seen_chat(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE c chats := writable(p->>'chatId');
BEGIN
  IF c.title IS DISTINCT FROM p->>'seenTitle' OR c.metadata <> p->>'seenMetadata' THEN
    RETURN ROW(NULL, NULL, NULL, '[]'::json)::outcome;
  END IF;
  UPDATE chats SET title = p->>'title', metadata = p->>'metadata',
      updated_at = CASE WHEN (p->>'isUse')::boolean THEN greatest(updated_at, now_ms()) ELSE updated_at END
    WHERE key = c.key RETURNING * INTO c;
  RETURN ROW(c.key, NULL, chat_json(c), chat_change(c.id, 'updated'))::outcome;
END $f$;

CREATE FUNCTION save_title(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE c chats := writable(p->>'chatId');
BEGIN
  IF p->>'replaces' IS NOT NULL THEN
    IF c.title IS DISTINCT FROM p->>'replaces' THEN RETURN ROW(NULL, NULL, 'false'::json, '[]'::json)::outcome; END IF;
    UPDATE chats SET title = p->>'title' WHERE key = c.key;
  END IF;
  PERFORM add_event(c.key, acting_as(p->>'userId', c.owner), 'titled', NULL, p->>'messageId', p->>'details');
  RETURN ROW(c.key, NULL, 'true'::json, chat_change(c.id, 'updated'))::outcome;
END $f$;

CREATE FUNCTION share_chat(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE c chats := writable(p->>'chatId');
BEGIN
  IF c.owner <> session_user AND NOT is_service() THEN PERFORM fail('not-the-owner', c.id); END IF;
  UPDATE chats SET access = p->>'access' WHERE key = c.key;
  RETURN ROW(c.key, NULL, NULL, chat_change(c.id, 'updated'))::outcome;
END $f$;

CREATE FUNCTION checkpoint_json(c chats, k checkpoints) RETURNS json LANGUAGE sql STABLE AS $f$
  SELECT json_build_object('id', k.id, 'chatId', c.id, 'name', k.name, 'messageId', m.id, 'createdAt', k.created_at)
  FROM messages m WHERE m.chat = k.chat AND m.key = k.message
$f$;

CREATE FUNCTION insert_checkpoint(p_chat bigint, p_name text, p_message bigint, p_place bigint, p_at bigint)
RETURNS checkpoints LANGUAGE plpgsql AS $f$
DECLARE k checkpoints; v_key bigint;
BEGIN
  UPDATE chats SET last_checkpoint = last_checkpoint + 1 WHERE key = p_chat RETURNING last_checkpoint INTO v_key;
  INSERT INTO checkpoints (chat, key, id, name, message, place, created_at)
    VALUES (p_chat, v_key, gen_random_uuid()::text, p_name, p_message, p_place, p_at) RETURNING * INTO k;
  RETURN k;
END $f$;

CREATE FUNCTION set_checkpoint(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  m messages := require_message(c.key, p->>'messageId');
  k checkpoints; v_before text; v_left bigint; v_place bigint; v_key bigint;
BEGIN
  SELECT * INTO k FROM checkpoints WHERE chat = c.key AND name = p->>'name' AND place = 0;
  IF k.key IS NULL THEN
    k := insert_checkpoint(c.key, p->>'name', m.key, 0, now_ms());
    PERFORM add_event(c.key, v_user, 'checkpoint-set', NULL, m.id, json_build_object('name', k.name, 'from', NULL)::text);
    RETURN ROW(c.key, NULL, checkpoint_json(c, k), checkpoint_change(c.id, k.name, 'set'))::outcome;
  END IF;
  v_left := k.message;
  SELECT id INTO v_before FROM messages WHERE chat = c.key AND key = v_left;
  -- It comes after all that were set before.
  UPDATE chats SET last_checkpoint = last_checkpoint + 1 WHERE key = c.key RETURNING last_checkpoint INTO v_key;
  UPDATE checkpoints SET key = v_key, message = m.key, created_at = now_ms() WHERE chat = c.key AND key = k.key RETURNING * INTO k;
  -- It may have been all that led to what it marked: that stays to be found in the trash.
  IF v_left <> m.key AND is_unheld(c.key, v_left, NULL) THEN
    v_place := new_place(c.key, 'checkpoint');
    PERFORM insert_checkpoint(c.key, k.name, v_left, v_place, now_ms());
    PERFORM take_unreached(c.key, v_left, v_place);
  END IF;
  PERFORM add_event(c.key, v_user, 'checkpoint-moved', NULL, m.id, json_build_object('name', k.name, 'from', v_before)::text);
  RETURN ROW(c.key, NULL, checkpoint_json(c, k), checkpoint_change(c.id, k.name, 'moved'))::outcome;
END $f$;

CREATE FUNCTION rename_checkpoint(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  k checkpoints; v_new text := p->>'newName';
BEGIN
  SELECT * INTO k FROM checkpoints WHERE chat = c.key AND name = p->>'name' AND place = 0;
  IF k.key IS NULL THEN PERFORM fail('checkpoint-not-found', p->>'name'); END IF;
  IF v_new <> k.name AND EXISTS (SELECT 1 FROM checkpoints WHERE chat = c.key AND name = v_new AND place = 0) THEN
    PERFORM fail('checkpoint-exists', v_new);
  END IF;
  UPDATE checkpoints SET name = v_new WHERE chat = c.key AND key = k.key RETURNING * INTO k;
  PERFORM add_event(c.key, v_user, 'checkpoint-renamed', NULL, NULL,
    json_build_object('name', v_new, 'from', p->>'name')::text);
  RETURN ROW(c.key, NULL, checkpoint_json(c, k), checkpoint_change(c.id, v_new, 'renamed'))::outcome;
END $f$;

CREATE FUNCTION save_draft(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE c chats; b branches; v_user text;
BEGIN
  -- It waits for nobody who changes the chat.
  SELECT * INTO c FROM chats WHERE id = p->>'chatId' AND trashed_at IS NULL;
  IF c.key IS NULL OR NOT may_read(c, NULL) THEN PERFORM fail('chat-not-found', p->>'chatId'); END IF;
  IF c.access <> 'write' AND c.owner <> session_user AND NOT is_service() THEN PERFORM fail('chat-shared-to-read', c.id); END IF;
  b := require_branch(c.key, p->>'branch');
  v_user := acting_as(p->>'userId', c.owner);
  INSERT INTO drafts (chat, branch, user_id, data, updated_at, client)
    VALUES (c.key, b.key, v_user, p->>'data', now_ms(), (p->>'client')::uuid)
    ON CONFLICT (chat, branch, user_id) DO UPDATE
      SET data = excluded.data, updated_at = excluded.updated_at, client = excluded.client;
  IF c.access <> 'private' OR is_service() THEN PERFORM pg_notify('offshoot_draft', c.key::text); END IF;
  RETURN ROW(NULL, NULL, NULL, '[]'::json)::outcome;
END $f$;

CREATE FUNCTION delete_draft(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE id = p->>'chatId' AND trashed_at IS NULL;
  IF c.key IS NOT NULL AND may_read(c, NULL) THEN
    DELETE FROM drafts d USING branches b
      WHERE b.chat = c.key AND b.name = p->>'branch' AND b.place = 0
        AND d.chat = c.key AND d.branch = b.key AND d.user_id = acting_as(p->>'userId', c.owner);
    IF FOUND THEN PERFORM pg_notify('offshoot_draft', c.key::text); END IF;
  END IF;
  RETURN ROW(NULL, NULL, NULL, '[]'::json)::outcome;
END $f$;
