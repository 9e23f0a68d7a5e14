import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CompactionError, UnusablePathError } from '../../../../src/store/durable/storageErrors.ts';
import { makePipe, otherKinds, statusOf } from '../../../fixtures/storage/otherKinds.ts';
import { storedTexts, say, StoragePlace } from '../../../fixtures/storage/storagePlace.ts';

const NAMES = ['', '.bak', '.next', '.lock', '.channel', '.0.journal', '.7.journal'];
const bytes = new TextEncoder().encode('bytes');

describe('what is no file and has a name of the storage', function () {
  this.timeout(30_000);
  let place: StoragePlace;

  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    place = await StoragePlace.create();
  });
  afterEach(async () => {
    await place[Symbol.asyncDispose]();
  });

  /** Refuses to be opened, for a reason that says which one and what to do, and touches nothing. */
  const isRefused = async (file: string): Promise<void> => {
    const names = await place.names();
    const status = await statusOf(file);
    const isTold = (error: unknown): boolean =>
      error instanceof UnusablePathError && error.path === file && error.message.includes('try again');
    await assert.rejects(place.open().listChats(), isTold, file);
    assert.equal(await statusOf(file), status);
    assert.deepEqual(await place.names(), names);
  };

  for (const [kind, make] of Object.entries(otherKinds)) {
    it(`is refused before anything is touched: ${kind}`, async () => {
      for (const name of NAMES) {
        const file = place.file(`offshoot.db${name}`);
        await make(file);
        await isRefused(file);
        await rm(file, { recursive: true });
      }
    });

    it(`is no place for bytes: ${kind}`, async () => {
      const store = place.open();
      const hash = await store.blobs.put(bytes);
      const file = place.file(path.join('blobs', hash));
      await rm(file);
      await make(file);
      const status = await statusOf(file);
      await assert.rejects(store.blobs.put(bytes), UnusablePathError);
      await assert.rejects(store.blobs.get(hash), UnusablePathError);
      await assert.rejects(store.blobs.has(hash), UnusablePathError);
      assert.equal(await statusOf(file), status);
    });
  }

  it('keeps nothing of what was saved from being opened once it is gone', async () => {
    await say(place.open(), 'one');
    await place.closeAll();
    await rm(place.file('offshoot.db.bak'));
    await makePipe(place.file('offshoot.db.bak'));
    await isRefused(place.file('offshoot.db.bak'));
    await rm(place.file('offshoot.db.bak'));
    assert.deepEqual(await storedTexts(place.open()), ['one']);
    assert.deepEqual([place.errors, place.reports], [[], []]);
  });

  it('stays when it comes while a store is open, which goes on saving', async () => {
    const store = place.open();
    await say(store, 'one');
    const next = place.file('offshoot.db.1.journal');
    await makePipe(next);
    const status = await statusOf(next);
    await say(store, 'two');
    // Closing begins the next journal.
    await store.close();
    assert.equal(await statusOf(next), status);
    assert.ok(place.errors.length > 0 && place.errors.every((error) => error instanceof CompactionError));
    await isRefused(next);
    await rm(next);
    assert.deepEqual(await storedTexts(place.open()), ['one', 'two']);
    assert.deepEqual(place.reports, []);
  });

  it('is named where the folder of bytes, or of the storage, is none', async () => {
    await writeFile(place.file('blobs'), 'x');
    await assert.rejects(place.open().blobs.put(bytes), { code: 'not-a-file', path: place.file('blobs') });
    const folder = place.file('blobs');
    await assert.rejects(place.open({ folder }).listChats(), { code: 'not-a-file', path: folder });
    await rm(folder);
    await symlink(place.file('nothing'), folder);
    await assert.rejects(place.open().blobs.put(bytes), { code: 'not-a-file', path: folder });
  });

  it('does not keep a database from being read through its link, whose place the next snapshot takes', async () => {
    await say(place.open(), 'one');
    await place.closeAll();
    const moved = place.file('elsewhere.db');
    await rename(place.file('offshoot.db'), moved);
    await symlink(moved, place.file('offshoot.db'));
    const store = place.open();
    assert.deepEqual(await storedTexts(store), ['one']);
    await say(store, 'two');
    await store.close();
    assert.deepEqual(await storedTexts(place.open()), ['one', 'two']);
    assert.deepEqual([place.errors, place.reports], [[], []]);
  });

  it('may be a folder of another name', async () => {
    await mkdir(place.file('offshoot.db.pictures'));
    await say(place.open(), 'one');
    assert.deepEqual(place.errors, []);
  });
});
