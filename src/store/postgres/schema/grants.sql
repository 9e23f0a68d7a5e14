-- Permissions are granted again after each change.
DO $grant$
DECLARE f regprocedure;
BEGIN
  FOR f IN SELECT oid FROM pg_proc WHERE pronamespace = 'offshoot'::regnamespace LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{{MEMBER_ROLE}}') AND (SELECT prosecdef FROM pg_proc WHERE oid = f) THEN
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO {{MEMBER_ROLE}}', f);
    END IF;
  END LOOP;
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{{MEMBER_ROLE}}') THEN
    GRANT USAGE ON SCHEMA offshoot TO {{MEMBER_ROLE}};
    GRANT SELECT ON ALL TABLES IN SCHEMA offshoot TO {{MEMBER_ROLE}};
  END IF;
END $grant$;
