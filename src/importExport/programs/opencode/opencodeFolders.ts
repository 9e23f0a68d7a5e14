import { z } from 'zod';
import { oneChat, textOf, type SourceFile } from '../../importBatch.ts';
import { parsedRecord } from '../../recordLines.ts';
import {
  isOfWorkspace,
  newestSessions,
  type SessionPlaces,
  type SessionSearch,
} from '../../sessionPlaces.ts';
import { opencodeChat, type KeptMessage, type KeptSession } from './opencodeChat.ts';
import { familiesOf } from './opencodeFamilies.ts';
import { sessionInfo } from './opencodeRecords.ts';

// Up to version 1.1: a file for each session, message and part. They stay when the database has taken them over.

/** @param known the sessions that the database has */
export async function findInFolders(
  { places, list, now }: SessionSearch,
  folder: string,
  known: ReadonlySet<string>,
): Promise<void> {
  const files: SourceFile[] = [];
  for (const project of (await places.list(folder, 'session')).folders)
    files.push(...jsonFiles((await places.list(folder, 'session', project)).files));
  const sessions: KeptSession[] = [];
  const starts = new Map<string, number>();
  for (const file of newestSessions('opencode', files, list)) {
    await list.add(file.name, async () => {
      const info = sessionInfo.safeParse(await valueIn(file)).data;
      if (!info || known.has(info.id) || !isOfWorkspace(places, info.directory ?? undefined))
        return undefined;
      sessions.push({ info, messages: () => messagesIn(places, folder, info.id) });
      const [first] = jsonFiles((await places.list(folder, 'message', info.id)).files);
      const start = first && created.safeParse(await valueIn(first)).data;
      if (start) starts.set(info.id, start.time.created);
      return undefined;
    });
  }
  for (const family of familiesOf(sessions, (id) => starts.get(id)))
    await list.add(family.roots[0]?.info.id ?? '', () => oneChat(() => opencodeChat(family, now)));
}

const created = z.object({ time: z.object({ created: z.number() }) });

async function* messagesIn(
  places: Pick<SessionPlaces, 'list'>,
  folder: string,
  session: string,
): AsyncGenerator<KeptMessage> {
  for (const file of jsonFiles((await places.list(folder, 'message', session)).files)) {
    const id = file.name.replace(/\.json$/u, '');
    const parts: unknown[] = [];
    for (const part of jsonFiles((await places.list(folder, 'part', id)).files))
      parts.push(await valueIn(part));
    yield { info: await valueIn(file), parts };
  }
}

/** By name: ids grow with time. */
function jsonFiles(files: readonly SourceFile[]): SourceFile[] {
  return files
    .filter(({ name }) => name.endsWith('.json'))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Undefined for what was cut, or is no JSON. */
async function valueIn(file: SourceFile): Promise<unknown> {
  return parsedRecord(await textOf(file));
}
