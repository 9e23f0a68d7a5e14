import type { Event } from '../../kit/disposable.ts';
import { Emitter } from '../../kit/emitter.ts';
import { FilesUnavailableError, NoRoomError } from '../files.ts';
import { delay } from '../timers.ts';

/** What each transaction is about: a few names and numbers, the files by their paths, and the bytes in them. */
export interface Tables {
  readonly meta: IDBObjectStore;
  readonly entries: IDBObjectStore;
  readonly chunks: IDBObjectStore;
}

const TABLES = ['meta', 'entries', 'chunks'] as const;

/** Of the tables above. Another layout is another database. */
const VERSION = 1;

/** On how many connections a transaction is tried. */
const ATTEMPTS = 3;

/** How often it is tried to open it, and for how much longer it is waited each time, in milliseconds. */
const OPENING_ATTEMPTS = 8;
const OPENING_MS = 20;

/** `strict`: resolves once it is on the disk, where the system keeps its word. */
export type Access = 'read' | 'write' | 'relaxed write';

/** Thrown within a transaction, it is taken back, and no other connection is tried. */
export type Work<T> = (tables: Tables) => Promise<T>;

/** @param closed rejects when the browser closes it: what is under way then gets no other answer */
interface Connection {
  readonly database: IDBDatabase;
  readonly closed: Promise<never>;
}

/**
 * A database of the browser, opened when it is first needed. The browser may close it at any time; the next transaction
 * then opens it again.
 */
export class IndexedDatabase {
  private readonly closed = new Emitter<undefined>();
  private opened: Promise<Connection> | undefined;

  constructor(private readonly name: string) {}

  /** Tells that the browser has closed it, as when all that a site keeps is removed. */
  readonly onDidClose: Event<undefined> = this.closed.event;

  /** @throws FilesUnavailableError when this browser keeps nothing for this site */
  async open(): Promise<void> {
    await this.connection();
  }

  /**
   * Does all of `work` or nothing of it. Where the connection is lost in the middle, it is done on another one; it may
   * have been done on the first as well, which `work` has to notice.
   * @throws NoRoomError when the browser gives no more room
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
    const opening = this.openAnew(() => opening);
    this.opened = opening;
    opening.catch(() => this.forget(opening));
    return opening;
  }

  /** @param own what this gives */
  private async openAnew(own: () => Promise<Connection>): Promise<Connection> {
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
    // Somebody wants to delete it, which would wait for this connection.
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

/** While the browser removes what a site keeps, it cuts off whoever opens it. */
async function openPatiently(name: string): Promise<IDBDatabase> {
  try {
    // Without locks, which only pages have that are served securely, windows would write over each other.
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
