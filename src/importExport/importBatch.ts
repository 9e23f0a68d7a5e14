import { ImportError, OffshootError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { ForeignChat, Program } from './importSource.ts';

/** A file to read from, stored anywhere. */
export interface SourceFile {
  /** Without folders. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** Its content in chunks. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** A conversation that can be imported, as shown in a list. */
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

/** Conversations that are read in one batch. */
export interface ImportBatch {
  readonly found: readonly FoundChat[];
  /** Reads the conversations with these keys again: they are not kept in memory. */
  read(keys: ReadonlySet<string>): AsyncIterable<ForeignChat>;
}

/** A file that could not be read, and why. */
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

/** The beginning of a file, as long as it is text. */
export async function startOf(file: SourceFile, length: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of file.chunks()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= length) break;
  }
  return text.slice(0, length);
}

function tooLarge({ name }: SourceFile, limit: number): ImportError {
  return new ImportError(
    defineMessage('{0} is larger than {1}', name, `${Math.round(limit / 1_048_576)} MB`),
  );
}

function unreadable(cause: unknown): ImportError {
  const reason = cause instanceof Error ? cause.message.slice(0, 200) : 'unreadable';
  return new ImportError(defineMessage('it cannot be read ({0})', reason), { cause });
}

/** A conversation's fields for a list. */
export function foundOf({ source, chat }: ForeignChat): FoundChat {
  return {
    key: source.ids[0] ?? chat.id,
    program: source.program,
    title: chat.title,
    updatedAt: chat.updatedAt,
    messages: chat.messages.length,
    branches: chat.branches.length,
    length: chat.messages.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0),
  };
}

/** A batch of one conversation. */
export async function oneChat(
  load: () => Promise<ForeignChat | undefined>,
): Promise<ImportBatch | undefined> {
  const foreign = await load();
  if (!foreign || foreign.chat.messages.length === 0) return undefined;
  return {
    found: [foundOf(foreign)],
    read: async function* () {
      const again = await load();
      if (again) yield again;
    },
  };
}

/** Collects the batches of several files or sessions; an unreadable one does not affect the others. */
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
