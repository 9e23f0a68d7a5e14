import { OffshootError } from '../../engine/errors.ts';

/** A change could not be written. It did not happen: what was saved before is as it was. */
export class StorageWriteError extends OffshootError {
  constructor(folder: string, cause: unknown) {
    const full = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
    super(
      full ? 'storage-full' : 'storage-write-failed',
      full
        ? `The disk is full: nothing could be saved in ${folder}. Free some space and try again.`
        : `Nothing could be saved in ${folder}: ${cause instanceof Error ? cause.message : String(cause)}. ` +
            'Check that the folder can be written to and try again.',
      { cause },
    );
  }
}

/** What was found damaged when a database was opened, and where it was put. Nothing of it was overwritten. */
export interface RecoveryReport {
  /** What is in use now: all that could be read, the backup, or a new database. */
  readonly outcome: 'journal-cut' | 'backup-used' | 'new-database';
  /** The files set aside. */
  readonly keptAside: readonly string[];
}
