import { z } from 'zod';
import type { DatabaseValue, ForeignDatabase } from '../../base/foreignDatabase.ts';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { ToolCalls } from '../chatBuilder.ts';
import { readDatabase } from '../databases/readDatabase.ts';
import { batchOf, textOf, type SourceFile } from '../importBatch.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { chatOfMessages, type TreeMessage } from '../messageTree.ts';
import type { ProgramFormat } from '../programFormat.ts';
import { parsedRecord } from '../recordLines.ts';
import { isOfWorkspace, type SessionSearch } from '../sessionPlaces.ts';
import { composer, cursorBubble, partsOfBubble, type Composer } from './cursorBubbles.ts';

// Conversations of Cursor ("composers"), in the database of VS Code's storage that all windows share: a row for each,
// which names its messages, and a row for each message. The database of a workspace says which are its own.
// Undocumented; known from several independent descriptions and readers (chatrxiv, AgentBase, deadhand).

const TABLE = 'cursorDiskKV';

/** Below Electron's folder of the program's data. */
const USER = { base: 'appData', below: ['Cursor', 'User'] } as const;

/** The most folders of workspaces that are looked at. */
const MAX_WORKSPACES = 2_000;

export const cursor: ProgramFormat = {
  program: 'cursor',
  database: {
    detect: (tables) => tables.has(TABLE),
    chats: (database, now, keys) => chatsIn(database, now, keys),
  },
  find: async (search) => {
    const { list, now, openDatabase } = search;
    const global = await fileIn(search, 'globalStorage');
    const own = global && (await composersOfWorkspace(search));
    if (!global || !own || own.size === 0) return;
    await list.add(`${global.name} (Cursor)`, () =>
      batchOf(
        readDatabase(global, now, openDatabase, (database, _now, keys) =>
          chatsIn(database, now, keys ? new Set([...keys].filter((each) => own.has(each))) : own),
        ),
      ),
    );
  },
};

async function fileIn(
  { places }: SessionSearch,
  ...below: readonly string[]
): Promise<SourceFile | undefined> {
  const { files } = await places.list(places.userFolder(USER), ...below);
  return files.find(({ name }) => name === 'state.vscdb');
}

const workspaceFile = z.object({ folder: z.string() });

/** The ids of the conversations that a window of one of the workspace's folders has. */
async function composersOfWorkspace(search: SessionSearch): Promise<Set<string>> {
  const { places, list, now, openDatabase } = search;
  const own = new Set<string>();
  const { folders } = await places.list(places.userFolder(USER), 'workspaceStorage');
  for (const name of folders.slice(0, MAX_WORKSPACES)) {
    const { files } = await places.list(places.userFolder(USER), 'workspaceStorage', name);
    const about = files.find((each) => each.name === 'workspace.json');
    const state = files.find((each) => each.name === 'state.vscdb');
    if (!about || !state) continue;
    const folder = workspaceFile.safeParse(tryParseJson(await textOf(about, 100_000))).data?.folder ?? '';
    if (!isOfWorkspace(places, pathIn(folder))) continue;
    const reading = readDatabase(state, now, openDatabase, (database) => {
      for (const id of composerIds(database)) own.add(id);
      // Their ids are all that it has of conversations.
      return chatsIn(database, now, new Set());
    });
    await list.add(`${name}/${state.name}`, () => batchOf(reading));
  }
  return own;
}

/** Of a `file:` URI, as VS Code writes them, on any system; undefined for others, such as remote ones. */
function pathIn(uri: string): string | undefined {
  const [, encoded] = /^file:\/\/(\/.*)$/u.exec(uri) ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded).replace(/^\/(?=[a-z]:)/iu, '');
  } catch {
    return undefined;
  }
}

const composers = z.object({
  allComposers: z.array(z.object({ composerId: z.string() }).catch({ composerId: '' })),
});

function composerIds(database: ForeignDatabase): string[] {
  const where = { key: 'composer.composerData' };
  const [row] = database.rows('ItemTable', { columns: ['value'], where });
  const read = composers.safeParse(jsonIn(row?.['value'] ?? null)).data;
  return (read?.allComposers ?? []).map(({ composerId }) => composerId).filter((id) => id !== '');
}

async function* chatsIn(
  database: ForeignDatabase,
  now: number,
  keys: ReadonlySet<string> | undefined,
): AsyncGenerator<ForeignChat> {
  const where = { key: { from: 'composerData:', before: 'composerData;' } };
  const ids = [...database.rows(TABLE, { columns: ['key'], where })].flatMap(({ key }) =>
    typeof key === 'string' ? [key.slice('composerData:'.length)] : [],
  );
  for (const id of ids) {
    if (keys?.has(id) === false) continue;
    const read = composer.safeParse(valueOf(database, `composerData:${id}`)).data;
    if (read) yield await Promise.resolve(chatOf(read, database, now));
  }
}

function chatOf(given: Composer, database: ForeignDatabase, now: number): ForeignChat {
  const { composerId, name, createdAt, modelConfig, fullConversationHeadersOnly: headers } = given;
  const report = new ImportReport();
  const calls = new ToolCalls();
  const messages = new Map<string, TreeMessage>();
  let parentId: string | null = null;
  const rows = headers?.map(({ bubbleId }) => valueOf(database, `bubbleId:${composerId}:${bubbleId}`));
  for (const [index, value] of (rows && rows.length > 0 ? rows : (given.conversation ?? [])).entries()) {
    const bubble = cursorBubble.safeParse(value).data;
    if (!bubble) {
      report.add(
        value === undefined
          ? defineMessage('Messages that are missing')
          : defineMessage('Messages of an unknown kind'),
      );
      continue;
    }
    const key = bubble.bubbleId ?? headers?.[index]?.bubbleId ?? `${composerId} ${index}`;
    if (messages.has(key)) continue;
    messages.set(key, {
      parentId,
      role: bubble.type === 1 ? 'user' : 'assistant',
      parts: partsOfBubble(bubble, calls, report),
      createdAt: bubble.createdAt,
      model: bubble.modelInfo?.modelName ?? modelConfig?.modelName,
    });
    parentId = key;
  }
  calls.reportOpen(report);
  const facts = { title: name, currentId: parentId ?? undefined, now, startedAt: createdAt };
  const chat = chatOfMessages(messages, facts, report);
  return { source: { program: 'cursor', ids: [composerId] }, chat, blobs: new Map(), report };
}

function valueOf(database: ForeignDatabase, key: string): unknown {
  const [row] = database.rows(TABLE, { columns: ['value'], where: { key } });
  return jsonIn(row?.['value'] ?? null);
}

/** Values are texts, or their bytes. */
function jsonIn(value: DatabaseValue): unknown {
  const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
  return typeof text === 'string' ? parsedRecord(text) : undefined;
}
