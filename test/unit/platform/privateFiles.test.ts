import assert from 'node:assert/strict';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { user } from '../../../src/engine/fragments/index.ts';
import { NodeFiles } from '../../../src/host/node/nodeFiles.ts';
import { nodePlatform } from '../../../src/host/node/nodePlatform.ts';
import { PathGuard } from '../../../src/host/node/pathGuard.ts';
import { NodeWorkspaceFiles } from '../../../src/host/node/nodeWorkspaceFiles.ts';
import { thisProcess } from '../../../src/host/node/nodeParts.ts';
import { DurableContextStore } from '../../../src/store/durableContextStore.ts';
import { WriterLock } from '../../../src/store/durable/writerLock.ts';
import { writeJournalIn } from '../../fixtures/realWorkspace.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

describe('files that hold conversations', function () {
  let folder: string;
  let umask: number;
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    umask = process.umask(0);
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'offshoot-private-')), 'storage');
  });
  afterEach(async () => {
    process.umask(umask);
    await rm(path.dirname(folder), { recursive: true, force: true });
  });

  const open = (database?: string): DurableContextStore =>
    new DurableContextStore({
      folder,
      hasOwnFolder: database === undefined,
      ...(database === undefined ? {} : { database }),
      platform: nodePlatform('dist'),
      journalLimit: 1,
      onRecovery: ({ outcome }) => assert.fail(outcome),
      onError: (error) => {
        throw error;
      },
    });
  const talk = async (store: DurableContextStore): Promise<void> => {
    const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    await engine.artifacts.save('notes', bytes('secret'), { mediaType: 'text/plain' });
    await engine.set(user('secret')).save();
    await engine.set(user('more')).save();
    await engine.close();
    await store.close();
  };
  /** Everything in the folder and the folder itself that others may get at. */
  const openToOthers = async (): Promise<string[]> => {
    const names = ['.', ...(await readdir(folder, { recursive: true }))];
    const modes = await Promise.all(
      names.map(async (name) => [name, (await lstat(path.join(folder, name))).mode & 0o777] as const),
    );
    return modes
      .filter(([, mode]) => (mode & 0o077) !== 0)
      .map(([name, mode]) => `${name} ${mode.toString(8)}`);
  };

  it('are their owner’s alone, whatever the umask: database, journals, blobs, and the folders they are in', async () => {
    await talk(open());
    assert.ok((await readdir(folder)).length > 1);
    assert.deepEqual(await openToOthers(), []);
  });

  it('of an earlier version are closed to others when they are opened', async () => {
    await talk(open());
    for (const name of await readdir(folder)) {
      const each = path.join(folder, name);
      await chmod(each, (await stat(each)).isDirectory() ? 0o755 : 0o644);
    }
    await chmod(folder, 0o777);
    const store = open();
    await store.listChats();
    await store.close();
    assert.deepEqual(await openToOthers(), []);
  });

  it('in a folder that holds other things too leave those, and the folder, as they are', async () => {
    await mkdir(folder, { mode: 0o755 });
    await writeFile(path.join(folder, 'other.txt'), 'x', { mode: 0o644 });
    await talk(open('mine.db'));
    assert.deepEqual(await openToOthers(), ['. 755', 'other.txt 644']);
  });

  describe('are never written through a link that someone put there before', () => {
    let victim: string;
    beforeEach(async () => {
      await mkdir(folder, { recursive: true });
      victim = path.join(path.dirname(folder), 'victim');
      await writeFile(victim, 'untouched');
    });
    afterEach(async () => assert.equal(await readFile(victim, 'utf8'), 'untouched'));

    it('as the temporary file of a replacement', async () => {
      const file = path.join(folder, 'offshoot.db.0.journal');
      await symlink(victim, `${file}.tmp`);
      await new NodeFiles().replace(file, bytes('secret'));
      assert.equal(await readFile(file, 'utf8'), 'secret');
      assert.equal((await lstat(file)).isSymbolicLink(), false);
    });

    it('as the next snapshot', async () => {
      const file = path.join(folder, 'offshoot.db.next');
      await symlink(victim, file);
      await new NodeFiles().write(file, [bytes('secret')]);
      assert.equal((await lstat(file)).isSymbolicLink(), false);
    });

    it('as a journal', async () => {
      const file = path.join(folder, 'offshoot.db.0.journal');
      await symlink(victim, file);
      await assert.rejects(new NodeFiles().openLog(file), { code: 'not-a-file' });
    });

    it('as the lock, whose times do not change either', async () => {
      const lock = path.join(folder, 'offshoot.db.lock');
      await symlink(victim, lock);
      const { mtimeMs } = await stat(victim);
      const files = new NodeFiles();
      assert.equal(await new WriterLock(files, lock, thisProcess()).tryAcquire(), false);
      await files.touch(lock);
      assert.equal((await stat(victim)).mtimeMs, mtimeMs);
    });

    it('nor is what it leads to closed to its owner’s neighbours', async () => {
      await chmod(victim, 0o644);
      await symlink(victim, path.join(folder, 'offshoot.db'));
      await new NodeFiles().protect(path.join(folder, 'offshoot.db'));
      assert.equal((await stat(victim)).mode & 0o777, 0o644);
    });
  });

  it('leave nothing temporary behind when they cannot be written', async () => {
    await mkdir(path.join(folder, 'taken'), { recursive: true });
    await assert.rejects(new NodeFiles().replace(path.join(folder, 'taken'), bytes('x')));
    assert.deepEqual(await readdir(folder), ['taken']);
  });

  it('two that replace one file at once both succeed', async () => {
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, 'a');
    const files = new NodeFiles();
    await Promise.all(Array.from({ length: 8 }, () => files.replace(file, bytes('same'))));
    assert.deepEqual(await readdir(folder), ['a']);
    assert.equal(await readFile(file, 'utf8'), 'same');
  });

  it('files of the workspace keep the mode they had, or get the usual one', async () => {
    process.umask(0o022);
    await mkdir(folder, { recursive: true });
    const workspace = new NodeWorkspaceFiles(
      new PathGuard(() => [{ name: 'w', uri: 'file:///w', root: folder }]),
      writeJournalIn(path.join(path.dirname(folder), 'storage')),
    );
    const write = (name: string, mode: number | undefined) =>
      workspace.write({ folder: 'file:///w', path: name }, { bytes: bytes('new'), mode }, 'tag');
    await writeFile(path.join(folder, 'private'), 'old', { mode: 0o600 });
    await writeFile(path.join(folder, 'program'), 'old', { mode: 0o755 });
    await write('private', undefined);
    await write('program', undefined);
    await write('new', undefined);
    await write('run', 0o755);
    const modes = await Promise.all(
      ['private', 'program', 'new', 'run'].map(
        async (name) => (await stat(path.join(folder, name))).mode & 0o777,
      ),
    );
    assert.deepEqual(modes, [0o600, 0o644, 0o644, 0o755]);
  });
});
