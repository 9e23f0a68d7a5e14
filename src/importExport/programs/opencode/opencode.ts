import { readDatabase } from '../../databases/readDatabase.ts';
import { batchOf, textOf } from '../../importBatch.ts';
import type { ProgramFormat } from '../../programFormat.ts';
import { parsedRecord } from '../../recordLines.ts';
import { isOfWorkspace, type SessionSearch } from '../../sessionPlaces.ts';
import { opencodeChat, type KeptMessage } from './opencodeChat.ts';
import { chatsInDatabase, isOpencode, sessionsIn } from './opencodeDatabase.ts';
import { findInFolders } from './opencodeFolders.ts';
import { exportedSession } from './opencodeRecords.ts';

/** The same on every system. */
const DATA = { variable: 'XDG_DATA_HOME', base: 'home', below: ['.local', 'share'] } as const;

export const opencode: ProgramFormat = {
  program: 'opencode',
  // What `opencode export` writes.
  value: {
    detect: (value) => exportedSession.safeParse(value).success,
    read: async (file, now) => {
      const read = exportedSession.safeParse(parsedRecord(await textOf(file))).data;
      if (!read) return [];
      const root = { info: read.info, messages: () => eachOf(read.messages) };
      return [await opencodeChat({ roots: [root], agents: [] }, now)];
    },
  },
  database: { detect: isOpencode, chats: chatsInDatabase },
  find: async (search) => {
    const known = await findInDatabases(search);
    await findInFolders(search, search.places.userFolder(DATA, 'opencode', 'storage'), known);
  },
};

/** @returns the sessions that they have, of the workspace or not */
async function findInDatabases({ places, list, now, openDatabase }: SessionSearch): Promise<Set<string>> {
  const known = new Set<string>();
  const { files } = await places.list(places.userFolder(DATA, 'opencode'));
  // One for each channel of the program.
  for (const file of files.filter(({ name }) => /^opencode(?:-[\w.]+)?\.db$/u.test(name))) {
    const reading = readDatabase(file, now, openDatabase, (database, _now, keys) => {
      for (const { id } of sessionsIn(database)) known.add(id);
      return chatsInDatabase(database, now, keys, ({ directory }) =>
        isOfWorkspace(places, directory ?? undefined),
      );
    });
    await list.add(file.name, () => batchOf(reading));
  }
  return known;
}

async function* eachOf(messages: readonly KeptMessage[]): AsyncGenerator<KeptMessage> {
  for (const each of messages) yield await Promise.resolve(each);
}
