import { z } from 'zod';
import type { MessageData } from '../engine/graph.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import { readUIMessage } from '../engine/uiMessage.ts';
import { editedTexts } from '../importExport/editedTexts.ts';
import { sourceOf } from '../importExport/importSource.ts';
import { hasWords, matchLines, NONE } from './lineMatches.ts';
import { isSameStep } from './lineOrigin.ts';
import { isSameFile } from './linePlaces.ts';
import type { StepPlace } from './stepDetails.ts';

/** An edit that another program made, as its session tells it. */
export interface ImportedEdit {
  readonly step: StepPlace;
  /** The lines with words that it added, without white space. */
  readonly added: ReadonlySet<string>;
  /** The whole file was written: what stood there before is not known. */
  readonly isWhole: boolean;
}

/** How many of the newest messages that name a file are read. */
const MOST_READ = 500;

/** The messages that name a file, by its name alone: programs write paths in different ways. The newest first. */
export async function messagesNaming(
  store: Pick<ReadonlyStore, 'searchAllMessages'>,
  userId: string,
  path: string,
): Promise<MessageData[]> {
  const name = path.slice(path.lastIndexOf('/') + 1).replaceAll('"', '');
  const found = await store.searchAllMessages(`file:"${name}"`, { userId, limit: MOST_READ });
  return found.map(({ message }) => message);
}

/** The edits of a file in imported chats, oldest first. */
export async function findImportedEdits(
  store: Pick<ReadonlyStore, 'listChats' | 'searchAllMessages' | 'listEvents'>,
  userId: string,
  path: string,
): Promise<readonly ImportedEdit[]> {
  // Most users have imported nothing, and a search reads many messages.
  const chats = await store.listChats({ userId, details: false });
  if (!chats.some(({ metadata }) => sourceOf(metadata))) return [];
  return importedEdits(store, path, await messagesNaming(store, userId, path));
}

/**
 * Those of messages that were found.
 * @param messages that may be about the file, in any order
 */
export async function importedEdits(
  store: Pick<ReadonlyStore, 'listEvents'>,
  path: string,
  messages: readonly MessageData[],
): Promise<readonly ImportedEdit[]> {
  const edits: ImportedEdit[] = [];
  const imports = new Map<string, Promise<(message: MessageData) => boolean>>();
  for (const message of messages.toSorted((a, b) => a.createdAt - b.createdAt || a.depth - b.depth)) {
    const read = message.name === 'assistant' ? readUIMessage(message.data) : undefined;
    const texts = read ? editedTexts(read).filter((each) => isSameFile(each.path, path)) : [];
    if (texts.length === 0) continue;
    const { chatId, id: messageId, createdAt: at } = message;
    const isImported = imports.get(chatId) ?? importsOf(store, chatId);
    imports.set(chatId, isImported);
    if (!(await isImported)(message)) continue;
    const step = { chatId, messageId, at };
    for (const { before, after } of texts)
      edits.push({ step, added: addedLines(before ?? '', after), isWhole: before === undefined });
  }
  return edits;
}

/**
 * For each line of a text, from 0, the steps of imported chats that put it into the file as it is, the last first. There
 * are no versions of the file to follow: a line that stands in it several times is only theirs next to another one of
 * theirs.
 */
export function importedLines(
  edits: readonly ImportedEdit[],
  text: string,
): ReadonlyMap<number, readonly StepPlace[]> {
  const found = new Map<number, StepPlace[]>();
  if (edits.length === 0) return found;
  const keys = keysOf(text);
  const places = new Map<string, number[]>();
  for (const [line, key] of keys.entries()) {
    const same = places.get(key);
    if (same) same.push(line);
    else places.set(key, [line]);
  }
  for (const { step, added, isWhole } of edits) {
    const own = Array.from(added, (key) => places.get(key) ?? []);
    const sure = new Set(own.flatMap((lines) => (lines.length === 1 ? lines : [])));
    const isSure = (line: number): boolean => sure.has(line) || sure.has(line - 1) || sure.has(line + 1);
    for (const line of own.flat()) {
      if (!isSure(line)) continue;
      const [last, ...earlier] = found.get(line) ?? [];
      if (!last) found.set(line, [step]);
      // What was there stays when all of the file is written once more.
      else if (!isWhole && !isSameStep(last, step)) found.set(line, [step, last, ...earlier]);
    }
  }
  return found;
}

const imported = z.object({ imported: z.literal(true), messageIds: z.array(z.string()).optional() });

/** Which messages of a chat came with an import; what was recorded here is known exactly. */
async function importsOf(
  store: Pick<ReadonlyStore, 'listEvents'>,
  chatId: string,
): Promise<(message: MessageData) => boolean> {
  const events = await store.listEvents(chatId, { kinds: ['chat-created', 'messages-saved'] });
  let createdAt = -Infinity;
  const ids = new Set<string>();
  for (const event of events) {
    const { data } = imported.safeParse(event.details);
    if (!data) continue;
    if (data.messageIds) for (const id of data.messageIds) ids.add(id);
    else createdAt = event.createdAt;
  }
  return (message) => message.createdAt <= createdAt || ids.has(message.id);
}

function addedLines(before: string, after: string): ReadonlySet<string> {
  const keys = keysOf(after);
  const { all } = matchLines(keysOf(before), keys);
  return new Set(keys.filter((key, line) => (all[line] ?? NONE) === NONE && hasWords(key)));
}

/** The lines of a text without white space. */
function keysOf(text: string): string[] {
  return text.replaceAll(/[^\S\n]+/gu, '').split('\n');
}
