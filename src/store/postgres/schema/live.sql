-- Presence, and missed changes.

-- A replica knows nobody: presence is not written ahead.
CREATE FUNCTION is_there(p_client uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $f$
BEGIN
  IF pg_is_in_recovery() THEN RETURN false; END IF;
  RETURN EXISTS (SELECT 1 FROM presence p WHERE p.client = p_client AND p.seen_at > now_ms() - 15000);
END $f$;

CREATE FUNCTION hello() RETURNS json LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN json_build_object('version', (SELECT max(version) FROM schema_versions), 'user', session_user::text, 'isService', is_service(),
    'isReadOnly', pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean);
END $entry$;

CREATE FUNCTION beat(p_client uuid, p_user text, p_chat text, p_branch text) RETURNS void LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats; v_user text := acting_as(p_user, NULL); v_before presence;
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
END $entry$;

CREATE FUNCTION leave(p_client uuid) RETURNS void LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE v_chat bigint;
BEGIN
  DELETE FROM presence WHERE client = p_client AND user_name = session_user RETURNING chat INTO v_chat;
  IF v_chat IS NOT NULL THEN PERFORM pg_notify('offshoot_presence', v_chat::text); END IF;
END $entry$;

CREATE FUNCTION list_presence(p_chat text)
RETURNS TABLE (user_id text, branch text, client text) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat);
BEGIN
  IF pg_is_in_recovery() THEN RETURN; END IF;
  RETURN QUERY SELECT p.user_id, p.branch, p.client::text FROM presence p
    WHERE p.chat = c.key AND p.seen_at > now_ms() - 15000 ORDER BY p.user_id, p.client;
END $entry$;

CREATE FUNCTION last_changes() RETURNS TABLE (chat float8, chat_id text, sequence float8) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT c.key::float8, c.id, c.last_change::float8 FROM chats c WHERE may_read(c, NULL);
END $entry$;

CREATE FUNCTION changes_since(p_chat bigint, p_sequence bigint)
RETURNS TABLE (chat_id text, sequence float8, request text, changes json) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE key = p_chat;
  IF c.key IS NULL OR NOT may_read(c, NULL) THEN RETURN; END IF;
  RETURN QUERY SELECT c.id, s.sequence::float8, s.request::text, s.reply::json->'changes' FROM changes s
    WHERE s.chat = c.key AND s.sequence > p_sequence ORDER BY s.sequence LIMIT 1000;
END $entry$;

CREATE FUNCTION chat_id_of(p_chat bigint) RETURNS text LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE key = p_chat;
  RETURN CASE WHEN may_read(c, NULL) THEN c.id END;
END $entry$;
