import type { Event } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { FilesUnavailableError, NoRoomError } from '../files.ts';
import { delay } from '../timers.ts';

/** The tables of a transaction: a few names and numbers, the files by path, and their bytes. */
export interface Tables {
  readonly meta: IDBObjectStore;
  readonly entries: IDBObjectStore;
  readonly chunks: IDBObjectStore;
}

const TABLES = ['meta', 'entries', 'chunks'] as const;

/** Another layout is another database. */
const VERSION = 1;

/** The number of connections a transaction is tried on. */
const ATTEMPTS = 3;

/** The number of attempts to open it, and the increase of the delay between them, in milliseconds. */
const OPENING_ATTEMPTS = 8;
const OPENING_MS = 20;

/** `strict`: resolves once the data is on disk, if the system is reliable. */
export type Access = 'read' | 'write' | 'relaxed write';

/** An error thrown in a transaction rolls it back, without trying another connection. */
export type Work<T> = (tables: Tables) => Promise<T>;

/** @param closed rejects when the browser closes it: pending operations get no other answer */
interface Connection {
  readonly database: IDBDatabase;
  readonly closed: Promise<never>;
}

/** Opened on first use, and again after the browser has closed it, which may happen at any time. */
export class IndexedDatabase {
  private readonly closed = new Emitter<undefined>();
  private opened: Promise<Connection> | undefined;

  constructor(private readonly name: string) {}

  /** Fires when the browser has closed it, for instance because a site's data is removed. */
  readonly onDidClose: Event<undefined> = this.closed.event;

  /** @throws FilesUnavailableError when this browser stores nothing for this site */
  async open(): Promise<void> {
    await this.connection();
  }

  /**
   * Does all of `work` or nothing. If the connection is lost in the middle, it is repeated on another one; the first
   * attempt may also have succeeded, which `work` must detect.
   * @throws NoRoomError when the browser provides no more room
   */
  async transaction<T>(access: Access, work: Work<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const opening = this.connection();
      const { database, closed } = await opening;
      try {
        return await Promise.race([inTransaction(database, access, work), closed]);
      } catch (error) {
        if (attempt === ATTEMPTS || !isConnectionLost(error)) throw asFileError(error);
        this.drop(opening, database);
      }
    }
  }

  close(): void {
    this.opened?.then(({ database }) => database.close()).catch(() => undefined);
    this.opened = undefined;
    this.closed.dispose();
  }

  private connection(): Promise<Connection> {
    if (this.opened) return this.opened;
    const opening = this.openConnection(() => opening);
    this.opened = opening;
    opening.catch(() => this.forget(opening));
    return opening;
  }

  /** @param own this function's own promise */
  private async openConnection(own: () => Promise<Connection>): Promise<Connection> {
    const database = await openPatiently(this.name);
    const { promise: closed, reject } = Promise.withResolvers<never>();
    closed.catch(() => undefined);
    const goneFrom = (): void => {
      this.drop(own(), database);
      this.closed.fire(undefined);
    };
    database.onclose = () => {
      reject(new DOMException('The browser has closed the database.', 'AbortError'));
      goneFrom();
    };
    // Another page wants to delete it, which would wait for this connection.
    database.onversionchange = goneFrom;
    return { database, closed };
  }

  private drop(opening: Promise<Connection>, database: IDBDatabase): void {
    database.close();
    this.forget(opening);
  }

  private forget(opening: Promise<Connection>): void {
    if (this.opened === opening) this.opened = undefined;
  }
}

/** While the browser removes a site's data, opening fails. */
async function openPatiently(name: string): Promise<IDBDatabase> {
  try {
    // Without locks, which are available only on secure pages, windows would overwrite each other's data.
    if (!('locks' in navigator)) throw new Error('this page is not served securely');
    for (let attempt = 1; ; attempt++) {
      const request = indexedDB.open(name, VERSION);
      request.onupgradeneeded = () => {
        for (const table of TABLES) request.result.createObjectStore(table);
      };
      try {
        return await requested(request);
      } catch (error) {
        if (attempt === OPENING_ATTEMPTS || !isConnectionLost(error)) throw error;
        await delay(OPENING_MS * attempt);
      }
    }
  } catch (error) {
    throw new FilesUnavailableError(error);
  }
}

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
      // It has already ended with its own error.
      own = undefined;
    }
    await done;
    throw error;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new DOMException('The transaction was taken back.', 'AbortError');
}

/** It was closed during use, or just before. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof DOMException && lostNames.has(error.name);
}

const lostNames = new Set(['AbortError', 'InvalidStateError', 'TransactionInactiveError', 'UnknownError']);

function asFileError(error: unknown): unknown {
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return isFull ? new NoRoomError(error) : error;
}
