import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspectFiles } from '../../../fixtures/storage/inspectFiles.ts';
import { WriterProcess } from '../../../fixtures/storage/writerProcess.ts';

/** A way to have little room: what to run a process under, and where its files are then to be found. */
interface LittleRoom {
  readonly name: string;
  readonly runner: (folder: string, bytes: number) => readonly [string, ...string[]];
  readonly seenFromOutside: (folder: string, pid: number) => string;
}

/** The shell counts in blocks of 512 bytes. Every system with such a shell has it. */
const fileSizeLimit: LittleRoom = {
  name: 'a limit on the size of files',
  runner: (_folder, bytes) => ['sh', '-c', `ulimit -f ${Math.ceil(bytes / 512)}; exec "$@"`, 'sh'],
  seenFromOutside: (folder) => folder,
};

/** A file system of its own, of that size, which is there as long as the process. */
const smallDisk: LittleRoom = {
  name: 'a disk that is really full',
  runner: (folder, bytes) => {
    const mount = `mount -t tmpfs -o size=${bytes} tmpfs '${folder}' && exec "$@"`;
    return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh'];
  },
  seenFromOutside: (folder, pid) => path.join('/proc', String(pid), 'root', folder),
};

function isPermitted({ runner }: LittleRoom): boolean {
  const [command, ...words] = runner(tmpdir(), 1_000_000);
  return spawnSync(command, [...words, 'true']).status === 0;
}

const ways = [fileSizeLimit, smallDisk].filter(isPermitted);
// Mounting is not permitted everywhere. Where it is not, the limit has to do, and this says so.
const missing = ways.includes(smallDisk) ? '' : ' (mounting is not permitted here, so not on a full disk)';

describe(`without room for what has to be written${missing}`, () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-full-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('can be tried in at least one way', () => {
    assert.ok(ways.length > 0);
  });

  for (const way of ways) {
    const run = async (
      bytes: number,
      options: { journalLimit: number; saves?: number; length?: number },
    ): Promise<WriterProcess> => {
      const writer = new WriterProcess({ folder, ...options, runner: way.runner(folder, bytes) });
      await writer.untilReported('done');
      assert.equal(writer.hasEnded, false, writer.errorOutput);
      return writer;
    };
    const savesOf = (writer: WriterProcess): Map<string, number> => {
      const counts = new Map<string, number>();
      for (const { chatId, index } of writer.of('saved')) counts.set(chatId, index + 1);
      return counts;
    };

    it(`refuses saves and keeps every one before, with ${way.name}`, async function () {
      this.timeout(60_000);
      // Room for an empty database of some 280 kB, and for some saves next to it.
      const writer = await run(400_000, { journalLimit: Infinity });
      assert.ok(writer.of('saved').length > 0);
      const codes = new Set(writer.of('refused').map(({ code }) => code));
      assert.deepEqual([...codes], ['storage-full']);
      const { saves } = await inspectFiles(way.seenFromOutside(folder, writer.pid));
      assert.deepEqual(saves, savesOf(writer));
      await writer.close();
    });

    it(`goes on saving when there is no room for a snapshot, with ${way.name}`, async function () {
      this.timeout(60_000);
      // Room for the journals, one of which is small, but for no database next to them.
      const bytes = way === smallDisk ? 260_000 : 60_000;
      const writer = await run(bytes, { journalLimit: 20_000, saves: 15, length: 10 });
      await writer.untilReported('error');
      assert.equal(writer.of('saved').length, 45);
      const errors = writer.of('error').map(({ message }) => message);
      for (const message of errors) assert.match(message, /could not be rewritten/);
      const seen = way.seenFromOutside(folder, writer.pid);
      const { saves } = await inspectFiles(seen);
      assert.deepEqual(saves, savesOf(writer));
      await writer.close();
    });
  }
});
