-- Version 3: search for any of the words of a query. The program ranks what is found, as every store does.

-- The newest hits of each word, up to a limit: chats, messages, their depths and lengths as arrays. `counted`
-- says in how many messages it is, `texts` how many there are; of what is beyond the limit the planner has an estimate.
-- Without words, the newest messages. A statement is planned for each word: a very common one is best searched from the
-- newest message on, a rare one by the index, and a small chat by reading it. In a search of all chats that nothing
-- limits, the rarest words are looked for alone, as long as `rows_read` suffices; the others only where another word of
-- the query is, too, which the index finds without reading the rest. Up to `by_index` estimated rows, all of them are
-- read and sorted: testing each message from the newest on takes longer. It asks the planner, which only a volatile
-- function may do.
CREATE FUNCTION search_hits(p_chat text, p_user text, p_words text[], p_required text[], p_excluded text, p_filters json, p_most int)
RETURNS TABLE (word int, chats text, keys text, depths text, lengths text, counted float8, texts float8)
LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE
  v_chat chats; v_where text; v_plan json; v_texts float8; v_query tsquery; v_required tsquery; v_excluded tsquery; v_word int;
  rows_read CONSTANT float8 := 8000; by_index CONSTANT float8 := 40000;
  v_counts float8[] := array_fill(NULL::float8, ARRAY[coalesce(array_length(p_words, 1), 0)]); v_count float8; v_estimate float8; v_left float8 := rows_read; v_all boolean; v_others tsquery; v_sum float8;
  v_is_wide boolean := p_chat IS NULL AND cardinality(p_required) = 0 AND p_filters::jsonb = '{}';
BEGIN
  IF p_chat IS NOT NULL THEN
    v_chat := readable(p_chat);
    v_texts := v_chat.messages;
  ELSE
    SELECT greatest(sum(reltuples), 0) INTO v_texts FROM pg_class
      WHERE relkind = 'r' AND oid IN (SELECT 'messages'::regclass::oid UNION SELECT inhrelid FROM pg_inherits WHERE inhparent = 'messages'::regclass);
  END IF;
  SELECT string_agg('(' || t || ')', ' & ')::tsquery INTO v_required FROM unnest(p_required) t;
  v_excluded := nullif(p_excluded, '')::tsquery;
  v_where := concat_ws(' AND ',
    CASE WHEN v_chat.key IS NOT NULL THEN format('m.chat = %s', v_chat.key)
      ELSE 'm.chat IN (SELECT c.key FROM chats c WHERE c.trashed_at IS NULL AND may_read(c, $2) AND may_read(c, NULL))' END,
    CASE WHEN v_required IS NOT NULL THEN 'm.words @@ $3' END,
    CASE WHEN v_excluded IS NOT NULL THEN 'NOT m.words @@ $4' END,
    CASE WHEN p_filters->'roles' IS NOT NULL THEN 'm.name IN (SELECT json_array_elements_text($5->''roles''))' END,
    CASE WHEN p_filters->'titles' IS NOT NULL THEN 'm.chat IN (SELECT c.key FROM chats c WHERE NOT EXISTS
      (SELECT 1 FROM json_array_elements_text($5->''titles'') t WHERE position(t IN lower(coalesce(c.title, ''''))) = 0))' END,
    CASE WHEN p_filters->'authors' IS NOT NULL THEN 'NOT EXISTS (SELECT 1 FROM json_array_elements_text($5->''authors'') a
      WHERE NOT CASE a WHEN ''user'' THEN m.name = ''user'' WHEN ''assistant'' THEN m.name <> ''user''
        ELSE m.name = ''user'' AND lower(m.author) = a END)' END,
    CASE WHEN p_filters->'files' IS NOT NULL THEN 'NOT EXISTS (SELECT 1 FROM json_array_elements_text($5->''files'') f
      WHERE position(f IN lower(m.data)) = 0 AND position(f IN lower(coalesce(m.effects, ''''))) = 0)' END,
    CASE WHEN p_filters->'before' IS NOT NULL THEN 'm.created_at < ($5->>''before'')::bigint' END,
    CASE WHEN p_filters->'since' IS NOT NULL THEN 'm.created_at >= ($5->>''since'')::bigint' END);
  FOR v_word IN 1 .. coalesce(array_length(p_words, 1), 0) LOOP
    CONTINUE WHEN p_words[v_word] = '';
    EXECUTE format('EXPLAIN (FORMAT JSON) SELECT 1 FROM messages m WHERE m.words @@ %L::tsquery', p_words[v_word]) INTO v_plan;
    v_counts[v_word] := (v_plan->0->'Plan'->>'Plan Rows')::float8;
  END LOOP;
  v_all := coalesce(array_length(p_words, 1), 0) = 0;
  FOR v_word, v_count IN SELECT n - 1, c FROM unnest(CASE WHEN v_all THEN '{0}' ELSE v_counts END) WITH ORDINALITY t(c, n)
      WHERE c IS NOT NULL ORDER BY c, n LOOP
    v_query := p_words[v_word + 1]::tsquery;
    v_estimate := v_count;
    IF v_is_wide AND v_count > v_left THEN
      SELECT string_agg('(' || t || ')', ' | ')::tsquery, sum(v_counts[n]) INTO v_others, v_sum
        FROM unnest(p_words) WITH ORDINALITY w(t, n) WHERE t <> '' AND n <> v_word + 1;
      IF v_others IS NOT NULL THEN
        v_query := v_query && v_others;
        v_estimate := v_count * least(1, v_sum / greatest(v_texts, 1));
      END IF;
    END IF;
    v_left := v_left - v_estimate;
    EXECUTE 'SELECT array_agg(h.chat)::text, array_agg(h.key)::text, array_agg(h.depth)::text, array_agg(h.word_count)::text, count(*)
      FROM (SELECT m.chat, m.key, m.depth, m.word_count FROM messages m
        WHERE ' || CASE WHEN v_all THEN 'm.type <> ''internal''' ELSE 'm.words @@ $1' END || ' AND m.place = 0 AND ' || v_where || '
        ORDER BY m.created_at' || CASE WHEN NOT v_all AND v_estimate < by_index THEN ' + 0' ELSE '' END || ' DESC, m.chat DESC, m.key DESC LIMIT $6) h'
      INTO chats, keys, depths, lengths, counted
      USING v_query, p_user, v_required, v_excluded, p_filters, p_most;
    IF counted = 0 THEN
      -- A word that only never stands where the others do is known all the same.
      CONTINUE WHEN v_estimate = v_count;
      IF v_count < by_index THEN
        EXECUTE 'SELECT count(*) FROM (SELECT 1 FROM messages m WHERE m.words @@ $1 AND m.place = 0 AND ' || v_where || ' ORDER BY m.created_at + 0 LIMIT 1) h'
          INTO counted USING p_words[v_word + 1]::tsquery, p_user, v_required, v_excluded, p_filters;
        CONTINUE WHEN counted = 0;
      END IF;
      chats := '{}'; keys := '{}'; depths := '{}'; lengths := '{}';
    END IF;
    counted := CASE WHEN v_all OR (counted < p_most AND v_estimate = v_count) THEN counted ELSE greatest(counted, v_count) END;
    word := v_word;
    texts := v_texts;
    RETURN NEXT;
  END LOOP;
END $entry$;

-- Which of the words the messages have that are stored next to some, of chats that may still be read: a bit each.
CREATE FUNCTION search_next_to(p_chats bigint[], p_keys bigint[], p_words text[], p_excluded text)
RETURNS TABLE (chat float8, key float8, depth int, word_count int, found int)
LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT m.chat::float8, m.key::float8, m.depth, m.word_count,
    (SELECT sum(1 << (n - 1)::int) FROM unnest(p_words) WITH ORDINALITY w(t, n) WHERE t <> '' AND m.words @@ t::tsquery)::int
  FROM (SELECT DISTINCT w.chat, w.key + step AS key FROM unnest(p_chats, p_keys) w(chat, key), unnest('{-1,1}'::int[]) step) near
    JOIN messages m ON m.chat = near.chat AND m.key = near.key JOIN chats c ON c.key = m.chat
  WHERE m.place = 0 AND c.trashed_at IS NULL AND may_read(c, NULL) AND (p_excluded = '' OR NOT m.words @@ p_excluded::tsquery);
END $entry$;

-- What was found, of chats that may still be read.
CREATE FUNCTION search_messages(p_chats bigint[], p_keys bigint[])
RETURNS TABLE (chat_id text, title text, chat float8, key float8, id text, parent_id text, depth int, name text, type text, data text,
  effects text, artifacts text, invocation_id text, replaces text, created_at float8)
LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT c.id, c.title, m.chat::float8, m.key::float8, m.id, {{parentId}},
    {{furtherColumns}}
  FROM unnest(p_chats, p_keys) WITH ORDINALITY wanted(chat, key, n)
    JOIN messages m ON m.chat = wanted.chat AND m.key = wanted.key JOIN chats c ON c.key = m.chat
  WHERE m.place = 0 AND c.trashed_at IS NULL AND may_read(c, NULL)
  ORDER BY wanted.n;
END $entry$;
