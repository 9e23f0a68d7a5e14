import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodePlatform } from '../../../../src/platform/node/nodePlatform.ts';
import { loadSqlite } from '../../../../src/store/connection.ts';
import { loadReplica } from '../../../../src/store/durable/replica.ts';
import { StorageFiles } from '../../../../src/store/durable/storageFiles.ts';
import { inspectFiles } from '../../../fixtures/storage/inspectFiles.ts';
import { WriterProcess } from '../../../fixtures/storage/writerProcess.ts';

describe('several processes with the same files', () => {
  let folder: string;
  const processes: WriterProcess[] = [];

  const start = (options: { saves?: number; journalLimit?: number } = {}): WriterProcess => {
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

  it('that open in the same moment: one writes and the others only show', async function () {
    this.timeout(120_000);
    for (let round = 1; round <= 3; round++) {
      // The rounds after the first find the lock of a process that was killed.
      const together = Array.from({ length: 3 }, () => start({ saves: 2 }));
      for (const each of together) await each.untilSaid('done');
      const accesses = together.map((each) => accessesOf(each)[0]).sort();
      assert.deepEqual(accesses, ['other-writer', 'other-writer', 'writer']);
      assert.equal(together.flatMap((each) => each.of('saved')).length, 6);
      for (const each of together) await each.kill();
      assert.deepEqual([...(await inspectFiles(folder)).saves.values()], Array(3).fill(2 * round));
    }
  });

  for (const [how, end] of [
    ['killed', (writer: WriterProcess) => writer.kill()],
    ['closed', (writer: WriterProcess) => writer.close()],
  ] as const) {
    it(`hand over within ten seconds when the one that writes is ${how}`, async function () {
      this.timeout(60_000);
      const first = start({ saves: 20 });
      await first.untilSaid('done');
      const second = start({ saves: 0 });
      await second.untilSaid('done');
      assert.deepEqual(accessesOf(second), ['other-writer']);
      const ended = performance.now();
      await end(first);
      await second.untilSaid('access', 2);
      assert.ok(performance.now() - ended < 10_000);
      assert.deepEqual(accessesOf(second), ['other-writer', 'writer']);
    });
  }

  it('can open them at any moment while another one saves and makes snapshots', async function () {
    this.timeout(60_000);
    const writer = start({ journalLimit: 1 });
    await writer.untilSaid('saved', 10);
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
