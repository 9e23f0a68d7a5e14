-- Importing whole chats, and extending them from later copies.

CREATE FUNCTION import_chat(p_user text, p json) RETURNS chats LANGUAGE plpgsql AS $f$
DECLARE c chats; v json; v_key bigint := 0;
BEGIN
  INSERT INTO chats (id, owner, title, metadata, created_at, updated_at)
    VALUES (CASE WHEN EXISTS (SELECT 1 FROM chats WHERE id = p->>'id' AND trashed_at IS NULL) THEN gen_random_uuid()::text ELSE p->>'id' END,
      p_user, p->>'title', p->>'metadata', (p->>'createdAt')::bigint, (p->>'updatedAt')::bigint) RETURNING * INTO c;
  PERFORM insert_tree(c, p_user, p->'messages');
  INSERT INTO branches (chat, key, id, name, head, fork, created_at, archived_at)
    SELECT c.key, n, gen_random_uuid()::text, b->>'name', (find_message(c.key, b->>'headMessageId')).key,
      (find_message(c.key, b->>'forkMessageId')).key, (b->>'createdAt')::bigint, (b->>'archivedAt')::bigint
    FROM json_array_elements(p->'branches') WITH ORDINALITY AS j(b, n);
  UPDATE branches o SET parent = q.key FROM json_array_elements(p->'branches') b, branches q
    WHERE o.chat = c.key AND o.name = b->>'name' AND q.chat = c.key AND q.name = b->>'parentBranch';
  PERFORM put_on(c.key, p_user, o.key) FROM json_array_elements(p->'branches') b, branches o
    WHERE o.chat = c.key AND o.name = b->>'name' AND (b->>'isActive')::boolean;
  FOR v IN SELECT * FROM json_array_elements(p->'checkpoints') LOOP
    PERFORM insert_checkpoint(c.key, v->>'name', (find_message(c.key, v->>'messageId')).key, 0, (v->>'createdAt')::bigint);
  END LOOP;
  INSERT INTO events (chat, sequence, user_id, kind, branch, message_id, details, created_at)
    SELECT c.key, n, p_user, e->>'kind', e->>'branch', e->>'messageId', e->>'details', (e->>'createdAt')::bigint
    FROM json_array_elements(p->'events') WITH ORDINALITY AS j(e, n);
  UPDATE chats SET last_branch = json_array_length(p->'branches'), last_event = json_array_length(p->'events')
    WHERE key = c.key RETURNING * INTO c;
  RETURN c;
END $f$;

CREATE FUNCTION import_chats(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE v_user text := acting_as(p->>'userId', NULL); v json; c chats; v_first bigint; v_ids json[] := '{}'; v_changes json[] := '{}';
BEGIN
  FOR v IN SELECT * FROM json_array_elements(p->'chats') LOOP
    c := import_chat(v_user, v);
    v_ids := v_ids || to_json(c.id);
    v_changes := v_changes || (chat_change(c.id, 'created')->0);
    IF v_first IS NULL THEN v_first := c.key;
    ELSE PERFORM record_change(c.key, NULL, NULL, NULL, chat_change(c.id, 'created')); END IF;
  END LOOP;
  RETURN ROW(v_first, NULL, to_json(v_ids), to_json(v_changes))::outcome;
END $f$;

-- The new messages on the way to a head that no branch has yet, root first.
CREATE FUNCTION extend_branch(c chats, p_user text, p json, p_new text[], p_moved bigint[]) RETURNS TABLE (branch bigint, made text, changes json[])
LANGUAGE plpgsql AS $f$
DECLARE
  h messages := find_message(c.key, p->>'headMessageId');
  v_path messages[]; v_ids json; v_fork bigint; v_fork_id text; b branches; v_parent branches; v_name text; v_head text := p->>'headMessageId';
BEGIN
  IF h.key IS NULL OR NOT (h.id = ANY(p_new)) THEN RETURN; END IF;
  -- What is new is the end of the path.
  SELECT array_agg(m ORDER BY m.depth) INTO v_path FROM stretches(c.key, h.segment, h.depth, 0) s
    JOIN messages m ON m.chat = c.key AND m.segment = s.segment AND m.depth <= s.upto WHERE m.id = ANY(p_new);
  SELECT json_agg(m.id) INTO v_ids FROM unnest(v_path) m;
  v_fork := v_path[1].parent;
  SELECT id INTO v_fork_id FROM messages WHERE chat = c.key AND key = v_fork;
  -- One that ends where it began was made to say something else there.
  SELECT * INTO b FROM branches o WHERE o.chat = c.key AND o.place = 0 AND o.head IS NOT DISTINCT FROM v_fork
    AND o.head IS DISTINCT FROM o.fork AND NOT (o.key = ANY(p_moved)) ORDER BY o.created_at, o.key LIMIT 1;
  changes := '{}';
  IF b.key IS NULL THEN
    SELECT * INTO v_parent FROM branches o WHERE o.chat = c.key AND o.place = 0 ORDER BY o.created_at, o.key LIMIT 1;
    v_name := CASE WHEN (p->>'isGiven')::boolean AND NOT EXISTS
      (SELECT 1 FROM branches o WHERE o.chat = c.key AND o.place = 0 AND o.name = p->>'name') THEN p->>'name' END;
    b := insert_branch(c.key, v_name, 'flat', v_parent, v_fork);
    made := b.name;
    PERFORM add_event(c.key, p_user, 'branch-created', b.name, v_fork_id, json_build_object('from', v_parent.name, 'why', 'import')::text);
    changes := changes || branch_change(c.id, b.name, 'created');
  END IF;
  UPDATE branches o SET head = h.key WHERE o.chat = c.key AND o.key = b.key;
  PERFORM add_event(c.key, p_user, 'messages-saved', b.name, v_head, json_build_object('messageIds', v_ids, 'imported', true)::text);
  changes := changes || json_build_object('kind', 'messages', 'chatId', c.id, 'branch', b.name, 'messageIds', v_ids);
  branch := b.key;
  RETURN NEXT;
END $f$;

CREATE FUNCTION extend_chat(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  c chats := writable(p->>'chatId');
  v_user text := acting_as(p->>'userId', c.owner);
  v json; v_away text[]; v_new text[] := '{}'; v_added json[] := '{}'; v_latest bigint := 0; r record;
  v_moved bigint[] := '{}'; v_made json[] := '{}'; v_changes json[] := '{}'; m messages;
BEGIN
  -- Deleted messages, and those that follow them, are not added again.
  SELECT coalesce(array_agg(id), '{}') INTO v_away FROM messages WHERE chat = c.key AND place <> 0;
  FOR v IN SELECT * FROM json_array_elements(p->'chat'->'messages') LOOP
    IF v->>'parentId' = ANY(v_away) THEN v_away := v_away || (v->>'id'); END IF;
    CONTINUE WHEN v->>'id' = ANY(v_away) OR EXISTS (SELECT 1 FROM messages o WHERE o.chat = c.key AND o.id = v->>'id' AND o.place = 0);
    v_new := v_new || (v->>'id');
    v_added := v_added || v;
    v_latest := greatest(v_latest, (v->>'createdAt')::bigint);
  END LOOP;
  PERFORM insert_tree(c, v_user, to_json(v_added));
  FOR v IN SELECT * FROM json_array_elements(p->'chat'->'branches') LOOP
    FOR r IN SELECT * FROM extend_branch(c, v_user, v, v_new, v_moved) LOOP
      v_moved := v_moved || r.branch;
      v_changes := v_changes || r.changes;
      IF r.made IS NOT NULL THEN v_made := v_made || to_json(r.made); END IF;
    END LOOP;
  END LOOP;
  FOR v IN SELECT * FROM json_array_elements(p->'chat'->'checkpoints') LOOP
    m := find_message(c.key, v->>'messageId');
    CONTINUE WHEN m.key IS NULL OR EXISTS (SELECT 1 FROM checkpoints WHERE chat = c.key AND name = v->>'name' AND place = 0);
    PERFORM insert_checkpoint(c.key, v->>'name', m.key, 0, (v->>'createdAt')::bigint);
    PERFORM add_event(c.key, v_user, 'checkpoint-set', NULL, m.id, json_build_object('name', v->>'name')::text);
    v_changes := v_changes || (checkpoint_change(c.id, v->>'name', 'set')->0);
  END LOOP;
  IF array_length(v_new, 1) > 0 THEN UPDATE chats SET updated_at = greatest(updated_at, v_latest) WHERE key = c.key; END IF;
  RETURN ROW(c.key, NULL, json_build_object('messages', coalesce(array_length(v_new, 1), 0), 'branches', to_json(v_made)),
    to_json(v_changes))::outcome;
END $f$;
