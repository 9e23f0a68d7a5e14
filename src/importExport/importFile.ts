import { ImportError, NotStorableError } from '../engine/errors.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import type { BlobStore } from '../engine/store.ts';
import { MAX_IMPORTED_TITLE } from '../engine/limits.ts';
import { isConversations, keepBlobs, namedBlobs, readConversations } from './conversationsFile.ts';
import type { ForeignChat } from './importSource.ts';
import { ImportReport, type LeftOut, type ReadFile } from './importReport.ts';
import { keepPictures } from './keptPictures.ts';
import { isPiSession, readPiSession } from './piSession.ts';
import { isVsCodeChat, readVsCodeChat } from './vscodeChat.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';

/** The destination of imported chats, for example a store. */
export interface ImportTarget {
  readonly blobs: BlobStore;
  /**
   * Stores whole chats, all of them or none.
   * @returns their new ids
   * @throws ImportError
   */
  importChats(userId: string, chats: readonly PortableChat[]): Promise<string[]>;
}

/** The result of an import. */
export interface Imported {
  readonly chatIds: readonly string[];
  /** What was not imported from the file, by kind. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Imports a file of Offshoot, of VS Code's chat, or a session of pi: all of it or, on any error, nothing. Messages of
 * the role `system` are kept unchanged; they are untrusted, so pass them to a model only as a quotation.
 * @returns the ids of the chats
 * @throws ImportError
 */
export async function importFile(
  target: ImportTarget,
  userId: string,
  bytes: Uint8Array,
  now: number,
): Promise<string[]> {
  return [...(await importWithReport(target, userId, bytes, now)).chatIds];
}

/** As {@link importFile}, and reports what was left out. */
export async function importWithReport(
  target: ImportTarget,
  userId: string,
  bytes: Uint8Array,
  now: number,
): Promise<Imported> {
  const report = new ImportReport();
  const { chats, blobs } = await readFile(textOf(bytes), now, report);
  const bounded = withBoundedTitles(chats, report);
  await keepBlobs(target.blobs, blobs);
  return { chatIds: await target.importChats(userId, bounded), leftOut: report.all() };
}

/** Reads a file of any supported format; stores nothing. */
async function readFile(text: string, now: number, report: ImportReport): Promise<ReadFile> {
  try {
    if (isPiSession(text)) return await ofAnotherProgram(readPiSession(text, now, report), report);
    const value = parsed(text);
    if (isConversations(value)) {
      const read = readConversations(value);
      // The store keeps none of them: they would be undone in an unrelated workspace.
      report.add(
        defineMessage('Recorded file changes, which belong to another workspace'),
        fileChanges(read.chats),
      );
      return read;
    }
    if (isVsCodeChat(value)) return await ofAnotherProgram(await readVsCodeChat(value, now, report), report);
  } catch (cause) {
    // Unlimited nesting is more than any reader can handle.
    if (cause instanceof RangeError || cause instanceof NotStorableError)
      throw new ImportError(defineMessage('it is nested too deep or too long'), { cause });
    throw cause;
  }
  throw new ImportError(
    defineMessage(
      'it is neither a file of conversations of Offshoot, nor an exported chat of VS Code, nor a session of pi',
    ),
  );
}

/**
 * The chats of a file of this program, one by one.
 * @throws ImportError
 */
export async function readOwnFile(text: string, now: number): Promise<ForeignChat[]> {
  const report = new ImportReport();
  const { chats, blobs } = await readFile(text, now, report);
  return withBoundedTitles(chats, report).map((chat, index) => ({
    source: { program: 'offshoot', ids: [chat.id] },
    chat,
    blobs: new Map([...namedBlobs([chat])].flatMap((hash) => entryOf(blobs, hash))),
    // What was left out of the file is reported once.
    report: index === 0 ? report : new ImportReport(),
  }));
}

function entryOf(blobs: ReadonlyMap<string, Uint8Array>, hash: string): [string, Uint8Array][] {
  const bytes = blobs.get(hash);
  return bytes ? [[hash, bytes]] : [];
}

async function ofAnotherProgram(read: PortableChat, report: ImportReport): Promise<ReadFile> {
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(read, blobs, report);
  return { chats: [chat], blobs };
}

/** The same chats with titles short enough for every view. */
function withBoundedTitles(chats: readonly PortableChat[], report: ImportReport): PortableChat[] {
  return chats.map((chat) => {
    const { title = '' } = chat;
    if (title.length <= MAX_IMPORTED_TITLE) return chat;
    report.add(
      defineMessage('Chat titles of more than {0} characters, which were shortened', MAX_IMPORTED_TITLE),
    );
    // Do not end with half of a surrogate pair, which cannot be stored.
    const start = title.slice(0, MAX_IMPORTED_TITLE - 1).replace(/[\ud800-\udbff]$/u, '');
    return { ...chat, title: `${start}…` };
  });
}

function fileChanges(chats: readonly PortableChat[]): number {
  return chats
    .flatMap(({ messages }) => messages)
    .reduce((sum, { effects }) => sum + (effects?.files?.length ?? 0), 0);
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ImportError(defineMessage('it is not a text in UTF-8'), { cause });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new ImportError(
      defineMessage(
        'it is not JSON ({0})',
        cause instanceof Error ? cause.message.slice(0, 200) : 'unreadable',
      ),
      {
        cause,
      },
    );
  }
}
