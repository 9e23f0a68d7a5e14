import type { SqlJsStatic } from 'sql.js';
import { FilesUnavailableError, FileTooLargeError } from '../../platform/files.ts';
import type { ProgramLock } from '../../platform/locks.ts';
import type { Platform } from '../../platform/platform.ts';
import { DatabaseTooLargeError, type SizeLimit } from '../tooLarge.ts';
import type { ReplicaSource } from './replica.ts';
import { reasonOf, StorageUnavailableError, type RecoveryReport, type OwnAccess } from './storageErrors.ts';
import type { StorageFiles } from './storageFiles.ts';

export interface DurableDatabaseOptions {
  readonly sqlite: SqlJsStatic;
  readonly storage: StorageFiles;
  readonly platform: Platform;
  readonly lock: ProgramLock;
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

/** What opening throws for an error of the files. */
export function asOpeningError(error: unknown): unknown {
  if (error instanceof FilesUnavailableError) return new StorageUnavailableError(error);
  if (!(error instanceof FileTooLargeError)) return error;
  return new DatabaseTooLargeError(error.path, error.size, error.limit, { cause: error });
}

/** Whether this process may write, after it has tried to. */
export async function tryToLock(lock: ProgramLock): Promise<OwnAccess> {
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
