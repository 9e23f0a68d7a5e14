import { z } from 'zod';
import { textLines } from '../../base/textLines.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { editedTexts } from '../../importExport/editedTexts.ts';
import { hasWords, matchLines, NONE } from '../../lineOrigins/lineMatches.ts';
import { isSameFile } from '../../lineOrigins/linePlaces.ts';

/** An edit that another program made, as its session tells it. */
interface ImportedEdit {
  readonly message: MessageData;
  /** The lines that it added, without white space. */
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

/**
 * For each line of a text, the messages of imported chats that put it into the file as it is, the last first. There are no
 * versions of the file to follow: a line that stands in it several times is only theirs next to another one of theirs.
 * @param messages that may be about the file, in any order
 */
export async function importedLines(
  store: Pick<ReadonlyStore, 'listEvents'>,
  path: string,
  text: string,
  messages: readonly MessageData[],
): Promise<ReadonlyMap<number, readonly MessageData[]>> {
  const edits = await editsOf(store, path, messages);
  const keys = textLines(text).map(keyOf);
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const found = new Map<number, MessageData[]>();
  for (const { message, added, isWhole } of edits) {
    const isSure = (line: number): boolean => {
      const key = keys[line] ?? '';
      return added.has(key) && hasWords(key) && counts.get(key) === 1;
    };
    for (const [line, key] of keys.entries()) {
      if (!hasWords(key) || !added.has(key)) continue;
      if (!isSure(line) && !isSure(line - 1) && !isSure(line + 1)) continue;
      const known = found.get(line);
      if (!known) found.set(line, [message]);
      // What was there stays when all of the file is written once more.
      else if (!isWhole && known[0] !== message) known.unshift(message);
    }
  }
  return found;
}

async function editsOf(
  store: Pick<ReadonlyStore, 'listEvents'>,
  path: string,
  messages: readonly MessageData[],
): Promise<ImportedEdit[]> {
  const edits: ImportedEdit[] = [];
  const imports = new Map<string, Promise<(message: MessageData) => boolean>>();
  for (const message of messages.toSorted((a, b) => a.createdAt - b.createdAt || a.depth - b.depth)) {
    const read = message.name === 'assistant' ? readUIMessage(message.data) : undefined;
    const texts = read ? editedTexts(read).filter((each) => isSameFile(each.path, path)) : [];
    if (texts.length === 0) continue;
    const isImported = imports.get(message.chatId) ?? importsOf(store, message.chatId);
    imports.set(message.chatId, isImported);
    if (!(await isImported)(message)) continue;
    for (const { before, after } of texts)
      edits.push({ message, added: addedLines(before ?? '', after), isWhole: before === undefined });
  }
  return edits;
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
  const keys = textLines(after).map(keyOf);
  const { all } = matchLines(textLines(before).map(keyOf), keys);
  return new Set(keys.filter((_key, line) => (all[line] ?? NONE) === NONE));
}

function keyOf(line: string): string {
  return line.replaceAll(/\s+/gu, '');
}
