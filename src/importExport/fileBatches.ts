import { ImportError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { chatGptChat, isChatGptConversation } from './chatgpt.ts';
import { claudeAiChat, isClaudeAiConversation } from './claudeAi.ts';
import { claudeCodeChat, readClaudeRecords } from './claudeCode.ts';
import { isClaudeRecord } from './claudeCodeRecords.ts';
import { clineChat, isClineHistory } from './clineTask.ts';
import { codexChat, codexMeta } from './codexSession.ts';
import { isConversations } from './conversationsFile.ts';
import {
  foundOf,
  oneChat,
  startOf,
  textOf,
  type BatchList,
  type FoundChat,
  type ImportBatch,
  type SourceFile,
} from './importBatch.ts';
import { readOwnFile } from './importFile.ts';
import { ImportReport } from './importReport.ts';
import type { ForeignChat } from './importSource.ts';
import { jsonItems } from './jsonItems.ts';
import type { FindPicture } from './keptPictures.ts';
import { isPiSession } from './piSession.ts';
import { parsedRecord } from './recordLines.ts';
import { sessionBatch } from './sessionBatches.ts';
import { isVsCodeChat, isMutationLog } from './vscodeChat.ts';

/** How much of a file is read to detect its format, in UTF-16 units. */
const START_LENGTH = 262_144;

/** How many records may precede a session's first message. */
const FIRST_RECORDS = 20;

/** Reads a file that the user chose, from any supported program. @throws ImportError */
export async function addFile(
  list: BatchList,
  file: SourceFile,
  now: number,
  find?: FindPicture,
): Promise<void> {
  await list.add(file.name, async () => {
    const batch = await batchOf(file, now, find);
    if (batch && batch.found.length > 0) return batch;
    throw new ImportError(defineMessage('there are no conversations in it'));
  });
}

async function batchOf(
  file: SourceFile,
  now: number,
  find: FindPicture | undefined,
): Promise<ImportBatch | undefined> {
  const start = await startOf(file, START_LENGTH);
  const lines = start.split('\n', FIRST_RECORDS);
  const first = parsedRecord(lines[0] ?? '');
  if (isPiSession(start.split('\n', 3).join('\n'))) return sessionBatch('pi', file, now);
  if (isMutationLog(first)) return sessionBatch('vscode', file, now);
  if (codexMeta(first)) return oneChat(async () => codexChat([await textOf(file)], now));
  // Claude Code writes file history and other, version-dependent records before the first message.
  if (lines.some((line) => isClaudeRecord(parsedRecord(line)))) {
    const id = file.name.replace(/\.jsonl$/u, '');
    return oneChat(async () => claudeCodeChat(readClaudeRecords({ id, text: await textOf(file) }), now));
  }
  if (/^\uFEFF?\s*\[/u.test(start)) return listBatch(file, now, find);
  return wholeBatch(file, now, find);
}

/** A list of conversations, read as a stream: it may be far larger than memory. */
async function listBatch(
  file: SourceFile,
  now: number,
  find: FindPicture | undefined,
): Promise<ImportBatch | undefined> {
  const found: FoundChat[] = [];
  let [leftOut, empty] = [0, 0];
  try {
    for await (const value of jsonItems(file.chunks(), { onLeftOut: () => (leftOut += 1) })) {
      // A Cline task is also a list, but of messages.
      if (found.length === 0 && isClineHistory([value])) return await clineBatch(file, now);
      const foreign = await conversationOf(value, now);
      if (!foreign) leftOut += 1;
      else if (foreign.chat.messages.length === 0) empty += 1;
      else found.push(foundOf(foreign));
    }
  } catch (error) {
    // Conversations before the error can still be imported.
    if (!(error instanceof ImportError) || found.length === 0) throw error;
    leftOut += 1;
  }
  return {
    found,
    read: async function* (keys) {
      const missing = new ImportReport();
      missing.add(defineMessage('Conversations that cannot be read, or are too large'), leftOut);
      missing.add(defineMessage('Conversations without messages'), empty);
      const wanted = new Set(keys);
      let isFirst = true;
      for await (const value of jsonItems(file.chunks(), { onLeftOut: () => undefined })) {
        const foreign = await conversationOf(value, now, find, keys);
        if (!foreign || !wanted.delete(foundOf(foreign).key)) continue;
        if (isFirst) foreign.report.addAll(missing);
        isFirst = false;
        yield foreign;
        if (wanted.size === 0) return;
      }
    },
  };
}

/** @param keys the wanted ones; the others need not be read whole */
async function conversationOf(
  value: unknown,
  now: number,
  find?: FindPicture,
  keys?: ReadonlySet<string>,
): Promise<ForeignChat | undefined> {
  const id = keyOf(value);
  if (keys && id !== undefined && !keys.has(id)) return undefined;
  try {
    if (isChatGptConversation(value)) return await chatGptChat(value, now, find);
    if (isClaudeAiConversation(value)) return claudeAiChat(value, now);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
  }
  return undefined;
}

function keyOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, uuid, conversation_id: conversation } = value as Record<string, unknown>;
  return [id, uuid, conversation].find((each) => typeof each === 'string');
}

function clineBatch(file: SourceFile, now: number): Promise<ImportBatch | undefined> {
  const id = /\d{10,}/u.exec(file.name)?.[0] ?? file.name;
  return oneChat(async () => clineChat({ program: 'cline', id, history: await textOf(file) }, now));
}

/** A file with one value: from this program, VS Code, or a single conversation. @throws ImportError */
async function wholeBatch(
  file: SourceFile,
  now: number,
  find: FindPicture | undefined,
): Promise<ImportBatch | undefined> {
  const text = await textOf(file);
  const value = parsedRecord(text);
  if (isVsCodeChat(value)) return sessionBatch('vscode', file, now);
  if (isChatGptConversation(value) || isClaudeAiConversation(value)) {
    return oneChat(() => conversationOf(value, now, find));
  }
  if (value !== undefined && !isConversations(value)) throw unknownFile();
  const chats = await readOwnFile(text, now);
  return {
    found: chats.map(foundOf),
    read: async function* (keys) {
      // Read again: between the two reads, only the list's fields are held in memory.
      for (const each of await readOwnFile(await textOf(file), now)) {
        if (keys.has(foundOf(each).key)) yield each;
      }
    },
  };
}

function unknownFile(): ImportError {
  return new ImportError(
    defineMessage(
      'it is no file of conversations that Offshoot knows: its own, or of ChatGPT, Claude.ai, Claude Code, Codex, Cline, VS Code or pi',
    ),
  );
}
