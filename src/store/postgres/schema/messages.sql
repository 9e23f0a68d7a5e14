-- Messages: their positions, and storing them.

CREATE FUNCTION find_message(p_chat bigint, p_id text) RETURNS messages LANGUAGE sql STABLE AS $f$
  SELECT * FROM messages WHERE chat = p_chat AND id = p_id AND place = 0
$f$;

CREATE FUNCTION require_message(p_chat bigint, p_id text) RETURNS messages LANGUAGE plpgsql STABLE AS $f$
DECLARE m messages;
BEGIN
  SELECT * INTO m FROM messages WHERE chat = p_chat AND id = p_id AND place = 0;
  IF m.key IS NULL THEN PERFORM fail('message-not-found', p_id); END IF;
  RETURN m;
END $f$;

-- Null stands for none.
CREATE FUNCTION optional_message(p_chat bigint, p_id text) RETURNS messages LANGUAGE plpgsql STABLE AS $f$
DECLARE m messages;
BEGIN
  IF p_id IS NOT NULL THEN m := require_message(p_chat, p_id); END IF;
  RETURN m;
END $f$;

-- The stretches that a path is made of, from its end up, as far as each belongs to it; those above a depth are left out.
CREATE FUNCTION stretches(p_chat bigint, p_segment bigint, p_depth int, p_above int)
RETURNS TABLE (segment bigint, upto int) LANGUAGE sql STABLE ROWS 4 AS $f$
  WITH RECURSIVE up(segment, upto) AS (
    SELECT p_segment, p_depth
    UNION ALL
    SELECT s.parent_segment, s.parent_depth FROM up u JOIN segments s ON s.chat = p_chat AND s.key = u.segment
      WHERE s.parent IS NOT NULL AND s.parent_depth > p_above
  )
  SELECT segment, upto FROM up
$f$;

CREATE FUNCTION is_on_path(p_chat bigint, p_segment bigint, p_depth int, p_head bigint) RETURNS boolean LANGUAGE sql STABLE AS $f$
  SELECT EXISTS (SELECT 1 FROM messages h, stretches(p_chat, h.segment, h.depth, p_depth - 1) s
    WHERE h.chat = p_chat AND h.key = p_head AND h.depth >= p_depth AND s.segment = p_segment AND s.upto >= p_depth)
$f$;

-- The segment that what follows a message goes to: its own, if nothing follows it there.
CREATE FUNCTION segment_after(p_chat bigint, p_parent messages) RETURNS bigint LANGUAGE plpgsql AS $f$
DECLARE v_key bigint;
BEGIN
  IF p_parent.key IS NOT NULL AND NOT EXISTS
    (SELECT 1 FROM messages WHERE chat = p_chat AND segment = p_parent.segment AND depth = p_parent.depth + 1) THEN
    RETURN p_parent.segment;
  END IF;
  UPDATE chats SET last_segment = last_segment + 1 WHERE key = p_chat RETURNING last_segment INTO v_key;
  INSERT INTO segments (chat, key, parent, parent_segment, parent_depth)
    VALUES (p_chat, v_key, p_parent.key, p_parent.segment, p_parent.depth);
  RETURN v_key;
END $f$;

-- Who names bytes in a message lets its readers read them: who may not read them themself cannot.
CREATE FUNCTION name_blobs(p_chat bigint, p_message bigint, p_hashes json) RETURNS void LANGUAGE sql AS $f$
  INSERT INTO message_blobs (chat, message, hash)
    SELECT DISTINCT p_chat, p_message, h FROM json_array_elements_text(p_hashes) h WHERE may_read_blob(h)
$f$;

-- Renumbers artifact versions along the path to a message: the caller may have counted on another path.
CREATE FUNCTION settle_artifacts(p_chat bigint, p_parent messages, p_messages json) RETURNS json LANGUAGE plpgsql AS $f$
DECLARE v_last jsonb := '{}'; v_all json[] := '{}'; v_list json[]; v_message json; v_artifact json; v_name text; v_version int;
BEGIN
  FOR v_message IN SELECT * FROM json_array_elements(p_messages) LOOP
    v_list := '{}';
    FOR v_artifact IN SELECT * FROM json_array_elements(CASE json_typeof(v_message->'artifacts') WHEN 'array' THEN v_message->'artifacts' ELSE '[]' END) LOOP
      v_name := v_artifact->>'name';
      v_version := (v_last->>v_name)::int;
      IF v_version IS NULL AND p_parent.key IS NOT NULL THEN
        SELECT (a->>'version')::int INTO v_version
        FROM stretches(p_chat, p_parent.segment, p_parent.depth, 0) s
          JOIN messages m ON m.chat = p_chat AND m.segment = s.segment AND m.depth <= s.upto AND m.artifacts IS NOT NULL,
          json_array_elements(m.artifacts::json) WITH ORDINALITY AS j(a, n)
        WHERE a->>'name' = v_name ORDER BY m.depth DESC, n DESC LIMIT 1;
      END IF;
      v_version := coalesce(v_version, -1) + 1;
      v_last := v_last || jsonb_build_object(v_name, v_version);
      v_list := v_list || json_build_object('name', v_name, 'version', v_version, 'mediaType', v_artifact->'mediaType',
        'hash', v_artifact->'hash', 'size', v_artifact->'size');
    END LOOP;
    v_all := v_all || CASE WHEN array_length(v_list, 1) IS NULL THEN 'null'::json ELSE to_json(v_list) END;
  END LOOP;
  RETURN to_json(v_all);
END $f$;

CREATE FUNCTION write_shared(p json) RETURNS json LANGUAGE plpgsql AS $f$
DECLARE v_user text := acting_as(p->>'userId', NULL); v json; v_version int; v_owner text; v_settled json[] := '{}';
BEGIN
  FOR v IN SELECT * FROM json_array_elements(p->'state') LOOP
    v_owner := CASE v->>'scope' WHEN 'user' THEN v_user ELSE '' END;
    IF v->>'value' IS NULL THEN
      DELETE FROM shared_state WHERE scope = v->>'scope' AND owner = v_owner AND name = v->>'name';
    ELSE
      INSERT INTO shared_state (scope, owner, name, value) VALUES (v->>'scope', v_owner, v->>'name', v->>'value')
        ON CONFLICT (scope, owner, name) DO UPDATE SET value = excluded.value;
    END IF;
  END LOOP;
  IF json_array_length(p->'artifacts') > 0 THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('offshoot artifacts ' || v_user, 0));
  END IF;
  FOR v IN SELECT * FROM json_array_elements(p->'artifacts') LOOP
    SELECT coalesce(max(version), -1) + 1 INTO v_version FROM shared_artifacts WHERE owner = v_user AND name = v->>'name';
    v := json_build_object('name', v->'name', 'version', v_version, 'mediaType', v->'mediaType', 'hash', v->'hash', 'size', v->'size');
    INSERT INTO shared_artifacts (owner, name, version, details) VALUES (v_user, v->>'name', v_version, v::text);
    v_settled := v_settled || v;
  END LOOP;
  RETURN to_json(v_settled);
END $f$;

-- Saving a turn: everything in one call.
CREATE FUNCTION save_messages(p json) RETURNS outcome LANGUAGE plpgsql AS $f$
DECLARE
  -- Each look into JSON reads all of it: once is enough.
  r record;
  c chats; v_user text; v_shared json := '[]'; v_count int; v_events int;
  b branches; v_actual text; v_start messages; v_parent messages; v_made branches; v_dropped json;
  v_now bigint := now_ms();
  v_segment bigint; v_first bigint; v_event bigint; v_change bigint; v_artifacts json; v_ids json; v_turn text; v_last text;
BEGIN
  SELECT * INTO r FROM json_to_record(p) AS x("chatId" text, "userId" text, branch text, "expectedHead" text, "onHeadConflict" text,
    "newBranchAt" json, naming text, activate boolean, messages json, readable int, "hasArtifacts" boolean, "hasBlobs" boolean,
    shared json, event json);
  c := writable(r."chatId");
  v_user := acting_as(r."userId", c.owner);
  v_count := json_array_length(r.messages);
  v_events := CASE WHEN r.event IS NULL THEN 1 ELSE 2 END;
  IF json_typeof(r.shared) = 'object' THEN v_shared := write_shared(r.shared); END IF;
  b := require_branch(c.key, r.branch);
  IF v_count = 0 THEN
    UPDATE chats SET updated_at = greatest(updated_at, v_now) WHERE key = c.key;
    RETURN ROW(c.key, NULL, json_build_object('branch', branch_json(c, v_user, b.key), 'messages', json_build_array(),
      'artifacts', v_shared), '[]'::json)::outcome;
  END IF;

  IF b.head IS NOT NULL THEN SELECT * INTO v_parent FROM messages WHERE chat = c.key AND key = b.head; END IF;
  v_actual := v_parent.id;
  IF r."newBranchAt" IS NOT NULL OR v_actual IS DISTINCT FROM r."expectedHead" THEN
    IF r."newBranchAt" IS NOT NULL THEN
      v_start := optional_message(c.key, r."newBranchAt"->>'messageId');
    ELSIF r."onHeadConflict" = 'error' THEN
      PERFORM fail('head-conflict', b.name, r."expectedHead", v_actual);
    ELSE
      v_start := optional_message(c.key, r."expectedHead");
    END IF;
    v_made := insert_branch(c.key, NULL, r.naming, b, v_start.key);
    IF r.activate THEN v_dropped := go_to(c, v_user, v_made.key); END IF;
    PERFORM add_event(c.key, v_user, 'branch-created', v_made.name, v_start.id, json_build_object('from', b.name, 'why',
      CASE WHEN r."newBranchAt" IS NULL THEN 'head-conflict' ELSE coalesce(r."newBranchAt"->>'why', 'edit') END)::text);
    v_parent := v_start;
    b := v_made;
  END IF;

  v_segment := segment_after(c.key, v_parent);
  UPDATE chats SET updated_at = greatest(updated_at, v_now), last_message = last_message + v_count,
      last_event = last_event + v_events, last_change = last_change + 1, messages = messages + r.readable
    WHERE key = c.key RETURNING last_message - v_count, last_event - v_events, last_change INTO v_first, v_event, v_change;
  v_artifacts := CASE WHEN r."hasArtifacts" THEN settle_artifacts(c.key, v_parent, r.messages) END;
  v_turn := coalesce(v_parent.invocation_id, r.messages->0->>'id');

  WITH saved AS (
    INSERT INTO messages (chat, key, id, parent, segment, depth, name, type, author, data, effects, artifacts, invocation_id,
        replaces, created_at, message_count, last_read, words, word_count)
      SELECT c.key, v_first + n, m.id, CASE WHEN n = 1 THEN v_parent.key ELSE v_first + n - 1 END, v_segment,
        coalesce(v_parent.depth, 0) + n, m.name, m.type, v_user, m.data, m.effects, v_artifacts->>(n::int - 1),
        coalesce(m.invocation, v_turn), m.replaces, v_now, coalesce(v_parent.message_count, 0) + m.count,
        CASE WHEN m.last_read IS NULL THEN v_parent.last_read ELSE v_first + 1 + m.last_read END, m.words::tsvector, m.word_count
      FROM ROWS FROM (json_to_recordset(r.messages) AS (id text, name text, type text, data text, effects text,
          "invocationId" text, replaces text, count int, "lastRead" int, words text, "wordCount" int)) WITH ORDINALITY
        AS m(id, name, type, data, effects, invocation, replaces, count, last_read, words, word_count, n)
      RETURNING key, id)
  SELECT json_agg(id ORDER BY key) INTO v_ids FROM saved;
  IF r."hasBlobs" THEN
    PERFORM name_blobs(c.key, v_first + n, m->'hashes') FROM json_array_elements(r.messages) WITH ORDINALITY AS j(m, n);
  END IF;
  UPDATE branches SET head = v_first + v_count WHERE chat = c.key AND key = b.key;

  v_last := v_ids->>(v_count - 1);
  INSERT INTO events (chat, sequence, user_id, kind, branch, message_id, details, created_at)
    VALUES (c.key, v_event + 1, v_user, 'messages-saved', b.name, v_last, json_build_object('messageIds', v_ids)::text, v_now);
  IF v_events = 2 THEN
    INSERT INTO events (chat, sequence, user_id, kind, branch, message_id, details, created_at)
      VALUES (c.key, v_event + 2, v_user, r.event->>'kind', b.name, v_ids->>0, coalesce(r.event->>'details', '{}'), v_now);
  END IF;
  RETURN ROW(c.key, v_change,
    json_build_object('branch', branch_json(c, v_user, b.key), 'parentId', v_parent.id, 'depth', coalesce(v_parent.depth, 0),
      'turn', v_turn, 'createdAt', v_now, 'settled', v_artifacts, 'artifacts', v_shared),
    CASE WHEN v_made.key IS NULL
      THEN json_build_array(json_build_object('kind', 'messages', 'chatId', c.id, 'branch', b.name, 'messageIds', v_ids))
      ELSE all_changes(
      branch_change(c.id, b.name, 'created'),
      CASE WHEN r.activate THEN branch_change(c.id, b.name, 'switched') END,
      v_dropped,
      json_build_object('kind', 'messages', 'chatId', c.id, 'branch', b.name, 'messageIds', v_ids)) END)::outcome;
END $f$;

-- Stores messages that come from outside, each after its parent, with the times they were said at. Those that are there
-- already stay as they are; what was deleted is not stored again, nor is what follows it. The chat's own messages are
-- read once, and the rest is counted in memory: a statement for each message would be planned by what is known of the
-- tables, which in a new store is nothing, and might read all of the chat each time. The row of the chat is the caller's.
CREATE FUNCTION insert_tree(c chats, p_user text, p_messages json) RETURNS placed_messages LANGUAGE plpgsql AS $f$
DECLARE
  -- Of the messages of the chat, and behind them of those that come.
  v_known text[] := '{}'; v_keys bigint[] := '{}'; v_segments bigint[] := '{}'; v_depths int[] := '{}'; v_counts int[] := '{}';
  v_reads bigint[] := '{}'; v_is_followed boolean[] := '{}';
  v_away text[] := '{}';
  -- Of those that come. What each follows is told by its place in the arrays above: 0 is none, -1 is missing.
  v_ids text[]; v_parent_ids text[]; v_befores int[]; v_ups int[]; v_heres int[]; v_is_gone boolean[]; v_is_read boolean[]; v_times bigint[];
  v_parents bigint[]; v_found bigint[];
  -- What new stretches begin after.
  v_begun_after bigint[] := '{}'; v_begun_segments bigint[] := '{}'; v_begun_depths int[] := '{}';
  v_old int; v_size int; v_has_hashes boolean; v_at int; v_before int;
  v_key bigint := coalesce(c.last_message, 0); v_segment bigint := coalesce(c.last_segment, 0);
  v_added bigint := 0; v_readable bigint := 0; v_latest bigint;
BEGIN
  IF v_key > 0 THEN
    SELECT coalesce(array_agg(o.id) FILTER (WHERE o.place = 0), '{}'), coalesce(array_agg(o.key) FILTER (WHERE o.place = 0), '{}'),
        coalesce(array_agg(o.segment) FILTER (WHERE o.place = 0), '{}'), coalesce(array_agg(o.depth) FILTER (WHERE o.place = 0), '{}'),
        coalesce(array_agg(o.message_count) FILTER (WHERE o.place = 0), '{}'), coalesce(array_agg(o.last_read) FILTER (WHERE o.place = 0), '{}'),
        coalesce(array_agg(o.is_followed) FILTER (WHERE o.place = 0), '{}'), coalesce(array_agg(o.id) FILTER (WHERE o.place <> 0), '{}')
      INTO v_known, v_keys, v_segments, v_depths, v_counts, v_reads, v_is_followed, v_away
      FROM (SELECT id, key, place, segment, depth, message_count, last_read,
          coalesce(lead(depth) OVER (PARTITION BY segment ORDER BY depth) = depth + 1, false) AS is_followed
        FROM messages WHERE chat = c.key) o;
  END IF;
  v_old := cardinality(v_known);

  WITH came AS MATERIALIZED (
      SELECT * FROM ROWS FROM (json_to_recordset(p_messages) AS (id text, "parentId" text, type text, "createdAt" bigint, hashes json))
        WITH ORDINALITY AS j(id, parent, type, said_at, hashes, n)),
    listed AS MATERIALIZED (SELECT id, min(n)::int AS n FROM came GROUP BY id),
    here AS MATERIALIZED (SELECT id, min(n)::int AS n FROM unnest(v_known) WITH ORDINALITY AS u(id, n) GROUP BY id),
    away AS MATERIALIZED (SELECT DISTINCT id FROM unnest(v_away) AS u(id)),
    placed AS (
      SELECT m.id, m.parent, m.type, m.said_at, m.hashes,
        CASE WHEN m.parent IS NULL THEN 0 WHEN known.n IS NOT NULL THEN known.n WHEN up.n < m.n THEN v_old + up.n ELSE -1 END AS before,
        CASE WHEN up.n < m.n THEN up.n END AS up, own.n AS here, gone.id IS NOT NULL OR cut.id IS NOT NULL AS is_gone
      FROM came m LEFT JOIN listed up ON up.id = m.parent LEFT JOIN here known ON known.id = m.parent LEFT JOIN here own ON own.id = m.id
        LEFT JOIN away gone ON gone.id = m.id LEFT JOIN away cut ON cut.id = m.parent
      ORDER BY m.n)
  SELECT count(*), bool_or(json_array_length(hashes) > 0), array_agg(id), array_agg(parent), array_agg(before), array_agg(up),
      array_agg(here), array_agg(is_gone), array_agg(type = 'message'), array_agg(said_at)
    INTO v_size, v_has_hashes, v_ids, v_parent_ids, v_befores, v_ups, v_heres, v_is_gone, v_is_read, v_times FROM placed;

  v_keys := v_keys || array_fill(NULL::bigint, ARRAY[v_size]);
  v_segments := v_segments || array_fill(NULL::bigint, ARRAY[v_size]);
  v_depths := v_depths || array_fill(NULL::int, ARRAY[v_size]);
  v_counts := v_counts || array_fill(NULL::int, ARRAY[v_size]);
  v_reads := v_reads || array_fill(NULL::bigint, ARRAY[v_size]);
  v_is_followed := v_is_followed || array_fill(false, ARRAY[v_size]);
  v_parents := array_fill(NULL::bigint, ARRAY[v_size]);
  v_found := array_fill(NULL::bigint, ARRAY[v_size]);
  -- A place that is none or null reads as null.
  FOR i IN 1 .. v_size LOOP
    IF v_heres[i] IS NOT NULL THEN v_found[i] := v_keys[v_heres[i]]; END IF;
    IF v_is_gone[i] OR v_is_gone[v_ups[i]] THEN
      v_is_gone[i] := true;
      CONTINUE;
    END IF;
    CONTINUE WHEN v_heres[i] IS NOT NULL;
    v_before := v_befores[i];
    IF v_before < 0 THEN PERFORM fail('message-not-found', v_parent_ids[i]); END IF;
    v_at := v_old + i;
    v_key := v_key + 1;
    v_found[i] := v_key;
    v_keys[v_at] := v_key;
    v_parents[i] := v_keys[v_before];
    IF NOT v_is_followed[v_before] THEN
      v_is_followed[v_before] := true;
      v_segments[v_at] := v_segments[v_before];
    ELSE
      v_segment := v_segment + 1;
      v_segments[v_at] := v_segment;
      v_begun_after := v_begun_after || v_keys[v_before];
      v_begun_segments := v_begun_segments || v_segments[v_before];
      v_begun_depths := v_begun_depths || v_depths[v_before];
    END IF;
    v_depths[v_at] := coalesce(v_depths[v_before], 0) + 1;
    v_counts[v_at] := coalesce(v_counts[v_before], 0) + v_is_read[i]::int;
    v_reads[v_at] := CASE WHEN v_is_read[i] THEN v_key ELSE v_reads[v_before] END;
    v_added := v_added + 1;
    v_readable := v_readable + v_is_read[i]::int;
    v_latest := greatest(v_latest, v_times[i]);
  END LOOP;

  INSERT INTO segments (chat, key, parent, parent_segment, parent_depth)
    SELECT c.key, coalesce(c.last_segment, 0) + u.n, u.parent, u.segment, u.depth
    FROM unnest(v_begun_after, v_begun_segments, v_begun_depths) WITH ORDINALITY AS u(parent, segment, depth, n);
  v_keys := v_keys[v_old + 1 :];
  INSERT INTO messages (chat, key, id, parent, segment, depth, name, type, author, data, effects, artifacts, invocation_id,
      replaces, created_at, message_count, last_read, words, word_count)
    SELECT c.key, m.key, m.id, m.parent, m.segment, m.depth, m.name, m.type, p_user, m.data, m.effects, m.artifacts, m.invocation,
      m.replaces, m.said_at, m.count, m.last_read, m.words::tsvector, m.word_count
    FROM ROWS FROM (json_to_recordset(p_messages) AS (id text, name text, type text, data text, effects text, artifacts text,
        "invocationId" text, replaces text, "createdAt" bigint, words text, "wordCount" int),
        unnest(v_keys, v_parents, v_segments[v_old + 1 :], v_depths[v_old + 1 :], v_counts[v_old + 1 :], v_reads[v_old + 1 :]))
      AS m(id, name, type, data, effects, artifacts, invocation, replaces, said_at, words, word_count,
        key, parent, segment, depth, count, last_read)
    WHERE m.key IS NOT NULL;
  IF v_has_hashes THEN
    INSERT INTO message_blobs (chat, message, hash)
      SELECT DISTINCT c.key, m.key, h
      FROM ROWS FROM (json_to_recordset(p_messages) AS (hashes json), unnest(v_keys)) AS m(hashes, key), json_array_elements_text(m.hashes) h
      WHERE m.key IS NOT NULL AND may_read_blob(h);
  END IF;
  RETURN ROW(v_ids, v_parent_ids, v_parents, v_ups, v_keys, v_found, v_added, v_readable, v_latest, v_key, v_segment)::placed_messages;
END $f$;
