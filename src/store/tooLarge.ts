import { OffshootError } from '../engine/errors.ts';
import { MAX_DATABASE_BYTES } from '../engine/limits.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';

/** The maximum size of a database. */
export interface SizeLimit {
  readonly maxBytes: number;
  /** Deleting first grows the word index, by at most this. */
  readonly deletingBytes: number;
}

export const SIZE_LIMIT: SizeLimit = { maxBytes: MAX_DATABASE_BYTES, deletingBytes: 67_108_864 };

/**
 * The extra room past the limit, as a fraction of it, for small changes: renaming, marking, and preparing to delete.
 */
export const SMALL_CHANGES = 1 / 64;

/** The maximum size of such a change, in pages. */
export const SMALL_CHANGE_PAGES = 2;

/** No database gets larger than this, whatever its size was when it was opened. */
export const ABSOLUTE_BYTES = 2_130_706_432;

/** The conversations no longer fit. Nothing of the change was stored; saved data is unchanged. */
export class DatabaseFullError extends OffshootError {
  constructor(limit: number, options?: ErrorOptions) {
    super(
      'too-large',
      defineMessage(
        'Nothing was saved: the conversations have reached the most that can be kept ({0} MB). Export chats you no longer need, delete them and empty the trash.',
        Math.round(limit / 1_048_576),
      ),
      options,
    );
  }
}

/** A database file is too large to be read into memory. It stays unchanged. */
export class DatabaseTooLargeError extends OffshootError {
  constructor(path: string, size: number, limit: number, options?: ErrorOptions) {
    super(
      'too-large',
      defineMessage(
        '{0} is too large to open ({1} MB; the limit is {2} MB). Nothing was changed. Move it away to start with an empty database, or restore a smaller copy of it.',
        path,
        Math.round(size / 1_048_576),
        Math.round(limit / 1_048_576),
      ),
      options,
    );
  }
}
