import { parsedRecord, recordLines } from '../../recordLines.ts';
import { oneChat, startOf, textOf, type BatchList, type SourceFile } from '../../importBatch.ts';
import type { ProgramFormat } from '../../programFormat.ts';
import { ImportReport } from '../../importReport.ts';
import { SessionGroups } from '../../sessionGroups.ts';
import {
  isOfWorkspace,
  jsonLines,
  newestSessions,
  oldestFirst,
  type SessionPlaces,
} from '../../sessionPlaces.ts';
import { codexChat, type SessionNames } from './codexChat.ts';
import { codexHome } from './codexHome.ts';
import { codexMeta, indexedName } from './codexItems.ts';
import { rolloutNames, type RolloutText } from './codexRollout.ts';

/** How much of a rollout is read to find its folder, in UTF-16 units; its header holds instructions. */
const HEADER_LENGTH = 262_144;

export const codex: ProgramFormat = {
  program: 'codex',
  lines: {
    detect: (_lines, [first]) => codexMeta(first) !== undefined,
    read: async (file, now) => {
      const chat = await codexChat([await rolloutText(file)], new Map(), now);
      return chat ? [chat] : [];
    },
  },
  find: async ({ places, list, now }) => {
    const found = await rollouts(places);
    const names = await sessionNames(places);
    const isWanted = (folder: string | undefined): boolean => isOfWorkspace(places, folder);
    await addCodex(list, newestSessions('codex', found, list), now, isWanted, names);
  },
};

/** Those of the archive in one folder, the others by year, month and day. */
async function rollouts(places: SessionPlaces): Promise<SourceFile[]> {
  const root = codexHome(places, 'sessions');
  const numbered = async (...below: readonly string[]): Promise<string[]> =>
    (await places.list(root, ...below)).folders.filter((name) => /^\d+$/u.test(name)).toSorted();
  const found = jsonLines((await places.list(codexHome(places, 'archived_sessions'))).files);
  for (const year of await numbered())
    for (const month of await numbered(year))
      for (const day of await numbered(year, month))
        found.push(...jsonLines((await places.list(root, year, month, day)).files));
  return found;
}

/** What the user called sessions; the last name counts. */
async function sessionNames(places: SessionPlaces): Promise<SessionNames> {
  const { files } = await places.list(codexHome(places));
  const index = files.find(({ name }) => name === 'session_index.jsonl');
  try {
    const records = index ? [...recordLines(await textOf(index), new ImportReport())] : [];
    return new Map(
      records.flatMap((record) => {
        const { data } = indexedName.safeParse(record);
        return data ? [[data.id, data.thread_name] as const] : [];
      }),
    );
  } catch {
    // Without it, sessions are called by their first question.
    return new Map();
  }
}

async function rolloutText(file: SourceFile): Promise<RolloutText> {
  return { name: file.name, text: await textOf(file) };
}

/**
 * Rollouts that continue each other, and those of agents, become one chat.
 * @param isWanted by the folder that a session was for; all of a chat is wanted where one session is
 */
export async function addCodex(
  list: BatchList,
  files: readonly SourceFile[],
  now: number,
  isWanted: (folder: string | undefined) => boolean,
  names: SessionNames = new Map(),
): Promise<void> {
  const groups = new SessionGroups<SourceFile>();
  const wanted = new Set<SourceFile>();
  for (const file of oldestFirst(files)) {
    await list.add(file.name, async () => {
      const [line = ''] = (await startOf(file, HEADER_LENGTH)).split('\n', 1);
      const meta = codexMeta(parsedRecord(line));
      if (!meta) return undefined;
      if (isWanted(meta.cwd)) wanted.add(file);
      groups.add(file, rolloutNames(file.name, meta));
      return undefined;
    });
  }
  for (const group of groups.all().filter((each) => each.some((file) => wanted.has(file)))) {
    await list.add(group[0]?.name ?? '', () =>
      oneChat(async () => {
        const texts: RolloutText[] = [];
        for (const file of group) texts.push(await rolloutText(file));
        return codexChat(texts, names, now);
      }),
    );
  }
}
