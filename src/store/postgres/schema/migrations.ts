import { MAX_NAME_LENGTH } from '../../../engine/limits.ts';
import { CANCEL_GRACE_MS } from '../../common/answerInputs.ts';
import { isMove, isNoMove } from '../../common/logMoves.ts';
import access from './access.sql';
import answers from './answers.sql';
import artifacts from './artifacts.sql';
import blobs from './blobs.sql';
import branches from './branches.sql';
import chats from './chats.sql';
import entry from './entry.sql';
import grants from './grants.sql';
import hits from './hits.sql';
import live from './live.sql';
import messages from './messages.sql';
import perform from './perform.sql';
import portable from './portable.sql';
import purge from './purge.sql';
import reads from './reads.sql';
import tables from './tables.sql';
import trash from './trash.sql';
import trashed from './trashed.sql';

/** Members of this role may call the functions of the store, each as themselves. */
export const MEMBER_ROLE = 'offshoot_member';

/** What each version adds; references between functions are resolved when they are called. */
const versions: readonly (readonly string[])[] = [
  [tables, access, perform, messages, branches, chats, trash, portable, purge, reads, live, blobs],
  [answers],
  [hits],
  [trashed],
  [artifacts],
];

/** A function that makes an outcome of one argument is a write, by its name in camel case. */
function casesOf(sql: string): string {
  const names = sql.matchAll(/^CREATE (?:OR REPLACE )?FUNCTION (\w+)\(p json\) RETURNS outcome/gm);
  const cases = Array.from(new Set(Array.from(names, ([, name = '']) => name)), (name) => {
    const write = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return `WHEN '${write}' THEN v := ${name}(p_args);`;
  });
  return cases.join('\n    ');
}

/** What stands for `{{name}}` in the SQL. */
const facts: ReadonlyMap<string, string> = new Map(
  Object.entries({
    isMove,
    isNoMove,
    MEMBER_ROLE,
    MAX_NAME_LENGTH: String(MAX_NAME_LENGTH),
    CANCEL_GRACE_MS: String(CANCEL_GRACE_MS),
    // Of the message `m`, for a `message_row`.
    parentId: '(SELECT p.id FROM messages p WHERE p.chat = m.chat AND p.key = m.parent)',
    furtherColumns:
      'm.depth, m.name, m.type, m.data, m.effects, m.artifacts, m.invocation_id, m.replaces, m.created_at::float8',
  }),
);

function filled(text: string, cases = ''): string {
  return text.replaceAll(/\{\{(.*?)\}\}/g, (braces, name: string) => {
    const fact = name === 'cases' ? cases : facts.get(name);
    if (fact === undefined) throw new Error(`Nothing stands for ${braces} in the SQL of the shared store.`);
    return fact;
  });
}

/**
 * The additions of each version. A released entry is never edited: the next change is another entry. It adds and
 * replaces, and removes nothing that earlier versions use, since programs of both versions run side by side. Version 1
 * is that of the first release.
 */
export const migrations: readonly string[] = versions.map((added, index) => {
  const all = versions.slice(0, index + 1).flat();
  return filled([...added, entry].join('\n'), casesOf(all.join('\n')));
});

export const SCHEMA_VERSION = migrations.length;

/** The SQL that migrates to the next version, in one transaction. */
export function migrationSql(version: number): string {
  return `${migrations[version - 1] ?? ''}
${filled(grants)}
INSERT INTO schema_versions (version, made_at) VALUES (${version}, now());`;
}
