import assert from 'node:assert/strict';
import { readFile, rm, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import type { Files } from '../../../../src/host/files.ts';
import type { SnapshotBuilder } from '../../../../src/host/platform.ts';
import { NodeFiles } from '../../../../src/host/node/nodeFiles.ts';
import { nodePlatform } from '../../../../src/host/node/nodePlatform.ts';
import { Compaction } from '../../../../src/store/durable/compaction.ts';
import { StorageFiles } from '../../../../src/store/durable/storageFiles.ts';
import { WriterLock } from '../../../../src/store/durable/writerLock.ts';
import { indexedMessageText } from '../../../../src/store/common/messageContent.ts';
import { SCHEMA_VERSION } from '../../../../src/store/sqlite/schema.ts';
import { storedTexts, say, StoragePlace } from '../../../fixtures/storage/storagePlace.ts';
import { until } from '../../../fixtures/until.ts';

interface Seen {
  readonly integrity: unknown;
  readonly version: unknown;
  readonly texts: readonly string[];
}

/** What a SQLite that knows nothing of us finds in the file. */
function readWithSqlite(file: string): Seen {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    // The index of words has texts in a form of our own, without which it cannot be checked.
    database.function('indexed_text', (type, data) => indexedMessageText(type, data));
    return {
      integrity: database.prepare('PRAGMA integrity_check').get()?.['integrity_check'],
      version: database.prepare('PRAGMA user_version').get()?.['user_version'],
      texts: database
        .prepare("SELECT json_extract(data, '$.parts[0].text') AS text FROM messages ORDER BY key")
        .all()
        .map(({ text }) => String(text)),
    };
  } finally {
    database.close();
  }
}

const whole = (...texts: string[]): Seen => ({ integrity: 'ok', version: SCHEMA_VERSION, texts });

describe('the database file, opened by another SQLite', function () {
  this.timeout(60_000);
  let place: StoragePlace;
  beforeEach(async () => {
    place = await StoragePlace.create();
  });
  afterEach(() => place[Symbol.asyncDispose]());

  const seen = (): Seen => readWithSqlite(place.file('offshoot.db'));

  it('is there from the first save on', async () => {
    const store = place.open();
    await say(store, 'one');
    assert.deepEqual(seen(), whole());
  });

  it('shows what was said once the store is closed', async () => {
    const store = place.open();
    await say(store, 'one', 'two', '三');
    await store.close();
    assert.deepEqual(seen(), whole('one', 'two', '三'));
    const again = place.open();
    assert.deepEqual(await storedTexts(again), ['one', 'two', '三']);
    await say(again, 'four');
    await again.close();
    assert.deepEqual(seen(), whole('one', 'two', '三', 'four'));
    assert.deepEqual([place.reports, place.errors], [[], []]);
  });

  it('is not written again when nothing was saved', async () => {
    const store = place.open();
    await say(store, 'one');
    await store.close();
    const before = await stat(place.file('offshoot.db'));
    const again = place.open();
    assert.deepEqual(await storedTexts(again), ['one']);
    await again.close();
    assert.equal((await stat(place.file('offshoot.db'))).mtimeMs, before.mtimeMs);
  });

  it('shows what was said after a while in which nothing is saved, and saving goes on', async () => {
    const store = place.open({ quietMs: 1 });
    await say(store, 'one');
    await until(() => seen().texts.length === 1, 'the first to be in the file', 20_000);
    await say(store, 'two');
    await until(() => seen().texts.length === 2, 'the second to be in the file', 20_000);
    assert.deepEqual(seen(), whole('one', 'two'));
    assert.deepEqual(await storedTexts(store), ['one', 'two']);
    assert.deepEqual(place.errors, []);
  });

  it('waits for quiet: nothing is made of it as long as something is saved now and then', async () => {
    const requests: number[] = [];
    const snapshots: SnapshotBuilder = {
      build: (request, signal) => {
        requests.push(request.generation);
        return nodePlatform('dist').snapshots.build(request, signal);
      },
    };
    const store = place.open({ quietMs: 3_600_000, platform: { snapshots } });
    await say(store, ...Array.from({ length: 20 }, (_, index) => `message ${index}`));
    assert.deepEqual(requests, []);
    await store.close();
    // So little is written by the thread that closes.
    assert.deepEqual([requests, seen().texts.length], [[], 20]);
  });

  it('is made by a thread when the database is large, and left to the journal when there is no time', async () => {
    let isGivenUp = false;
    const snapshots: SnapshotBuilder = {
      build: (_, signal) =>
        new Promise((_resolve, reject) => {
          const giveUp = (): void => {
            isGivenUp = true;
            reject(new Error('given up'));
          };
          if (signal.aborted) giveUp();
          else signal.addEventListener('abort', giveUp);
        }),
    };
    const store = place.open({ closeWithinMs: 1, journalLimit: 100_000_000, platform: { snapshots } });
    const large = 'x'.repeat(5_000_000);
    await say(store, large);
    await store.close();
    assert.deepEqual([isGivenUp, place.errors, seen().texts], [true, [], []]);
    const again = place.open();
    assert.ok((await storedTexts(again))[0] === large);
    await again.close();
    assert.ok(seen().texts[0] === large);
  });

  it('comes to storage that an earlier version left with a journal alone', async () => {
    const store = place.open();
    await say(store, 'one');
    await place.crash();
    await rm(place.file('offshoot.db'));
    const again = place.open();
    assert.deepEqual(await storedTexts(again), ['one']);
    await until(async () => (await place.names()).includes('offshoot.db'), 'the file to be there', 20_000);
    assert.deepEqual(seen(), whole('one'));
    assert.deepEqual([place.reports, place.errors], [[], []]);
  });

  it('comes without a loss through a crash at any step of opening, saving and closing', async function () {
    this.timeout(120_000);
    let step = 0;
    for (let isWhole = false; !isWhole; step++) {
      await using each = await StoragePlace.create();
      const files = new CrashingFiles(step);
      const store = each.open({ platform: { files } });
      const acknowledged: string[] = [];
      try {
        for (const text of ['one', 'two']) {
          await say(store, text);
          acknowledged.push(text);
        }
        await store.close();
      } catch {
        // What it says is no matter: the process is gone, and must not take the lock again.
        await store.close().catch(() => undefined);
      }
      each.forget(store);
      isWhole = !files.hasCrashed;
      await rm(each.file('offshoot.db.lock'), { force: true });
      const again = each.open();
      const found = await storedTexts(again);
      assert.deepEqual(found.slice(0, acknowledged.length), acknowledged, `step ${step}`);
      assert.ok(found.length <= 2);
      await say(again, 'after');
      await again.close();
      assert.deepEqual(readWithSqlite(each.file('offshoot.db')), whole(...found, 'after'));
      assert.deepEqual(each.reports, [], `step ${step}`);
    }
    assert.ok(step > 8, `${step} steps`);
  });

  it('is left to the process that has since taken over', async () => {
    const { files, crc32 } = nodePlatform('dist');
    const storage = new StorageFiles(files, place.folder);
    const nothing = (): never => assert.fail('nothing may be touched');
    const compaction = new Compaction(
      {
        storage,
        crc32,
        seal: nothing,
        snapshots: { build: nothing },
        onError: nothing,
        lock: new WriterLock(files, storage.lock, { pid: 1, host: '', isAlive: () => true }),
        journal: () => ({ size: 1_000, isEmpty: false }),
      },
      { baseGeneration: 0, baseBytes: 1_000, sealedBytes: 0 },
    );
    await compaction.run();
    await compaction.close();
    assert.deepEqual(await place.names(), []);
  });

  it('says which journal follows it in a line that SQLite does not look at', async () => {
    const store = place.open();
    await say(store, 'one');
    await store.close();
    const bytes = await readFile(place.file('offshoot.db'));
    assert.match(bytes.subarray(-300).toString('latin1'), /"format":"offshoot-snapshot"/);
  });
});

/** Files of a process that is gone after so many changes: none of the later ones happens, and half of that one may. */
class CrashingFiles extends NodeFiles {
  hasCrashed = false;
  private changes = 0;

  constructor(private readonly last: number) {
    super();
  }

  override async write(...[file, parts]: Parameters<Files['write']>): Promise<void> {
    const isLast = this.changes === this.last;
    if (isLast) await super.write(file, [...parts.slice(0, -1), (parts.at(-1) ?? new Uint8Array()).slice(1)]);
    this.count();
    await super.write(file, parts);
  }

  override async move(...args: Parameters<Files['move']>): Promise<void> {
    this.count();
    await super.move(...args);
  }

  override async remove(file: string): Promise<void> {
    // The lock stays behind, as it does when a process is gone; here it has to be released.
    if (!file.endsWith('.lock')) this.count();
    await super.remove(file);
  }

  override async openLog(file: string): ReturnType<Files['openLog']> {
    const log = await super.openLog(file);
    const count = (): void => this.count();
    return {
      get size() {
        return log.size;
      },
      append: async (bytes) => {
        count();
        await log.append(bytes);
      },
      truncate: async (size) => {
        count();
        await log.truncate(size);
      },
      close: () => log.close(),
    };
  }

  private count(): void {
    if (this.changes === this.last) this.hasCrashed = true;
    if (this.hasCrashed) throw new Error('This process is gone.');
    this.changes += 1;
  }
}
