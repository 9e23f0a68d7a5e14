import { access, policies } from './access.ts';
import { branchParts, branchWrites } from './branchFunctions.ts';
import { chatWrites } from './chatFunctions.ts';
import { blobs, live } from './live.ts';
import { log, performOf } from './perform.ts';
import { messageParts, saveMessages, search } from './messageFunctions.ts';
import { portable } from './portableFunctions.ts';
import { purge, purgeInPieces } from './purgeFunctions.ts';
import { furtherReads, reads } from './reads.ts';
import { tables } from './tables.ts';
import { trashParts, trashWrites } from './trashFunctions.ts';

/** The functions of a version; references between them are resolved when they are called. */
const functions = [
  ...[messageParts, saveMessages, branchParts, branchWrites, chatWrites, trashParts, trashWrites],
  ...[portable, purge, purgeInPieces, reads, furtherReads, search, live, blobs],
].join('\n');

/** Members of this role may call the functions of the store, each as themselves. */
export const MEMBER_ROLE = 'offshoot_member';

/** Permissions are granted again after each change. */
const grants = `
DO $grant$
DECLARE f regprocedure;
BEGIN
  FOR f IN SELECT oid FROM pg_proc WHERE pronamespace = 'offshoot'::regnamespace LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${MEMBER_ROLE}') AND (SELECT prosecdef FROM pg_proc WHERE oid = f) THEN
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${MEMBER_ROLE}', f);
    END IF;
  END LOOP;
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${MEMBER_ROLE}') THEN
    GRANT USAGE ON SCHEMA offshoot TO ${MEMBER_ROLE};
    GRANT SELECT ON ALL TABLES IN SCHEMA offshoot TO ${MEMBER_ROLE};
  END IF;
END $grant$;
`;

/**
 * The additions of each version. A released entry is never edited: the next change is another entry. It adds and
 * replaces, and removes nothing that earlier versions use, since programs of both versions run side by side.
 */
export const migrations: readonly string[] = [
  [tables, access, policies, log, performOf(log + functions), functions].join('\n'),
];

/** The version this program needs. */
export const SCHEMA_VERSION = migrations.length;

/** The SQL that migrates to the next version, in one transaction. */
export function migrationSql(version: number): string {
  return `${migrations[version - 1] ?? ''}
${grants}
INSERT INTO schema_versions (version, made_at) VALUES (${version}, now());`;
}
