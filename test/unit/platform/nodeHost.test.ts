import assert from 'node:assert/strict';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FileTooLargeError } from '../../../src/host/files.ts';
import type { GuardedFiles } from '../../../src/host/guardedFiles.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { NodeFiles } from '../../../src/host/node/nodeFiles.ts';
import { nodeHost } from '../../../src/host/node/nodeHost.ts';
import { thisProcess } from '../../../src/host/node/nodeParts.ts';
import { WriteJournal } from '../../../src/host/writeJournal.ts';
import { RealWorkspace } from '../../fixtures/realWorkspace.ts';
import { MemoryUriFiles } from '../../fixtures/memoryUriFiles.ts';

const storage = path.join(tmpdir(), `offshoot-host-${process.pid}`);
const host = nodeHost({
  dist: uriOf(path.resolve('dist')),
  appRoot: '/nowhere',
  editorFiles: new MemoryUriFiles(),
  storage: uriOf(storage),
});

describe('the host', () => {
  let workspace: RealWorkspace;
  let files: GuardedFiles;
  let folders: { name: string; uri: string }[];

  beforeEach(async () => {
    workspace = await RealWorkspace.make();
    folders = [{ name: 'work', uri: uriOf(workspace.folder) }];
    files = host.guardedFiles(() => folders);
  });
  afterEach(async () => {
    await workspace[Symbol.asyncDispose]();
    await rm(storage, { recursive: true, force: true });
  });

  it('knows a file by its URI, however it was named', async () => {
    await workspace.put('src/a b.ts', 'x');
    await symlink(workspace.onDisk('src'), workspace.onDisk('link'));
    const uri = uriOf(workspace.onDisk('src/a b.ts'));
    const named = ['src/a b.ts', 'link/a b.ts', workspace.onDisk('link/a b.ts'), { uri }];
    for (const each of named) {
      const { uri: found, folder, path: below, shown } = await files.resolve(each);
      assert.deepEqual([found, folder, below, shown], [uri, folders[0]?.uri, 'src/a b.ts', 'src/a b.ts']);
    }
  });

  it('refuses what lies outside by its URI as by its path', async () => {
    await writeFile(path.join(workspace.outside, 'a.ts'), 'x');
    const outside = path.join(workspace.outside, 'a.ts');
    for (const each of [outside, { uri: uriOf(outside) }]) {
      await assert.rejects(files.resolve(each), { code: 'outside-workspace' });
      await assert.rejects(files.resolveForWriting(each), { code: 'outside-workspace' });
    }
    await symlink(outside, workspace.onDisk('link.ts'));
    await assert.rejects(files.resolve('link.ts'), { code: 'outside-workspace' });
    assert.deepEqual(await files.nameable([uriOf(outside), uriOf(workspace.onDisk('link.ts'))]), [
      { uri: uriOf(workspace.onDisk('link.ts')), shown: 'link.ts', isSecret: false },
    ]);
  });

  it('reads a file that is not too large, and the beginning of one that is', async () => {
    await workspace.put('a.txt', 'hello');
    const at = await files.resolve('a.txt');
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    assert.equal(text(await files.read(at, 5)), 'hello');
    await assert.rejects(files.read(at, 4), FileTooLargeError);
    const { bytes, size } = await files.readStart(at, 4);
    assert.deepEqual([text(bytes), size], ['hell', 5]);
    assert.equal(text((await files.readStart(at, 100)).bytes), 'hello');
  });

  it('does not read what became a link after it was looked at', async () => {
    await workspace.put('a.txt', 'hello');
    await writeFile(path.join(workspace.outside, 'a.txt'), 'secret');
    const at = await files.resolve('a.txt');
    await workspace.files.remove(workspace.at('a.txt'));
    await symlink(path.join(workspace.outside, 'a.txt'), workspace.onDisk('a.txt'));
    await assert.rejects(files.read(at, 100), { code: 'not-a-file' });
    await assert.rejects(files.readStart(at, 100), { code: 'not-a-file' });
  });

  it('lists folders, and follows the open ones as they come and go', async () => {
    await workspace.put('src/a.ts', 'x');
    const src = await files.resolve('src');
    assert.deepEqual(await files.list(src), [{ name: 'a.ts', isFolder: false }]);
    folders = [];
    await assert.rejects(files.resolve('src'), { code: 'no-folder' });
    await assert.rejects(files.list(src), { code: 'outside-workspace' });
    assert.deepEqual(files.folders(), []);
  });

  it('changes files of the open folders', async () => {
    const changed = host.workspaceFiles(() => folders);
    const file = { folder: folders[0]?.uri ?? '', path: 'new/a.txt' };
    const content = { bytes: new TextEncoder().encode('x'), mode: undefined };
    await changed.checkWrite(file);
    assert.deepEqual(await changed.write(file, content, 'tag', { hash: null }), ['new']);
    assert.deepEqual((await changed.read(file))?.bytes, content.bytes);
    assert.equal(await changed.isFolder({ ...file, path: 'new' }), true);
    await changed.sweep(file, 'tag');
    await changed.remove(file);
    await changed.removeEmptyFolder({ ...file, path: 'new' });
    assert.equal(await changed.isFolder({ ...file, path: 'new' }), false);
    await assert.rejects(changed.write({ ...file, path: '.git/config' }, content, 'tag'), {
      code: 'git-repository',
    });
  });

  it('takes back a write that was cut off, and leaves one of a folder that is not open now', async () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const dead = { pid: 999_999_999, host: thisProcess().host, isAlive: () => false };
    const journal = new WriteJournal(new NodeFiles(), storage, dead);
    await workspace.put('a.txt', 'one');
    const { identity } = await files.resolve('a.txt');
    const write = {
      identity: identity.file ?? '',
      oldMode: 0o644,
      newMode: 0o644,
      oldBytes: bytes('one'),
      newBytes: bytes('two'),
    };
    await journal.begin({ ...write, location: { folder: uriOf(workspace.folder), path: 'a.txt' } });
    await journal.begin({ ...write, location: { folder: uriOf(workspace.outside), path: 'a.txt' } });
    const changed = host.workspaceFiles(() => folders);
    const recovered = await changed.recover();
    assert.deepEqual(
      recovered.map(({ path: name, outcome }) => [name, outcome]),
      [['a.txt', 'undone']],
    );
    assert.deepEqual(await changed.recover(), []);
    folders = [...folders, { name: 'outside', uri: uriOf(workspace.outside) }];
    assert.equal((await changed.recover())[0]?.outcome, 'apart', 'no such file is there');
    assert.deepEqual(await changed.recover(), []);
  });

  it('takes no file of this machine for one of a folder that lies elsewhere, nor the other way round', async () => {
    await workspace.put('a.ts', 'here');
    const local = folders;
    folders = [{ name: 'work', uri: `memfs:${workspace.folder}` }];
    await assert.rejects(files.resolve({ uri: uriOf(workspace.onDisk('a.ts')) }), {
      code: 'outside-workspace',
    });
    await assert.rejects(files.read({ ...(await files.resolve('a.ts')) }, 10), { code: 'not-found' });
    folders = local;
    await assert.rejects(files.resolve({ uri: `memfs:${workspace.onDisk('a.ts')}` }), {
      code: 'outside-workspace',
    });
  });

  it('has a checksum, and programs', async () => {
    assert.equal(host.crc32(new TextEncoder().encode('123456789'), 0), 0xcbf43926);
    assert.equal((await host.programs()).ripgrep(), undefined);
  });
});
