// What durability costs, compared with the least a disk and SQLite need for the same, in the same run.
//   npm run bench:storage
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ContextEngine } from '../src/engine/contextEngine.ts';
import { assistant, user, type Fragment } from '../src/engine/fragments/index.ts';
import type { LogFile } from '../src/host/files.ts';
import { crc32, nodePlatform } from '../src/host/node/nodePlatform.ts';
import { NodeFiles } from '../src/host/node/nodeFiles.ts';
import { Connection, loadSqlite } from '../src/store/sqlite/connection.ts';
import { SqlContextStore } from '../src/store/sqlite/contextStore.ts';
import type { Database } from '../src/store/sqlite/database.ts';
import { DurableDatabase } from '../src/store/durable/durableDatabase.ts';
import { writeSnapshot } from '../src/store/durable/snapshot.ts';
import { StorageFiles } from '../src/store/durable/storageFiles.ts';
import { WriterLock } from '../src/store/durable/writerLock.ts';
import { MemoryBlobStore, MemoryDatabase } from '../src/store/sqlite/inMemory.ts';
import { migrate } from '../src/store/sqlite/schema.ts';
import { middle, report } from './measure.ts';

const MB = 1_000_000;
const words =
  'Some words of a message, about as long as what users type into a chat, and of what answers them. ';
const question = (): Fragment => user(words.repeat(2));
const answer = (): Fragment => assistant(words.repeat(20));

/** Remembers what was appended last. */
class MeasuringFiles extends NodeFiles {
  appended = new Uint8Array();

  override async openLog(file: string): Promise<LogFile> {
    const log = await super.openLog(file);
    const append = log.append.bind(log);
    log.append = (bytes) => {
      this.appended = Uint8Array.from(bytes);
      return append(bytes);
    };
    return log;
  }
}

interface Place {
  readonly files: MeasuringFiles;
  readonly database: DurableDatabase;
  readonly store: SqlContextStore;
  /** Of each transaction, the milliseconds from when memory had it until it was acknowledged. */
  readonly waits: number[];
}

const folders: string[] = [];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-bench-'));
  folders.push(folder);
  return folder;
}

/** @param journalLimit in bytes; by default none, so that nothing happens in the background unasked */
async function openPlace(folder: string, journalLimit = Infinity): Promise<Place> {
  const files = new MeasuringFiles();
  const platform = { ...nodePlatform('dist'), files };
  const storage = new StorageFiles(files, folder);
  const database = await DurableDatabase.open({
    sqlite: await loadSqlite(platform.wasm),
    // Closing leaves the journal as it is, so that there is one to repeat.
    storage,
    platform,
    journalLimit,
    closeWithinMs: 0,
    lock: new WriterLock(files, storage.lock, platform.owner),
    now: Date.now,
    onRecovery: ({ outcome }) => {
      throw new Error(`The files are damaged: ${outcome}`);
    },
    onError: (error) => console.error(error),
  });
  const waits: number[] = [];
  const measured: Database = {
    isReadOnly: false,
    all: database.all.bind(database),
    get: database.get.bind(database),
    getKept: database.getKept.bind(database),
    map: (sql, parameters, read) => database.map(sql, parameters, read),
    close: () => database.close(),
    transaction: async (work) => {
      let inMemory = 0;
      const result = await database.transaction((transaction) => {
        const made = work(transaction);
        inMemory = performance.now();
        return made;
      });
      waits.push(performance.now() - inMemory);
      return result;
    },
  };
  const store = new SqlContextStore({ open: () => Promise.resolve(measured), blobs: new MemoryBlobStore() });
  return { files, database, store, waits };
}

const engineOf = (store: SqlContextStore, chatId: string): ContextEngine =>
  new ContextEngine({ store, chatId, userId: 'ann' });

/** A folder with a snapshot of at least `bytes`. */
async function filledFolder(bytes: number): Promise<string> {
  const folder = await newFolder();
  const connection = new Connection(await loadSqlite(nodePlatform('dist').wasm));
  migrate(connection);
  const open = (): Promise<MemoryDatabase> => Promise.resolve(new MemoryDatabase(connection));
  const store = new SqlContextStore({ open, blobs: new MemoryBlobStore() });
  const pragma = (name: string): number => Number(connection.get(`PRAGMA ${name}`)?.[name]);
  const size = (): number => pragma('page_count') * pragma('page_size');
  for (let chat = 0; size() < bytes; chat++) {
    const engine = engineOf(store, `chat-${chat}`);
    for (let index = 0; index < 200; index++) engine.set(index % 2 === 0 ? question() : answer());
    await engine.save();
    await engine.close();
  }
  const storage = new StorageFiles(new NodeFiles(), folder);
  await storage.files.write(storage.snapshot, writeSnapshot(connection.export(), { generation: 0 }, crc32));
  connection.close();
  return folder;
}

/** A file that is appended to with nothing around it. */
class BareFile {
  readonly times: number[] = [];

  private constructor(private readonly handle: FileHandle) {}

  static async open(folder: string): Promise<BareFile> {
    return new BareFile(await open(path.join(folder, 'bare'), 'a'));
  }

  async append(bytes: Uint8Array): Promise<void> {
    const time = await timed(async () => {
      await this.handle.write(bytes);
      await this.handle.datasync();
    });
    this.times.push(time);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Saves, each paired with a bare append and sync of the same bytes, so that both meet the same disk. */
async function savesAt(megabytes: number): Promise<void> {
  const folder = await filledFolder(megabytes * MB);
  const { files, store, waits } = await openPlace(folder);
  const bare = await BareFile.open(folder);
  const engine = engineOf(store, 'measured');
  const saves: number[] = [];
  for (let index = 0; index < 500; index++) {
    engine.set(index % 2 === 0 ? question() : answer());
    // A disk is slower after a pause: each of the two comes first as often as the other.
    if (index % 4 < 2 && index > 0) await bare.append(files.appended);
    saves.push(await timed(() => engine.save()));
    if (index % 4 >= 2 || index === 0) await bare.append(files.appended);
  }
  const [wait, append] = [middle(waits.slice(-saves.length)), middle(bare.times)];
  report(
    `the disk's part of a save at ${megabytes} MB, against a bare append and sync of the same bytes`,
    ...([wait / append, 2, '×'] as const),
    `${wait.toFixed(2)} ms against ${append.toFixed(2)} ms, the whole save ${middle(saves).toFixed(2)} ms`,
  );
  await bare.close();
  await store.close();
}

/** Saves with and without a snapshot being made, each with a bare append and sync. */
async function pauses(): Promise<void> {
  const folder = await filledFolder(100 * MB);
  const { database, files, store } = await openPlace(folder);
  const engine = engineOf(store, 'measured');
  const watch = async (isOver: () => boolean): Promise<void> => {
    const loop = monitorEventLoopDelay({ resolution: 1 });
    const bare = await BareFile.open(folder);
    const saves: number[] = [];
    loop.enable();
    while (!isOver()) {
      engine.set(question());
      saves.push(await timed(() => engine.save()));
      await bare.append(files.appended);
      await delay(3);
    }
    loop.disable();
    await bare.close();
    const longest = Math.max(...saves);
    const details = `bare appends up to ${Math.max(...bare.times).toFixed(1)} ms; ${saves.length} saves`;
    report('  the longest save', longest, 50, 'ms', details);
    report('  the longest the thread was busy', loop.max / 1e6, 50, 'ms');
  };
  // The first save after opening makes sql.js enlarge its file, which copies all of it.
  await engine.set(question()).save();
  console.log('        while no snapshot is made:');
  const end = performance.now() + 3_000;
  await watch(() => performance.now() > end);
  let isMade = false;
  const making = database.compact().then(() => (isMade = true));
  const start = performance.now();
  console.log('        while a snapshot of 100 MB is made:');
  await watch(() => isMade);
  await making;
  console.log(`        that took ${((performance.now() - start) / 1_000).toFixed(1)} s`);
  await store.close();
}

/** Opening in a process of its own, as it is when a window opens. */
async function opening(): Promise<void> {
  const folder = await filledFolder(100 * MB);
  const { database, files, store } = await openPlace(folder);
  const engine = engineOf(store, 'measured');
  let journal = 0;
  while (journal < 10 * MB) {
    await engine.set(question(), answer()).save();
    journal += files.appended.byteLength;
  }
  await engine.close();
  await store.close();
  await database.close();
  const [, script = ''] = process.argv;
  const times: number[] = [];
  const leasts: number[] = [];
  const processors: number[] = [];
  for (let run = 0; run < 5; run++) {
    const { stdout } = await promisify(execFile)(process.execPath, [script, 'storage', 'open', folder]);
    const [time = NaN, least = NaN, processor = NaN] = stdout.split(' ').map(Number);
    times.push(time);
    leasts.push(least);
    processors.push(processor);
  }
  const least = middle(leasts);
  report(
    'opening 100 MB and a journal of 10 MB',
    ...([middle(times), 700, 'ms'] as const),
    `${(middle(times) / least).toFixed(1)} × reading the file and giving it to SQLite (${least.toFixed(0)} ms); ` +
      `${middle(processors).toFixed(0)} ms of the processor, which others may be using too`,
  );
}

/** What {@link opening} runs in a process of its own: prints how long it took, the least it could have, and its part of the processor. */
async function openOnce(folder: string): Promise<void> {
  const sqlite = await loadSqlite(nodePlatform('dist').wasm);
  const before = process.cpuUsage();
  let opened: Place | undefined;
  const time = await timed(async () => {
    opened = await openPlace(folder);
    await opened.store.listChats({ limit: 1 });
  });
  const used = process.cpuUsage(before);
  await opened?.database.close();
  const least = await timed(async () => {
    const bytes = await new NodeFiles().read(path.join(folder, 'offshoot.db'));
    new sqlite.Database(bytes).close();
  });
  process.stdout.write(`${time} ${least} ${(used.user + used.system) / 1_000}`);
}

const [, , , command, folder] = process.argv;
if (command === 'open' && folder !== undefined) {
  await openOnce(folder);
} else {
  try {
    await savesAt(1);
    await savesAt(200);
    await pauses();
    await opening();
  } finally {
    for (const each of folders) await rm(each, { recursive: true, force: true });
  }
}
