-- The reads of clients: each is one call, which sees one moment of the database. What stands in braces are columns of
-- the message m.

CREATE FUNCTION get_chat(p_chat text, p_user text) RETURNS json LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE id = p_chat AND trashed_at IS NULL;
  IF c.key IS NULL OR NOT may_read(c, NULL) OR NOT may_read(c, p_user) THEN RETURN NULL; END IF;
  RETURN chat_json(c);
END $entry$;

CREATE FUNCTION get_sharing(p_chat text) RETURNS json LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat);
BEGIN
  RETURN json_build_object('access', c.access, 'owner', c.owner,
    'canWrite', c.access = 'write' OR c.owner = session_user OR is_service());
END $entry$;

CREATE FUNCTION list_chats(p_user text, p_metadata boolean, p_limit bigint, p_offset bigint, p_details boolean,
  p_ids text[])
RETURNS TABLE (chat json, message_count float8, branch_count float8, role text, data text, said_at float8)
LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH listed AS MATERIALIZED (
    SELECT c FROM chats c
    WHERE c.trashed_at IS NULL AND may_read(c, p_user) AND may_read(c, NULL) AND (p_ids IS NULL OR c.id = ANY(p_ids))
    ORDER BY c.updated_at DESC, c.key DESC LIMIT p_limit OFFSET p_offset)
  SELECT chat_json(l.c), (l.c).messages::float8,
    CASE WHEN p_details THEN (SELECT count(*) FROM branches b WHERE b.chat = (l.c).key AND b.place = 0 AND b.archived_at IS NULL) END::float8,
    m.name, m.data, m.created_at::float8
  FROM listed l
    LEFT JOIN active_branches a ON p_details AND a.chat = (l.c).key AND a.user_id = (l.c).owner
    LEFT JOIN branches b ON b.chat = a.chat AND b.key = a.branch
    LEFT JOIN messages h ON h.chat = b.chat AND h.key = b.head
    LEFT JOIN messages m ON m.chat = h.chat AND m.key = h.last_read
  ORDER BY (l.c).updated_at DESC, (l.c).key DESC;
END $entry$;

CREATE FUNCTION get_messages(p_chat text, p_ids text[]) RETURNS SETOF message_row LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE id = p_chat AND trashed_at IS NULL;
  IF c.key IS NULL OR NOT may_read(c, NULL) THEN RETURN; END IF;
  RETURN QUERY SELECT m.key::float8, m.id, {{parentId}}, {{furtherColumns}}
    FROM messages m WHERE m.chat = c.key AND m.id = ANY(p_ids) AND m.place = 0;
END $entry$;

CREATE FUNCTION get_parents(p_chat text, p_ids text[])
RETURNS TABLE (id text, parent_id text, author text) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats;
BEGIN
  SELECT * INTO c FROM chats WHERE id = p_chat AND trashed_at IS NULL;
  IF c.key IS NULL OR NOT may_read(c, NULL) THEN RETURN; END IF;
  RETURN QUERY SELECT m.id, p.id, m.author FROM messages m LEFT JOIN messages p ON p.chat = c.key AND p.key = m.parent
    WHERE m.chat = c.key AND m.id = ANY(p_ids) AND m.place = 0;
END $entry$;

CREATE FUNCTION is_message_elsewhere(p_chat text, p_id text) RETURNS boolean LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN EXISTS (SELECT 1 FROM chats c WHERE c.trashed_at IS NULL AND c.id <> p_chat AND may_read(c, NULL)
    AND EXISTS (SELECT 1 FROM messages m WHERE m.chat = c.key AND m.id = p_id AND m.place = 0));
END $entry$;

CREATE FUNCTION get_path(p_chat text, p_id text, p_limit int) RETURNS SETOF message_row LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat); h messages := require_message(c.key, p_id); v_above int;
BEGIN
  v_above := CASE WHEN p_limit IS NULL THEN 0 ELSE greatest(0, h.depth - p_limit) END;
  RETURN QUERY SELECT m.key::float8, m.id, CASE WHEN m.depth = v_above + 1 THEN {{parentId}} END, {{furtherColumns}}
    FROM stretches(c.key, h.segment, h.depth, v_above) s
    JOIN messages m ON m.chat = c.key AND m.segment = s.segment AND m.depth <= s.upto AND m.depth > v_above ORDER BY m.depth;
END $entry$;

CREATE FUNCTION get_path_after(p_chat text, p_ancestor text, p_id text)
RETURNS SETOF message_row LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat); a messages := require_message(c.key, p_ancestor); h messages := require_message(c.key, p_id);
BEGIN
  IF NOT is_on_path(c.key, a.segment, a.depth, h.key) THEN PERFORM fail('no-ancestor'); END IF;
  RETURN QUERY SELECT m.key::float8, m.id, NULL::text, {{furtherColumns}}
    FROM stretches(c.key, h.segment, h.depth, a.depth) s
    JOIN messages m ON m.chat = c.key AND m.segment = s.segment AND m.depth <= s.upto AND m.depth > a.depth ORDER BY m.depth;
END $entry$;

CREATE FUNCTION get_children(p_chat text, p_id text) RETURNS SETOF message_row LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat); p messages := require_message(c.key, p_id);
BEGIN
  RETURN QUERY SELECT m.key::float8, m.id, {{parentId}}, {{furtherColumns}}
    FROM messages m WHERE m.chat = c.key AND m.parent = p.key AND m.place = 0 ORDER BY m.key;
END $entry$;

CREATE FUNCTION get_siblings(p_chat text, p_ids text[]) RETURNS TABLE (of_id text, id text) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats; v_archived boolean;
BEGIN
  SELECT * INTO c FROM chats WHERE id = p_chat AND trashed_at IS NULL;
  IF c.key IS NULL OR NOT may_read(c, NULL) THEN RETURN; END IF;
  v_archived := EXISTS (SELECT 1 FROM branches WHERE chat = c.key AND place = 0 AND archived_at IS NOT NULL);
  RETURN QUERY SELECT m.id, s.id FROM unnest(p_ids) w
    JOIN messages m ON m.chat = c.key AND m.id = w AND m.place = 0
    JOIN messages s ON s.chat = c.key AND s.parent IS NOT DISTINCT FROM m.parent AND s.depth = m.depth AND s.place = 0
      AND s.type <> 'internal' AND s.name = m.name
    WHERE NOT v_archived OR s.key = m.key OR EXISTS (SELECT 1 FROM branches b
      WHERE b.chat = c.key AND b.place = 0 AND b.archived_at IS NULL AND is_on_path(c.key, s.segment, s.depth, b.head))
    ORDER BY m.key, s.key;
END $entry$;

CREATE FUNCTION find_invocation(p_chat text, p_invocation text, p_head text)
RETURNS SETOF message_row LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat); h messages; v_key bigint;
BEGIN
  h := find_message(c.key, p_head);
  IF h.key IS NOT NULL THEN
    SELECT m.key INTO v_key FROM stretches(c.key, h.segment, h.depth, 0) s
      JOIN messages m ON m.chat = c.key AND m.segment = s.segment AND m.depth <= s.upto
      WHERE m.invocation_id = p_invocation ORDER BY m.depth LIMIT 1;
  END IF;
  IF v_key IS NULL THEN
    SELECT m.key INTO v_key FROM messages m
      WHERE m.chat = c.key AND m.invocation_id = p_invocation AND m.place = 0 ORDER BY m.key LIMIT 1;
  END IF;
  RETURN QUERY SELECT m.key::float8, m.id, {{parentId}}, {{furtherColumns}}
    FROM messages m WHERE m.chat = c.key AND m.key = v_key;
END $entry$;

CREATE FUNCTION find_common_ancestor(p_chat text, p_one text, p_other text)
RETURNS SETOF message_row LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat); a messages := require_message(c.key, p_one); b messages := require_message(c.key, p_other);
BEGIN
  RETURN QUERY SELECT m.key::float8, m.id, {{parentId}}, {{furtherColumns}}
    FROM messages m JOIN (
    SELECT one.segment, least(one.upto, other.upto) AS depth FROM stretches(c.key, a.segment, a.depth, 0) one
      JOIN stretches(c.key, b.segment, b.depth, 0) other ON other.segment = one.segment ORDER BY 2 DESC LIMIT 1) met
    ON m.chat = c.key AND m.segment = met.segment AND m.depth = met.depth;
END $entry$;

CREATE FUNCTION get_graph(p_chat text)
RETURNS TABLE (id text, parent_id text, name text, type text, data text, created_at float8) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat);
BEGIN
  RETURN QUERY SELECT m.id, p.id, m.name, m.type, CASE m.type WHEN 'internal' THEN '""' ELSE m.data END, m.created_at::float8
    FROM messages m LEFT JOIN messages p ON p.chat = c.key AND p.key = m.parent
    WHERE m.chat = c.key AND m.place = 0 ORDER BY m.key;
END $entry$;

CREATE FUNCTION get_skeleton(p_chat text)
RETURNS TABLE (key float8, parent float8, id text, name text) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat);
BEGIN
  RETURN QUERY SELECT m.key::float8, m.parent::float8, m.id, m.name FROM messages m
    WHERE m.chat = c.key AND m.place = 0 ORDER BY m.key;
END $entry$;

CREATE FUNCTION get_all_messages(p_chat text) RETURNS SETOF message_row LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat);
BEGIN
  RETURN QUERY SELECT m.key::float8, m.id, {{parentId}}, {{furtherColumns}}
    FROM messages m WHERE m.chat = c.key AND m.place = 0 ORDER BY m.key;
END $entry$;

CREATE FUNCTION list_file_changes(p_chat text) RETURNS TABLE (id text, effects text) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat);
BEGIN
  RETURN QUERY SELECT m.id, m.effects FROM messages m
    WHERE m.chat = c.key AND m.place = 0 AND m.effects LIKE '%"files":%' ORDER BY m.key;
END $entry$;

-- Branches, checkpoints, the log, drafts and shared data.

CREATE FUNCTION list_branches(p_chat text, p_user text, p_archived boolean) RETURNS json LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat);
BEGIN
  RETURN branches_json(c, acting_as(p_user, c.owner), NULL, p_archived);
END $entry$;

CREATE FUNCTION get_branch(p_chat text, p_user text, p_name text) RETURNS json LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat); v_user text := acting_as(p_user, c.owner); v_key bigint;
BEGIN
  IF p_name IS NULL THEN v_key := active_branch(c.key, v_user);
  ELSE SELECT key INTO v_key FROM branches WHERE chat = c.key AND name = p_name AND place = 0; END IF;
  RETURN CASE WHEN v_key IS NOT NULL THEN branch_json(c, v_user, v_key) END;
END $entry$;

CREATE FUNCTION branches_through(p_chat text, p_user text, p_message text) RETURNS json LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat); v_user text := acting_as(p_user, c.owner); m messages := require_message(c.key, p_message);
BEGIN
  RETURN (SELECT coalesce(json_agg(json_build_object('branch', branch_json(c, v_user, b.key), 'usedAt',
      greatest(
        (SELECT max(sequence) FROM events WHERE chat = c.key AND user_id = v_user AND branch = b.name
          AND kind = 'switched' AND {{isMove}}),
        (SELECT max(sequence) FROM events WHERE chat = c.key AND user_id = v_user AND branch = b.name
          AND kind IN ('messages-saved', 'rewound', 'restored', 'branch-created', 'btw') AND {{isNoMove}})))
      ORDER BY b.key), '[]')
    FROM branches b WHERE b.chat = c.key AND b.place = 0 AND is_on_path(c.key, m.segment, m.depth, b.head));
END $entry$;

CREATE FUNCTION list_checkpoints(p_chat text, p_name text) RETURNS json LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat);
BEGIN
  RETURN (SELECT coalesce(json_agg(checkpoint_json(c, k) ORDER BY k.key), '[]') FROM checkpoints k
    WHERE k.chat = c.key AND k.place = 0 AND (p_name IS NULL OR k.name = p_name));
END $entry$;

CREATE FUNCTION list_events(p_chat text, p_kinds text[], p_user text, p_before bigint, p_limit bigint)
RETURNS TABLE (sequence float8, kind text, user_id text, branch text, message_id text, details text, created_at float8)
LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE c chats := readable(p_chat);
BEGIN
  RETURN QUERY SELECT * FROM (
    SELECT e.sequence::float8, e.kind, e.user_id, e.branch, e.message_id, e.details, e.created_at::float8 FROM events e
    WHERE e.chat = c.key AND e.kind = ANY(p_kinds) AND (p_user IS NULL OR e.user_id = p_user)
      AND (p_before IS NULL OR e.sequence < p_before)
    ORDER BY e.sequence DESC LIMIT p_limit) last ORDER BY 1;
END $entry$;

CREATE FUNCTION list_drafts(p_chat text, p_user text, p_except uuid)
RETURNS TABLE (chat_id text, branch text, user_id text, data text, updated_at float8, client text, is_alive boolean)
LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT c.id, b.name, d.user_id, d.data, d.updated_at::float8, d.client::text, is_there(d.client)
    FROM drafts d JOIN chats c ON c.key = d.chat JOIN branches b ON b.chat = d.chat AND b.key = d.branch AND b.place = 0
    WHERE c.trashed_at IS NULL AND (p_chat IS NULL OR c.id = p_chat) AND may_read(c, NULL)
      AND CASE WHEN p_except IS NOT NULL THEN d.client <> p_except ELSE d.user_id = acting_as(p_user, c.owner) END
    ORDER BY d.chat, d.branch, d.user_id;
END $entry$;

CREATE FUNCTION get_shared_state(p_scope text, p_user text)
RETURNS TABLE (name text, value text) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT s.name, s.value FROM shared_state s
    WHERE s.scope = p_scope AND s.owner = CASE p_scope WHEN 'user' THEN acting_as(p_user, NULL) ELSE '' END
    ORDER BY s.name COLLATE "C";
END $entry$;

CREATE FUNCTION get_shared_artifacts(p_user text) RETURNS TABLE (name text, details text) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT a.name, a.details FROM shared_artifacts a WHERE a.owner = acting_as(p_user, NULL)
    ORDER BY a.name COLLATE "C", a.version;
END $entry$;

CREATE FUNCTION list_trash(p_user text, p_chat text) RETURNS json LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN (SELECT coalesce(json_agg(trash_json(t, c) ORDER BY t.number DESC), '[]')
    FROM trash t JOIN chats c ON c.key = t.chat
    WHERE NOT t.is_leaving AND (c.trashed_at IS NULL OR t.kind = 'chat')
      AND (is_service() OR c.owner = session_user OR (c.access = 'write' AND t.kind <> 'chat'))
      AND (p_user IS NULL OR c.owner = p_user) AND (p_chat IS NULL OR c.id = p_chat));
END $entry$;

-- The newest hits are ranked by BM25, up to a limit. The frequency of a word in a text is derived from ts_rank: with
-- all weights 1 and no normalization it is the sum of 1/n^2 over the hits, divided by 1.6449. The statement is
-- planned for each query: a very common word is best searched from the newest message on, a rare one by the index,
-- and a small chat by reading it. It asks the planner, which only a volatile function may do.
CREATE FUNCTION search(p_chat text, p_user text, p_terms text[], p_roles text[], p_limit int, p_ranked int)
RETURNS TABLE (chat_id text, rank float8, key float8, id text, parent_id text, depth int, name text, type text, data text,
  effects text, artifacts text, invocation_id text, replaces text, created_at float8)
LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE
  v_chat bigint; v_terms tsquery[]; v_query tsquery; v_counts float8[] := '{}'; v_term tsquery; v_all float8; v_plan json; v_where text;
BEGIN
  IF p_chat IS NOT NULL THEN v_chat := (readable(p_chat)).key; END IF;
  SELECT array_agg(t::tsquery), string_agg('(' || t || ')', ' & ')::tsquery INTO v_terms, v_query FROM unnest(p_terms) t;
  -- How rare a word is matters only with several words; the planner has an estimate.
  FOREACH v_term IN ARRAY v_terms LOOP
    IF array_length(v_terms, 1) > 1 THEN
      EXECUTE format('EXPLAIN (FORMAT JSON) SELECT 1 FROM messages m WHERE m.words @@ %L::tsquery', v_term::text) INTO v_plan;
      v_counts := v_counts || (v_plan->0->'Plan'->>'Plan Rows')::float8;
    ELSE
      v_counts := v_counts || 1::float8;
    END IF;
  END LOOP;
  SELECT greatest(sum(reltuples), (SELECT max(n) FROM unnest(v_counts) n), 100) INTO v_all FROM pg_class
    WHERE relkind = 'r' AND oid IN (SELECT 'messages'::regclass::oid UNION SELECT inhrelid FROM pg_inherits WHERE inhparent = 'messages'::regclass);
  v_where := CASE WHEN v_chat IS NOT NULL THEN format('m.chat = %s', v_chat)
    ELSE 'm.chat IN (SELECT c.key FROM chats c WHERE c.trashed_at IS NULL AND may_read(c, $3) AND may_read(c, NULL))' END;
  RETURN QUERY EXECUTE '
  WITH hits AS MATERIALIZED (
    SELECT m.chat, m.key, m.created_at, m.words, m.word_count FROM messages m
    WHERE m.words @@ $1 AND m.place = 0 AND ' || v_where || CASE WHEN p_roles IS NULL THEN '' ELSE ' AND m.name = ANY($4)' END || '
    ORDER BY m.created_at DESC, m.chat DESC, m.key DESC LIMIT $5),
  sized AS (SELECT *, 0.25 + 0.75 * word_count / greatest(1, avg(word_count) OVER ()) AS weight FROM hits),
  ranked AS (
    SELECT s.chat, s.key, s.created_at, (
      SELECT sum(ln(1 + ($8 - c.n + 0.5) / (c.n + 0.5)) * f.tf * 2.2 / (f.tf + 1.2 * s.weight))
      FROM unnest($2, $7) AS c(t, n),
        LATERAL (SELECT CASE WHEN numnode(c.t) > 1 THEN 1
          ELSE 1 / greatest(1.644935 - 1.644934 * ts_rank(''{1,1,1,1}'', s.words, c.t), 0.002) - 0.5 END AS tf) f) AS score
    FROM sized s ORDER BY 4 DESC, s.created_at DESC, s.chat DESC, s.key DESC LIMIT $6)
  SELECT c.id, r.score, m.key::float8, m.id, {{parentId}},
    {{furtherColumns}}
  FROM ranked r JOIN messages m ON m.chat = r.chat AND m.key = r.key JOIN chats c ON c.key = r.chat
  ORDER BY r.score DESC, r.created_at DESC, r.chat DESC, r.key DESC'
  USING v_query, v_terms, p_user, p_roles, p_ranked, p_limit, v_counts, v_all;
END $entry$;
