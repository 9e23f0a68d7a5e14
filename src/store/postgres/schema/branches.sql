-- Branches: naming, reading, making, leaving and changing them.

-- What is called with every save is in PL/pgSQL, which keeps its plans.
CREATE FUNCTION active_branch(p_chat bigint, p_user text) RETURNS bigint LANGUAGE plpgsql STABLE AS $f$
DECLARE v_key bigint;
BEGIN
  SELECT branch INTO v_key FROM active_branches WHERE chat = p_chat AND user_id = p_user;
  IF v_key IS NULL THEN
    SELECT key INTO v_key FROM branches WHERE chat = p_chat AND place = 0 ORDER BY archived_at IS NOT NULL, key LIMIT 1;
  END IF;
  RETURN v_key;
END $f$;

CREATE FUNCTION branches_json(c chats, p_user text, p_key bigint, p_archived boolean) RETURNS json LANGUAGE sql STABLE AS $f$
  SELECT coalesce(json_agg(json_build_object('id', b.id, 'chatId', c.id, 'name', b.name, 'headMessageId', h.id,
      'forkMessageId', f.id, 'parentBranch', p.name, 'isActive', b.key = a.key, 'messageCount', coalesce(h.message_count, 0),
      'createdAt', b.created_at, 'archivedAt', b.archived_at) ORDER BY b.key), '[]')
  FROM (SELECT active_branch(c.key, p_user) AS key) a, branches b
    LEFT JOIN messages h ON h.chat = b.chat AND h.key = b.head
    LEFT JOIN messages f ON f.chat = b.chat AND f.key = b.fork
    LEFT JOIN branches p ON p.chat = b.chat AND p.key = b.parent AND p.place = 0
  WHERE b.chat = c.key AND b.place = 0 AND (p_key IS NULL OR b.key = p_key) AND (p_archived OR b.archived_at IS NULL)
$f$;

CREATE FUNCTION branch_json(c chats, p_user text, p_key bigint) RETURNS json LANGUAGE plpgsql STABLE AS $f$
DECLARE b branches; v_head text; v_count int; v_fork text; v_parent text;
BEGIN
  SELECT * INTO b FROM branches WHERE chat = c.key AND key = p_key;
  IF b.head IS NOT NULL THEN SELECT id, message_count INTO v_head, v_count FROM messages WHERE chat = c.key AND key = b.head; END IF;
  IF b.fork IS NOT NULL THEN SELECT id INTO v_fork FROM messages WHERE chat = c.key AND key = b.fork; END IF;
  IF b.parent IS NOT NULL THEN SELECT name INTO v_parent FROM branches WHERE chat = c.key AND key = b.parent AND place = 0; END IF;
  RETURN json_build_object('id', b.id, 'chatId', c.id, 'name', b.name, 'headMessageId', v_head, 'forkMessageId', v_fork,
    'parentBranch', v_parent, 'isActive', b.key = active_branch(c.key, p_user), 'messageCount', coalesce(v_count, 0),
    'createdAt', b.created_at, 'archivedAt', b.archived_at);
END $f$;

CREATE FUNCTION require_branch(p_chat bigint, p_name text) RETURNS branches LANGUAGE plpgsql STABLE AS $f$
DECLARE b branches;
BEGIN
  SELECT * INTO b FROM branches WHERE chat = p_chat AND name = p_name AND place = 0;
  IF b.key IS NULL THEN PERFORM fail('branch-not-found', p_name); END IF;
  RETURN b;
END $f$;

-- The length of a name as JavaScript counts it: a character that does not fit into 16 bits counts twice.
CREATE FUNCTION name_length(p_name text) RETURNS int LANGUAGE sql IMMUTABLE AS $f$
  SELECT coalesce(sum(CASE WHEN ascii(c) > 65535 THEN 2 ELSE 1 END), 0)::int FROM unnest(string_to_array(p_name, NULL)) c
$f$;

-- The name of the next branch made from one: see nextBranchName of the engine.
CREATE FUNCTION next_branch_name(p_chat bigint, p_from text, p_naming text) RETURNS text LANGUAGE plpgsql STABLE AS $f$
DECLARE
  v_prefix text := CASE p_naming WHEN 'flat' THEN 'main' ELSE p_from END || '-v';
  -- What begins with the prefix comes before it.
  v_end text := left(v_prefix, -1) || 'w';
  v_highest bigint;
  v_next bigint;
BEGIN
  SELECT max(substr(n.name, length(v_prefix) + 1)::bigint) INTO v_highest
  FROM (
    SELECT name FROM branches WHERE chat = p_chat AND place = 0 AND name >= v_prefix AND name < v_end
    UNION ALL SELECT branch FROM events
    WHERE p_naming = 'flat' AND chat = p_chat AND branch >= v_prefix AND branch < v_end AND {{isNoMove}}
  ) n
  WHERE substr(n.name, length(v_prefix) + 1) ~ '^[1-9][0-9]{0,14}$';
  v_next := greatest(coalesce(v_highest, 1), 1) + 1;
  -- The number of a taken name may be too large to count.
  WHILE EXISTS (SELECT 1 FROM branches WHERE chat = p_chat AND name = v_prefix || v_next AND place = 0) LOOP
    v_next := v_next + 1;
  END LOOP;
  IF p_naming IS DISTINCT FROM 'flat' AND name_length(v_prefix || v_next) > {{MAX_NAME_LENGTH}} THEN
    RETURN next_branch_name(p_chat, p_from, 'flat');
  END IF;
  RETURN v_prefix || v_next;
END $f$;

CREATE FUNCTION insert_branch(p_chat bigint, p_name text, p_naming text, p_parent branches, p_head bigint)
RETURNS branches LANGUAGE plpgsql AS $f$
DECLARE b branches; v_key bigint;
BEGIN
  UPDATE chats SET last_branch = last_branch + 1 WHERE key = p_chat RETURNING last_branch INTO v_key;
  INSERT INTO branches (chat, key, id, name, head, fork, parent, created_at)
    VALUES (p_chat, v_key, gen_random_uuid()::text,
      coalesce(p_name, CASE WHEN p_parent.key IS NULL THEN 'main' ELSE next_branch_name(p_chat, p_parent.name, p_naming) END),
      p_head, p_head, p_parent.key, now_ms())
    RETURNING * INTO b;
  RETURN b;
END $f$;

CREATE FUNCTION put_on(p_chat bigint, p_user text, p_branch bigint) RETURNS void LANGUAGE sql AS $f$
  INSERT INTO active_branches (chat, user_id, branch) VALUES (p_chat, p_user, p_branch)
    ON CONFLICT (chat, user_id) DO UPDATE SET branch = excluded.branch
$f$;

-- Everybody who is on a branch comes to another, before it is archived or deleted.
CREATE FUNCTION leave_branch(p_branch branches) RETURNS void LANGUAGE sql AS $f$
  UPDATE active_branches a SET branch = n.key
  FROM (SELECT key FROM branches WHERE chat = p_branch.chat AND key <> p_branch.key AND place = 0
    ORDER BY archived_at IS NOT NULL, key IS DISTINCT FROM p_branch.parent, key LIMIT 1) n
  WHERE a.chat = p_branch.chat AND a.branch = p_branch.key
$f$;

CREATE FUNCTION hand_over_children(p_branch branches) RETURNS void LANGUAGE sql AS $f$
  UPDATE branches SET parent = p_branch.parent WHERE chat = p_branch.chat AND parent = p_branch.key
$f$;

-- Whether a branch was made by a click, and nothing was said or set on it since.
CREATE FUNCTION is_unused(b branches) RETURNS boolean LANGUAGE plpgsql STABLE AS $f$
DECLARE e events;
BEGIN
  IF b.head IS DISTINCT FROM b.fork OR b.archived_at IS NOT NULL THEN RETURN false; END IF;
  SELECT * INTO e FROM events WHERE chat = b.chat AND branch = b.name AND {{isNoMove}} ORDER BY sequence DESC LIMIT 1;
  IF e.sequence IS NULL OR e.details NOT LIKE '%"provisional":true%' THEN RETURN false; END IF;
  RETURN NOT EXISTS (SELECT 1 FROM events n WHERE n.chat = b.chat AND n.sequence > e.sequence
      AND n.kind IN ('checkpoint-set', 'checkpoint-moved')
      AND n.message_id = (SELECT id FROM messages WHERE chat = b.chat AND key = b.head))
    AND NOT EXISTS (SELECT 1 FROM active_branches WHERE chat = b.chat AND branch = b.key)
    AND NOT EXISTS (SELECT 1 FROM drafts WHERE chat = b.chat AND branch = b.key);
END $f$;

-- Makes a branch the user's; the one they leave goes if it was made by a click and holds nothing. Gives that change.
CREATE FUNCTION go_to(c chats, p_user text, p_branch bigint) RETURNS json LANGUAGE plpgsql AS $f$
DECLARE v_left branches; v_head text; v_from text;
BEGIN
  SELECT * INTO v_left FROM branches WHERE chat = c.key AND key = active_branch(c.key, p_user);
  PERFORM put_on(c.key, p_user, p_branch);
  IF v_left.key IS NULL OR v_left.key = p_branch OR NOT is_unused(v_left) THEN RETURN NULL; END IF;
  SELECT id INTO v_head FROM messages WHERE chat = c.key AND key = v_left.head;
  SELECT name INTO v_from FROM branches WHERE chat = c.key AND key = v_left.parent AND place = 0;
  PERFORM hand_over_children(v_left);
  DELETE FROM branches WHERE chat = c.key AND key = v_left.key;
  PERFORM add_event(c.key, p_user, 'branch-dropped', v_left.name, v_head, json_build_object('from', v_from)::text);
  RETURN branch_change(c.id, v_left.name, 'dropped');
END $f$;

-- The writes. Each gets its arguments as one JSON object.

CREATE FUNCTION announce_branch(c chats, p_user text, b branches, p_activate boolean, p_kind text, p_head text, p_details text)
RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE v_dropped json;
BEGIN
  IF p_activate THEN v_dropped := go_to(c, p_user, b.key); END IF;
  PERFORM add_event(c.key, p_user, p_kind, b.name, p_head, p_details);
  UPDATE chats SET updated_at = greatest(updated_at, now_ms()) WHERE key = c.key;
  RETURN ROW(c.key, NULL, branch_json(c, p_user, b.key), all_changes(branch_change(c.id, b.name, 'created'),
    CASE WHEN p_activate THEN branch_change(c.id, b.name, 'switched') END, v_dropped))::outcome;
END $f$;

CREATE FUNCTION create_branch(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  v_parent branches; v_head bigint;
BEGIN
  IF EXISTS (SELECT 1 FROM branches WHERE chat = c.key AND name = p->>'name' AND place = 0) THEN
    PERFORM fail('branch-exists', p->>'name');
  END IF;
  IF p->>'from' IS NOT NULL THEN v_parent := require_branch(c.key, p->>'from'); END IF;
  v_head := (optional_message(c.key, p->>'headMessageId')).key;
  RETURN announce_branch(c, v_user, insert_branch(c.key, p->>'name', NULL, v_parent, v_head),
    coalesce((p->>'activate')::boolean, false), 'branch-created', p->>'headMessageId', p->>'details');
END $f$;

CREATE FUNCTION add_branch(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  v_parent branches := require_branch(c.key, p->>'from');
  v_head bigint := (optional_message(c.key, p->>'messageId')).key;
  v_from_head text;
BEGIN
  SELECT id INTO v_from_head FROM messages WHERE chat = c.key AND key = v_parent.head;
  -- The details are an object as text; what only the store knows is put before them.
  RETURN announce_branch(c, v_user, insert_branch(c.key, NULL, p->>'naming', v_parent, v_head), (p->>'activate')::boolean,
    p->>'event', p->>'messageId', with_member('fromHead', to_json(v_from_head), p->>'details'));
END $f$;

-- A member more, before the others of an object; objects of users are text, which PostgreSQL cannot always read.
CREATE FUNCTION with_member(p_name text, p_value json, p_object text) RETURNS text LANGUAGE sql IMMUTABLE AS $f$
  SELECT '{' || to_json(p_name) || ':' || coalesce(p_value::text, 'null')
    || CASE WHEN p_object IS NULL OR p_object = '{}' THEN '}' ELSE ',' || substr(p_object, 2) END
$f$;

CREATE FUNCTION activate_branch(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := readable_locked(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  b branches := require_branch(c.key, p->>'name');
  v_before text; v_dropped json;
BEGIN
  SELECT name INTO v_before FROM branches WHERE chat = c.key AND key = active_branch(c.key, v_user);
  v_dropped := go_to(c, v_user, b.key);
  PERFORM add_event(c.key, v_user, 'switched', b.name, NULL, json_build_object('from', v_before)::text);
  RETURN ROW(c.key, NULL, branch_json(c, v_user, b.key),
    all_changes(branch_change(c.id, b.name, 'switched'), v_dropped))::outcome;
END $f$;

-- To be somewhere in a chat takes no more than to read it.
CREATE FUNCTION readable_locked(p_id text) RETURNS chats LANGUAGE plpgsql AS $f$
DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE id = p_id AND trashed_at IS NULL FOR NO KEY UPDATE;
  IF c.key IS NULL OR NOT may_read(c, NULL) THEN PERFORM fail('chat-not-found', p_id); END IF;
  RETURN c;
END $f$;

CREATE FUNCTION rename_branch(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  b branches := require_branch(c.key, p->>'name');
  v_new text := p->>'newName';
BEGIN
  IF v_new <> b.name AND EXISTS (SELECT 1 FROM branches WHERE chat = c.key AND name = v_new AND place = 0) THEN
    PERFORM fail('branch-exists', v_new);
  END IF;
  UPDATE branches SET name = v_new WHERE chat = c.key AND key = b.key;
  PERFORM add_event(c.key, v_user, 'branch-renamed', v_new, NULL, json_build_object('from', b.name)::text);
  RETURN ROW(c.key, NULL, branch_json(c, v_user, b.key), all_changes(branch_change(c.id, v_new, 'renamed')))::outcome;
END $f$;

CREATE FUNCTION archive_branch(p json, p_archive boolean) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  b branches := require_branch(c.key, p->>'name');
  v_change text := CASE WHEN p_archive THEN 'archived' ELSE 'unarchived' END;
BEGIN
  IF p_archive THEN
    IF b.key = active_branch(c.key, v_user) THEN PERFORM fail('branch-active', b.name); END IF;
    PERFORM leave_branch(b);
  END IF;
  UPDATE branches SET archived_at = CASE WHEN p_archive THEN now_ms() END WHERE chat = c.key AND key = b.key;
  PERFORM add_event(c.key, v_user, 'branch-' || v_change, b.name, NULL, NULL);
  RETURN ROW(c.key, NULL, branch_json(c, v_user, b.key), all_changes(branch_change(c.id, b.name, v_change)))::outcome;
END $f$;
