import { requested } from '../../src/host/browser/indexedDatabase.ts';

/** A table of the browser with nothing around it. */
export interface BareTables {
  put(bytes: Uint8Array, durability?: IDBTransactionDurability): Promise<void>;
  putAt(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<unknown>;
}

export async function bareTables(): Promise<BareTables> {
  const request = indexedDB.open(`bare ${crypto.randomUUID()}`);
  request.onupgradeneeded = () => request.result.createObjectStore('bare');
  const database = await requested(request);
  let next = 0;
  const put = (key: IDBValidKey, bytes: Uint8Array, durability: IDBTransactionDurability): Promise<void> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction('bare', 'readwrite', { durability });
      transaction.objectStore('bare').put(bytes, key);
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was taken back.'));
    });
  return {
    put: (bytes, durability = 'strict') => put(next++, bytes, durability),
    putAt: (key, bytes) => put(key, bytes, 'strict'),
    get: (key) => requested(database.transaction('bare').objectStore('bare').get(key)),
  };
}

/** Files of the origin, with handles that only a worker gets. */
export interface BareFiles {
  append(bytes: Uint8Array<ArrayBuffer>): void;
  write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  read(name: string): Promise<Uint8Array>;
  close(): void;
}

export async function bareFiles(): Promise<BareFiles> {
  const root = await navigator.storage.getDirectory();
  const open = async (name: string): Promise<FileSystemSyncAccessHandle> =>
    (await root.getFileHandle(name, { create: true })).createSyncAccessHandle();
  const log = await open(`log ${crypto.randomUUID()}`);
  let end = 0;
  return {
    append: (bytes) => {
      end += log.write(bytes, { at: end });
      log.flush();
    },
    write: async (name, bytes) => {
      const file = await open(name);
      file.write(bytes, { at: 0 });
      file.flush();
      file.close();
    },
    read: async (name) => {
      const file = await open(name);
      const bytes = new Uint8Array(file.getSize());
      file.read(bytes, { at: 0 });
      file.close();
      return bytes;
    },
    close: () => log.close(),
  };
}
