import type { SqlJsStatic } from 'sql.js';
import { FilesUnavailableError, FileTooLargeError } from '../../host/files.ts';
import type { ProgramLock, Platform } from '../../host/platform.ts';
import { DatabaseTooLargeError, type SizeLimit } from '../sqlite/sizeLimit.ts';
import type { ReplicaSource } from './replica.ts';
import {
  asStorageError,
  reasonOf,
  StorageUnavailableError,
  type RecoveryReport,
  type OwnAccess,
} from './storageErrors.ts';
import type { StorageFiles } from './storageFiles.ts';

export interface DurableDatabaseOptions {
  readonly sqlite: SqlJsStatic;
  readonly storage: StorageFiles;
  readonly platform: Platform;
  readonly lock: ProgramLock;
  readonly now: () => number;
  /** The size at which journals are merged into the snapshot, in bytes; default: depends on the snapshot's size. */
  readonly journalLimit?: number | undefined;
  /** The time without a save after which they are merged, in milliseconds; default: a minute. */
  readonly quietMs?: number | undefined;
  /** How long closing may take to merge them, in milliseconds; default: no limit. */
  readonly closeWithinMs?: number | undefined;
  /** How long to wait before files that could not be prepared for writing are tried again; default: 5 s. */
  readonly retryMs?: number | undefined;
  /** The maximum size of the database: changes that would exceed it are rejected. */
  readonly sizeLimit?: SizeLimit | undefined;
  readonly onRecovery: (report: RecoveryReport) => void;
  /** Also those of background work: following the writer, and writing snapshots. */
  readonly onError: (error: unknown) => void;
}

export function asOpeningError(error: unknown): unknown {
  if (error instanceof FilesUnavailableError) return new StorageUnavailableError(error);
  if (!(error instanceof FileTooLargeError)) return asStorageError(error);
  return new DatabaseTooLargeError(error.path, error.size, error.limit, { cause: error });
}

export async function tryToLock(lock: ProgramLock): Promise<OwnAccess> {
  try {
    return { kind: (await lock.tryAcquire()) ? 'writer' : 'other-writer' };
  } catch (error) {
    return { kind: 'not-writable', reason: reasonOf(error) };
  }
}

export function sourceOf({ sqlite, storage, platform: { crc32 } }: DurableDatabaseOptions): ReplicaSource {
  return { sqlite, storage, crc32 };
}
