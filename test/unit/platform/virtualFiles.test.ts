import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { FileTooLargeError } from '../../../src/host/files.ts';
import { VirtualGuardedFiles } from '../../../src/host/virtual/virtualGuardedFiles.ts';
import { VirtualWorkspaceFiles } from '../../../src/host/virtual/virtualWorkspaceFiles.ts';
import { MemoryUriFiles } from '../../fixtures/memoryUriFiles.ts';

const ROOT = 'memfs:/work';
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const content = (given: string) => ({ bytes: new TextEncoder().encode(given), mode: undefined });
const hash = (given: string): string => createHash('sha256').update(given).digest('hex');
const at = (path: string) => ({ folder: ROOT, path });

describe('files that only the editor reaches', () => {
  let files: MemoryUriFiles;
  let folders: { name: string; uri: string }[];
  let guarded: VirtualGuardedFiles;
  let workspace: VirtualWorkspaceFiles;

  beforeEach(() => {
    files = new MemoryUriFiles({
      [`${ROOT}/a.ts`]: 'one',
      [`${ROOT}/src/b%20c.ts`]: 'two',
      [`${ROOT}/.env`]: 'KEY=1',
      'memfs:/outside/x.ts': 'far',
      'memfs:/work-2/y.ts': 'near',
    });
    folders = [{ name: 'work', uri: ROOT }];
    guarded = new VirtualGuardedFiles(files, () => folders);
    workspace = new VirtualWorkspaceFiles(files, () => folders);
  });

  it('are known by their URIs, however they are named', async () => {
    const uri = `${ROOT}/src/b%20c.ts`;
    for (const named of ['src/b c.ts', './src/../src/b c.ts', '/work/src/b c.ts', 'src\\b c.ts', { uri }]) {
      const found = await guarded.resolve(named);
      assert.deepEqual(
        [found.uri, found.folder, found.path, found.shown],
        [uri, ROOT, 'src/b c.ts', 'src/b c.ts'],
      );
    }
    assert.equal((await guarded.resolve('.env')).isSecret, true);
    folders = [...folders, { name: 'other', uri: 'memfs:/outside' }];
    assert.equal((await guarded.resolve('other/x.ts')).shown, 'other/x.ts');
    await assert.rejects(guarded.resolve('x.ts'), { code: 'which-folder' });
    folders = [];
    await assert.rejects(guarded.resolve('a.ts'), { code: 'no-folder' });
  });

  it('are refused outside of the folders, in repositories, and behind links', async () => {
    for (const named of [
      '../outside/x.ts',
      '/outside/x.ts',
      '/work-2/y.ts',
      '//host/x',
      'memfs://x/work/a.ts',
      'C:/x',
    ]) {
      await assert.rejects(guarded.resolve(named), { name: 'WorkspaceFileError' }, named);
    }
    for (const uri of [
      'memfs:/outside/x.ts',
      'memfs:/work-2/y.ts',
      `${ROOT}/%2e%2e/outside/x.ts`,
      'file:///work/a.ts',
    ]) {
      await assert.rejects(guarded.resolve({ uri }), { code: 'outside-workspace' }, uri);
    }
    for (const named of ['.git/config', 'src/.GIT/config', 'git~1/x']) {
      await assert.rejects(guarded.resolve(named), { code: 'git-repository' });
    }
    files.link(`${ROOT}/src`);
    await assert.rejects(guarded.resolve('src/b c.ts'), { code: 'outside-workspace' });
    await assert.rejects(workspace.write(at('src/new.ts'), content('x'), 't'), { code: 'outside-workspace' });
    files.link(`${ROOT}/a.ts`);
    await assert.rejects(workspace.write(at('a.ts'), content('x'), 't'), { code: 'not-a-file' });
    assert.equal(files.text(`${ROOT}/a.ts`), 'one');
  });

  it('make no repository, and are not written into one', async () => {
    files.put(`${ROOT}/bare/objects/x`, '');
    files.put(`${ROOT}/bare/refs/x`, '');
    await assert.rejects(workspace.write(at('bare/HEAD'), content('ref: x'), 't'), {
      code: 'git-repository',
    });
    files.put(`${ROOT}/bare/HEAD`, 'ref: x');
    await assert.rejects(workspace.write(at('bare/hooks/pre-commit'), content('x'), 't'), {
      code: 'git-repository',
    });
    await assert.rejects(guarded.resolve('bare/config'), { code: 'git-repository' });
  });

  it('are read, but none that is too large', async () => {
    const found = await guarded.resolve('a.ts');
    assert.equal(text(await guarded.read(found, 3)), 'one');
    await assert.rejects(guarded.read(found, 2), FileTooLargeError);
    assert.deepEqual(
      { ...(await guarded.readStart(found, 2)), bytes: undefined },
      { bytes: undefined, size: 3 },
    );
    await assert.rejects(guarded.read(await guarded.resolve('no.ts'), 3), { code: 'not-found' });
    await assert.rejects(guarded.read(await guarded.resolve('src'), 3), { code: 'is-folder' });
    files.put(`${ROOT}/.git/config`, '');
    assert.deepEqual((await guarded.list(await guarded.resolve('.'))).map(({ name }) => name).sort(), [
      '.env',
      'a.ts',
      'src',
    ]);
  });

  it('are written with the folders they need, if they are what was looked at', async () => {
    assert.deepEqual(await workspace.write(at('x/y/z.txt'), content('new'), 't'), ['x', 'x/y']);
    assert.equal(files.text(`${ROOT}/x/y/z.txt`), 'new');
    await assert.rejects(workspace.write(at('a.ts'), content('x'), 't', { hash: null }), { code: 'changed' });
    await assert.rejects(workspace.write(at('a.ts'), content('x'), 't', { hash: hash('other') }), {
      code: 'changed',
    });
    const { identity } = await guarded.resolveForWriting('a.ts');
    await workspace.write(at('a.ts'), content('two'), 't', { hash: hash('one'), identity });
    assert.equal(files.text(`${ROOT}/a.ts`), 'two');
    assert.equal(text((await workspace.read(at('a.ts')))?.bytes), 'two');
    await assert.rejects(workspace.remove(at('a.ts'), { hash: hash('one') }), { code: 'changed' });
    await workspace.remove(at('a.ts'), { hash: hash('two') });
    assert.equal(await workspace.read(at('a.ts')), undefined);
    await workspace.remove(at('x/y/z.txt'));
    for (const folder of ['x/y', 'x']) await workspace.removeEmptyFolder(at(folder));
    assert.equal(await files.stat(`${ROOT}/x`), undefined);
    await workspace.removeEmptyFolder(at('src'));
    assert.equal(await workspace.isFolder(at('src')), true, 'what has something in it stays');
  });

  it('are moved where nothing is, if they are what was looked at; links and folders are not written', async () => {
    await assert.rejects(workspace.move(at('a.ts'), at('x/b.ts'), { hash: hash('other') }), {
      code: 'changed',
    });
    assert.deepEqual(await workspace.move(at('a.ts'), at('x/b.ts'), { hash: hash('one') }), ['x']);
    assert.deepEqual([files.text(`${ROOT}/a.ts`), files.text(`${ROOT}/x/b.ts`)], [undefined, 'one']);
    const link = { ...content('target'), kind: 'link' as const };
    await assert.rejects(workspace.write(at('link'), link, 't'), { code: 'not-a-file' });
    assert.deepEqual(await workspace.recover(), []);
  });

  it('are told to be read-only where they are, and nothing is half done', async () => {
    files.readOnly.add('memfs');
    await assert.rejects(workspace.write(at('x/z.txt'), content('x'), 't'), { code: 'read-only' });
    await assert.rejects(workspace.remove(at('a.ts')), { code: 'read-only' });
    await assert.rejects(guarded.resolveForWriting('a.ts'), { code: 'read-only' });
    files.readOnly.clear();
    files.lock(`${ROOT}/a.ts`);
    await assert.rejects(guarded.resolveForWriting('a.ts'), { code: 'read-only' });
    await assert.rejects(workspace.write(at('a.ts'), content('x'), 't'), { code: 'read-only' });
    await assert.rejects(workspace.remove(at('a.ts')), { code: 'read-only' });
    files.write = () => Promise.reject(new Error('no room'));
    await assert.rejects(workspace.write(at('x/y/z.txt'), content('x'), 't'), /no room/u);
    assert.equal(await files.stat(`${ROOT}/x`), undefined, 'the folders made for it are gone');
  });
});
