import type { ClientBase } from 'pg';
import { MEMBER_ROLE, migrationSql, SCHEMA_VERSION } from './schema/migrations.ts';
import { NotSetUpError } from './storeErrors.ts';

/** The advisory lock of the database for migrating its tables. */
const LOCK = 0x0ff5_4007;

/**
 * Migrates the tables to this version, or leaves a later one as it is. Only one program does this at a time.
 * @throws NotSetUpError when a migration is needed and the role may not do it
 */
export async function setUp(client: ClientBase, to = SCHEMA_VERSION): Promise<void> {
  if ((await versionOf(client)) >= to) return;
  if (!(await mayMigrate(client))) throw new NotSetUpError(await versionOf(client), to);
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await client.query('CREATE SCHEMA IF NOT EXISTS offshoot');
    await client.query('SET LOCAL search_path = offshoot, pg_temp');
    // References between functions are resolved when they are called.
    await client.query('SET LOCAL check_function_bodies = off');
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_versions (version int PRIMARY KEY, made_at timestamptz NOT NULL)',
    );
    await makeMemberRole(client);
    for (let version = (await versionOf(client)) + 1; version <= to; version++) {
      await client.query(migrationSql(version));
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** 0: there are no tables of this program. */
export async function versionOf(client: ClientBase): Promise<number> {
  const there = await client.query<{ is: boolean }>(
    `SELECT to_regclass('offshoot.schema_versions') IS NOT NULL AS is`,
  );
  if (there.rows[0]?.is !== true) return 0;
  const { rows } = await client.query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM offshoot.schema_versions',
  );
  return rows[0]?.version ?? 0;
}

/** Whether the role owns the schema, or may make it. */
async function mayMigrate(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT NOT pg_is_in_recovery() AND coalesce(
      (SELECT pg_has_role(current_user, nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'offshoot'),
      has_database_privilege(current_database(), 'CREATE')) AS may`,
  );
  return rows[0]?.may === true;
}

/** The role for the users of a store; if this role may not make roles, an administrator makes it. */
async function makeMemberRole(client: ClientBase): Promise<void> {
  await client.query(`DO $role$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${MEMBER_ROLE}')
      AND (SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user) THEN
      CREATE ROLE ${MEMBER_ROLE} NOLOGIN;
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $role$`);
}
