-- Access control. The user is the role that logged in (session_user), which a client cannot change: no session
-- variable is read. The role that owns the schema, and its members, act for the users they name, as a program with
-- its own accounts does. What is SECURITY DEFINER is a function for clients: it runs as the owner of the tables, and
-- checks the caller itself.

CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $f$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$f$;

CREATE FUNCTION fail(p_code text, VARIADIC p_args text[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $f$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'OF001', MESSAGE = p_code, DETAIL = to_json(p_args)::text;
END $f$;

-- Clients' calls run as the owner of the tables, so the current user is the owner for every caller.
CREATE FUNCTION is_service() RETURNS boolean LANGUAGE sql STABLE AS $f$
  SELECT pg_has_role(session_user, current_user, 'MEMBER')
$f$;

-- As whom something is done: a person as themself, a service as whom it says.
CREATE FUNCTION acting_as(p_user text, p_default text) RETURNS text LANGUAGE plpgsql STABLE AS $f$
BEGIN
  IF is_service() THEN RETURN coalesce(p_user, p_default, session_user::text); END IF;
  IF p_user IS NOT NULL AND p_user <> session_user THEN PERFORM fail('not-this-user', p_user, session_user::text); END IF;
  RETURN session_user;
END $f$;

-- Whether a user may read a chat; null: a service that asks for nobody in particular.
CREATE FUNCTION may_read(c chats, p_user text) RETURNS boolean LANGUAGE sql STABLE AS $f$
  SELECT c.owner = coalesce(p_user, session_user::text) OR c.access <> 'private' OR (p_user IS NULL AND is_service())
$f$;

-- A chat to be read. It fails in the same way for a missing chat and for another user's.
CREATE FUNCTION readable(p_id text) RETURNS chats LANGUAGE plpgsql STABLE AS $f$
DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE id = p_id AND trashed_at IS NULL;
  IF c.key IS NULL OR NOT may_read(c, NULL) THEN PERFORM fail('chat-not-found', p_id); END IF;
  RETURN c;
END $f$;

-- A chat to be changed: nobody else changes it until this transaction ends.
CREATE FUNCTION writable(p_id text) RETURNS chats LANGUAGE plpgsql AS $f$
DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE id = p_id AND trashed_at IS NULL FOR NO KEY UPDATE;
  IF c.key IS NULL OR NOT may_read(c, NULL) THEN PERFORM fail('chat-not-found', p_id); END IF;
  IF c.access <> 'write' AND c.owner <> session_user AND NOT is_service() THEN PERFORM fail('chat-shared-to-read', p_id); END IF;
  RETURN c;
END $f$;

CREATE FUNCTION readable_chats() RETURNS SETOF bigint LANGUAGE sql STABLE AS $f$
  SELECT key FROM chats c WHERE is_service() OR c.owner = session_user OR c.access <> 'private'
$f$;

CREATE FUNCTION may_read_blob(p_hash text) RETURNS boolean LANGUAGE sql STABLE AS $f$
  SELECT is_service()
    OR EXISTS (SELECT 1 FROM blob_puts WHERE hash = p_hash AND user_name = session_user)
    OR EXISTS (SELECT 1 FROM message_blobs b JOIN chats c ON c.key = b.chat
      WHERE b.hash = p_hash AND (c.owner = session_user OR c.access <> 'private'))
$f$;

-- What users can read with their own SQL, in addition to the functions. They cannot change anything.
ALTER TABLE segments ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON segments FOR SELECT USING (EXISTS (SELECT 1 FROM chats WHERE chats.key = chat));
ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON messages FOR SELECT USING (EXISTS (SELECT 1 FROM chats WHERE chats.key = chat));
ALTER TABLE branches ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON branches FOR SELECT USING (EXISTS (SELECT 1 FROM chats WHERE chats.key = chat));
ALTER TABLE checkpoints ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON checkpoints FOR SELECT USING (EXISTS (SELECT 1 FROM chats WHERE chats.key = chat));
ALTER TABLE trash ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON trash FOR SELECT USING (EXISTS (SELECT 1 FROM chats WHERE chats.key = chat));
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON events FOR SELECT USING (EXISTS (SELECT 1 FROM chats WHERE chats.key = chat));
ALTER TABLE message_blobs ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON message_blobs FOR SELECT USING (EXISTS (SELECT 1 FROM chats WHERE chats.key = chat));
ALTER TABLE chats ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON chats FOR SELECT USING (owner = session_user OR access <> 'private');
ALTER TABLE active_branches ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON active_branches FOR SELECT USING (user_id = session_user);
ALTER TABLE drafts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON drafts FOR SELECT USING (user_id = session_user);
ALTER TABLE shared_state ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON shared_state FOR SELECT USING (scope = 'app' OR owner = session_user);
ALTER TABLE shared_artifacts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON shared_artifacts FOR SELECT USING (owner = session_user);
ALTER TABLE changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE blobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE blob_puts ENABLE ROW LEVEL SECURITY;
ALTER TABLE presence ENABLE ROW LEVEL SECURITY;
