import type { DatabaseRow, ForeignDatabase } from '../../base/foreignDatabase.ts';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { chainKey } from '../chatBuilder.ts';
import { readDatabase } from '../databases/readDatabase.ts';
import { batchOf } from '../importBatch.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { keepPictures } from '../keptPictures.ts';
import { chatOfMessages, type TreeMessage } from '../messageTree.ts';
import type { ProgramFormat } from '../programFormat.ts';
import { parsedRecord } from '../recordLines.ts';
import { isOfWorkspace } from '../sessionPlaces.ts';
import { partsOfMessage, zedMessage, zedThread } from './zedThread.ts';

/** The most that a thread may become when it is unpacked, in bytes. */
const MAX_THREAD = 256 * 1024 * 1024;

const TABLE = 'threads';

/** Threads are the only table: other programs have one of that name among others. */
export const zed: ProgramFormat = {
  program: 'zed',
  database: {
    detect: (tables) => tables.size === 1 && tables.has(TABLE),
    chats: (database, now, keys) => threadsIn(database, now, keys, () => true),
  },
  find: async ({ places, list, now, openDatabase }) => {
    const root = places.userFolder({ base: 'localData', below: ['zed'] });
    const { files } = await places.list(root, 'threads');
    const file = files.find(({ name }) => name === 'threads.db');
    if (!file) return;
    // Older versions do not say for which folders a thread was: it may belong here.
    const isHere = ({ folder_paths: paths }: DatabaseRow): boolean =>
      typeof paths !== 'string' ||
      paths === '' ||
      paths.split('\n').some((each) => isOfWorkspace(places, each));
    await list.add(`${file.name} (Zed)`, () =>
      batchOf(
        readDatabase(file, now, openDatabase, (database, _now, keys) =>
          threadsIn(database, now, keys, isHere),
        ),
      ),
    );
  },
};

async function* threadsIn(
  database: ForeignDatabase,
  now: number,
  keys: ReadonlySet<string> | undefined,
  isWanted: (row: DatabaseRow) => boolean,
): AsyncGenerator<ForeignChat> {
  const about = [...database.rows(TABLE, { columns: ['id', 'folder_paths'] })].filter(isWanted);
  for (const { id } of about) {
    if (typeof id !== 'string' || keys?.has(id) === false) continue;
    const columns = ['summary', 'updated_at', 'data_type', 'data'];
    const [row] = database.rows(TABLE, { columns, where: { id } });
    if (row) yield await readThread(id, row, await contentOf(row, database), now);
  }
}

/** @throws ImportError where nothing unpacks it */
async function contentOf(
  { data_type: kind, data }: DatabaseRow,
  { unzstd }: ForeignDatabase,
): Promise<unknown> {
  if (typeof data === 'string') return parsedRecord(data);
  if (!(data instanceof Uint8Array)) return undefined;
  if (kind !== 'zstd') return parsedRecord(new TextDecoder().decode(data));
  if (!unzstd) {
    throw new ImportError(
      defineMessage(
        'its conversations are packed with Zstandard, which this version of the editor can’t unpack',
      ),
    );
  }
  try {
    return parsedRecord(new TextDecoder().decode(await unzstd(data, MAX_THREAD)));
  } catch {
    // It is damaged, or becomes far too large.
    return undefined;
  }
}

async function readThread(
  id: string,
  { summary, updated_at: updated }: DatabaseRow,
  value: unknown,
  now: number,
): Promise<ForeignChat> {
  const report = new ImportReport();
  const read = zedThread.safeParse(value).data;
  if (!read) report.add(defineMessage('Conversations that cannot be read, or are too large'));
  const messages = new Map<string, TreeMessage>();
  let parentId: string | null = null;
  for (const each of read?.messages ?? []) {
    const given = zedMessage.safeParse(each).data;
    if (!given) report.add(defineMessage('Messages of an unknown kind'));
    else if (given.role === 'resume') report.bookkeeping();
    else if (given.role === 'system') report.add(defineMessage('Instructions of the other program'));
    else {
      // Answers have no ids.
      const key: string = given.id ?? (await chainKey(parentId ?? id, each));
      if (messages.has(key)) continue;
      messages.set(key, {
        parentId,
        role: given.role,
        parts: partsOfMessage(given, report),
        model: read?.model?.model,
      });
      parentId = key;
    }
  }
  const at = Date.parse(typeof updated === 'string' ? updated : (read?.updated_at ?? ''));
  const facts = {
    title: read?.title ?? read?.summary ?? (typeof summary === 'string' ? summary : undefined),
    currentId: parentId ?? undefined,
    now,
    startedAt: Number.isFinite(at) ? at : undefined,
  };
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(chatOfMessages(messages, facts, report), blobs, report);
  return { source: { program: 'zed', ids: [id] }, chat, blobs, report };
}
