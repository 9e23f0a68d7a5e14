import { ImportError, NotStorableError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import type { BlobStore } from '../engine/store.ts';
import { keepBlobs, offshoot } from './conversationsFile.ts';
import { ImportReport, type LeftOut } from './importReport.ts';
import type { ForeignChat } from './importSource.ts';
import { pi } from './programs/piSession.ts';
import { vscode } from './programs/vscodeChat.ts';
import { readByFormat, refuse } from './readByFormat.ts';
import type { ProgramFormat } from './programFormat.ts';

/** Those of programs that export a tree, and of VS Code; the others would make the engine a tenth larger. */
const formats: readonly ProgramFormat[] = [pi, vscode, offshoot];

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

export interface Imported {
  readonly chatIds: readonly string[];
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
  const read = await readWhole(bytes, now, report);
  for (const { blobs } of read) await keepBlobs(target.blobs, blobs);
  const chats = read.map(({ chat }) => chat);
  return { chatIds: await target.importChats(userId, chats), leftOut: report.all() };
}

/** Stores nothing. */
async function readWhole(bytes: Uint8Array, now: number, report: ImportReport): Promise<ForeignChat[]> {
  const file = {
    name: 'file',
    size: bytes.byteLength,
    changedAt: now,
    chunks: async function* () {
      yield await Promise.resolve(bytes);
    },
  };
  const read: ForeignChat[] = [];
  try {
    const reading = await readByFormat(file, now, formats);
    if ('isList' in reading) refuse(formats);
    const { chats, missing } = reading;
    for await (const each of chats()) {
      read.push(each);
      report.addAll(each.report);
    }
    report.addAll(missing);
  } catch (cause) {
    // Unlimited nesting is more than any reader can handle.
    if (cause instanceof RangeError || cause instanceof NotStorableError)
      throw new ImportError(defineMessage('it is nested too deep or too long'), { cause });
    throw cause;
  }
  return read;
}
