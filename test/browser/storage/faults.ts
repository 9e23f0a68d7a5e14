// What goes wrong in a browser: workers that end, several windows, no more room, a site that is cleared. The page starts
// the workers, each as a window of VS Code.
import { askForPersistence } from '../../../src/host/browser/persistence.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { until } from '../../fixtures/until.ts';
import assert from '../assert.ts';
import { clearSite, limitRoom, usedBytes } from './devtools.ts';
import { inspect, killWindows } from './killWindows.ts';
import { StorageWindow } from './storageWindow.ts';

/** A storage of its own for each test. */
let name = '';

async function opened(options: { journalLimit?: number } = {}): Promise<StorageWindow> {
  const window = await StorageWindow.start();
  await window.ask('open', { name, journalLimit: 1e9, ...options });
  return window;
}

const accessesOf = (window: StorageWindow): string[] => window.of('access').map(({ access }) => access.kind);

async function untilWriter(window: StorageWindow): Promise<void> {
  await window.until(() => accessesOf(window).at(-1) === 'writer');
}

describe('conversations in a browser', () => {
  beforeEach(() => {
    name = crypto.randomUUID();
  });
  afterEach(async () => {
    await limitRoom();
    StorageWindow.endAll();
  });

  it('are all there, as far as acknowledged, after workers were killed in the middle of saving (fuzz)', async function () {
    this.timeout(600_000);
    const { kills } = await killWindows(fuzzRuns(20));
    assert.ok(kills >= 20, `${kills} kills`);
  });

  it('are written by one window, and read and written through it by another, live', async () => {
    const [first, second] = [await opened(), await opened()];
    assert.deepEqual([accessesOf(first), accessesOf(second)], [['writer'], ['through-writer']]);
    await first.ask('say', 'one');
    await until(async () => (await second.ask('texts')).length === 1, 'the reader to follow');
    await second.ask('say', 'two');
    assert.deepEqual(await second.ask('texts'), ['one', 'two']);
    await until(async () => (await first.ask('texts')).length === 2, 'the writer to have it');
    assert.deepEqual([...first.of('error'), ...second.of('error')], []);
  });

  for (const how of ['killed', 'closed'] as const) {
    it(`go over to another window within ten seconds when the one that writes is ${how}`, async () => {
      const [first, second] = [await opened(), await opened()];
      await first.ask('save', { saves: 10 });
      const ended = performance.now();
      if (how === 'killed') first.kill();
      else await first.ask('close');
      await untilWriter(second);
      assert.ok(performance.now() - ended < 10_000);
      await second.ask('save', { saves: 1 });
      assert.deepEqual([...(await inspect(name)).saves.values()], [11, 11, 11]);
    });
  }

  it('lose and double nothing when the window that writes is killed in the middle of another’s saves (fuzz)', async function () {
    this.timeout(120_000);
    const rounds = fuzzRuns(4, 6);
    const acknowledged = new Map<string, number>();
    let writer = await opened({ journalLimit: 20_000 });
    writer.begin('save', { saves: 1e9, prefix: 'first-' });
    const all = [writer];
    for (let round = 0; round < rounds; round++) {
      const other = await opened({ journalLimit: 20_000 });
      all.push(other);
      other.begin('save', { saves: 1e9, prefix: `${round}-` });
      await other.until(() => other.of('saved').length > 5 + Math.random() * 20);
      writer.kill();
      const before = other.of('saved').length;
      await other.until(() => other.of('saved').length >= before + 5 || other.of('refused').length > 0);
      assert.equal(accessesOf(other).at(-1), 'writer');
      writer = other;
    }
    StorageWindow.endAll();
    for (const each of all) {
      assert.deepEqual([...each.of('refused'), ...each.of('error'), ...each.of('recovery')], []);
      for (const { chatId, index } of each.of('saved')) acknowledged.set(chatId, index + 1);
    }
    const { saves } = await inspect(name);
    for (const [chatId, count] of acknowledged) {
      const there = saves.get(chatId) ?? 0;
      assert.ok(there === count || there === count + 1, `${there} saves in ${chatId} after ${count}`);
    }
  });

  it('have what of an answer had arrived when its page is loaded again, at once as one that was cut off', async () => {
    const { window, reload } = await StorageWindow.startInFrame();
    await window.ask('open', { name });
    await window.ask('stream');
    await window.untilReported('draft', 12);
    reload();
    await window.untilReported('ready', 2);
    const saved = window.of('draft').at(-1)?.length ?? 0;
    await window.ask('open', { name });
    const [draft, ...others] = await window.ask('drafts');
    assert.ok(draft && others.length === 0);
    assert.ok(draft.length >= saved, `${draft.length} after ${saved}`);
    assert.equal(draft.isBeingWritten, false);
    assert.deepEqual(await window.ask('texts'), ['question']);
  });

  it('show to another window which answers are being written, and those of a killed one as cut off', async () => {
    const [first, second] = [await opened(), await opened()];
    await first.ask('stream');
    await first.untilReported('draft', 2);
    const states = async (window: StorageWindow): Promise<boolean[]> =>
      (await window.ask('drafts')).map(({ isBeingWritten }) => isBeingWritten);
    await until(async () => (await states(second))[0] === true, 'the answer to be seen as it is written');
    const third = await opened();
    assert.deepEqual(await states(third), [true]);
    const ended = performance.now();
    first.kill();
    await until(async () => (await states(second))[0] === false, 'the answer to be cut off');
    assert.ok(performance.now() - ended < 8_000, 'long before a window that lives is given up');
  });

  describe('without room', () => {
    // The browser counts what a site keeps while one of its windows is open.
    beforeEach(clearSite);

    it('refuse a save, keep all before it, and save again once there is room', async () => {
      await limitRoom((await usedBytes()) + 2_000_000);
      const window = await opened();
      await window.ask('say', 'before');
      let said = 0;
      // Chromium counts what is larger than 64 kB only afterwards.
      const fill = async (): Promise<void> => {
        for (; said < 200; said += 1) await window.ask('say', `${said} ${'x'.repeat(40_000)}`);
      };
      await assert.rejects(fill(), { code: 'storage-full' });
      const numbers = Array.from({ length: said }, (_, index) => String(index));
      const starts = async (each: StorageWindow): Promise<string[]> =>
        (await each.ask('texts')).map((text) => text.split(' ')[0] ?? '');
      assert.deepEqual(await starts(window), ['before', ...numbers], 'memory is what is stored');
      await limitRoom();
      await window.ask('say', 'after');
      window.kill();
      const again = await opened();
      assert.deepEqual(await starts(again), ['before', ...numbers, 'after']);
      assert.deepEqual(again.of('recovery'), []);
    });

    it('refuse small saves one day, each of which is whole or not there', async () => {
      await limitRoom((await usedBytes()) + 1_500_000);
      const window = await opened({ journalLimit: 30_000 });
      await window.ask('save', { saves: 1e9, length: 5_000 });
      const codes = new Set(window.of('refused').map(({ code }) => code));
      assert.deepEqual([...codes], ['storage-full']);
      const counts = new Map(window.of('saved').map(({ chatId, index }) => [chatId, index + 1]));
      window.kill();
      await limitRoom();
      assert.deepEqual((await inspect(name)).saves, counts);
    });

    it('refuse bytes, and keep those before', async () => {
      await limitRoom((await usedBytes()) + 2_000_000);
      const window = await opened();
      const kept = await window.ask('putBlob', 100_000);
      const fill = async (): Promise<void> => {
        for (let byte = 10; byte < 200; byte++) await window.ask('putBlob', 40_000, byte);
      };
      await assert.rejects(fill(), { code: 'storage-full' });
      assert.equal(await window.ask('blobLength', kept), 100_000);
      await limitRoom();
      const other = await window.ask('putBlob', 5_000_000, 9);
      assert.equal(await window.ask('blobLength', other), 5_000_000);
    });
  });

  describe('whose site is cleared while they are open', () => {
    const outcomes = (window: StorageWindow): string[] =>
      window.of('recovery').map(({ recovery }) => recovery.outcome);

    it('are written again from memory, also while nobody saves', async () => {
      const window = await opened();
      await window.ask('say', 'one', 'two');
      await clearSite();
      await window.untilReported('recovery');
      assert.deepEqual(outcomes(window), ['written-anew']);
      window.kill();
      const again = await opened();
      assert.deepEqual(await again.ask('texts'), ['one', 'two']);
      await again.ask('say', 'three');
      assert.deepEqual(again.of('recovery'), []);
    });

    it('lose no save that is under way (fuzz)', async function () {
      this.timeout(60_000);
      const window = await opened({ journalLimit: 20_000 });
      window.begin('save', { saves: 1e9 });
      for (let round = 1; round <= fuzzRuns(4); round++) {
        const before = window.of('saved').length;
        await window.until(() => window.of('saved').length > before + Math.random() * 30);
        await clearSite();
        await window.untilReported('recovery', round);
      }
      const before = window.of('saved').length;
      await window.until(() => window.of('saved').length > before + 3);
      window.kill();
      assert.deepEqual(window.of('refused'), []);
      const { saves } = await inspect(name);
      for (const { chatId, index } of window.of('saved')) {
        assert.ok((saves.get(chatId) ?? 0) > index, `save ${index} of ${chatId}`);
      }
    });

    it('are still shown by every window, and saved by the next writer when the one that wrote is gone', async () => {
      const [first, second] = [await opened(), await opened()];
      await first.ask('say', 'one');
      await until(async () => (await second.ask('texts')).length === 1, 'the reader to follow');
      await second.ask('say', 'two');
      await clearSite();
      await first.untilReported('recovery');
      await second.ask('say', 'three');
      assert.deepEqual(await second.ask('texts'), ['one', 'two', 'three']);
      const third = await opened();
      await third.ask('say', 'four');
      assert.equal(accessesOf(third).at(-1), 'through-writer', 'newcomers find the writer');
      first.kill();
      await Promise.race([untilWriter(second), untilWriter(third)]);
      assert.deepEqual(await second.ask('texts'), ['one', 'two', 'three', 'four']);
    });

    it('are written again by a window that reads when the writer goes in the same moment', async () => {
      const [first, second] = [await opened(), await opened()];
      await first.ask('say', 'one', 'two');
      await until(async () => (await second.ask('texts')).length === 2, 'the reader to follow');
      first.kill();
      await clearSite();
      await second.untilReported('recovery');
      assert.deepEqual(outcomes(second), ['written-anew']);
      second.kill();
      assert.deepEqual(await (await opened()).ask('texts'), ['one', 'two']);
    });

    it('stay in memory for Export while there is no room for them, and are written once there is', async () => {
      const window = await opened();
      await window.ask('say', 'one', 'x'.repeat(2_000_000));
      await limitRoom(1_000);
      await clearSite();
      await window.until(() => accessesOf(window).at(-1) === 'not-writable');
      assert.equal(await window.ask('exportedMessages'), 2);
      await assert.rejects(window.ask('say', 'refused'), { code: 'read-only' });
      await limitRoom();
      await window.untilReported('recovery');
      assert.deepEqual(outcomes(window), ['written-anew']);
      await window.ask('say', 'three');
      window.kill();
      const texts = await (await opened()).ask('texts');
      assert.deepEqual([texts.length, texts[0], texts[2]], [3, 'one', 'three']);
    });
  });

  it('are not opened where the browser keeps nothing for the site, and it is said what to do', async () => {
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts');
    frame.src = '/sandboxed.html';
    const told = new Promise<{ sandboxed?: string; message?: string }>((resolve) => {
      addEventListener('message', ({ data }: MessageEvent<{ sandboxed?: string }>) => {
        if (data.sandboxed !== undefined) resolve(data);
      });
    });
    document.body.append(frame);
    const { sandboxed, message } = await told;
    frame.remove();
    assert.equal(sandboxed, 'storage-unavailable');
    assert.match(message ?? '', /Allow this site to store data/);
  });

  it('may be removed by the browser, which it says when it is asked', async () => {
    assert.ok(['persistent', 'evictable'].includes(await askForPersistence()));
  });
});
