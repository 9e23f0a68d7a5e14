import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type {
  ExpectedFile,
  FileContent,
  FileLocation,
  WorkspaceFiles,
} from '../../../src/host/workspaceFiles.ts';
import { isReady } from '../../../src/files/inspectFiles.ts';
import { NodeFiles } from '../../../src/host/node/nodeFiles.ts';
import { thisProcess } from '../../../src/host/node/nodeParts.ts';
import { WriteJournal } from '../../../src/host/writeJournal.ts';
import { CHAT, FilesWorld } from '../../worlds/filesWorld.ts';

describe('files brought to another point of the conversation when something fails', () => {
  let world: FilesWorld;
  beforeEach(async () => (world = await FilesWorld.make()));
  afterEach(() => world[Symbol.asyncDispose]());

  /** The real files, but for one call that fails or is followed by a crash. */
  class FailingFiles implements WorkspaceFiles {
    private calls = 0;
    constructor(
      private readonly real: WorkspaceFiles,
      private readonly failAt: number,
      private readonly kind: 'error' | 'crash' | 'silent',
    ) {}
    private get isDown(): boolean {
      return this.kind === 'crash' && this.calls >= this.failAt;
    }
    private async change<T>(work: () => Promise<T>, instead: T): Promise<T> {
      if (this.isDown) throw new Error('the program is gone');
      this.calls += 1;
      if (this.calls !== this.failAt) return work();
      if (this.kind === 'silent') return instead;
      if (this.kind === 'crash') await work();
      throw new Error('the disk is full');
    }
    checkWrite = (file: FileLocation) => this.real.checkWrite(file);
    makeFolder = (folder: FileLocation, mode?: number) =>
      this.change(() => this.real.makeFolder(folder, mode), []);
    move = (...given: Parameters<WorkspaceFiles['move']>) => this.change(() => this.real.move(...given), []);
    recover = () => this.real.recover();
    isFolder = (file: FileLocation) => this.real.isFolder(file);
    read = (file: FileLocation) => {
      if (this.isDown) throw new Error('the program is gone');
      return this.real.read(file);
    };
    readEntry = (file: FileLocation) => {
      if (this.isDown) throw new Error('the program is gone');
      return this.real.readEntry(file);
    };
    write = (file: FileLocation, content: FileContent, tag: string, expected?: ExpectedFile) =>
      this.change(() => this.real.write(file, content, tag, expected), []);
    remove = (file: FileLocation, expected?: ExpectedFile) =>
      this.change(() => this.real.remove(file, expected), undefined);
    removeEmptyFolder = (folder: FileLocation) => this.real.removeEmptyFolder(folder);
    sweep = (file: FileLocation, tag: string) => this.real.sweep(file, tag);
  }

  const prepared = async (): Promise<Record<string, string>> => {
    await world.workspace.put('a', 'original');
    await world.workspace.put('b', 'original', 0o755);
    await world.turn({ a: 'tool', b: null, 'made/c': 'tool', d: 'tool' });
    return world.workspace.picture();
  };
  const restoreWith = async (files: WorkspaceFiles, commit = () => Promise.resolve()) => {
    const preview = await world.restorer().preview(CHAT, null);
    return world.restorer(files).restore(CHAT, preview, preview.files.filter(isReady), { commit });
  };

  for (const kind of ['error', 'silent'] as const) {
    for (const failAt of [1, 2, 3, 4]) {
      it(`everything is put back and said (${kind} in change ${failAt})`, async () => {
        const before = await prepared();
        const files = new FailingFiles(world.workspace.files, failAt, kind);
        await assert.rejects(restoreWith(files), {
          code: 'restore-failed',
          message: /all of them are as they were before/,
        });
        assert.deepEqual(await world.workspace.picture(), before);
        assert.equal(await world.restorer().recover(), undefined);
        assert.deepEqual(await world.store.listEvents(CHAT, { kind: 'files-restored' }), []);
      });
    }
  }

  for (const crashAt of [1, 2, 3, 4]) {
    it(`in a crash, the next start puts everything back (after change ${crashAt})`, async () => {
      const before = await prepared();
      const files = new FailingFiles(world.workspace.files, crashAt, 'crash');
      await assert.rejects(restoreWith(files));
      const recovered = await world.restorer().recover();
      assert.deepEqual(recovered, { outcome: 'undone', count: 4, notPutBack: [] });
      assert.deepEqual(await world.workspace.picture(), before);
      assert.equal(await world.restorer().recover(), undefined);
    });
  }

  it('in a crash, a file someone changed before the next start is skipped and named', async () => {
    await prepared();
    await assert.rejects(restoreWith(new FailingFiles(world.workspace.files, 4, 'crash')));
    await world.workspace.put('a', 'mine');
    const recovered = await world.restorer().recover();
    assert.deepEqual(recovered?.notPutBack, ['a']);
    assert.equal(await world.workspace.text('a'), 'mine');
  });

  it('in a crash in the middle of a file, that file is whole again before the others are put back', async () => {
    const before = await prepared();
    await assert.rejects(restoreWith(new FailingFiles(world.workspace.files, 1, 'crash')));
    const { workspace } = world;
    const bytes = (text: string) => new TextEncoder().encode(text);
    const { identity } = await workspace.guard.resolve('a');
    const dead = { pid: 999_999_999, host: thisProcess().host, isAlive: () => false };
    const mode = (await stat(workspace.onDisk('a'))).mode & 0o777;
    await new WriteJournal(new NodeFiles(), workspace.storage, dead).begin({
      location: workspace.at('a'),
      identity: identity.file ?? '',
      oldMode: mode,
      newMode: mode,
      oldBytes: bytes('tool'),
      newBytes: bytes('original'),
    });
    await workspace.put('a', 'orol');
    const [write] = await world.restorer().recoverWrites();
    assert.deepEqual([write?.path, write?.outcome], ['a', 'undone']);
    assert.deepEqual(await world.restorer().recover(), { outcome: 'undone', count: 4, notPutBack: [] });
    assert.deepEqual(await workspace.picture(), before);
  });

  it('a half written file of a crash is swept away', async () => {
    await prepared();
    await assert.rejects(restoreWith(new FailingFiles(world.workspace.files, 4, 'crash')));
    const { restoreId } = JSON.parse(await readFile(world.journalPath, 'utf8')) as { restoreId: string };
    await world.workspace.put(`.a.${restoreId}.offshoot`, 'half of');
    await world.restorer().recover();
    assert.ok(!Object.keys(await world.workspace.picture()).some((name) => name.endsWith('.offshoot')));
  });

  it('after all was done and logged, the next start leaves it done', async () => {
    await prepared();
    let record = '';
    await restoreWith(world.workspace.files, async () => {
      record = await readFile(world.journalPath, 'utf8');
    });
    const after = await world.workspace.picture();
    await writeFile(world.journalPath, record);
    assert.equal((await world.restorer().recover())?.outcome, 'completed');
    assert.deepEqual(await world.workspace.picture(), after);
  });

  it('or is under way in another window, the files are put back once that window is gone', async () => {
    const before = await prepared();
    await assert.rejects(restoreWith(new FailingFiles(world.workspace.files, 2, 'crash')));
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    await rename(world.journalPath, path.join(world.workspace.outside, `restore.${child.pid ?? 0}.json`));
    assert.equal(await world.restorer().recover(), undefined);
    child.kill();
    await once(child, 'exit');
    assert.equal((await world.restorer().recover())?.outcome, 'undone');
    assert.deepEqual(await world.workspace.picture(), before);
    assert.equal(await world.restorer().recover(), undefined);
  });

  it('of the conversation, the files are put back, and stand where they stood', async () => {
    const before = await prepared();
    const failing = (): Promise<void> => Promise.reject(new Error('no room for a branch'));
    await assert.rejects(restoreWith(world.workspace.files, failing), /no room for a branch/);
    assert.deepEqual(await world.workspace.picture(), before);
    assert.deepEqual(await world.states(null), { a: 'ready', b: 'ready', d: 'ready', 'made/c': 'ready' });
  });

  it('with a journal that cannot be read, it is set aside and told of', async () => {
    await writeFile(world.journalPath, '{"version": 1, "st');
    assert.equal((await world.restorer().recover())?.outcome, 'damaged');
    const damaged = path.join(world.workspace.outside, 'restore.json.damaged');
    assert.equal(await readFile(damaged, 'utf8'), '{"version": 1, "st');
    assert.equal(await world.restorer().recover(), undefined);
  });

  it('because a kept version was damaged on the disk, nothing is written', async () => {
    const before = await prepared();
    const { blobs } = world.store;
    const get = blobs.get.bind(blobs);
    blobs.get = async (hash) => {
      const bytes = await get(hash);
      bytes?.fill(0);
      return bytes;
    };
    await assert.rejects(world.restoreTo(null), { code: 'version-lost' });
    assert.deepEqual(await world.workspace.picture(), before);
  });
});
