-- Version 2: answers under ids of their own, which any program may watch, cancel and reopen. Each is a draft with an id,
-- so that a branch has several; the other drafts have '' in its place. Every write but a cancel names the claim of its
-- writer: of two writers only the one that came last can write, and a write may be repeated.

ALTER TABLE drafts
  ADD COLUMN answer_id text NOT NULL DEFAULT '',
  ADD COLUMN number bigint NOT NULL DEFAULT 0,
  ADD COLUMN claim text,
  ADD COLUMN revision bigint NOT NULL DEFAULT 0,
  ADD COLUMN after_id text,
  ADD COLUMN status text CHECK (status IN ('running', 'failed', 'cancelled')),
  -- A text as JSON, which may contain NUL.
  ADD COLUMN error text,
  -- A column of its own, so that no save of the writer undoes a cancel.
  ADD COLUMN cancel_at bigint;
ALTER TABLE drafts DROP CONSTRAINT drafts_pkey;
ALTER TABLE drafts ADD CONSTRAINT drafts_pkey PRIMARY KEY (chat, branch, user_id, answer_id);

-- The other drafts are one for each branch and user, as before.

CREATE OR REPLACE FUNCTION save_draft(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE c chats := writable_now(p->>'chatId'); b branches := require_branch(c.key, p->>'branch');
BEGIN
  INSERT INTO drafts (chat, branch, user_id, data, updated_at, client)
    VALUES (c.key, b.key, acting_as(p->>'userId', c.owner), p->>'data', now_ms(), (p->>'client')::uuid)
    ON CONFLICT (chat, branch, user_id, answer_id) DO UPDATE
      SET data = excluded.data, updated_at = excluded.updated_at, client = excluded.client;
  IF c.access <> 'private' OR is_service() THEN PERFORM pg_notify('offshoot_draft', c.key::text); END IF;
  RETURN ROW(NULL, NULL, NULL, '[]'::json)::outcome;
END $f$;

CREATE OR REPLACE FUNCTION delete_draft(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE id = p->>'chatId' AND trashed_at IS NULL;
  IF c.key IS NOT NULL AND may_read(c, NULL) THEN
    DELETE FROM drafts d USING branches b
      WHERE b.chat = c.key AND b.name = p->>'branch' AND b.place = 0
        AND d.chat = c.key AND d.branch = b.key AND d.user_id = acting_as(p->>'userId', c.owner) AND d.answer_id = '';
    IF FOUND THEN PERFORM pg_notify('offshoot_draft', c.key::text); END IF;
  END IF;
  RETURN ROW(NULL, NULL, NULL, '[]'::json)::outcome;
END $f$;

CREATE OR REPLACE FUNCTION list_drafts(p_chat text, p_user text, p_except uuid)
RETURNS TABLE (chat_id text, branch text, user_id text, data text, updated_at float8, client text, is_alive boolean)
LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT c.id, b.name, d.user_id, d.data, d.updated_at::float8, d.client::text, is_there(d.client)
    FROM drafts d JOIN chats c ON c.key = d.chat JOIN branches b ON b.chat = d.chat AND b.key = d.branch AND b.place = 0
    WHERE c.trashed_at IS NULL AND (p_chat IS NULL OR c.id = p_chat) AND may_read(c, NULL) AND d.answer_id = ''
      AND CASE WHEN p_except IS NOT NULL THEN d.client <> p_except ELSE d.user_id = acting_as(p_user, c.owner) END
    ORDER BY d.chat, d.branch, d.user_id;
END $entry$;

-- A chat to be written to without waiting for those who change it.
CREATE FUNCTION writable_now(p_id text) RETURNS chats LANGUAGE plpgsql STABLE AS $f$
DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE id = p_id AND trashed_at IS NULL;
  IF c.key IS NULL OR NOT may_read(c, NULL) THEN PERFORM fail('chat-not-found', p_id); END IF;
  IF c.access <> 'write' AND c.owner <> session_user AND NOT is_service() THEN PERFORM fail('chat-shared-to-read', c.id); END IF;
  RETURN c;
END $f$;

-- An answer to be changed: nobody else changes it until this transaction ends.
CREATE FUNCTION find_answer(p_chat bigint, p_id text) RETURNS drafts LANGUAGE plpgsql AS $f$
DECLARE v_found drafts;
BEGIN
  SELECT d.* INTO v_found FROM drafts d JOIN branches b ON b.chat = d.chat AND b.key = d.branch AND b.place = 0
    WHERE d.chat = p_chat AND d.answer_id = p_id AND p_id <> '' FOR UPDATE OF d;
  RETURN v_found;
END $f$;

CREATE FUNCTION claimed_answer(p_chat bigint, p json) RETURNS drafts LANGUAGE plpgsql AS $f$
DECLARE d drafts := find_answer(p_chat, p->>'answerId');
BEGIN
  IF d.claim IS NULL THEN PERFORM fail('answer-not-found', p->>'answerId'); END IF;
  IF d.claim <> p->>'claim' THEN PERFORM fail('answer-taken', p->>'answerId'); END IF;
  RETURN d;
END $f$;

-- What is told of a change of an answer, here and to those who listen.
CREATE FUNCTION tell_answer(c chats, d drafts, p_change text) RETURNS json LANGUAGE plpgsql AS $f$
BEGIN
  PERFORM pg_notify('offshoot_draft', c.key::text);
  RETURN json_build_object('kind', 'draft', 'chatId', c.id, 'change', p_change, 'answerId', d.answer_id,
    'branch', (SELECT name FROM branches WHERE chat = d.chat AND key = d.branch));
END $f$;

-- Who writes an answer is there, also before the client has said so itself.
CREATE FUNCTION note_presence(p_client uuid, p_user text) RETURNS void LANGUAGE sql AS $f$
  INSERT INTO presence (client, user_name, user_id, seen_at) VALUES (p_client, session_user, p_user, now_ms())
    ON CONFLICT (client) DO UPDATE SET seen_at = excluded.seen_at WHERE presence.user_name = session_user
$f$;

-- The writes.

CREATE FUNCTION claim_answer(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  v_id text := p->>'answerId';
  d drafts := find_answer(c.key, v_id);
  b branches;
BEGIN
  IF d.claim = p->>'claim' THEN RETURN ROW(NULL, NULL, NULL, '[]'::json)::outcome; END IF;
  IF d.claim IS NOT NULL THEN PERFORM fail('answer-running', v_id); END IF;
  IF EXISTS (SELECT 1 FROM messages WHERE chat = c.key AND id = v_id AND place = 0) THEN PERFORM fail('message-exists', v_id); END IF;
  b := require_branch(c.key, p->>'branch');
  INSERT INTO drafts (chat, branch, user_id, answer_id, number, after_id, claim, status, data, updated_at, client)
    VALUES (c.key, b.key, v_user, v_id, (SELECT coalesce(max(number), 0) + 1 FROM drafts WHERE chat = c.key),
      p->>'afterId', p->>'claim', 'running', p->>'data', now_ms(), (p->>'client')::uuid)
    RETURNING * INTO d;
  PERFORM note_presence(d.client, v_user);
  RETURN ROW(NULL, NULL, NULL, json_build_array(tell_answer(c, d, 'saved')))::outcome;
END $f$;

CREATE FUNCTION reclaim_answer(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable_now(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  v_id text := p->>'answerId';
  d drafts := find_answer(c.key, v_id);
BEGIN
  IF d.claim IS NULL THEN
    PERFORM fail(CASE WHEN EXISTS (SELECT 1 FROM messages WHERE chat = c.key AND id = v_id AND place = 0)
      THEN 'message-exists' ELSE 'answer-not-found' END, v_id);
  END IF;
  IF d.claim = p->>'claim' THEN RETURN ROW(NULL, NULL, NULL, '[]'::json)::outcome; END IF;
  IF d.claim <> p->>'replaces' THEN PERFORM fail('answer-running', v_id); END IF;
  UPDATE drafts SET claim = p->>'claim', client = (p->>'client')::uuid, status = 'running', error = NULL, cancel_at = NULL,
      revision = revision + 1, updated_at = now_ms()
    WHERE chat = d.chat AND branch = d.branch AND user_id = d.user_id AND answer_id = d.answer_id;
  PERFORM note_presence((p->>'client')::uuid, v_user);
  RETURN ROW(NULL, NULL, NULL, json_build_array(tell_answer(c, d, 'saved')))::outcome;
END $f$;

CREATE FUNCTION save_answer(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable_now(p->>'chatId');
  d drafts := claimed_answer(c.key, p);
  v_outcome text := p->>'outcome';
  -- A cancel counts, whatever else ends it.
  v_status text := CASE WHEN v_outcome IS NULL OR v_outcome = 'interrupted' THEN d.status
    WHEN d.cancel_at IS NOT NULL THEN 'cancelled' ELSE v_outcome END;
BEGIN
  UPDATE drafts SET data = coalesce(p->>'data', data), status = v_status, revision = revision + 1, updated_at = now_ms(),
      error = CASE WHEN v_status = 'failed' THEN p->>'error' END,
      client = CASE WHEN v_outcome = 'interrupted' THEN NULL ELSE client END
    WHERE chat = d.chat AND branch = d.branch AND user_id = d.user_id AND answer_id = d.answer_id;
  RETURN ROW(NULL, NULL, to_json(d.cancel_at IS NULL), json_build_array(tell_answer(c, d, 'saved')))::outcome;
END $f$;

-- The message and the draft are never both there, and never both gone.
CREATE FUNCTION finish_answer(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  d drafts := claimed_answer(c.key, p);
  v_branch text; v outcome;
BEGIN
  IF d.cancel_at IS NOT NULL THEN PERFORM fail('answer-cancelled', d.answer_id); END IF;
  SELECT name INTO v_branch FROM branches WHERE chat = d.chat AND key = d.branch;
  DELETE FROM drafts WHERE chat = d.chat AND branch = d.branch AND user_id = d.user_id AND answer_id = d.answer_id;
  v := save_messages(with_member('branch', to_json(v_branch), with_member('expectedHead', to_json(d.after_id), p->>'save'))::json);
  v.result := v.result->'branch';
  v.changes := all_changes(VARIADIC ARRAY(SELECT json_array_elements(v.changes)) || tell_answer(c, d, 'removed'));
  RETURN v;
END $f$;

CREATE FUNCTION cancel_answer(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE c chats := writable_now(p->>'chatId'); d drafts := find_answer(c.key, p->>'answerId');
BEGIN
  IF d.claim IS NULL OR d.status = 'failed' THEN RETURN ROW(NULL, NULL, 'false'::json, '[]'::json)::outcome; END IF;
  IF d.cancel_at IS NOT NULL THEN RETURN ROW(NULL, NULL, 'true'::json, '[]'::json)::outcome; END IF;
  UPDATE drafts SET cancel_at = now_ms(), revision = revision + 1
    WHERE chat = d.chat AND branch = d.branch AND user_id = d.user_id AND answer_id = d.answer_id;
  RETURN ROW(NULL, NULL, 'true'::json, json_build_array(tell_answer(c, d, 'saved')))::outcome;
END $f$;

CREATE FUNCTION discard_answer(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE c chats := writable_now(p->>'chatId'); d drafts := find_answer(c.key, p->>'answerId');
BEGIN
  IF d.claim IS DISTINCT FROM p->>'claim' THEN RETURN ROW(NULL, NULL, 'false'::json, '[]'::json)::outcome; END IF;
  DELETE FROM drafts WHERE chat = d.chat AND branch = d.branch AND user_id = d.user_id AND answer_id = d.answer_id;
  RETURN ROW(NULL, NULL, 'true'::json, json_build_array(tell_answer(c, d, 'removed')))::outcome;
END $f$;

-- The reads.

-- What became of an answer, as seen by a client, which knows of itself that it is there. A replica knows of nobody:
-- there an answer runs until the server that is written to says what became of it.
CREATE FUNCTION answer_status(d drafts, p_self uuid) RETURNS text LANGUAGE plpgsql STABLE AS $f$
BEGIN
  IF d.status <> 'running' THEN RETURN d.status; END IF;
  IF d.client IS NULL OR NOT (d.client = p_self OR pg_is_in_recovery() OR is_there(d.client)) THEN
    RETURN CASE WHEN d.cancel_at IS NULL THEN 'interrupted' ELSE 'cancelled' END;
  END IF;
  RETURN CASE WHEN d.cancel_at < now_ms() - {{CANCEL_GRACE_MS}} THEN 'cancelled' ELSE 'running' END;
END $f$;

CREATE FUNCTION answer_version(d drafts) RETURNS text LANGUAGE sql STABLE AS $f$
  SELECT d.claim || ':' || d.revision
$f$;

CREATE FUNCTION list_answers(p_chat text, p_id text, p_content boolean, p_self uuid)
RETURNS TABLE (id text, branch text, user_id text, status text, is_cancelled boolean, error text, data text, version text,
  claim text, updated_at float8)
LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat);
BEGIN
  RETURN QUERY SELECT d.answer_id, b.name, d.user_id, answer_status(d, p_self), d.cancel_at IS NOT NULL, d.error,
      CASE WHEN p_content THEN d.data END, answer_version(d), d.claim, d.updated_at::float8
    FROM drafts d JOIN branches b ON b.chat = d.chat AND b.key = d.branch AND b.place = 0
    WHERE d.chat = c.key AND d.answer_id <> '' AND (p_id IS NULL OR d.answer_id = p_id) ORDER BY d.number;
END $entry$;

-- For those who are told that something has changed.
CREATE FUNCTION answer_versions(p_chat text) RETURNS TABLE (id text, branch text, version text) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT d.answer_id, b.name, answer_version(d)
    FROM chats c JOIN drafts d ON d.chat = c.key JOIN branches b ON b.chat = d.chat AND b.key = d.branch AND b.place = 0
    WHERE c.id = p_chat AND c.trashed_at IS NULL AND may_read(c, NULL) AND d.answer_id <> '' ORDER BY d.number;
END $entry$;
