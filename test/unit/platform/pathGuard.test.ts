import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { PathGuard, type GuardedPath } from '../../../src/host/node/pathGuard.ts';
import type { WorkspaceFolder } from '../../../src/host/workspaceFiles.ts';

const resolvePath = (folders: readonly WorkspaceFolder[], given: string): Promise<GuardedPath> =>
  new PathGuard(() => folders).resolve(given);

describe('a path a model names', () => {
  let base: string;
  let root: string;
  let folders: readonly WorkspaceFolder[];

  before(async () => {
    base = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-paths-')));
    root = path.join(base, 'work');
    await mkdir(path.join(root, 'src', 'deep'), { recursive: true });
    await mkdir(path.join(root, '.git', 'hooks'), { recursive: true });
    await mkdir(path.join(base, 'work-secret'));
    await writeFile(path.join(root, 'src', 'a.ts'), 'a');
    await mkdir(path.join(root, '.vscode'));
    await writeFile(path.join(root, '.env'), 'KEY=1');
    await writeFile(path.join(base, 'work-secret', 'key'), 'secret');
    await writeFile(path.join(base, 'outside'), 'secret');
    await symlink(path.join(base, 'outside'), path.join(root, 'link-out'));
    await symlink(base, path.join(root, 'dir-out'));
    await symlink(path.join(base, 'not-there-yet'), path.join(root, 'dangling'));
    await symlink(path.join(root, 'src'), path.join(root, 'link-in'));
    await symlink(path.join(root, '.git'), path.join(root, 'innocent'));
    await symlink(root, path.join(base, 'by-link'));
    folders = [{ name: 'work', uri: 'file:///work', root }];
  });
  after(() => rm(base, { recursive: true, force: true }));

  const refused = (given: string, of = folders): Promise<void> =>
    assert.rejects(resolvePath(of, given), { name: 'WorkspaceFileError' }, given);

  it('is found relative to the folder, from its root, with either slash, and where nothing is yet', async () => {
    const file = path.join(root, 'src', 'a.ts');
    for (const given of ['src/a.ts', './src//a.ts', 'src\\a.ts', ' src/a.ts ', 'src/deep/../a.ts', file]) {
      const found = await resolvePath(folders, given);
      assert.deepEqual([found.path, found.fsPath, found.shown], ['src/a.ts', file, 'src/a.ts'], given);
    }
    assert.equal((await resolvePath(folders, 'new/deeper/file.ts')).path, 'new/deeper/file.ts');
    assert.equal((await resolvePath(folders, '.')).path, '');
  });

  it('is named by what its links lead to', async () => {
    assert.equal((await resolvePath(folders, 'link-in/a.ts')).path, 'src/a.ts');
    const linked = [{ name: 'work', uri: 'file:///work', root: path.join(base, 'by-link') }];
    assert.equal((await resolvePath(linked, path.join(root, 'src', 'a.ts'))).path, 'src/a.ts');
    assert.equal((await resolvePath(linked, path.join(base, 'by-link', 'src', 'a.ts'))).path, 'src/a.ts');
  });

  it('is refused when it leads out of the folder, in whichever way', async () => {
    for (const given of [
      '..',
      '../outside',
      '../work-secret/key',
      'src/../../outside',
      'src\\..\\..\\outside',
      '/etc/passwd',
      path.join(base, 'outside'),
      path.join(base, 'work-secret', 'key'),
      `${root}/../outside`,
      'link-out',
      'dir-out/outside',
      'dir-out/new-file',
      'dangling',
      'dangling/below',
      '//server/share/file',
      '\\\\server\\share\\file',
      '\\\\?\\C:\\Windows',
      'C:/Windows/win.ini',
      'c:\\Windows\\win.ini',
      'D:file',
      'file:///etc/passwd',
      'vscode-remote://host/x',
      'src/a.ts\u0000.png',
      'src/\na.ts',
      '~/../../etc/passwd',
    ]) {
      await refused(given);
    }
  });

  it('is refused while no folder is open', () => refused('a.ts', []));

  it('never comes to lie outside, however it is put together', async () => {
    const parts = ['..', '.', 'src', 'deep', 'dir-out', 'link-in', 'dangling', 'a.ts', '', '.git', 'C:', '~'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...parts), { maxLength: 8 }),
        fc.constantFrom('/', '\\'),
        fc.constantFrom('', '/', `${root}/`, '\\\\'),
        async (names, slash, start) => {
          const given = start + names.join(slash);
          const found = await resolvePath(folders, given).catch(() => undefined);
          if (!found) return;
          assert.ok(found.fsPath === root || found.fsPath.startsWith(root + path.sep), given);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is refused where git keeps its own, in whichever letters, and behind a link', async () => {
    for (const given of [
      '.git',
      '.git/config',
      '.GIT/config',
      'src/.Git/hooks/pre-commit',
      '.git./config',
      '.git /config',
      '.g\u200cit/config',
      '.ｇit/config',
      'GIT~1/config',
      'innocent/config',
    ]) {
      await assert.rejects(resolvePath(folders, given), { code: 'git-repository' }, given);
    }
  });

  it('is known to be protected or secret, and behind a link', async () => {
    await symlink(path.join(root, '.vscode'), path.join(root, 'settings'));
    await symlink(path.join(root, 'src', 'a.ts'), path.join(root, 'src', 'package.json'));
    await symlink(path.join(root, '.env'), path.join(root, 'notes.txt'));
    for (const given of ['.vscode/tasks.json', '.VSCODE/x', 'settings/tasks.json', 'src/package.json']) {
      assert.ok((await resolvePath(folders, given)).protection, given);
    }
    for (const given of ['.env', 'notes.txt', 'sub/id_rsa']) {
      assert.equal((await resolvePath(folders, given)).isSecret, true, given);
    }
    for (const given of ['.gitignore', '.github/workflow.yml', 'git/config', 'src/vscode.ts', 'src/a.ts']) {
      assert.equal((await resolvePath(folders, given)).protection, undefined, given);
    }
  });

  it('begins with the name of its folder where several are open', async () => {
    const two = [...folders, { name: 'other', uri: 'file:///other', root: path.join(base, 'work-secret') }];
    assert.equal((await resolvePath(two, 'work/src/a.ts')).shown, 'work/src/a.ts');
    assert.equal((await resolvePath(two, 'other/key')).folder, 'file:///other');
    await assert.rejects(resolvePath(two, 'src/a.ts'), { code: 'which-folder' });
    await refused('work/../other/../outside', two);
  });
});
