-- Importing whole chats, and extending them from later copies.

-- The chat itself comes last, when its numbers are known: a row that is changed again and again is slower each time.
CREATE FUNCTION import_chat(p_user text, p json) RETURNS chats LANGUAGE plpgsql AS $f$
DECLARE r record; c chats; t placed_messages; v_key bigint := nextval(pg_get_serial_sequence('chats', 'key')); v_id text;
BEGIN
  SELECT * INTO r FROM json_to_record(p) AS x(id text, title text, metadata text, "createdAt" bigint, "updatedAt" bigint,
    messages json, branches json, checkpoints json, events json);
  c.key := v_key;
  t := insert_tree(c, p_user, r.messages);
  INSERT INTO branches (chat, key, id, name, head, fork, parent, created_at, archived_at)
    WITH listed AS MATERIALIZED (
        SELECT * FROM ROWS FROM (json_to_recordset(r.branches) AS (name text, "headMessageId" text, "forkMessageId" text,
          "parentBranch" text, "createdAt" bigint, "archivedAt" bigint)) WITH ORDINALITY
          AS j(name, head, fork, parent, made_at, archived_at, n)),
      placed AS MATERIALIZED (SELECT u.id, u.key FROM unnest(t.ids, t.keys) AS u(id, key))
    SELECT v_key, b.n, gen_random_uuid()::text, b.name, head.key, fork.key, up.n, b.made_at, b.archived_at
    FROM listed b LEFT JOIN placed head ON head.id = b.head LEFT JOIN placed fork ON fork.id = b.fork
      LEFT JOIN listed up ON up.name = b.parent;
  PERFORM put_on(v_key, p_user, j.n)
    FROM ROWS FROM (json_to_recordset(r.branches) AS ("isActive" boolean)) WITH ORDINALITY AS j(is_active, n) WHERE j.is_active;
  INSERT INTO checkpoints (chat, key, id, name, message, created_at)
    SELECT v_key, j.n, gen_random_uuid()::text, j.name, u.key, j.set_at
    FROM ROWS FROM (json_to_recordset(r.checkpoints) AS (name text, "messageId" text, "createdAt" bigint)) WITH ORDINALITY
        AS j(name, message, set_at, n)
      LEFT JOIN unnest(t.ids, t.keys) AS u(id, key) ON u.id = j.message;
  INSERT INTO events (chat, sequence, user_id, kind, branch, message_id, details, created_at)
    SELECT v_key, j.n, p_user, j.kind, j.branch, j.message, j.details, j.logged_at
    FROM ROWS FROM (json_to_recordset(r.events) AS (kind text, branch text, "messageId" text, details text, "createdAt" bigint))
      WITH ORDINALITY AS j(kind, branch, message, details, logged_at, n);
  v_id := r.id;
  LOOP
    INSERT INTO chats (key, id, owner, title, metadata, created_at, updated_at, messages, last_message, last_segment, last_branch,
        last_checkpoint, last_event, last_change)
      OVERRIDING SYSTEM VALUE
      VALUES (v_key, v_id, p_user, r.title, r.metadata, r."createdAt", r."updatedAt", t.readable, t.last_message, t.last_segment,
        json_array_length(r.branches), json_array_length(r.checkpoints), json_array_length(r.events), 1)
      ON CONFLICT (id) WHERE trashed_at IS NULL DO NOTHING RETURNING * INTO c;
    EXIT WHEN c.key IS NOT NULL;
    v_id := gen_random_uuid()::text;
  END LOOP;
  RETURN c;
END $f$;

CREATE FUNCTION import_chats(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  v_user text := acting_as(p->>'userId', NULL); v json; c chats; v_first bigint; v_ids json[] := '{}'; v_changes json[] := '{}';
  v_messages bigint := 0;
BEGIN
  FOR v IN SELECT * FROM json_array_elements(p->'chats') LOOP
    c := import_chat(v_user, v);
    v_ids := v_ids || to_json(c.id);
    v_changes := v_changes || (chat_change(c.id, 'created')->0);
    v_messages := v_messages + c.last_message;
    IF v_first IS NULL THEN v_first := c.key;
    ELSE PERFORM record_change(c.key, c.last_change, NULL, NULL, chat_change(c.id, 'created')); END IF;
  END LOOP;
  PERFORM count_new_tables(v_messages);
  RETURN ROW(v_first, 1, to_json(v_ids), to_json(v_changes))::outcome;
END $f$;

-- Has the new messages on the way to a head on a branch: on one that nobody has gone on with, or on one of its own.
CREATE FUNCTION extend_branch(c chats, p_user text, p_name text, p_head bigint, p_head_id text, p_ids json, p_fork bigint, p_fork_id text,
  p_moved bigint[])
RETURNS TABLE (branch bigint, made text, changes json[]) LANGUAGE plpgsql AS $f$
DECLARE b branches; v_parent branches; v_name text;
BEGIN
  -- One that ends where it began was made to say something else there.
  SELECT * INTO b FROM branches o WHERE o.chat = c.key AND o.place = 0 AND o.head IS NOT DISTINCT FROM p_fork
    AND o.head IS DISTINCT FROM o.fork AND NOT (o.key = ANY(p_moved)) ORDER BY o.key LIMIT 1;
  changes := '{}';
  IF b.key IS NULL THEN
    SELECT * INTO v_parent FROM branches o WHERE o.chat = c.key AND o.place = 0 ORDER BY o.key LIMIT 1;
    v_name := CASE WHEN NOT EXISTS (SELECT 1 FROM branches o WHERE o.chat = c.key AND o.place = 0 AND o.name = p_name) THEN p_name END;
    b := insert_branch(c.key, v_name, 'flat', v_parent, p_fork);
    made := b.name;
    PERFORM add_event(c.key, p_user, 'branch-created', b.name, p_fork_id, json_build_object('from', v_parent.name, 'why', 'import')::text);
    changes := changes || branch_change(c.id, b.name, 'created');
  END IF;
  UPDATE branches o SET head = p_head WHERE o.chat = c.key AND o.key = b.key;
  PERFORM add_event(c.key, p_user, 'messages-saved', b.name, p_head_id, json_build_object('messageIds', p_ids, 'imported', true)::text);
  changes := changes || json_build_object('kind', 'messages', 'chatId', c.id, 'branch', b.name, 'messageIds', p_ids);
  branch := b.key;
  RETURN NEXT;
END $f$;

CREATE FUNCTION extend_chat(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  t placed_messages; copied record; v record; r record;
  v_ids text[]; v_parent_ids text[]; v_parents bigint[]; v_ups int[]; v_keys bigint[];
  v_path text[]; v_added json; v_end int; v_at int; v_first int; v_head bigint; v_fork bigint; v_fork_id text;
  v_moved bigint[] := '{}'; v_made json[] := '{}'; v_changes json[] := '{}';
BEGIN
  SELECT * INTO copied FROM json_to_record(p->'chat') AS x(messages json, branches json, checkpoints json);
  t := insert_tree(c, v_user, copied.messages);
  UPDATE chats SET messages = messages + t.readable, last_message = t.last_message, last_segment = t.last_segment,
      updated_at = greatest(updated_at, t.latest)
    WHERE key = c.key;
  -- An array in a variable of its own is not read from its start at each look.
  v_ids := t.ids; v_parent_ids := t.parent_ids; v_parents := t.parents; v_ups := t.ups; v_keys := t.keys;
  FOR v IN SELECT j.name, j.is_given, j.head, u.n
    FROM ROWS FROM (json_to_recordset(copied.branches) AS (name text, "isGiven" boolean, "headMessageId" text)) WITH ORDINALITY
        AS j(name, is_given, head, n)
      JOIN unnest(v_ids, v_keys) WITH ORDINALITY AS u(id, key, n) ON u.id = j.head
    WHERE u.key IS NOT NULL ORDER BY j.n
  LOOP
    -- What is new is the end of the path.
    v_path := '{}';
    v_end := v.n;
    v_at := v_end;
    LOOP
      v_first := v_at;
      v_path := v_path || v_ids[v_at];
      v_at := v_ups[v_at];
      EXIT WHEN v_keys[v_at] IS NULL;
    END LOOP;
    SELECT json_agg(u.id ORDER BY u.n DESC) INTO v_added FROM unnest(v_path) WITH ORDINALITY AS u(id, n);
    v_head := v_keys[v_end];
    v_fork := v_parents[v_first];
    v_fork_id := v_parent_ids[v_first];
    FOR r IN SELECT * FROM extend_branch(c, v_user, CASE WHEN v.is_given THEN v.name END, v_head, v.head, v_added, v_fork, v_fork_id,
      v_moved)
    LOOP
      v_moved := v_moved || r.branch;
      v_changes := v_changes || r.changes;
      IF r.made IS NOT NULL THEN v_made := v_made || to_json(r.made); END IF;
    END LOOP;
  END LOOP;
  FOR v IN SELECT j.name, j.message, j.set_at, u.key
    FROM ROWS FROM (json_to_recordset(copied.checkpoints) AS (name text, "messageId" text, "createdAt" bigint)) WITH ORDINALITY
        AS j(name, message, set_at, n)
      JOIN unnest(v_ids, t.found) AS u(id, key) ON u.id = j.message
    WHERE u.key IS NOT NULL ORDER BY j.n
  LOOP
    CONTINUE WHEN EXISTS (SELECT 1 FROM checkpoints k WHERE k.chat = c.key AND k.name = v.name AND k.place = 0);
    PERFORM insert_checkpoint(c.key, v.name, v.key, 0, v.set_at);
    PERFORM add_event(c.key, v_user, 'checkpoint-set', NULL, v.message, json_build_object('name', v.name)::text);
    v_changes := v_changes || (checkpoint_change(c.id, v.name, 'set')->0);
  END LOOP;
  PERFORM count_new_tables(t.last_message);
  RETURN ROW(c.key, NULL, json_build_object('messages', t.added, 'branches', to_json(v_made)), to_json(v_changes))::outcome;
END $f$;
