import { entry } from './access.ts';

/**
 * The newest hits are ranked by BM25, up to a limit. The frequency of a word in a text is derived from `ts_rank`:
 * with all weights 1 and no normalization it is the sum of 1/n² over the hits, divided by 1.6449. The statement is
 * planned for each query: a very common word is best searched from the newest message on, a rare one by the index,
 * and a small chat by reading it.
 */
export const search = entry(
  'search',
  'p_chat text, p_user text, p_terms text[], p_roles text[], p_limit int, p_ranked int',
  'TABLE (chat_id text, rank float8, key float8, id text, parent_id text, depth int, name text, type text, data text, effects text, artifacts text, invocation_id text, replaces text, created_at float8)',
  `DECLARE
  v_chat bigint; v_terms tsquery[]; v_query tsquery; v_counts float8[] := '{}'; v_term tsquery; v_all float8; v_plan json; v_where text;
BEGIN
  IF p_chat IS NOT NULL THEN v_chat := (readable(p_chat)).key; END IF;
  SELECT array_agg(t::tsquery), string_agg('(' || t || ')', ' & ')::tsquery INTO v_terms, v_query FROM unnest(p_terms) t;
  -- How rare a word is matters only beside another; the planner knows about.
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
  SELECT c.id, r.score, m.key::float8, m.id, (SELECT p.id FROM messages p WHERE p.chat = m.chat AND p.key = m.parent),
    m.depth, m.name, m.type, m.data, m.effects, m.artifacts, m.invocation_id, m.replaces, m.created_at::float8
  FROM ranked r JOIN messages m ON m.chat = r.chat AND m.key = r.key JOIN chats c ON c.key = r.chat
  ORDER BY r.score DESC, r.created_at DESC, r.chat DESC, r.key DESC'
  USING v_query, v_terms, p_user, p_roles, p_ranked, p_limit, v_counts, v_all;
END`,
  // It asks the planner, which only a volatile function may do.
  'VOLATILE',
);
