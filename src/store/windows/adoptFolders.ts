import { z } from 'zod';
import type { SqlJsStatic } from 'sql.js';
import type { BlobStore } from '../../engine/store.ts';
import { ClosedError } from '../../engine/errors.ts';
import { sha256 } from '../../engine/bytes.ts';
import type { Platform } from '../../host/platform.ts';
import type { Transaction } from '../sqlite/database.ts';
import { findReply, keepReplyForEver } from '../sqlite/requests.ts';
import type { StorageFiles } from '../durable/storageFiles.ts';
import type { StorageParts } from '../durable/storageParts.ts';
import { copyConversations } from './copyConversations.ts';

export interface OtherFolder {
  readonly storage: StorageFiles;
  readonly blobs: {
    list(): Promise<readonly { hash: string }[]>;
    get(hash: string): Promise<Uint8Array | undefined>;
  };
  /** Only one process reads and writes there at a time. */
  readonly lock: { tryAcquire(): Promise<boolean>; release(): Promise<void> };
}

export interface AdoptionOptions {
  readonly sqlite: SqlJsStatic;
  readonly platform: Platform;
  readonly parts: StorageParts;
  readonly blobs: Pick<BlobStore, 'put' | 'has'>;
  /** Runs one transaction, which is on disk when it resolves. */
  readonly transaction: <T>(work: (transaction: Transaction) => T) => Promise<T>;
}

/** Written to a folder after its conversations were copied, with its contents at that time. */
const MARKER = 'offshoot.adopted';
const markerSchema = z.object({ contents: z.string() });

/** @returns how many chats were copied */
export async function adoptFolders(
  folders: readonly OtherFolder[],
  options: AdoptionOptions & { readonly onError: (error: unknown) => void },
): Promise<number> {
  let count = 0;
  for (const folder of folders) {
    try {
      count += (await adoptFolder(folder, options)) ?? 0;
    } catch (error) {
      // This process is no longer the writer; the next writer continues.
      if (error instanceof ClosedError || options.parts.isNotTheWriter(error)) return count;
      // Unreadable data stays in place and is tried again at the next start.
      options.onError(error);
    }
  }
  return count;
}

/**
 * Copies the conversations of another folder once: all of them or, when interrupted, none. The originals stay there.
 * @returns how many chats were copied; undefined when there was nothing to do, or another process is using the folder
 */
async function adoptFolder(
  { storage, blobs, lock }: OtherFolder,
  options: AdoptionOptions,
): Promise<number | undefined> {
  if ((await contentsOf(storage)) === '') return undefined;
  if ((await markedContents(storage)) === (await contentsOf(storage))) return undefined;
  if (!(await lock.tryAcquire())) return undefined;
  try {
    // The lock is held: no other process changes it from here on.
    const contents = await contentsOf(storage);
    const { parts, platform, sqlite, transaction } = options;
    const source = { sqlite, storage, crc32: platform.crc32 };
    const replica = await parts.loadReplica(source, true);
    try {
      if (replica.isNewer) return undefined;
      for (const { hash } of await blobs.list()) {
        const bytes = (await options.blobs.has(hash)) ? undefined : await blobs.get(hash);
        if (bytes) await options.blobs.put(bytes);
      }
      const id = `adopted ${await sha256(new TextEncoder().encode(JSON.stringify([storage.folder, contents])))}`;
      const count = await transaction((to) => {
        // The copy was done before; only the marker is missing.
        if (findReply(to, id) !== undefined) return 0;
        const { chats, messages } = copyConversations(replica.connection, to, parts);
        if (messages.last >= messages.first) parts.indexMessages(to, messages.first, messages.last);
        keepReplyForEver(to, id, String(chats));
        return chats;
      });
      await mark(storage, contents);
      return count;
    } finally {
      replica.connection.close();
    }
  } finally {
    await lock.release();
  }
}

/** Empty when there is none. */
async function contentsOf({ files, folder, database }: StorageFiles): Promise<string> {
  const found = (await files.list(folder)).filter(({ name }) => {
    const ending = name.startsWith(database) ? name.slice(database.length) : undefined;
    return ending !== undefined && /^(?:|\.bak|\.\d+\.journal)$/.test(ending);
  });
  return found
    .map(({ name, size }) => `${name} ${size}`)
    .sort()
    .join('\n');
}

async function markedContents({ files, folder }: StorageFiles): Promise<string | undefined> {
  const bytes = await files.read(files.join(folder, MARKER));
  if (!bytes) return undefined;
  try {
    return markerSchema.parse(JSON.parse(new TextDecoder().decode(bytes))).contents;
  } catch {
    // Scanned again: chats that are already here are left out.
    return undefined;
  }
}

async function mark({ files, folder }: StorageFiles, contents: string): Promise<void> {
  await files.replace(files.join(folder, MARKER), new TextEncoder().encode(JSON.stringify({ contents })));
}
