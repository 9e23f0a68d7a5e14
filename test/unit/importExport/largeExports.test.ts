import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Imports } from '../../../src/conversation/imports.ts';
import { ImportError } from '../../../src/engine/errors.ts';
import { jsonItems } from '../../../src/importExport/jsonItems.ts';
import type { SourceFile } from '../../../src/importExport/importBatch.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { bigConversations } from '../../fixtures/imports/bigConversations.ts';
import { sourceFile } from '../../fixtures/importOutline.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const MB = 1024 * 1024;
const NOW = Date.parse('2026-02-01');

describe('an export that is large', () => {
  let store: SqlContextStore;
  let imports: Imports;
  beforeEach(() => {
    store = memoryStore(() => NOW);
    imports = new Imports(store, 'ann');
  });
  afterEach(() => store.close());

  const live = new AbortController().signal;
  const listed = async (file: SourceFile) => {
    const list = imports.list(live);
    await imports.addFile(list, file, NOW);
    assert.deepEqual(list.unread, []);
    return list.batches.map((batch) => ({ batch, found: batch.found }));
  };

  it('is read as a stream, and takes little memory on top of what is stored (fuzz: of a gigabyte)', async function () {
    const megabytes = fuzzRuns(20, 35);
    this.timeout(60_000 + megabytes * 1_000);
    const file = bigConversations(megabytes * MB, 200_000);
    // The database does not count.
    await store.listChats();
    const before = memoryHeld();
    const { rss } = process.memoryUsage();
    const chosen = await listed(file);
    const count = chosen[0]?.found.length ?? 0;
    assert.ok(count >= megabytes * 5, `${count} conversations`);
    let most = memoryHeld();
    // Of the last of them only: all others are read and released.
    const last = chosen.map(({ batch, found }) => ({ batch, found: found.slice(-1) }));
    const outcome = await imports.take(last, NOW, live, () => (most = Math.max(most, memoryHeld())));
    assert.equal(outcome.created.length, 1);
    // What a list shows of each conversation, and one of them.
    assert.ok(most - before < 12 * MB + count * 1_000, `${Math.round((most - before) / MB)} MB`);
    const grown = Math.round((process.memoryUsage().rss - rss) / MB);
    assert.ok(grown < 300, `${grown} MB`);
  });

  it('goes on where it was stopped, each conversation whole', async () => {
    const file = bigConversations(0.5 * MB, 40_000);
    const stop = new AbortController();
    let count = 0;
    const chosen = await listed(file);
    const total = chosen[0]?.found.length ?? 0;
    const outcome = await imports.take(chosen, NOW, stop.signal, () => {
      count += 1;
      if (count === 3) stop.abort();
    });
    assert.deepEqual([outcome.created.length, outcome.isStopped], [3, true]);
    const again = await imports.take(await listed(file), NOW, live, () => undefined);
    assert.deepEqual([again.unchanged.length, again.created.length, again.isStopped], [3, total - 3, false]);
    assert.equal((await store.listChats()).length, total);
  });

  it('that would not fit is refused before anything is stored', async () => {
    const small = new Imports(store, 'ann', 2 * MB);
    const chosen = await listed(bigConversations(2 * MB, 100_000));
    await assert.rejects(
      small.take(chosen, NOW, live, () => undefined),
      {
        code: 'import-failed',
        message: /needs about \d MB, and there is room for \d MB/,
      },
    );
    assert.deepEqual(await store.listChats(), []);
    const few = chosen.map(({ batch, found }) => ({ batch, found: found.slice(0, 2) }));
    assert.equal((await small.take(few, NOW, live, () => undefined)).created.length, 2);
  });

  it('takes no more room than was reckoned with', async () => {
    const chosen = await listed(bigConversations(3 * MB, 50_000));
    const before = (await store.storageReport()).database.bytes;
    await imports.take(chosen, NOW, live, () => undefined);
    const grown = (await store.storageReport()).database.bytes - before;
    // One that has room for so much takes it.
    const tight = new Imports(memoryStore(), 'ann', grown + MB / 2);
    await assert.doesNotReject(tight.checkRoom(chosen.flatMap(({ found }) => found.slice(0, 1))));
    const length = chosen.flatMap(({ found }) => found).reduce((sum, each) => sum + each.length, 0);
    assert.ok(grown < length * 1.6 + 250_000, `${grown} of ${length}`);
  });
});

describe('the items of a list', () => {
  const read = async (text: string, maxBytes?: number) => {
    const items: unknown[] = [];
    let leftOut = 0;
    const options = { onLeftOut: () => (leftOut += 1), ...(maxBytes === undefined ? {} : { maxBytes }) };
    for await (const item of jsonItems(sourceFile('x', text).chunks(), options)) items.push(item);
    return { items, leftOut };
  };

  it('come one by one, of whatever kind', async () => {
    const items = [1, 'two', null, true, [3, [4]], { five: { six: [] } }, {}, [], 'é€😀', -1.5e3];
    assert.deepEqual(await read(JSON.stringify(items, undefined, 2)), { items, leftOut: 0 });
    assert.deepEqual(await read('\uFEFF [ ] \n'), { items: [], leftOut: 0 });
  });

  it('that are nested too deep or too long are left out, and the others are not', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    assert.deepEqual(await read(`[1,${deep},2]`), { items: [1, 2], leftOut: 1 });
    const long = JSON.stringify(Array.from({ length: 4_000 }, () => 'x'));
    assert.deepEqual(await read(`[1,${long},2]`, 5_000), { items: [1, 2], leftOut: 1 });
  });

  it('end with an error where there is no list, or it is cut off', async () => {
    for (const text of ['{"a":1}', '[1,2', '[1 2]', '[1,]x', '"x"', '', '[{"a":tru}]', '[1]]']) {
      await assert.rejects(read(text), ImportError, text);
    }
    await assert.rejects(read(`["${'x'.repeat(1_200_000)}`, 1_000), /nested too deep or too long/);
  });
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is held of the language's own memory, once what is not is collected. */
function memoryHeld(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
