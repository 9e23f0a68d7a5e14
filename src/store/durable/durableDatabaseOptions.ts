import type { SqlJsStatic } from 'sql.js';
import type { Platform } from '../../platform/platform.ts';
import type { SnapshotBuilder } from '../../platform/snapshots.ts';
import type { Connection } from '../connection.ts';
import type { SizeLimit } from '../tooLarge.ts';
import type { ReplicaSource } from './replica.ts';
import { sizeOf, writeSnapshot } from './snapshot.ts';
import { reasonOf, type RecoveryReport, type OwnAccess } from './storageErrors.ts';
import type { StorageFiles } from './storageFiles.ts';
import type { WriterLock } from './writerLock.ts';

/** What makes sure that only one process writes; a reader's is never held. */
export type Lock = Pick<WriterLock, 'isHeld' | 'tryAcquire' | 'confirm' | 'release'>;

export interface DurableDatabaseOptions {
  readonly sqlite: SqlJsStatic;
  readonly storage: StorageFiles;
  readonly platform: Platform;
  readonly lock: Lock;
  readonly now: () => number;
  /** How large the journals may become, in bytes, before they are made part of the snapshot; default: by its size. */
  readonly journalLimit?: number | undefined;
  /** After how long without a save the journals become part of the snapshot, in milliseconds; default: a minute. */
  readonly quietMs?: number | undefined;
  /** How long closing may take to make them part of it, in milliseconds; default: as long as it takes. */
  readonly closeWithinMs?: number | undefined;
  /** How large the database may become: what would make it larger is refused. */
  readonly sizeLimit?: SizeLimit | undefined;
  /** Gets what was found damaged. */
  readonly onRecovery: (report: RecoveryReport) => void;
  /** Gets what went wrong in the background: following the writer, and writing snapshots. */
  readonly onError: (error: unknown) => void;
}

/** Whether this process may write, after it has tried to. */
export async function tryToLock(lock: Lock): Promise<OwnAccess> {
  try {
    return { kind: (await lock.tryAcquire()) ? 'writer' : 'other-writer' };
  } catch (error) {
    return { kind: 'not-writable', reason: reasonOf(error) };
  }
}

/** The files, as they are read. */
export function sourceOf({ sqlite, storage, platform: { crc32 } }: DurableDatabaseOptions): ReplicaSource {
  return { sqlite, storage, crc32 };
}

/** Writes what is in memory, which is what the files hold as long as nothing is saved. */
export function ownSnapshot(
  connection: Connection,
  { storage, platform }: Pick<DurableDatabaseOptions, 'storage' | 'platform'>,
): SnapshotBuilder {
  return {
    build: async ({ generation }) => {
      const parts = writeSnapshot(connection.export(), generation, platform.crc32);
      await storage.files.write(storage.nextSnapshot, parts);
      return sizeOf(parts);
    },
  };
}
