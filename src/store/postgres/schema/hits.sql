-- Version 3: search for any of the words of a query. The program ranks what is found, as every store does.

-- The newest hits of each word, up to a limit: chats, messages, their depths and lengths as arrays. `counted`
-- says in how many messages it is, `texts` how many there are; of what is beyond the limit the planner has an estimate.
-- Without words, the newest messages. A statement is planned for each word: a very common one is best searched from the
-- newest message on, a rare one by the index, and a small chat by reading it. It asks the planner, which only a
-- volatile function may do.
CREATE FUNCTION search_hits(p_chat text, p_user text, p_words text[], p_required text[], p_excluded text, p_filters json, p_most int)
RETURNS TABLE (word int, chats text, keys text, depths text, lengths text, counted float8, texts float8)
LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE
  v_chat chats; v_where text; v_plan json; v_texts float8; v_query tsquery; v_required tsquery; v_excluded tsquery; v_word int;
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
  FOR v_word IN 0 .. greatest(coalesce(array_length(p_words, 1), 0), 1) - 1 LOOP
    v_query := nullif(p_words[v_word + 1], '')::tsquery;
    CONTINUE WHEN v_query IS NULL AND array_length(p_words, 1) > 0;
    EXECUTE 'SELECT array_agg(h.chat)::text, array_agg(h.key)::text, array_agg(h.depth)::text, array_agg(h.word_count)::text, count(*)
      FROM (SELECT m.chat, m.key, m.depth, m.word_count FROM messages m
        WHERE ' || CASE WHEN v_query IS NULL THEN 'm.type <> ''internal''' ELSE 'm.words @@ $1' END || ' AND m.place = 0 AND ' || v_where || '
        ORDER BY m.created_at DESC, m.chat DESC, m.key DESC LIMIT $6) h'
      INTO chats, keys, depths, lengths, counted
      USING v_query, p_user, v_required, v_excluded, p_filters, p_most;
    CONTINUE WHEN counted = 0;
    IF counted >= p_most AND v_query IS NOT NULL THEN
      EXECUTE format('EXPLAIN (FORMAT JSON) SELECT 1 FROM messages m WHERE m.words @@ %L::tsquery', v_query::text) INTO v_plan;
      counted := greatest(counted, (v_plan->0->'Plan'->>'Plan Rows')::float8);
    END IF;
    word := v_word;
    texts := v_texts;
    RETURN NEXT;
  END LOOP;
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
