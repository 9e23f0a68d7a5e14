import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import { lstat, mkdtemp, open, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NodeFiles } from '../../../src/host/node/nodeFiles.ts';
import { isWrittenThrough } from '../../../src/host/node/writtenThrough.ts';
import { otherKinds, statusOf } from '../../fixtures/storage/otherKinds.ts';

describe('a file that is read', () => {
  let folder: string;
  const bytes = Uint8Array.from({ length: 20_000_000 }, (_, index) => (index * 7) % 251);

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-files-'));
    await writeFile(path.join(folder, 'large'), bytes);
  });

  after(() => rm(folder, { recursive: true }));

  it('is given as far as it has come while the rest is read, with room behind it', async () => {
    const lengths: number[] = [];
    const read = await new NodeFiles().read(path.join(folder, 'large'), {
      spare: 1 / 8,
      onProgress: (sofar) => {
        assert.equal(sofar.at(-1), bytes[sofar.length - 1]);
        lengths.push(sofar.length);
      },
    });
    assert.ok(read);
    assert.equal(Buffer.compare(read, bytes), 0);
    assert.equal(read.buffer.byteLength, 22_500_000);
    assert.ok(lengths.length > 1 && lengths.every((length) => length < bytes.length), lengths.join());
  });

  it('is given from where it is asked for', async () => {
    const read = await new NodeFiles().read(path.join(folder, 'large'), { start: 19_999_998 });
    assert.deepEqual(read, bytes.subarray(-2));
    assert.equal(await new NodeFiles().read(path.join(folder, 'large'), { start: 20_000_001 }), undefined);
  });

  it('is given up to where it is asked for', async () => {
    const file = path.join(folder, 'large');
    assert.deepEqual(await new NodeFiles().read(file, { length: 3 }), bytes.subarray(0, 3));
    assert.deepEqual(await new NodeFiles().read(file, { start: 19_999_998, length: 3 }), bytes.subarray(-2));
  });
});

describe('files', () => {
  let folder: string;
  let taken: string;
  let free: string;
  const bytes = Uint8Array.from([1]);

  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-kinds-'));
    taken = path.join(folder, 'taken');
    free = path.join(folder, 'free');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const uses: Readonly<Record<string, (files: NodeFiles) => Promise<unknown>>> = {
    read: (files) => files.read(taken),
    write: (files) => files.write(taken, [bytes]),
    replace: (files) => files.replace(taken, bytes),
    openLog: (files) => files.openLog(taken),
    'move it': (files) => files.move(taken, free),
    'move to it': async (files) => {
      await writeFile(free, 'moved');
      await files.move(free, taken);
    },
    remove: (files) => files.remove(taken),
    createExclusively: (files) => files.createExclusively(taken, 'x'),
    touch: (files) => files.touch(taken),
    stamp: (files) => files.stamp(taken),
  };

  for (const [kind, make] of Object.entries(otherKinds)) {
    it(`are nothing but files: ${kind} is refused whatever is to be done, and left as it is`, async () => {
      await make(taken);
      const status = await statusOf(taken);
      for (const [use, run] of Object.entries(uses)) {
        await assert.rejects(run(new NodeFiles()), { name: 'FileKindError', path: taken }, use);
      }
      assert.equal(await statusOf(taken), status);
      assert.deepEqual((await readdir(folder)).sort(), ['free', 'taken']);
      assert.deepEqual(await new NodeFiles().names(folder), await readdir(folder));
      assert.deepEqual(
        (await new NodeFiles().list(folder)).map(({ name }) => name),
        ['free'],
      );
    });
  }

  it('are read, replaced and moved through their links, which take the place of no others', async () => {
    const target = path.join(folder, 'target');
    await writeFile(target, 'target');
    await symlink(target, taken);
    const files = new NodeFiles();
    assert.equal(new TextDecoder().decode(await files.read(taken)), 'target');
    await assert.rejects(files.openLog(taken), { name: 'FileKindError', kind: 'link' });
    await files.replace(taken, bytes);
    assert.ok((await lstat(taken)).isFile());
    assert.equal(await readFile(target, 'utf8'), 'target');
  });

  it('are not looked for below what is no folder', async () => {
    await writeFile(taken, 'x');
    const files = new NodeFiles();
    const below = path.join(taken, 'below');
    const wrong = { name: 'FileKindError', path: taken, expected: 'folder' };
    await assert.rejects(files.names(taken), wrong);
    await assert.rejects(files.list(taken), wrong);
    await assert.rejects(files.ensureFolder(taken), wrong);
    await assert.rejects(files.read(below), wrong);
    assert.deepEqual([await files.read(free), await files.names(free)], [undefined, []]);
  });

  it('that grow are on disk with each piece: by how they were opened, or by a sync after it', async () => {
    await writeFile(taken, '');
    const log = await new NodeFiles().openLog(taken);
    const synced = await syncsDuring(taken, () => log.append(bytes));
    try {
      const flags = process.platform === 'linux' ? await flagsOf(taken) : [];
      const isThrough = flags.some((each) => (each & constants.O_DSYNC) !== 0);
      assert.equal(isThrough, await isWrittenThrough(taken));
      assert.equal(synced, isThrough ? 0 : 1);
    } finally {
      await log.close();
    }
  });

  it('that are removed while they grow say so, and take nothing more', async () => {
    await writeFile(taken, '');
    const log = await new NodeFiles().openLog(taken);
    try {
      await log.append(bytes);
      await rm(taken);
      await assert.rejects(log.append(bytes), { name: 'FilesLostError' });
      assert.equal(log.size, 1);
    } finally {
      await log.close();
    }
  });
});

/** How often a file is synced while something is done. */
async function syncsDuring(file: string, work: () => Promise<void>): Promise<number> {
  const handle = await open(file);
  const prototype = Object.getPrototypeOf(handle) as Pick<typeof handle, 'datasync'>;
  await handle.close();
  const { datasync } = prototype;
  let count = 0;
  prototype.datasync = function (this: typeof handle) {
    count += 1;
    return datasync.call(this);
  };
  try {
    await work();
    return count;
  } finally {
    prototype.datasync = datasync;
  }
}

/** Those that the open descriptors of a file have, on Linux. */
async function flagsOf(file: string): Promise<number[]> {
  const flags: number[] = [];
  for (const name of await readdir('/proc/self/fd')) {
    const target = await readlink(`/proc/self/fd/${name}`).catch(() => undefined);
    if (target !== file) continue;
    const [, octal = '0'] =
      /^flags:\s+(\d+)/m.exec(await readFile(`/proc/self/fdinfo/${name}`, 'utf8')) ?? [];
    flags.push(Number.parseInt(octal, 8));
  }
  return flags;
}
