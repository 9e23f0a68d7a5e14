import assert from 'node:assert/strict';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { OffshootError } from '../../../../src/engine/errors.ts';
import type { LogFile } from '../../../../src/host/files.ts';
import { NodeFiles } from '../../../../src/host/node/nodeFiles.ts';
import { StorageClearedError } from '../../../../src/store/durable/storageErrors.ts';
import { storedTexts, say, StoragePlace } from '../../../fixtures/storage/storagePlace.ts';
import { until } from '../../../fixtures/until.ts';

describe('a folder that is removed while its store is open', function () {
  this.timeout(60_000);
  let place: StoragePlace;

  beforeEach(async () => {
    place = await StoragePlace.create();
  });
  afterEach(async () => {
    await place[Symbol.asyncDispose]();
  });

  const remove = (): Promise<void> => rm(place.folder, { recursive: true, force: true, maxRetries: 9 });
  /** Without what says who writes, and where it can be reached. */
  const copyTo = (folder: string): Promise<void> =>
    cp(place.folder, folder, {
      recursive: true,
      filter: (file) => !/\.(?:sock|lock|channel|tmp)$/.test(file),
    });
  const outcomes = (): string[] => place.reports.splice(0).map(({ outcome }) => outcome);

  it('lets no save pass for written, keeps all in memory, and writes it once there is a folder again', async () => {
    const store = place.open({ retryMs: 100 });
    await say(store, 'one');
    await remove();
    await assert.rejects(say(store, 'two'), (error) => {
      assert.ok(error instanceof StorageClearedError);
      assert.match(error.message, /put the folder back/);
      return error.message.includes(place.folder);
    });
    // The folder may be on a disk that comes back: nothing is made in its place.
    await assert.rejects(place.names(), { code: 'ENOENT' });
    assert.equal((await storedTexts(store))[0], 'one');
    await assert.rejects(say(store, 'three'), { code: 'read-only' });
    await mkdir(place.folder);
    await until(() => !store.isReadOnly, 'it to be written again');
    assert.deepEqual(outcomes(), ['written-anew']);
    await say(store, 'four');
    const texts = await storedTexts(store);
    assert.deepEqual([texts[0], texts.at(-1)], ['one', 'four']);
    await place.crash();
    assert.deepEqual(await storedTexts(place.open()), texts);
    assert.deepEqual(outcomes(), []);
  });

  it('is read again, without what was refused, when it is put back with its files', async () => {
    const store = place.open({ retryMs: 100 });
    await say(store, 'one');
    const away = `${place.folder}-away`;
    await copyTo(away);
    try {
      await remove();
      await assert.rejects(say(store, 'refused'), { code: 'storage-cleared' });
      await rename(away, place.folder);
    } finally {
      await rm(away, { recursive: true, force: true });
    }
    await until(() => !store.isReadOnly, 'it to be written to again');
    await say(store, 'two');
    assert.deepEqual(await storedTexts(store), ['one', 'two']);
    await store.close();
    assert.deepEqual(await storedTexts(place.open()), ['one', 'two']);
    assert.deepEqual(outcomes(), []);
  });

  it('and made again at once is written again by the next save, and other windows find the writer', async () => {
    const store = place.open();
    await say(store, 'one');
    await say(place.open(), 'from another window');
    await remove();
    await mkdir(place.folder);
    await say(store, 'two');
    assert.deepEqual(outcomes(), ['written-anew']);
    const newcomer = place.open();
    await say(newcomer, 'three');
    assert.equal(newcomer.isWriter, false);
    const texts = ['one', 'from another window', 'two', 'three'];
    assert.deepEqual(await storedTexts(newcomer), texts);
    await until(async () => (await storedTexts(store)).length === texts.length, 'the writer to have it');
  });

  it('of whose files only the journal is removed is written again as well', async () => {
    const store = place.open();
    await say(store, 'one');
    await rm(place.file('offshoot.db.0.journal'));
    await say(store, 'two');
    assert.deepEqual(outcomes(), ['written-anew']);
    await place.crash();
    assert.deepEqual(await storedTexts(place.open()), ['one', 'two']);
    assert.deepEqual(outcomes(), []);
  });

  it('has another window say so whose save asks the writer', async () => {
    const store = place.open();
    await say(store, 'one');
    const window = place.open();
    await say(window, 'two');
    await remove();
    await assert.rejects(say(window, 'three'), OffshootError);
    assert.deepEqual((await storedTexts(window)).slice(0, 2), ['one', 'two']);
  });

  it('has another window say so that can read nothing of what the writer has confirmed', async () => {
    let isArmed = false;
    const files = new (class extends NodeFiles {
      override async openLog(file: string): Promise<LogFile> {
        const log = await super.openLog(file);
        const append = log.append.bind(log);
        log.append = async (bytes) => {
          await append(bytes);
          if (isArmed) await remove();
          isArmed = false;
        };
        return log;
      }
    })();
    await say(place.open({ platform: { files } }), 'one');
    const window = place.open();
    await say(window, 'two');
    isArmed = true;
    await assert.rejects(say(window, 'three'), OffshootError);
    assert.deepEqual(await storedTexts(window), ['one', 'two']);
  });
});
