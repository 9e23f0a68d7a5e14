import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { ReadOnlyError } from '../../../../src/engine/errors.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import { NodeFiles } from '../../../../src/host/node/nodeFiles.ts';
import { nodePlatform } from '../../../../src/host/node/nodePlatform.ts';
import type { SnapshotBuilder, SnapshotRequest } from '../../../../src/host/platform.ts';
import type { LogFile } from '../../../../src/host/files.ts';
import { until } from '../../../fixtures/until.ts';
import { storedTexts, say, StoragePlace } from '../../../fixtures/storage/storagePlace.ts';

/** Files on a disk that is full from the moment the test says so. */
class FillingFiles extends NodeFiles {
  isFull = false;

  override async openLog(file: string): Promise<LogFile> {
    const log = await super.openLog(file);
    const append = log.append.bind(log);
    log.append = async (bytes) => {
      if (!this.isFull) return append(bytes);
      // Half of it arrives, as on a real disk.
      await append(bytes.subarray(0, bytes.byteLength / 2));
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    return log;
  }
}

/** Makes no snapshot before the test says so. */
class HeldSnapshots implements SnapshotBuilder {
  private readonly asked = Promise.withResolvers<undefined>();
  private readonly held = Promise.withResolvers<undefined>();

  readonly begun = this.asked.promise;

  constructor(private readonly builder: SnapshotBuilder) {}

  release(): void {
    this.held.resolve(undefined);
  }

  async build(request: SnapshotRequest, signal: AbortSignal): Promise<number> {
    this.asked.resolve(undefined);
    await this.held.promise;
    return this.builder.build(request, signal);
  }
}

describe('a store in a folder', () => {
  let place: StoragePlace;

  beforeEach(async () => {
    place = await StoragePlace.create();
  });
  afterEach(async () => {
    await place[Symbol.asyncDispose]();
  });

  it('has every saved message after it is opened again', async () => {
    const store = place.open();
    await say(store, 'one', 'two');
    await store.close();
    assert.deepEqual(await storedTexts(place.open()), ['one', 'two']);
  });

  it('has every saved message after a crash', async () => {
    await say(place.open(), 'one', 'two');
    await place.crash();
    assert.deepEqual(await storedTexts(place.open()), ['one', 'two']);
    assert.deepEqual(place.reports, []);
  });

  it('refuses a save that could not be written, has all before it, and saves again once there is room', async () => {
    const files = new FillingFiles();
    const store = place.open({ platform: { files } });
    await say(store, 'one');
    files.isFull = true;
    await assert.rejects(say(store, 'two'), { code: 'storage-full' });
    files.isFull = false;
    assert.deepEqual(await storedTexts(store), ['one']);
    await say(store, 'three');
    await place.crash();
    assert.deepEqual(await storedTexts(place.open()), ['one', 'three']);
    assert.deepEqual(place.reports, []);
  });

  it('refuses everything that was built on a save that could not be written', async () => {
    const files = new FillingFiles();
    const store = place.open({ platform: { files } });
    await say(store, 'one');
    files.isFull = true;
    const context = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    const first = context.set(user('two')).save();
    const second = store.setCheckpoint('chat', 'here', (await store.getGraph('chat')).nodes[0]?.id ?? '');
    await assert.rejects(first, { code: 'storage-full' });
    await assert.rejects(second, { code: 'storage-full' });
    files.isFull = false;
    assert.deepEqual(await store.listCheckpoints('chat'), []);
    assert.deepEqual(await storedTexts(store), ['one']);
  });

  it('writes saves that wait for the disk together, and acknowledges each once it is there', async () => {
    let appends = 0;
    const files = new (class extends NodeFiles {
      override async openLog(file: string): Promise<LogFile> {
        const log = await super.openLog(file);
        const append = log.append.bind(log);
        log.append = (bytes) => {
          appends += 1;
          return append(bytes);
        };
        return log;
      }
    })();
    const store = place.open({ platform: { files } });
    await say(store, 'one');
    const before = appends;
    const id = (await store.getGraph('chat')).nodes[0]?.id ?? '';
    const names = Array.from({ length: 100 }, (_, index) => `point ${index}`);
    await Promise.all(names.map((name) => store.setCheckpoint('chat', name, id)));
    assert.ok(appends - before <= 2, `${appends - before} appends`);
    await place.crash();
    const kept = await place.open().listCheckpoints('chat');
    assert.deepEqual(kept.map(({ name }) => name).sort(), names.sort());
  });

  it('removes what a crash left half-written', async () => {
    await say(place.open(), 'one');
    await place.crash();
    for (const name of ['offshoot.db.next', 'offshoot.db.7.journal.tmp'])
      await writeFile(place.file(name), 'half');
    await storedTexts(place.open());
    await place.closeAll();
    const left = (await place.names()).filter((name) => /\.(next|tmp)$/.test(name));
    assert.deepEqual(left, []);
  });

  it('lets one window write, shows the other that cannot reach it what it writes, and hands over when it closes', async () => {
    const first = place.open();
    await say(first, 'one');
    const second = place.open({ platform: { channels: undefined } });
    assert.deepEqual(await storedTexts(second), ['one']);
    assert.equal(second.isReadOnly, true);
    await assert.rejects(say(second, 'refused'), ReadOnlyError);
    await say(first, 'two');
    await until(async () => (await storedTexts(second)).length === 2, 'the second window to see it');
    await first.close();
    await until(() => !second.isReadOnly, 'the second window to take over');
    await say(second, 'three');
    assert.deepEqual(await storedTexts(second), ['one', 'two', 'three']);
  });

  it('shows the other window what is written across new snapshots, without reading them', async () => {
    const first = place.open({ journalLimit: 20_000 });
    await say(first, 'start');
    let wholeReads = 0;
    const files = new (class extends NodeFiles {
      override async read(...read: Parameters<NodeFiles['read']>): ReturnType<NodeFiles['read']> {
        if (read[0].endsWith('.db')) wholeReads += 1;
        return super.read(...read);
      }
    })();
    const second = place.open({ platform: { files } });
    assert.deepEqual(await storedTexts(second), ['start']);
    const texts = Array.from({ length: 8 }, (_, index) => `${index} ${'x'.repeat(15_000)}`);
    for (const text of texts) {
      await say(first, text);
      // So that the second window has to follow in several steps.
      await until(async () => (await storedTexts(second)).at(-1) === text, 'the second window to see it');
    }
    await until(async () => (await place.names()).includes('offshoot.db'), 'a snapshot');
    assert.deepEqual(await storedTexts(second), ['start', ...texts]);
    assert.equal(wholeReads, 1);
    assert.deepEqual(place.errors, []);
  }).timeout(30_000);

  it('has everything through many new snapshots', async () => {
    const store = place.open({ journalLimit: 50_000 });
    const texts = Array.from({ length: 60 }, (_, index) => `${index} ${'x'.repeat(10_000)}`);
    await say(store, ...texts.slice(0, 30));
    await until(async () => (await place.names()).includes('offshoot.db'), 'a snapshot');
    await say(store, ...texts.slice(30));
    await until(async () => (await place.names()).includes('offshoot.db.bak'), 'two snapshots');
    await place.closeAll();
    assert.deepEqual(await storedTexts(place.open()), texts);
    assert.deepEqual(place.reports, []);
    assert.deepEqual(place.errors, []);
  });

  it('makes another snapshot of what was saved while one was made, without waiting for the next save', async () => {
    const snapshots = new HeldSnapshots(nodePlatform('dist').snapshots);
    const store = place.open({ journalLimit: 50_000, platform: { snapshots } });
    await say(store, 'x'.repeat(60_000));
    await snapshots.begun;
    await say(store, 'y'.repeat(60_000));
    snapshots.release();
    await until(async () => (await place.names()).includes('offshoot.db.bak'), 'two snapshots');
  });

  it('writes snapshots that another SQLite reads', async () => {
    const store = place.open({ journalLimit: 1 });
    await say(store, 'one', 'two');
    await until(async () => (await place.names()).includes('offshoot.db'), 'a snapshot');
    await place.closeAll();
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(place.file('offshoot.db'), { readOnly: true });
    try {
      const [first] = database.prepare('SELECT data FROM messages').all();
      assert.match(String(first?.['data']), /"one"/);
      assert.deepEqual(
        { ...database.prepare('PRAGMA integrity_check(messages)').get() },
        { integrity_check: 'ok' },
      );
    } finally {
      database.close();
    }
  });

  it('keeps the bytes of an artifact', async () => {
    const store = place.open();
    const context = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    context.set(user('q'), assistant('a'));
    await context.artifacts.save('f', new Uint8Array([1, 2, 3]), { mediaType: 'text/plain' });
    await context.save();
    await store.close();
    const again = new ContextEngine({ store: place.open(), chatId: 'chat', userId: 'ann' });
    assert.deepEqual([...((await again.artifacts.load('f'))?.data ?? [])], [1, 2, 3]);
  });

  it('keeps two databases of one folder apart, whatever they are called', async () => {
    const [first, second] = ['chat', 'chat.db'].map((database) => place.open({ database }));
    assert.ok(first && second);
    await say(first, 'one');
    await say(second, 'two');
    await place.closeAll();
    assert.deepEqual(await storedTexts(place.open({ database: 'chat' })), ['one']);
    assert.deepEqual(await storedTexts(place.open({ database: 'chat.db' })), ['two']);
    await writeFile(place.file('chat'), 'damaged');
    await place.closeAll();
    assert.deepEqual(await storedTexts(place.open({ database: 'chat.db' })), ['two']);
  });
});
