import type { DatabaseRow, DatabaseValue, ForeignDatabase } from '../../../base/foreignDatabase.ts';
import type { ForeignChat } from '../../importSource.ts';
import { parsedRecord } from '../../recordLines.ts';
import { familyIds, opencodeChat, type KeptMessage } from './opencodeChat.ts';
import { familiesOf } from './opencodeFamilies.ts';
import { sessionInfo, type SessionInfo } from './opencodeRecords.ts';

// Since version 1.2: rows of sessions, messages and parts; the last two have what they are as JSON in `data`.

export function isOpencode(tables: ReadonlySet<string>): boolean {
  return ['session', 'message', 'part'].every((each) => tables.has(each));
}

export async function* chatsInDatabase(
  database: ForeignDatabase,
  now: number,
  keys: ReadonlySet<string> | undefined,
  isWanted: (info: SessionInfo) => boolean = () => true,
): AsyncGenerator<ForeignChat> {
  const starts = startsIn(database);
  const sessions = sessionsIn(database)
    .filter(isWanted)
    .map((info) => ({ info, messages: () => messagesIn(database, info.id) }));
  for (const family of familiesOf(sessions, (id) => starts.get(id))) {
    const [key] = familyIds(family);
    if (key !== undefined && keys?.has(key) !== false) yield await opencodeChat(family, now);
  }
}

export function sessionsIn(database: ForeignDatabase): SessionInfo[] {
  const columns = ['id', 'parent_id', 'directory', 'title', 'time_created', 'time_updated', 'revert'];
  return [...database.rows('session', { columns })].flatMap((row) => {
    const { id, parent_id: parentID, directory, title, time_created: created, time_updated: updated } = row;
    const time = { created, updated };
    const revert = objectIn(row['revert']);
    return sessionInfo.safeParse({ id, parentID, directory, title, time, revert }).data ?? [];
  });
}

/** When each session's first message was written. */
function startsIn(database: ForeignDatabase): Map<string, number> {
  const starts = new Map<string, number>();
  const columns = ['session_id', 'time_created'];
  for (const { session_id: id, time_created: at } of database.rows('message', { columns }))
    if (typeof id === 'string' && typeof at === 'number')
      starts.set(id, Math.min(at, starts.get(id) ?? Infinity));
  return starts;
}

async function* messagesIn(database: ForeignDatabase, session: string): AsyncGenerator<KeptMessage> {
  const wanted = { columns: ['id', 'time_created'], where: { session_id: session } };
  for (const { id } of [...database.rows('message', wanted)].toSorted(byTime)) {
    if (typeof id !== 'string') continue;
    const [message] = database.rows('message', { columns: ['data'], where: { id } });
    const parts = [...database.rows('part', { columns: ['id', 'data'], where: { message_id: id } })];
    yield await Promise.resolve({
      info: { ...objectIn(message?.['data']), id },
      parts: parts.toSorted(byId).map(({ data }) => objectIn(data)),
    });
  }
}

function byTime(one: DatabaseRow, other: DatabaseRow): number {
  return Number(one['time_created']) - Number(other['time_created']) || byId(one, other);
}

/** Ids grow with time. */
function byId(one: DatabaseRow, other: DatabaseRow): number {
  return String(one['id']) < String(other['id']) ? -1 : 1;
}

function objectIn(value: DatabaseValue | undefined): object | undefined {
  const read = typeof value === 'string' ? parsedRecord(value) : undefined;
  return typeof read === 'object' && read !== null ? read : undefined;
}
