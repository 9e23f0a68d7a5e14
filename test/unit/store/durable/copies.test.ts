import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hasCode } from '../../../../src/host/node/fileKinds.ts';
import { NodeFiles } from '../../../../src/host/node/nodeFiles.ts';
import { thisProcess } from '../../../../src/host/node/nodeParts.ts';
import type { LockOwner, SnapshotBuilder } from '../../../../src/host/platform.ts';
import { WriterLock } from '../../../../src/store/durable/writerLock.ts';
import type { DurableContextStore } from '../../../../src/store/durableContextStore.ts';
import { storedTexts, say, StoragePlace } from '../../../fixtures/storage/storagePlace.ts';
import { WriterProcess } from '../../../fixtures/storage/writerProcess.ts';
import { until } from '../../../fixtures/until.ts';

/** Copies what are files, as programs for that do: one after the other, without those that are gone by their turn. */
async function copyFiles(from: StoragePlace, to: StoragePlace): Promise<void> {
  for (const entry of await readdir(from.folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    await copyFile(from.file(entry.name), to.file(entry.name)).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
    });
  }
}

/** A lock with a fast clock: nobody waits for one that was left behind, which a test of it is about. */
const hastyLock =
  (owner: LockOwner) =>
  (file: string): WriterLock =>
    new WriterLock(new NodeFiles(), file, owner, () => performance.now() * 1_000);

/** How many saves of each chat the store has, none of them twice, left out or in the wrong order. */
async function savesIn(store: DurableContextStore): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { id } of await store.listChats()) {
    const head = (await store.getActiveBranch(id))?.headMessageId;
    const path = head ? await store.getPath(id, head) : [];
    for (const [at, { data }] of path.entries()) {
      const part = at % 2 === 0 ? 'question' : 'answer';
      assert.match(JSON.stringify(data), new RegExp(`save ${Math.floor(at / 2)} ${part}`));
    }
    counts.set(id, path.length / 2);
  }
  return counts;
}

describe('a copy of a folder that is being written to', function () {
  this.timeout(120_000);
  let place: StoragePlace;
  let copy: StoragePlace;
  let writer: WriterProcess | undefined;

  beforeEach(async () => {
    [place, copy] = [await StoragePlace.create(), await StoragePlace.create()];
  });
  afterEach(async () => {
    await writer?.kill();
    for (const each of [place, copy]) await each[Symbol.asyncDispose]();
  });

  it('has what was acknowledged before it was begun, and the other goes on', async () => {
    const living = new WriterProcess({ folder: place.folder });
    writer = living;
    for (let round = 1; round <= 5; round++) {
      await living.untilReported('saved', round * 10);
      const acknowledged = new Map<string, number>();
      await using each = await StoragePlace.create();
      await until(async () => {
        for (const name of await each.names()) await rm(each.file(name));
        for (const { chatId, index } of living.of('saved')) acknowledged.set(chatId, index + 1);
        await copyFiles(place, each);
        return true;
      }, 'a copy of every file');
      const counts = await savesIn(each.open({ platform: { channels: undefined } }));
      for (const [chatId, count] of acknowledged) {
        assert.ok((counts.get(chatId) ?? 0) >= count, `${counts.get(chatId) ?? 0} of ${count} in ${chatId}`);
      }
      assert.deepEqual(each.errors, []);
    }
    assert.equal(living.hasEnded, false, living.errorOutput);
    assert.deepEqual([...living.of('error'), ...living.of('recovery')], []);
  });

  it('is written to by its first save, though the process that its lock names lives', async () => {
    writer = new WriterProcess({ folder: place.folder, saves: 2, journalLimit: 1e9 });
    await writer.untilReported('done');
    await copyFiles(place, copy);
    assert.ok((await copy.names()).includes('offshoot.db.lock'));
    const store = copy.open({ platform: { lock: hastyLock(thisProcess()) } });
    assert.deepEqual(await savesIn(store), new Map(['a', 'b', 'c'].map((chatId) => [chatId, 2] as const)));
    await say(store, 'on the copy');
    assert.equal(store.isWriter, true);
    assert.equal((await store.listChats()).length, 4);
    assert.equal((await place.open().listChats()).length, 3);
    assert.deepEqual([copy.errors, copy.reports], [[], []]);
  });

  it('is written to on another machine', async () => {
    await say(place.open(), 'one');
    await copyFiles(place, copy);
    const owner = { ...thisProcess(), host: 'elsewhere' };
    const store = copy.open({ platform: { owner, lock: hastyLock(owner) } });
    await say(store, 'two');
    assert.deepEqual(await storedTexts(store), ['one', 'two']);
    assert.deepEqual([copy.errors, copy.reports], [[], []]);
  });

  it('is read up to the journal that was copied before it ended; what follows that is set aside', async () => {
    // Journals stay as they are: no snapshot is ever finished.
    const snapshots: SnapshotBuilder = {
      build: (_request, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('given up')));
        }),
    };
    const store = place.open({ journalLimit: 50_000, closeWithinMs: 1, platform: { snapshots } });
    await say(store, 'one');
    const early = await readFile(place.file('offshoot.db.0.journal'));
    await say(store, 'x'.repeat(60_000));
    await until(async () => {
      await say(store, 'later');
      return (await readFile(place.file('offshoot.db.1.journal'))).includes('later');
    }, 'a save in the next journal');
    await copyFiles(place, copy);
    await rm(copy.file('offshoot.db.lock'));
    await writeFile(copy.file('offshoot.db.0.journal'), early);
    assert.deepEqual(await storedTexts(copy.open()), ['one']);
    const [report] = copy.reports;
    assert.equal(report?.outcome, 'journal-cut');
    assert.match(report.keptAside.join(), /^[^,]*\.1\.journal$/);
  });
});
