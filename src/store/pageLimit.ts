import type { Database as SqlDatabase } from 'sql.js';
import type { Reader } from './database.ts';
import { ABSOLUTE_BYTES, SMALL_CHANGE_PAGES, SMALL_CHANGES, type SizeLimit } from './tooLarge.ts';

/** What SQLite goes by unless it is given another number. */
const MOST_PAGES = 4_294_967_294;

/** How many pages a database may have, which SQLite itself looks after. */
export class PageLimit {
  /** What `max_page_count` was set to last. */
  private allowed = MOST_PAGES;
  /** The limit in bytes that it stands for; undefined when it allows more than that. */
  private heldTo: number | undefined;

  constructor(
    private readonly database: SqlDatabase,
    private readonly reader: Reader,
  ) {}

  /** True while SQLite lets the database become no larger than the limit, so that there is nothing to count. */
  isHeldTo({ maxBytes }: SizeLimit): boolean {
    if (this.heldTo === maxBytes) return true;
    const maxPages = Math.floor(Math.min(maxBytes, ABSOLUTE_BYTES) / this.pragma('page_size'));
    if (this.pragma('page_count') > maxPages) return false;
    this.allow(maxPages);
    this.heldTo = maxBytes;
    return true;
  }

  /**
   * Watches how much one transaction adds. Deleting takes room before it gives some back, so what counts is what is
   * there at the end; SQLite itself stops what would grow without bounds meanwhile.
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

  /** Whatever is on the disk has to find its place. */
  lift(): void {
    this.allow(MOST_PAGES);
  }

  /** Pages that hold something. */
  private usedPages(): number {
    return this.pragma('page_count') - this.pragma('freelist_count');
  }

  /** The database grows to this many pages at most, until another number is given. */
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
