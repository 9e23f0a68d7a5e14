import assert from 'node:assert/strict';
import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from '../../../../src/host/node/nodePlatform.ts';
import { JournalPosition } from '../../../../src/store/durable/journal.ts';
import {
  readSnapshot,
  SnapshotSum,
  writeSnapshot,
  type Snapshot,
} from '../../../../src/store/durable/snapshot.ts';
import { storedTexts, say, StoragePlace } from '../../../fixtures/storage/storagePlace.ts';

const snapshotIn = async (place: StoragePlace): Promise<Snapshot> => {
  const snapshot = readSnapshot(await readFile(place.file('offshoot.db')), new SnapshotSum(crc32));
  assert.ok(snapshot);
  return snapshot;
};
const journalsIn = async (place: StoragePlace): Promise<string[]> =>
  (await place.names()).filter((name) => name.endsWith('.journal'));
const positionOf = (bytes: Uint8Array): JournalPosition => {
  const position = JournalPosition.after(bytes, crc32);
  assert.ok(position instanceof JournalPosition);
  return position;
};

/** Says each text in a session of its own: its snapshot then has as high a generation as there were texts. */
async function sayOneByOne(place: StoragePlace, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await say(place.open(), text);
    await place.closeAll();
  }
}

/** Leaves text in a journal alone, as a crash does. */
async function sayAndCrash(place: StoragePlace, text: string): Promise<void> {
  await say(place.open(), text);
  await place.crash();
}

/** Takes the identities away, which earlier versions did not write. */
async function withoutIdentity(place: StoragePlace): Promise<void> {
  const { database, generation = 0 } = await snapshotIn(place);
  const copy = Uint8Array.from(database);
  await writeFile(place.file('offshoot.db'), Buffer.concat(writeSnapshot(copy, { generation }, crc32)));
  for (const name of await journalsIn(place)) {
    const bytes = await readFile(place.file(name));
    const read = positionOf(bytes);
    const { groups } = read.read(bytes.subarray(read.size));
    const { schema, generation: of } = read.header;
    const { position, bytes: header } = JournalPosition.begin({ schema, generation: of }, crc32);
    const lines = groups.map((group) => position.encode(group));
    await writeFile(place.file(name), Buffer.concat([header, ...lines]));
  }
}

describe('journals next to the database of another store', () => {
  let place: StoragePlace;
  let other: StoragePlace;

  beforeEach(async () => {
    [place, other] = [await StoragePlace.create(), await StoragePlace.create()];
  });
  afterEach(async () => {
    for (const each of [place, other]) {
      await each[Symbol.asyncDispose]();
      assert.deepEqual([each.errors, each.reports], [[], []]);
    }
  });

  const putInPlace = (): Promise<void> => copyFile(other.file('offshoot.db'), place.file('offshoot.db'));

  /** Finds the other store alone, and what was here before kept: with its name back, it still leads to everything. */
  const areSetAside = async (theirs: readonly string[], ours: readonly string[]): Promise<void> => {
    const before = await journalsIn(place);
    const store = place.open();
    assert.deepEqual(await storedTexts(store), theirs);
    const report = place.reports.pop();
    assert.equal(report?.outcome, 'foreign-journal');
    assert.equal(report.keptAside.filter((file) => file.endsWith('.journal')).length, before.length);
    await say(store, 'after');
    await store.close();
    assert.deepEqual(await storedTexts(place.open()), [...theirs, 'after']);
    await place.closeAll();
    await using again = await StoragePlace.create();
    for (const file of report.keptAside) {
      await copyFile(file, again.file(path.basename(file).replace(/\.foreign-[^.]+/, '')));
    }
    assert.deepEqual(await storedTexts(again.open()), ours);
    assert.deepEqual(again.reports, []);
  };

  it('of the same generation are set aside and reported, not repeated', async () => {
    await sayOneByOne(other, 'theirs');
    await sayOneByOne(place, 'ours');
    await sayAndCrash(place, 'ours too');
    await putInPlace();
    await areSetAside(['theirs'], ['ours', 'ours too']);
  });

  it('of an earlier generation are set aside as well', async () => {
    await sayOneByOne(other, 'one', 'two', 'three', 'four');
    await sayOneByOne(place, 'ours');
    await sayAndCrash(place, 'ours too');
    await putInPlace();
    await areSetAside(['one', 'two', 'three', 'four'], ['ours', 'ours too']);
  });

  it('are found as well where they follow its own', async () => {
    await sayOneByOne(other, 'theirs');
    await cp(other.folder, place.folder, { recursive: true });
    const stranger = await StoragePlace.create();
    await sayOneByOne(stranger, 'one', 'two');
    await copyFile(stranger.file('offshoot.db.2.journal'), place.file('offshoot.db.2.journal'));
    await stranger[Symbol.asyncDispose]();
    assert.deepEqual(await storedTexts(place.open()), ['theirs']);
    const report = place.reports.pop();
    assert.equal(report?.outcome, 'foreign-journal');
    assert.ok(report.keptAside.some((file) => file.endsWith('.2.journal')));
  });

  it('of a copy that went another way are set aside, though the store is the same', async () => {
    await sayOneByOne(place, 'one');
    await cp(place.folder, other.folder, { recursive: true });
    await sayOneByOne(other, 'there');
    await sayOneByOne(place, 'here');
    await sayAndCrash(place, 'here too');
    await putInPlace();
    await areSetAside(['one', 'there'], ['one', 'here', 'here too']);
  });

  it('of an earlier version are set aside next to one of today, and the other way round', async () => {
    await sayOneByOne(other, 'theirs');
    await sayOneByOne(place, 'ours');
    await sayAndCrash(place, 'ours too');
    await withoutIdentity(place);
    await putInPlace();
    assert.deepEqual(await storedTexts(place.open()), ['theirs']);
    assert.equal(place.reports.pop()?.outcome, 'foreign-journal');
    await place.closeAll();
    const third = await StoragePlace.create();
    await sayOneByOne(third, 'third');
    await sayAndCrash(third, 'third too');
    await withoutIdentity(other);
    await copyFile(other.file('offshoot.db'), third.file('offshoot.db'));
    assert.deepEqual(await storedTexts(third.open()), ['theirs']);
    assert.equal(third.reports.pop()?.outcome, 'foreign-journal');
    await third[Symbol.asyncDispose]();
  });

  it('are no strangers where the same snapshot is put back', async () => {
    await sayOneByOne(place, 'one');
    await copyFile(place.file('offshoot.db'), other.file('offshoot.db'));
    await sayAndCrash(place, 'two');
    await putInPlace();
    assert.deepEqual(await storedTexts(place.open()), ['one', 'two']);
  });

  it('are no strangers where an earlier version wrote them all; they get an identity with the next snapshot', async () => {
    await sayOneByOne(place, 'one', 'two');
    await sayAndCrash(place, 'three');
    await withoutIdentity(place);
    assert.equal((await snapshotIn(place)).store, undefined);
    await sayAndCrash(place, 'four');
    assert.equal((await snapshotIn(place)).store, undefined);
    for (const text of ['five', 'six']) {
      await sayOneByOne(place, text);
      const { store, journal, generation } = await snapshotIn(place);
      assert.ok(store !== undefined && generation !== undefined);
      const bytes = await readFile(place.file(`offshoot.db.${generation}.journal`));
      const { header } = positionOf(bytes);
      assert.deepEqual([header.store, header.id], [store, journal]);
    }
    assert.deepEqual(await storedTexts(place.open()), ['one', 'two', 'three', 'four', 'five', 'six']);
  });

  it('keep the identity of their store through damage', async () => {
    await sayOneByOne(place, 'one');
    const { store } = await snapshotIn(place);
    await sayAndCrash(place, 'two');
    const [last = ''] = (await journalsIn(place)).slice(-1);
    const bytes = await readFile(place.file(last));
    bytes[bytes.byteLength - 5] = 0;
    await writeFile(place.file(last), bytes);
    assert.deepEqual(await storedTexts(place.open()), ['one']);
    assert.equal(place.reports.pop()?.outcome, 'journal-cut');
    await place.closeAll();
    assert.equal((await snapshotIn(place)).store, store);
  });
});
