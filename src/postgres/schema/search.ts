import { entry } from './define.ts';

/**
 * The newest hits are ranked by BM25, and no more than so many of them. How often a word is in a text is read off
 * `ts_rank`: with all weights 1 and no normalization it is the sum of 1/n² over the hits, by 1.6449.
 */
export const search = entry(
  'search',
  'p_chat text, p_user text, p_terms text[], p_roles text[], p_limit int, p_ranked int',
  'TABLE (chat_id text, rank float8, key float8, id text, parent_id text, depth int, name text, type text, data text, effects text, artifacts text, invocation_id text, replaces text, created_at float8)',
  `DECLARE
  v_chat bigint; v_terms tsquery[]; v_query tsquery; v_counts float8[] := '{}'; v_term tsquery; v_count float8; v_all float8; v_keys bigint[];
BEGIN
  IF p_chat IS NOT NULL THEN v_chat := (readable(p_chat)).key; END IF;
  SELECT array_agg(t::tsquery), string_agg('(' || t || ')', ' & ')::tsquery INTO v_terms, v_query FROM unnest(p_terms) t;
  -- How rare a word is matters only beside another.
  IF array_length(v_terms, 1) > 1 THEN
    FOREACH v_term IN ARRAY v_terms LOOP
      SELECT count(*) INTO v_count FROM (SELECT 1 FROM messages m WHERE m.words @@ v_term AND (v_chat IS NULL OR m.chat = v_chat) LIMIT p_ranked) t;
      v_counts := v_counts || v_count;
    END LOOP;
    SELECT CASE WHEN v_chat IS NULL THEN greatest(reltuples, 1) END INTO v_all FROM pg_class WHERE oid = 'messages'::regclass;
    v_all := greatest(coalesce(v_all, (SELECT c.last_message FROM chats c WHERE c.key = v_chat)), 1);
    v_all := greatest(v_all, (SELECT max(n) FROM unnest(v_counts) n));
  ELSE
    v_counts := '{1}'; v_all := 100;
  END IF;
  IF v_chat IS NULL THEN
    SELECT array_agg(c.key) INTO v_keys FROM chats c WHERE c.trashed_at IS NULL AND may_read(c, p_user) AND may_read(c, NULL);
  END IF;
  RETURN QUERY
  WITH hits AS MATERIALIZED (
    SELECT m.chat, m.key, m.created_at, m.words, m.word_count FROM messages m
    WHERE m.words @@ v_query AND m.place = 0
      AND CASE WHEN v_chat IS NULL THEN m.chat = ANY(v_keys) ELSE m.chat = v_chat END
      AND (p_roles IS NULL OR m.name = ANY(p_roles))
    ORDER BY m.created_at DESC, m.chat DESC, m.key DESC LIMIT p_ranked),
  sized AS (SELECT *, 0.25 + 0.75 * word_count / greatest(1, avg(word_count) OVER ()) AS weight FROM hits),
  ranked AS (
    SELECT s.chat, s.key, s.created_at, (
      SELECT sum(ln(1 + (v_all - c.n + 0.5) / (c.n + 0.5)) * f.tf * 2.2 / (f.tf + 1.2 * s.weight))
      FROM unnest(v_terms, v_counts) AS c(t, n),
        LATERAL (SELECT CASE WHEN numnode(c.t) > 1 THEN 1
          ELSE 1 / greatest(1.644935 - 1.644934 * ts_rank('{1,1,1,1}', s.words, c.t), 0.002) - 0.5 END AS tf) f) AS score
    FROM sized s ORDER BY 4 DESC, s.created_at DESC, s.chat DESC, s.key DESC LIMIT p_limit)
  SELECT c.id, r.score, m.key::float8, m.id, (SELECT p.id FROM messages p WHERE p.chat = m.chat AND p.key = m.parent),
    m.depth, m.name, m.type, m.data, m.effects, m.artifacts, m.invocation_id, m.replaces, m.created_at::float8
  FROM ranked r JOIN messages m ON m.chat = r.chat AND m.key = r.key JOIN chats c ON c.key = r.chat
  ORDER BY r.score DESC, r.created_at DESC, r.chat DESC, r.key DESC;
END`,
);
