import { webStorage, type WebStorage } from '../../src/host/browser/webStorage.ts';
import type { SqlContextStore } from '../../src/store/sqlite/contextStore.ts';
import { DurableContextStore } from '../../src/store/durableContextStore.ts';
import { memoryStore } from '../fixtures/memoryStore.ts';
import { sqliteWasm } from './wasm.ts';

export { memoryStore };

function openIn(storage: WebStorage): DurableContextStore {
  return new DurableContextStore({
    folder: storage.folder,
    platform: storage.platform,
    onRecovery: ({ outcome }) => {
      throw new Error(`The store was damaged: ${outcome}`);
    },
    onError: (error) => {
      throw error;
    },
  });
}

function closedWith(store: SqlContextStore, further: () => void | Promise<void>): SqlContextStore {
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    await further();
  };
  return store;
}

const newStorage = (name: string = crypto.randomUUID()): WebStorage => webStorage(name, sqliteWasm);

/** A store in a database of the browser. */
function browserStore(): SqlContextStore {
  const storage = newStorage();
  return closedWith(openIn(storage), () => storage.dispose());
}

/** A store that another one writes for, as if it were in another window. */
async function secondBrowserStore(): Promise<SqlContextStore> {
  const name = crypto.randomUUID();
  const [mine, other] = [newStorage(name), newStorage(name)];
  const first = openIn(other);
  await first.listChats({ limit: 1 });
  return closedWith(openIn(mine), async () => {
    await first.close();
    mine.dispose();
    other.dispose();
  });
}

/** What the browser's worker has in place of the stores of Node. */
export const stores: Readonly<Record<string, () => SqlContextStore | Promise<SqlContextStore>>> = {
  'in a browser': browserStore,
  'through another window of a browser': secondBrowserStore,
};
