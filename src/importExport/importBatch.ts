import { ImportError, OffshootError } from '../engine/errors.ts';
import { MAX_IMPORTED_TITLE } from '../engine/limits.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import { ImportReport } from './importReport.ts';
import type { ForeignChat } from './importSource.ts';
import { keepPictures, type FindPicture } from './keptPictures.ts';
import type { Program } from './importPrograms.ts';

export interface SourceFile {
  /** Without folders. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  chunks(): AsyncIterable<Uint8Array>;
  /**
   * The file whose name is this one's and an ending, such as the log of a database; undefined if there is none now. Not
   * there where files are read without their folder.
   */
  readonly sibling?: ((ending: string) => Promise<SourceFile | undefined>) | undefined;
}

export interface FoundChat {
  readonly key: string;
  readonly program: Program;
  readonly title: string | undefined;
  readonly updatedAt: number;
  readonly messages: number;
  readonly branches: number;
  /** The size of its messages as JSON, in UTF-16 units. */
  readonly length: number;
}

export interface ImportBatch {
  readonly found: readonly FoundChat[];
  /** Reads the conversations with these keys again: they are not kept in memory. */
  read(keys: ReadonlySet<string>): AsyncIterable<ForeignChat>;
}

/** A kind of file, recognized by its first records or lines, such as a session. */
export interface LinesFormat {
  /** @param records the parsed lines; undefined: not JSON */
  readonly detect: (lines: readonly string[], records: readonly unknown[]) => boolean;
  readonly read: ReadFile;
}

/** A kind of file that is one JSON value, which may be a list. */
export interface ValueFormat {
  /** Of a list, the first item is enough. */
  readonly detect: (value: unknown) => boolean;
  readonly read: ReadFile;
}

/**
 * @param find finds the pictures stored next to it in an export
 * @throws ImportError
 */
export type ReadFile = (file: SourceFile, now: number, find?: FindPicture) => Promise<readonly ForeignChat[]>;

/** A conversation as a JSON value: a file holds one, or a list of them that may be larger than memory. */
export interface ItemFormat {
  readonly detect: (value: unknown) => boolean;
  /** Its reader takes any depth: some programs nest each message in the one before it. */
  readonly nests?: boolean;
  /**
   * @param find finds the pictures stored next to it in an export
   * @throws ImportError
   */
  readonly read: (value: unknown, now: number, find?: FindPicture) => Promise<ForeignChat>;
}

export interface Reading {
  /** Reads them again each time, so that they are not held in memory. @param keys the wanted ones; default: all */
  readonly chats: (keys?: ReadonlySet<string>) => AsyncIterable<ForeignChat>;
  /** What reading all of them left out that is in none of their reports. */
  readonly missing: ImportReport;
}

export interface Unread {
  readonly name: string;
  readonly error: unknown;
}

/** The largest file that is read as a whole, in bytes: several copies are held in memory. */
export const MAX_WHOLE_FILE = 256 * 1024 * 1024;

/** @throws ImportError for a file that is too large, or not text */
export async function textOf(file: SourceFile, limit = MAX_WHOLE_FILE): Promise<string> {
  if (file.size > limit) throw tooLarge(file, limit);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let read = 0;
  try {
    for await (const chunk of file.chunks()) {
      read += chunk.byteLength;
      // It may have grown in the meantime, or be endless.
      if (read > limit) throw tooLarge(file, limit);
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (cause) {
    if (cause instanceof TypeError)
      throw new ImportError(defineMessage('it is not a text in UTF-8'), { cause });
    throw cause;
  }
}

/** The first `length` UTF-16 units of its text. */
export async function startOf(file: SourceFile, length: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of file.chunks()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= length) break;
  }
  return text.slice(0, length);
}

export function tooLarge({ name }: SourceFile, limit: number): ImportError {
  return new ImportError(
    defineMessage('{0} is larger than {1}', name, `${Math.round(limit / 1_048_576)} MB`),
  );
}

function unreadable(cause: unknown): ImportError {
  const reason = cause instanceof Error ? cause.message.slice(0, 200) : 'unreadable';
  return new ImportError(defineMessage('it cannot be read ({0})', reason), { cause });
}

export function withBoundedTitle(foreign: ForeignChat): ForeignChat {
  const { chat, report } = foreign;
  const { title = '' } = chat;
  if (title.length <= MAX_IMPORTED_TITLE) return foreign;
  report.add(
    defineMessage('Chat titles of more than {0} characters, which were shortened', MAX_IMPORTED_TITLE),
  );
  // Do not end with half of a surrogate pair, which cannot be stored.
  const start = title.slice(0, MAX_IMPORTED_TITLE - 1).replace(/[\ud800-\udbff]$/u, '');
  return { ...foreign, chat: { ...chat, title: `${start}…` } };
}

/** By what a conversation is chosen from a list. */
export function keyOf({ source, chat }: ForeignChat): string {
  return source.ids[0] ?? chat.id;
}

function foundOf(foreign: ForeignChat): FoundChat {
  const { source, chat } = foreign;
  return {
    key: keyOf(foreign),
    program: source.program,
    title: chat.title,
    updatedAt: chat.updatedAt,
    messages: chat.messages.length,
    branches: chat.branches.length,
    length: chat.messages.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0),
  };
}

/** @returns undefined if there is nothing to import */
export async function batchOf(reading: Reading): Promise<ImportBatch | undefined> {
  const found: FoundChat[] = [];
  for await (const each of reading.chats()) found.push(foundOf(each));
  // Only an export from here is expected to be complete with its empty chats.
  const listed = found.filter(({ messages, program }) => messages > 0 || program === 'offshoot');
  if (listed.length === 0) return undefined;
  reading.missing.add(defineMessage('Conversations without messages'), found.length - listed.length);
  return {
    found: listed,
    read: async function* (keys) {
      let missing: ImportReport | undefined = reading.missing;
      for await (const each of reading.chats(keys)) {
        if (missing) each.report.addAll(missing);
        missing = undefined;
        yield each;
      }
    },
  };
}

export function readTogether(load: () => Promise<readonly ForeignChat[]>): Reading {
  return {
    missing: new ImportReport(),
    chats: async function* (keys) {
      for (const each of await load()) {
        if (keys?.has(keyOf(each)) !== false) yield withBoundedTitle(each);
      }
    },
  };
}

export function oneChat(load: () => Promise<ForeignChat | undefined>): Promise<ImportBatch | undefined> {
  return batchOf(
    readTogether(async () => {
      const foreign = await load();
      return foreign ? [foreign] : [];
    }),
  );
}

/** Keeps its pictures apart. @throws ImportError */
export async function readSession(
  program: Program,
  file: SourceFile,
  read: (text: string, report: ImportReport) => Session | Promise<Session>,
): Promise<ForeignChat[]> {
  const report = new ImportReport(file.name);
  const { chat, id } = await read(await textOf(file), report);
  const blobs = new Map<string, Uint8Array>();
  const shown = await keepPictures(chat, blobs, report);
  return [{ source: { program, ids: [id ?? file.name] }, chat: shown, blobs, report }];
}

export interface Session {
  readonly chat: PortableChat;
  readonly id: string | undefined;
}

/** An unreadable file or session does not affect the others. */
export class BatchList {
  readonly batches: ImportBatch[] = [];
  readonly unread: Unread[] = [];

  constructor(private readonly signal: AbortSignal) {}

  /** @param load returns undefined if there is nothing to import */
  async add(name: string, load: () => Promise<ImportBatch | undefined>): Promise<void> {
    this.signal.throwIfAborted();
    try {
      const batch = await load();
      if (batch && batch.found.length > 0) this.batches.push(batch);
    } catch (error) {
      if (this.signal.aborted) throw error;
      this.unread.push({ name, error: error instanceof OffshootError ? error : unreadable(error) });
    }
  }
}
