// Runs in a worker, as the extension does in a browser.
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { assistant, user, type Fragment } from '../../src/engine/fragments/index.ts';
import type { LogFile } from '../../src/host/files.ts';
import type { Platform } from '../../src/host/platform.ts';
import { webStorage } from '../../src/host/browser/webStorage.ts';
import { loadSqlite } from '../../src/store/sqlite/connection.ts';
import { DurableContextStore } from '../../src/store/durableContextStore.ts';
import { StorageFiles } from '../../src/store/durable/storageFiles.ts';
import { sqliteWasm } from '../../test/browser/wasm.ts';
import { bareFiles, bareTables } from './bareStorage.ts';

const words =
  'Some words of a message, about as long as what users type into a chat, and of what answers them. ';
const question = (): Fragment => user(words.repeat(2));
const answer = (): Fragment => assistant(words.repeat(20));

const CHATS = 50;
const MESSAGES_OF_EACH = 200;
const SAVES = 300;

interface Place {
  readonly store: DurableContextStore;
  readonly platform: Platform;
  readonly storage: StorageFiles;
  /** What was appended last. */
  readonly appended: () => Uint8Array<ArrayBuffer>;
}

function openPlace(name: string, journalLimit = 1e9): Place {
  const { folder, platform } = webStorage(name, sqliteWasm);
  let last = new Uint8Array();
  const openLog = platform.files.openLog.bind(platform.files);
  platform.files.openLog = async (path): Promise<LogFile> => {
    const log = await openLog(path);
    const append = log.append.bind(log);
    log.append = (bytes) => {
      last = Uint8Array.from(bytes);
      return append(bytes);
    };
    return log;
  };
  const store = new DurableContextStore({
    folder,
    platform,
    journalLimit,
    quietMs: 1e9,
    // It is left as a worker leaves it that ends: a journal to repeat.
    closeWithinMs: 0,
    onRecovery: ({ outcome }) => {
      throw new Error(`The files are damaged: ${outcome}`);
    },
    onError: (error) => console.error(String(error)),
  });
  return { store, platform, storage: new StorageFiles(platform.files, folder), appended: () => last };
}

const engineOf = ({ store }: Place, chatId: string): ContextEngine =>
  new ContextEngine({ store, chatId, userId: 'ann' });

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** 10,000 messages, most in the snapshot and as many in the journal as it may hold before the next one is made. */
async function fill(name: string): Promise<void> {
  const place = openPlace(name, 1_000_000);
  for (let chat = 0; chat < CHATS; chat++) {
    const engine = engineOf(place, `chat-${chat}`);
    for (let index = 0; index < MESSAGES_OF_EACH; index += 2) {
      engine.set(question(), answer());
      // As they come: the last chats in saves of their own.
      if (chat > CHATS - 5) await engine.save();
    }
    await engine.save();
    await engine.close();
  }
  await place.store.close();
}

/** Saves of one message, each compared with a bare put of the same bytes. */
async function saves(name: string): Promise<{ saves: number[]; bare: number[] }> {
  const place = openPlace(name);
  const tables = await bareTables();
  const engine = engineOf(place, 'measured');
  await engine.set(question()).save();
  const all: { saves: number[]; bare: number[] } = { saves: [], bare: [] };
  for (let index = 0; index < SAVES; index++) {
    engine.set(index % 2 === 0 ? question() : answer());
    if (index % 4 < 2) all.bare.push(await timed(() => tables.put(place.appended())));
    all.saves.push(await timed(() => engine.save()));
    if (index % 4 >= 2) all.bare.push(await timed(() => tables.put(place.appended())));
  }
  await engine.close();
  await place.store.close();
  return all;
}

/** Opening, and the least it could take: reading the file and giving it to SQLite. */
async function open(name: string): Promise<{ opening: number; least: number; bytes: number }> {
  const place = openPlace(name);
  let count = 0;
  const opening = await timed(async () => {
    for (const { messageCount } of await place.store.listChats({ limit: 100 })) count += messageCount;
  });
  if (count < CHATS * MESSAGES_OF_EACH) throw new Error(`There are ${count} messages.`);
  await place.store.close();
  let bytes = 0;
  const least = await timed(async () => {
    const sqlite = await loadSqlite(sqliteWasm);
    const file = await place.platform.files.read(place.storage.snapshot);
    bytes = file?.byteLength ?? 0;
    new sqlite.Database(file).close();
  });
  return { opening, least, bytes };
}

/** How long the thread is busy at most while a snapshot is made, and the longest save during that. */
async function snapshot(name: string): Promise<{ busy: number; save: number }> {
  const place = openPlace(name, 1);
  let [busy, last, save] = [0, performance.now(), 0];
  const timer = setInterval(() => {
    busy = Math.max(busy, performance.now() - last);
    last = performance.now();
  }, 1);
  const engine = engineOf(place, 'duringSnapshot');
  await place.store.listChats({ limit: 1 });
  [busy, last] = [0, performance.now()];
  for (let index = 0; index < 50; index++) {
    engine.set(question());
    save = Math.max(save, await timed(() => engine.save()));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  clearInterval(timer);
  await engine.close();
  await place.store.close();
  return { busy, save };
}

/** What the alternatives take, with nothing around them. */
async function alternatives(): Promise<Record<string, number[]>> {
  const small = new Uint8Array(2_048).fill(65);
  const large = Uint8Array.from({ length: 20_000_000 }, (_, index) => index * 7);
  const [tables, files] = [await bareTables(), await bareFiles()];
  const results: Record<string, number[]> = {};
  const measure = async (what: string, runs: number, work: (run: number) => unknown): Promise<void> => {
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await timed(() => work(run)));
    results[what] = times;
  };
  await measure('append 2 KB, IndexedDB, strict', 200, () => tables.put(small));
  await measure('append 2 KB, IndexedDB, relaxed', 200, () => tables.put(small, 'relaxed'));
  await measure('append 2 KB, OPFS, flushed', 200, () => files.append(small));
  await measure('write 20 MB, IndexedDB, strict', 5, (run) => tables.putAt(`large ${run}`, large));
  await measure('write 20 MB, OPFS, flushed', 5, (run) => files.write(`large ${run}`, large));
  await measure('read 20 MB, IndexedDB', 5, (run) => tables.get(`large ${run}`));
  await measure('read 20 MB, OPFS', 5, (run) => files.read(`large ${run}`));
  files.close();
  return results;
}

export const measures = { fill, saves, open, snapshot, alternatives };

onmessage = ({ data }: MessageEvent<{ measure: keyof typeof measures; name: string }>) => {
  measures[data.measure](data.name).then(
    (result) => postMessage({ result: result ?? null }),
    (error: unknown) => postMessage({ error: error instanceof Error ? error.stack : String(error) }),
  );
};
