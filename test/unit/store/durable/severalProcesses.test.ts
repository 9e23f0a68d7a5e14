import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { nodePlatform } from '../../../../src/host/node/nodePlatform.ts';
import { loadSqlite } from '../../../../src/store/sqlite/connection.ts';
import { loadReplica } from '../../../../src/store/durable/replica.ts';
import { StorageFiles } from '../../../../src/store/durable/storageFiles.ts';
import { inspectFiles } from '../../../fixtures/storage/inspectFiles.ts';
import { fuzzRuns } from '../../../fuzzRuns.ts';
import { WriterProcess } from '../../../fixtures/storage/writerProcess.ts';

describe('several processes with the same files', () => {
  let folder: string;
  const processes: WriterProcess[] = [];

  const start = (options: { saves?: number; journalLimit?: number; prefix?: string } = {}): WriterProcess => {
    const writer = new WriterProcess({ folder, ...options });
    processes.push(writer);
    return writer;
  };
  const accessesOf = (writer: WriterProcess): string[] =>
    writer.of('access').map(({ access }) => access.kind);

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-several-'));
  });
  afterEach(async () => {
    for (const each of processes.splice(0)) await each.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('that open in the same moment: one writes, and does it for the others', async function () {
    this.timeout(120_000);
    for (let round = 1; round <= 3; round++) {
      // The rounds after the first find the lock of a process that was killed.
      const together = ['x', 'y', 'z'].map((prefix) => start({ saves: 2, prefix }));
      for (const each of together) await each.untilReported('done');
      const accesses = together.map((each) => accessesOf(each).at(-1)).sort();
      assert.deepEqual(accesses, ['through-writer', 'through-writer', 'writer']);
      assert.equal(together.flatMap((each) => each.of('saved')).length, 18);
      assert.deepEqual(
        together.flatMap((each) => [...each.of('refused'), ...each.of('error')]),
        [],
      );
      for (const each of together) await each.kill();
      assert.deepEqual([...(await inspectFiles(folder)).saves.values()], Array(9).fill(2 * round));
    }
  });

  for (const [how, end] of [
    ['killed', (writer: WriterProcess) => writer.kill()],
    ['closed', (writer: WriterProcess) => writer.close()],
  ] as const) {
    it(`hand over within ten seconds when the one that writes is ${how}`, async function () {
      this.timeout(60_000);
      const first = start({ saves: 20 });
      await first.untilReported('done');
      const second = start({ saves: 0 });
      await second.untilReported('done');
      assert.deepEqual(accessesOf(second), ['through-writer']);
      const ended = performance.now();
      await end(first);
      await second.untilReported('access', 2);
      assert.ok(performance.now() - ended < 10_000);
      assert.deepEqual(accessesOf(second), ['through-writer', 'writer']);
    });
  }

  it('lose and double nothing when the one that writes is killed in the middle of their saves (fuzz)', async function () {
    this.timeout(600_000);
    const rounds = fuzzRuns(6);
    let next = 0;
    const fresh = (): WriterProcess => start({ prefix: `${next++}-` });
    let [writer, other] = [fresh(), fresh()];
    const acknowledged = new Map<string, number>();
    const count = (each: WriterProcess): void => {
      for (const { chatId, index } of each.of('saved')) {
        // Each save is said once, after the one before it.
        assert.ok(index <= (acknowledged.get(chatId) ?? 0), `${chatId} ${index}`);
        acknowledged.set(chatId, Math.max(acknowledged.get(chatId) ?? 0, index + 1));
      }
    };
    for (let round = 0; round < rounds; round++) {
      await writer.untilReported('saved', 1 + Math.floor(Math.random() * 5));
      const before = other.of('saved').length;
      await other.untilReported('saved', before + 1 + Math.floor(Math.random() * 20));
      await delay(Math.random() * 5);
      const isWriter = accessesOf(writer).at(-1) === 'writer';
      const [killed, living] = isWriter ? [writer, other] : [other, writer];
      await killed.kill();
      const reported = living.of('saved').length;
      await living.untilReported('saved', reported + 3);
      assert.equal(living.hasEnded, false, living.errorOutput);
      assert.equal(accessesOf(living).at(-1), 'writer');
      count(killed);
      [writer, other] = [living, fresh()];
    }
    for (const each of [writer, other]) {
      await each.kill();
      count(each);
    }
    for (const each of processes) {
      assert.deepEqual([...each.of('refused'), ...each.of('error'), ...each.of('recovery')], []);
    }
    // Whatever is found twice, left out or half there, is told by this.
    const { saves } = await inspectFiles(folder);
    for (const [chatId, saved] of acknowledged) {
      const there = saves.get(chatId) ?? 0;
      assert.ok(there === saved || there === saved + 1, `${there} saves in ${chatId} after ${saved}`);
    }
  });

  it('can open them at any moment while another one saves and makes snapshots', async function () {
    this.timeout(60_000);
    const writer = start({ journalLimit: 1 });
    await writer.untilReported('saved', 10);
    const { files, crc32, wasm } = nodePlatform('dist');
    const source = { sqlite: await loadSqlite(wasm), storage: new StorageFiles(files, folder), crc32 };
    const generations = new Set<number>();
    let before = 0;
    // However slow the machine: openings that saw one snapshot only would show nothing.
    for (let opening = 0; opening < 60 || generations.size < 2; opening++) {
      const acknowledged = writer.of('saved').length;
      const replica = await loadReplica(source, false);
      assert.equal(replica.damage, undefined);
      const count = Number(replica.connection.get('SELECT count(*) AS count FROM messages')?.['count']);
      assert.ok(
        count % 2 === 0 && count >= before && count >= acknowledged * 2,
        `${count} after ${acknowledged}`,
      );
      before = count;
      generations.add(replica.baseGeneration);
      replica.connection.close();
    }
    assert.equal(writer.hasEnded, false, writer.errorOutput);
    assert.deepEqual(writer.of('error'), []);
  });
});
