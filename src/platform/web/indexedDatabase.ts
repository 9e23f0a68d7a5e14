import type { Event } from '../../kit/disposable.ts';
import { Emitter } from '../../kit/emitter.ts';
import { FilesUnavailableError, NoRoomError } from '../files.ts';

/** What each transaction is about: a few names and numbers, the files by their paths, and the bytes in them. */
export interface Tables {
  readonly meta: IDBObjectStore;
  readonly entries: IDBObjectStore;
  readonly chunks: IDBObjectStore;
}

const TABLES = ['meta', 'entries', 'chunks'] as const;

/** Of the tables above. Another layout is another database. */
const VERSION = 1;

/** `strict`: resolves once it is on the disk, where the system keeps its word. */
export type Access = 'read' | 'write' | 'relaxed write';

/** Thrown within a transaction, it is taken back, and no other connection is tried. */
export type Work<T> = (tables: Tables) => Promise<T>;

/**
 * A database of the browser, opened when it is first needed. The browser may close it at any time; the next transaction
 * then opens it again.
 */
export class IndexedDatabase {
  private readonly closed = new Emitter<undefined>();
  private opened: Promise<IDBDatabase> | undefined;

  constructor(private readonly name: string) {}

  /** Tells that the browser has closed it, as when all that a site keeps is removed. */
  readonly onDidClose: Event<undefined> = this.closed.event;

  /** @throws FilesUnavailableError when this browser keeps nothing for this site */
  async open(): Promise<IDBDatabase> {
    if (!('indexedDB' in globalThis && 'locks' in navigator))
      throw new FilesUnavailableError(new Error('this page is not served securely'));
    const opening = this.opened ?? this.openAnew();
    this.opened = opening;
    try {
      return await opening;
    } catch (error) {
      if (this.opened === opening) this.opened = undefined;
      throw new FilesUnavailableError(error);
    }
  }

  /**
   * Does all of `work` or nothing of it. Where the connection is lost in the middle nothing was done, and it is done
   * anew on another one.
   * @throws NoRoomError when the browser gives no more room
   */
  async transaction<T>(access: Access, work: Work<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const database = await this.open();
      try {
        return await inTransaction(database, access, work);
      } catch (error) {
        if (attempt > 1 || !isConnectionLost(error)) throw asFileError(error);
        this.drop(database);
      }
    }
  }

  close(): void {
    void this.opened?.then((database) => database.close()).catch(() => undefined);
    this.opened = undefined;
    this.closed.dispose();
  }

  private async openAnew(): Promise<IDBDatabase> {
    const request = indexedDB.open(this.name, VERSION);
    request.onupgradeneeded = () => {
      for (const table of TABLES) request.result.createObjectStore(table);
    };
    const database = await requested(request);
    database.onclose = () => {
      this.drop(database);
      this.closed.fire(undefined);
    };
    // Somebody wants to delete it, which would wait for this connection.
    database.onversionchange = () => {
      this.drop(database);
      this.closed.fire(undefined);
    };
    return database;
  }

  private drop(database: IDBDatabase): void {
    database.onclose = null;
    database.close();
    this.opened = undefined;
  }
}

/** What a request gives. */
export function requested<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The request failed.'));
  });
}

async function inTransaction<T>(database: IDBDatabase, access: Access, work: Work<T>): Promise<T> {
  const transaction =
    access === 'read'
      ? database.transaction(TABLES, 'readonly')
      : database.transaction(TABLES, 'readwrite', { durability: access === 'write' ? 'strict' : 'relaxed' });
  let own: unknown;
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(asError(own ?? transaction.error));
  });
  try {
    const [meta, entries, chunks] = TABLES.map((table) => transaction.objectStore(table));
    if (!meta || !entries || !chunks) throw new Error('A table is missing.');
    const result = await work({ meta, entries, chunks });
    await done;
    return result;
  } catch (error) {
    own = error;
    try {
      transaction.abort();
    } catch {
      // It has ended already, and knows why.
      own = undefined;
    }
    await done;
    throw error;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new DOMException('The transaction was taken back.', 'AbortError');
}

/** It was closed while it was in use, or just before. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof DOMException && lostNames.has(error.name);
}

const lostNames = new Set(['AbortError', 'InvalidStateError', 'TransactionInactiveError', 'UnknownError']);

function asFileError(error: unknown): unknown {
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return isFull ? new NoRoomError(error) : error;
}
