import type { OpenDatabase } from '../base/foreignDatabase.ts';
import { ImportError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { offshoot } from './conversationsFile.ts';
import { DATABASE_START, isDatabase } from './databases/databaseFile.ts';
import { readDatabase, type ChatsIn } from './databases/readDatabase.ts';
import {
  batchOf,
  keyOf,
  readTogether,
  startOf,
  withBoundedTitle,
  type BatchList,
  type ItemFormat,
  type Reading,
  type SourceFile,
} from './importBatch.ts';
import { ImportReport } from './importReport.ts';
import type { ForeignChat } from './importSource.ts';
import { jsonItems } from './jsonItems.ts';
import type { FindPicture } from './keptPictures.ts';
import { bigAgi } from './programs/bigAgi.ts';
import { chatGpt } from './programs/chatgpt.ts';
import { cherryStudio } from './programs/cherryStudio.ts';
import { claudeAi } from './programs/claudeAi.ts';
import { claudeCode } from './programs/claudeCode.ts';
import { cline, roo } from './programs/clineTask.ts';
import { codex } from './programs/codex/codexSession.ts';
import { copilot } from './programs/copilotSession.ts';
import { gemini } from './programs/geminiSession.ts';
import { opencode } from './programs/opencode/opencode.ts';
import { cursor } from './programs/cursor.ts';
import { libreChat } from './programs/libreChat.ts';
import { openWebUi } from './programs/openWebUi.ts';
import { pi } from './programs/piSession.ts';
import { qwenCode } from './programs/qwenCode.ts';
import { vscode } from './programs/vscodeChat.ts';
import { zed } from './programs/zed.ts';
import { readByFormat, refuse } from './readByFormat.ts';
import type { ProgramFormat } from './programFormat.ts';

/** Every program whose conversations can be imported; the first that detects a file reads it. */
export const importFormats: readonly ProgramFormat[] = [
  pi,
  vscode,
  // Its records look like those of Claude Code.
  qwenCode,
  claudeCode,
  codex,
  cline,
  roo,
  gemini,
  copilot,
  opencode,
  chatGpt,
  claudeAi,
  libreChat,
  openWebUi,
  bigAgi,
  cherryStudio,
  cursor,
  zed,
  offshoot,
];

export async function addFile(
  list: BatchList,
  file: SourceFile,
  now: number,
  find?: FindPicture,
  openDatabase?: OpenDatabase,
): Promise<void> {
  await list.add(file.name, async () => {
    const batch = await batchOf(await readAny(file, now, find, openDatabase));
    if (batch) return batch;
    throw new ImportError(defineMessage('there are no conversations in it'));
  });
}

/**
 * @param find finds the pictures stored next to them in an export
 * @param openDatabase left out where there is no SQLite
 * @throws ImportError for a file of no supported program
 */
export async function readAny(
  file: SourceFile,
  now: number,
  find?: FindPicture,
  openDatabase?: OpenDatabase,
): Promise<Reading> {
  if (isDatabase(await startOf(file, DATABASE_START))) return readDatabase(file, now, openDatabase, chatsIn);
  const read = await readByFormat(file, now, importFormats, find);
  if (!('isList' in read)) return read;
  if (read.isList) return readList(file, now, find);
  const { value } = read;
  if (!itemFormatOf(value)) refuse(importFormats);
  return readTogether(async () => {
    const item = await readItem(value, now, find);
    return item ? [item] : [];
  });
}

const chatsIn: ChatsIn = (database, now, keys) => {
  const format = importFormats.find((each) => each.database?.detect(database.tables))?.database;
  return format ? format.chats(database, now, keys) : refuse(importFormats);
};

/** A list of conversations, read as a stream: it may be far larger than memory. */
async function readList(file: SourceFile, now: number, find: FindPicture | undefined): Promise<Reading> {
  for await (const first of jsonItems(file.chunks(), { onLeftOut: () => undefined })) {
    const format = importFormats.find((each) => each.value?.detect([first]))?.value;
    if (format) return readTogether(() => format.read(file, now));
    break;
  }
  const missing = new ImportReport();
  return { missing, chats: (keys) => listItems(file, now, find, missing, keys) };
}

async function* listItems(
  file: SourceFile,
  now: number,
  find: FindPicture | undefined,
  missing: ImportReport,
  keys: ReadonlySet<string> | undefined,
): AsyncGenerator<ForeignChat> {
  const wanted = keys && new Set(keys);
  let [isEmpty, leftOut] = [true, 0];
  try {
    for await (const value of jsonItems(file.chunks(), { onLeftOut: () => (leftOut += 1) })) {
      // The others need not be read whole.
      const item = wanted && !mayBeIn(value, wanted) ? undefined : await readItem(value, now, find);
      if (!item) leftOut += 1;
      else if (wanted?.delete(keyOf(item)) !== false) {
        isEmpty = false;
        yield withBoundedTitle(item);
      }
      if (wanted?.size === 0) return;
    }
  } catch (error) {
    // Conversations before the error can still be imported.
    if (!(error instanceof ImportError) || isEmpty) throw error;
    leftOut += 1;
  }
  // Those that are not wanted were not read.
  if (!wanted) missing.add(defineMessage('Conversations that cannot be read, or are too large'), leftOut);
}

async function readItem(
  value: unknown,
  now: number,
  find: FindPicture | undefined,
): Promise<ForeignChat | undefined> {
  try {
    return await itemFormatOf(value)?.read(value, now, find);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return undefined;
  }
}

function itemFormatOf(value: unknown): ItemFormat | undefined {
  return importFormats.find((each) => each.item?.detect(value))?.item;
}

/** False for a conversation with the id of another. */
function mayBeIn(value: unknown, keys: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { id, uuid, conversation_id: conversation } = value as Record<string, unknown>;
  const key = [id, uuid, conversation].find((each) => typeof each === 'string');
  return key === undefined || keys.has(key);
}
