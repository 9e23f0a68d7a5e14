-- Each version brings it again, with the writes that it has.

-- The only way to write. A write has an id, which is stored with its reply in the same transaction: a repeated request,
-- because the answer was lost, returns that reply and does nothing.
CREATE OR REPLACE FUNCTION perform(p_request uuid, p_repeated boolean, p_write text, p_args json)
RETURNS text LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$
#variable_conflict use_column
DECLARE v outcome; v_reply text;
BEGIN
  -- A repeat waits for the first try, which may still be at it, and then finds what that did.
  PERFORM pg_advisory_xact_lock(hashtextextended(p_request::text, 0));
  IF p_repeated THEN
    SELECT reply INTO v_reply FROM changes WHERE request = p_request AND user_name = session_user;
    IF FOUND THEN RETURN v_reply; END IF;
  END IF;
  CASE p_write
    {{cases}}
    WHEN 'archiveBranch' THEN v := archive_branch(p_args, true);
    WHEN 'unarchiveBranch' THEN v := archive_branch(p_args, false);
    ELSE PERFORM fail('unknown-write', p_write);
  END CASE;
  IF v.chat IS NULL THEN RETURN json_build_object('result', v.result, 'changes', v.changes)::text; END IF;
  RETURN record_change(v.chat, v.sequence, p_request, v.result, v.changes);
END $entry$;
