import { OffshootError } from '../../engine/errors.ts';
import { MAX_DATABASE_BYTES } from '../../engine/limits.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { Database as SqlDatabase } from 'sql.js';
import type { Reader } from './database.ts';

export interface SizeLimit {
  readonly maxBytes: number;
  /** Deleting first grows the word index, by at most this. */
  readonly deletingBytes: number;
}

export const SIZE_LIMIT: SizeLimit = { maxBytes: MAX_DATABASE_BYTES, deletingBytes: 67_108_864 };

/** The extra room past the limit, as a fraction of it, for small changes: renaming, marking, preparing to delete. */
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

/** SQLite's default limit. */
const MOST_PAGES = 4_294_967_294;

/** Limits the number of pages of a database, which SQLite enforces. */
export class PageLimit {
  /** The last value of `max_page_count`. */
  private allowed = MOST_PAGES;
  /** The corresponding limit in bytes; undefined when SQLite allows more than that. */
  private heldTo: number | undefined;

  constructor(
    private readonly database: SqlDatabase,
    private readonly reader: Reader,
  ) {}

  /** True while SQLite itself enforces the limit, so that nothing has to be counted. */
  isHeldTo({ maxBytes }: SizeLimit): boolean {
    if (this.heldTo === maxBytes) return true;
    const maxPages = Math.floor(Math.min(maxBytes, ABSOLUTE_BYTES) / this.pragma('page_size'));
    if (this.pragma('page_count') > maxPages) return false;
    this.allow(maxPages);
    this.heldTo = maxBytes;
    return true;
  }

  /** Deleting takes room before it frees some: the size at the end counts, and SQLite stops unbounded growth. */
  watchGrowth({ maxBytes, deletingBytes }: SizeLimit): { readonly isExceeded: () => boolean } {
    const pageSize = this.pragma('page_size');
    const maxPages = Math.floor(maxBytes / pageSize);
    const before = this.usedPages();
    const atMost = Math.max(maxPages, this.pragma('page_count')) + deletingBytes / pageSize;
    this.allow(Math.floor(Math.min(atMost, ABSOLUTE_BYTES / pageSize)));
    return {
      isExceeded: () => {
        const used = this.usedPages();
        const mayGrow = used > maxPages * (1 + SMALL_CHANGES) ? 0 : SMALL_CHANGE_PAGES;
        return used > maxPages && used > before + mayGrow;
      },
    };
  }

  /** All data on disk must be loadable. */
  lift(): void {
    this.allow(MOST_PAGES);
  }

  private usedPages(): number {
    return this.pragma('page_count') - this.pragma('freelist_count');
  }

  private allow(pages: number): void {
    this.heldTo = undefined;
    if (pages === this.allowed) return;
    this.database.run(`PRAGMA max_page_count = ${pages}`);
    this.allowed = pages;
  }

  private pragma(name: 'page_size' | 'page_count' | 'freelist_count'): number {
    return Number(this.reader.get(`PRAGMA ${name}`)?.[name] ?? 0);
  }
}
