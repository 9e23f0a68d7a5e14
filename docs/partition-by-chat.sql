-- Partitions the large tables of a shared store by hash of the chat.
--
--   psql -v ON_ERROR_STOP=1 -f partition-by-chat.sql "postgres://offshoot_owner@db.example.com/offshoot"
--
-- As the owner of the tables, or as a superuser. It is done whole or not at all. The rows are copied, so it takes the
-- room of these tables once more until it is done. All other calls wait for it; a call in progress may fail,
-- and keeps nothing. Later versions of Offshoot bring such a store up to date like any other.

BEGIN;

DO $partition$
DECLARE
  -- How many partitions each table gets. It can't be changed later without copying the rows again.
  partitions constant int := 16;
  large_tables constant text[] := ARRAY['segments', 'messages', 'branches', 'events', 'changes', 'message_blobs'];
  owner_name name;
  function_texts text[];
  signatures text[];
  function_grants text[];
  table_parts text[];
  options text;
  is_secured boolean;
  large text;
  whole text;
  part text;
  statement text;
  found_index record;
BEGIN
  IF to_regclass('offshoot.messages') IS NULL THEN
    RAISE EXCEPTION 'There is no shared store in this database.';
  END IF;
  IF (SELECT relkind FROM pg_class WHERE oid = 'offshoot.messages'::regclass) = 'p' THEN
    RAISE EXCEPTION 'This shared store is partitioned already.';
  END IF;
  -- What is made here belongs to the owner of the rest, whose rights the functions have.
  SELECT pg_get_userbyid(nspowner) INTO owner_name FROM pg_namespace WHERE nspname = 'offshoot';
  EXECUTE format('SET LOCAL ROLE %I', owner_name);
  SET LOCAL search_path = offshoot, pg_temp;
  SET LOCAL check_function_bodies = off;
  LOCK TABLE chats IN ACCESS EXCLUSIVE MODE;

  -- Functions know the tables by the types of their rows: they are created again with the tables.
  SELECT array_agg(pg_get_functiondef(oid) ORDER BY oid), array_agg(oid::regprocedure::text ORDER BY oid)
    INTO function_texts, signatures FROM pg_proc WHERE pronamespace = 'offshoot'::regnamespace;
  SELECT array_agg(format('GRANT EXECUTE ON FUNCTION %s TO %I', f.oid::regprocedure, pg_get_userbyid(a.grantee)))
    INTO function_grants FROM pg_proc f, aclexplode(f.proacl) a
    WHERE f.pronamespace = 'offshoot'::regnamespace AND a.grantee NOT IN (0, f.proowner);
  EXECUTE 'DROP FUNCTION ' || array_to_string(signatures, ', ');

  FOREACH large IN ARRAY large_tables LOOP
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', large);
    whole := large || '_whole';

    -- Its keys and indexes, who may read it and which rows, as the statements that make them.
    table_parts := ARRAY(
      SELECT coalesce('ALTER TABLE ' || quote_ident(large) || ' ADD CONSTRAINT ' || quote_ident(k.conname) || ' '
          || pg_get_constraintdef(k.oid), pg_get_indexdef(i.indexrelid))
        FROM pg_index i LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.contype IN ('p', 'u')
        WHERE i.indrelid = large::regclass ORDER BY i.indexrelid)
      || ARRAY(
      SELECT format('CREATE POLICY %I ON %I AS %s FOR %s TO ', policyname, tablename, permissive, cmd)
          || (SELECT string_agg(CASE r WHEN 'public' THEN 'PUBLIC' ELSE quote_ident(r) END, ', ') FROM unnest(roles) r)
          || coalesce(' USING (' || qual || ')', '') || coalesce(' WITH CHECK (' || with_check || ')', '')
        FROM pg_policies WHERE schemaname = 'offshoot' AND tablename = large)
      || ARRAY(
      SELECT format('GRANT %s ON %I TO ', a.privilege_type, large)
          || CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END
        FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = large::regclass AND a.grantee <> c.relowner);
    SELECT relrowsecurity, array_to_string(reloptions, ', ') INTO is_secured, options
      FROM pg_class WHERE oid = large::regclass;

    FOR found_index IN SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = large::regclass LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', found_index.relname, found_index.relname || '_whole');
    END LOOP;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', large, whole);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES) PARTITION BY HASH (chat)', large, whole);
    FOR remainder IN 0 .. partitions - 1 LOOP
      part := large || '_' || remainder;
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)', part, large, partitions, remainder)
        || coalesce(' WITH (' || options || ')', '');
      -- Nobody reads a partition past the policies of the table: it has none of its own that lets anybody in.
      IF is_secured THEN EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', part); END IF;
    END LOOP;
    IF is_secured THEN EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', large); END IF;
    EXECUTE format('INSERT INTO %I SELECT * FROM %I', large, whole);
    EXECUTE format('DROP TABLE %I', whole);
    FOREACH statement IN ARRAY table_parts LOOP
      EXECUTE statement;
    END LOOP;

    -- By the name of an index Offshoot knows why a row was refused: messages_by_id_3 is that of messages_3.
    FOR found_index IN
      SELECT c.relname AS old, p.relname || substring(t.relname FROM '_\d+$') AS new
      FROM pg_inherits o JOIN pg_class t ON t.oid = o.inhrelid JOIN pg_index i ON i.indrelid = t.oid
        JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_inherits h ON h.inhrelid = c.oid JOIN pg_class p ON p.oid = h.inhparent
      WHERE o.inhparent = large::regclass
    LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', found_index.old, found_index.new);
    END LOOP;
  END LOOP;

  FOREACH statement IN ARRAY function_texts LOOP
    EXECUTE statement;
  END LOOP;
  FOREACH statement IN ARRAY signatures LOOP
    EXECUTE 'REVOKE ALL ON FUNCTION ' || statement || ' FROM PUBLIC';
  END LOOP;
  FOREACH statement IN ARRAY coalesce(function_grants, '{}') LOOP
    EXECUTE statement;
  END LOOP;
END $partition$;

COMMIT;

-- The planner knows nothing of the new tables yet, and autovacuum never looks at a partitioned table itself.
ANALYZE offshoot.segments, offshoot.messages, offshoot.branches, offshoot.events, offshoot.changes, offshoot.message_blobs;
