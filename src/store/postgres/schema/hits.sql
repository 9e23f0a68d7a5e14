-- Version 3: search for any of the words of a query. The program ranks what is found, as every store does.

-- The newest hits of each word, up to a limit: chats, messages, their depths and lengths as arrays. `counted` says in
-- how many messages it is, `texts` how many there are; of what is beyond the limit there is an estimate. Without words,
-- the newest messages.
--
-- Most forms that a word may have are in no message, and the index tries all that it is asked for on each message with
-- one of them. So the forms that the statistics know (`v_frequent`) are asked for apart from the others (`v_rare`). In
-- a search of all chats that nothing limits, words that are in more messages than the limit are looked for only where
-- another word of the query is, too, which the index finds without reading the rest; alone where that finds few. Up to
-- `by_index` rows, all of them are read and sorted: testing each message from the newest on takes longer. A statement
-- is planned for each word: a very common one is best searched from the newest message on, a rare one by the index, and
-- a small chat by reading it.
CREATE FUNCTION search_hits(p_chat text, p_user text, p_words text[], p_required text[], p_excluded text, p_filters json, p_most int)
RETURNS TABLE (word int, chats text, keys text, depths text, lengths text, counted float8, texts float8)
LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE
  v_chat chats; v_where text; v_texts float8; v_query tsquery; v_required tsquery; v_excluded tsquery; v_word int;
  rows_read CONSTANT float8 := 8000; by_index CONSTANT float8 := 40000; few CONSTANT int := 100;
  v_counts float8[]; v_count float8; v_estimate float8; v_left float8 := rows_read; v_all boolean; v_others tsquery; v_sum float8;
  v_elements text[]; v_shares real[]; v_frequent tsquery[]; v_rare tsquery[]; v_seldom tsquery; v_next tsquery; v_condition text;
  v_is_alone boolean; v_is_paired boolean; v_paired int[] := '{}'; v_found bigint := 0;
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
  v_where := concat_ws(' AND ', 'm.place = 0',
    CASE WHEN v_chat.key IS NOT NULL THEN format('m.chat = %s', v_chat.key)
      -- Where all chats are wanted, those of the messages need not be looked up.
      WHEN EXISTS (SELECT 1 FROM chats c WHERE c.trashed_at IS NOT NULL OR NOT (may_read(c, p_user) AND may_read(c, NULL)))
        THEN 'm.chat IN (SELECT c.key FROM chats c WHERE c.trashed_at IS NULL AND may_read(c, $2) AND may_read(c, NULL))' END,
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
  SELECT most_common_elems::text::text[], most_common_elem_freqs INTO v_elements, v_shares FROM pg_stats
    WHERE schemaname = 'offshoot' AND attname = 'words' AND (tablename = 'messages' OR tablename IN
      (SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'messages'::regclass))
    ORDER BY tablename <> 'messages', inherited DESC LIMIT 1;
  SELECT array_agg(frequent ORDER BY n), array_agg(rare ORDER BY n), array_agg(count ORDER BY n) INTO v_frequent, v_rare, v_counts FROM (
    WITH elements AS (SELECT * FROM unnest(v_elements, v_shares) e(element, share) WHERE element IS NOT NULL),
      forms AS (SELECT w.n, form, CASE WHEN bool_and(f.share > 0) THEN min(f.share) ELSE 0 END share
        FROM unnest(p_words) WITH ORDINALITY w(t, n), unnest(string_to_array(w.t, ' | ')) form,
          unnest(string_to_array(trim(form, '()'), ' <-> ')) part LEFT JOIN elements e ON e.element = part,
          LATERAL (SELECT CASE WHEN part LIKE '%:*' THEN (SELECT coalesce(sum(b.share), 0) FROM elements b WHERE starts_with(b.element, left(part, -2)))
            ELSE coalesce(e.share, 0) END share) f
        GROUP BY w.n, form)
    SELECT n, string_agg(form, ' | ') FILTER (WHERE share > 0)::tsquery frequent, string_agg(form, ' | ') FILTER (WHERE share = 0)::tsquery rare,
      CASE WHEN count(form) > 0 THEN least(1, sum(share)) * v_texts END count
    FROM unnest(p_words) WITH ORDINALITY w(t, n) LEFT JOIN forms USING (n) GROUP BY n) g;
  v_all := coalesce(array_length(p_words, 1), 0) = 0;
  FOR v_word, v_count, v_is_alone IN SELECT n - 1, c, is_alone
      FROM unnest(CASE WHEN v_all THEN '{0}' ELSE v_counts END) WITH ORDINALITY t(c, n), unnest('{f,t}'::boolean[]) is_alone
      WHERE c IS NOT NULL ORDER BY is_alone, c, n LOOP
    CONTINUE WHEN v_is_alone AND (v_found >= few OR NOT v_word = ANY (v_paired));
    v_query := v_frequent[v_word + 1];
    v_seldom := v_rare[v_word + 1];
    v_next := NULL;
    v_is_paired := false;
    IF v_is_wide AND NOT v_is_alone AND v_count > least(v_left, p_most) THEN
      SELECT string_agg(f::text, ' | ')::tsquery, string_agg(r::text, ' | ')::tsquery, coalesce(sum(c), 0)
        INTO v_others, v_next, v_sum FROM unnest(v_frequent, v_rare, v_counts) WITH ORDINALITY w(f, r, c, n) WHERE n <> v_word + 1;
      v_is_paired := v_others IS NOT NULL OR v_next IS NOT NULL;
    END IF;
    IF v_is_paired THEN
      v_next := v_query && v_next;
      v_query := v_query && v_others;
      v_paired := v_paired || v_word;
      v_estimate := v_count * least(1, v_sum / greatest(v_texts, 1));
    ELSE
      v_estimate := v_count;
      -- Each message from the newest on is tested.
      IF v_estimate >= by_index THEN v_seldom := NULL; END IF;
    END IF;
    v_left := v_left - v_estimate;
    v_condition := concat_ws(' OR ', CASE WHEN v_query IS NOT NULL THEN 'm.words @@ $1' END,
      CASE WHEN v_seldom IS NOT NULL THEN 'm.words @@ $7' END, CASE WHEN v_next IS NOT NULL THEN 'm.words @@ $8' END);
    EXECUTE 'SELECT array_agg(h.chat)::text, array_agg(h.key)::text, array_agg(h.depth)::text, array_agg(h.word_count)::text, count(*)
      FROM (SELECT m.chat, m.key, m.depth, m.word_count FROM messages m
        WHERE (' || CASE WHEN v_all THEN 'm.type <> ''internal''' ELSE v_condition END || ') AND ' || v_where || '
        ORDER BY m.created_at' || CASE WHEN NOT v_all AND v_estimate < by_index THEN ' + 0' ELSE '' END || ' DESC, m.chat DESC, m.key DESC LIMIT $6) h'
      INTO chats, keys, depths, lengths, counted
      USING v_query, p_user, v_required, v_excluded, p_filters, p_most, v_seldom, v_next;
    v_found := v_found + counted;
    IF counted = 0 THEN
      -- A word that only never stands where the others do is known all the same.
      CONTINUE WHEN NOT v_is_paired;
      chats := '{}'; keys := '{}'; depths := '{}'; lengths := '{}';
    END IF;
    counted := CASE WHEN v_all OR (counted < p_most AND NOT v_is_paired) THEN counted ELSE greatest(counted, v_count) END;
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
