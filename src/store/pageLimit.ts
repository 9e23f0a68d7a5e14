import type { Database as SqlDatabase } from 'sql.js';
import type { Reader } from './database.ts';
import { ABSOLUTE_BYTES, SMALL_CHANGE_PAGES, SMALL_CHANGES, type SizeLimit } from './tooLarge.ts';

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

  /**
   * Measures how much one transaction adds. Deleting takes room before it frees some, so the size at the end counts;
   * SQLite itself stops unbounded growth in between.
   */
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

  /** Pages in use. */
  private usedPages(): number {
    return this.pragma('page_count') - this.pragma('freelist_count');
  }

  /** Sets the maximum number of pages. */
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
