import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { until } from '../../../fixtures/until.ts';
import { storedTexts, say, StoragePlace } from '../../../fixtures/storage/storagePlace.ts';

/** Positions spread over a file of that many bytes, its first and last among them. */
const spread = (size: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.round((index * (size - 1)) / (count - 1)));

describe('damaged files', () => {
  let place: StoragePlace;

  beforeEach(async () => {
    place = await StoragePlace.create();
  });
  afterEach(async () => {
    await place[Symbol.asyncDispose]();
  });

  /** Two snapshots and journals, with all of `texts` saved: closing makes one of what has been saved. */
  const filled = async (): Promise<string[]> => {
    const texts = Array.from({ length: 12 }, (_, index) => `${index} ${'x'.repeat(5_000)}`);
    for (const half of [texts.slice(0, 6), texts.slice(6)]) {
      await say(place.open({ journalLimit: Infinity }), ...half);
      await place.closeAll();
    }
    // Nothing leads from an empty database to what is there.
    assert.ok(!(await place.names()).includes('offshoot.db.0.journal'));
    return texts;
  };
  const flip = async (name: string, at: number): Promise<Buffer> => {
    const bytes = await readFile(place.file(name));
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
    await writeFile(place.file(name), damaged);
    return damaged;
  };

  it('lose nothing that was acknowledged wherever the last line of the journal is cut', async function () {
    this.timeout(120_000);
    await say(place.open(), 'one');
    await place.crash();
    const whole = await readFile(place.file('offshoot.db.0.journal'));
    const store = place.open();
    await store.logEvent({ chatId: 'chat', kind: 'switched', details: {} });
    const longer = await readFile(place.file('offshoot.db.0.journal'));
    await place.crash();
    for (let size = whole.byteLength; size < longer.byteLength; size++) {
      await writeFile(place.file('offshoot.db.0.journal'), longer.subarray(0, size));
      const again = place.open();
      assert.deepEqual(await storedTexts(again), ['one']);
      await place.crash();
      assert.deepEqual(await readFile(place.file('offshoot.db.0.journal')), whole);
    }
    assert.deepEqual(place.reports, []);
  });

  it('are noticed wherever a bit of the journal is flipped: what came before is in use, the file is kept', async function () {
    this.timeout(120_000);
    const texts = ['one', 'two', 'three'];
    await say(place.open(), ...texts);
    await place.crash();
    const journal = await readFile(place.file('offshoot.db.0.journal'));
    for (const at of spread(journal.byteLength, 40)) {
      await writeFile(place.file('offshoot.db.0.journal'), journal);
      const damaged = await flip('offshoot.db.0.journal', at);
      const store = place.open();
      const chats = await store.listChats();
      const found = chats.length > 0 ? await storedTexts(store) : [];
      assert.deepEqual(found, texts.slice(0, found.length));
      const report = place.reports.pop();
      assert.equal(report?.outcome, 'journal-cut', `byte ${at}`);
      assert.deepEqual(await readFile(report.keptAside[0] ?? ''), damaged);
      await say(store, 'after');
      await store.close();
      const again = place.open();
      assert.deepEqual(await storedTexts(again), [...found, 'after']);
      await again.close();
      assert.deepEqual(place.reports, []);
      for (const name of await place.names()) await rm(place.file(name));
    }
  });

  it('are noticed wherever a bit of the snapshot is flipped: the backup is in use, with everything', async function () {
    this.timeout(120_000);
    const texts = await filled();
    const names = await place.names();
    const originals = await Promise.all(names.map((name) => readFile(place.file(name))));
    const size = (await readFile(place.file('offshoot.db'))).byteLength;
    for (const at of [...spread(size, 12), size - 40]) {
      const damaged = await flip('offshoot.db', at);
      const store = place.open();
      assert.deepEqual(await storedTexts(store), texts);
      const report = place.reports.pop();
      assert.equal(report?.outcome, 'backup-used', `byte ${at}`);
      assert.deepEqual(await readFile(report.keptAside[0] ?? ''), damaged);
      await say(store, 'last');
      await store.close();
      const again = place.open();
      assert.deepEqual(await storedTexts(again), [...texts, 'last']);
      await again.close();
      assert.deepEqual(place.reports, []);
      for (const name of await place.names()) await rm(place.file(name));
      for (const [index, name] of names.entries()) await writeFile(place.file(name), originals[index] ?? '');
    }
  });

  it('give way to the backup when a crash left no snapshot at all, and nobody is alarmed', async () => {
    const texts = await filled();
    await rm(place.file('offshoot.db'));
    assert.deepEqual(await storedTexts(place.open()), texts);
    assert.deepEqual(place.reports, []);
  });

  it('are all kept when neither the snapshot nor its backup can be read', async () => {
    await filled();
    await writeFile(place.file('offshoot.db'), 'this is not SQLite');
    await writeFile(place.file('offshoot.db.bak'), 'nor is this');
    const before = await place.names();
    const store = place.open();
    await say(store, 'hello');
    const [report] = place.reports;
    assert.equal(report?.outcome, 'new-database');
    assert.deepEqual(await Promise.all(report.keptAside.slice(0, 2).map((path) => readFile(path, 'utf8'))), [
      'this is not SQLite',
      'nor is this',
    ]);
    assert.equal(report.keptAside.length, before.length);
    await store.close();
    assert.deepEqual(await storedTexts(place.open()), ['hello']);
    assert.equal(place.reports.length, 1);
  });

  it('are noticed when a journal that leads to others is missing', async () => {
    await say(place.open(), 'one');
    // So that every snapshot holds it: one made while it is saved may hold the chat alone.
    await place.closeAll();
    await say(place.open({ journalLimit: 1 }), 'two', 'three');
    await until(async () => (await place.names()).includes('offshoot.db.bak'), 'another snapshot');
    await place.closeAll();
    await writeFile(place.file('offshoot.db'), 'damaged');
    const journals = (await place.names()).filter((name) => name.endsWith('.journal'));
    const [first = '', ...later] = journals;
    assert.ok(later.length > 0);
    // What follows it is about messages that are not there.
    await rm(place.file(first));
    assert.equal((await storedTexts(place.open()))[0], 'one');
    assert.equal(place.reports[0]?.outcome, 'backup-used');
    assert.equal(place.reports[0].keptAside.length, 1 + later.length);
  });
});
