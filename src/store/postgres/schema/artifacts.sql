-- Version 5: the versions of a user's artifacts without an advisory lock, which any role could take and keep. Two writes
-- of one version meet at its key: the second waits until the first has ended, and takes the next number.

CREATE OR REPLACE FUNCTION write_shared(p json) RETURNS json LANGUAGE plpgsql AS $f$
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
  FOR v IN SELECT * FROM json_array_elements(p->'artifacts') LOOP
    LOOP
      SELECT coalesce(max(version), -1) + 1 INTO v_version FROM shared_artifacts WHERE owner = v_user AND name = v->>'name';
      v := json_build_object('name', v->'name', 'version', v_version, 'mediaType', v->'mediaType', 'hash', v->'hash', 'size', v->'size');
      INSERT INTO shared_artifacts (owner, name, version, details) VALUES (v_user, v->>'name', v_version, v::text)
        ON CONFLICT DO NOTHING;
      EXIT WHEN FOUND;
    END LOOP;
    v_settled := v_settled || v;
  END LOOP;
  RETURN to_json(v_settled);
END $f$;
