import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { mergeChanges } from '../../../src/host/branchMerge.ts';
import { contentAt } from '../../../src/host/node/branchFiles/treeContent.ts';
import {
  branchFilesOf,
  commitAll,
  committed,
  everything,
  folderOf,
  limits,
  make,
  nameAuthor,
  named,
  repository,
  works,
} from '../../worlds/branchFilesWorld.ts';
import { until } from '../../fixtures/until.ts';
import { script } from '../../worlds/gitRepository.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

const run = promisify(execFile);

// What a system does not have or permit has no test there.
const isRoot = process.getuid?.() === 0;
const mayMount = isRoot && canMount();
const gitKnowsReftable = knowsReftable();

function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'offshoot-mount-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status === 0;
  if (isMounted) spawnSync('umount', [folder]);
  rmdirSync(folder);
  return isMounted;
}

function knowsReftable(): boolean {
  const [, major = '', minor = ''] =
    /(\d+)\.(\d+)/u.exec(spawnSync('git', ['--version']).stdout.toString()) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 45);
}

/** What environment variables are for a while. */
function environment(values: Readonly<Record<string, string | undefined>>): Disposable {
  const set = (all: Readonly<Record<string, string | undefined>>): void => {
    for (const [name, value] of Object.entries(all)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  };
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]));
  set(values);
  return { [Symbol.dispose]: () => set(before) };
}

/** A git that never ends once it is asked for a command, as on a disk that does not answer. */
async function hangingGit(
  command: string,
): Promise<AsyncDisposable & { readonly folder: string; readonly hangs: () => boolean }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-git-'));
  const mark = path.join(folder, 'hangs');
  const { stdout } = await run('sh', ['-c', 'command -v git']);
  await writeFile(
    path.join(folder, 'git'),
    `#!/bin/sh\ncase " $* " in *' ${command} '*) : > '${mark}'; exec sleep 600;; esac\nexec '${stdout.trim()}' "$@"\n`,
    { mode: 0o755 },
  );
  return {
    folder,
    hangs: () => existsSync(mark),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** Another workspace, which is a clone. */
async function clone(of: TestWorkspace, options: string): Promise<TestWorkspace> {
  const workspace = await TestWorkspace.create();
  await script(workspace, `git clone -q ${options} 'file://${of.root}' .`);
  return workspace;
}

void describe('files of a branch from a repository of a special kind', () => {
  for (const [title, init] of [
    ['with longer names of objects', 'git init -q --object-format=sha256'],
    ...(gitKnowsReftable
      ? [['with references in one table', 'git init -q --ref-format=reftable'] as const]
      : []),
    ['that is kept elsewhere', 'git init -q --separate-git-dir ../$(basename "$PWD")-git'],
    ['that names its work tree', 'git init -q && git config core.worktree "$PWD"'],
    ['with an index in parts', 'git init -q && git config core.splitIndex true'],
    ['with settings of its own for a work tree', 'git init -q && git config extensions.worktreeConfig true'],
  ] as const) {
    it(title, async () => {
      await using workspace = await TestWorkspace.create({ 'a.txt': 'a\n' });
      await script(workspace, init);
      await script(workspace, 'git add -A && git commit -qm first && echo more >> a.txt');
      assert.equal(await readFile(path.join(await works(workspace, 'a.txt', 'b\n'), 'a.txt'), 'utf8'), 'b\n');
    });
  }

  it('without a commit or an index', async () => {
    await using workspace = await TestWorkspace.create({ 'a.txt': 'a\n' });
    await script(workspace, 'git init -q');
    await works(workspace, 'a.txt', 'b\n');
  });

  it('that is a work tree of another', async () => {
    await using workspace = await committed({ 'a.txt': 'a\n' });
    await script(workspace, 'git worktree add -q below/tree && echo more >> below/tree/a.txt');
    workspace.opened = ['below/tree'];
    const own = await works(workspace, 'a.txt', 'b\n');
    assert.deepEqual((await readdir(own)).sort(), ['.git', 'a.txt']);
    workspace.opened = [];
    const made = await make(branchFilesOf(workspace), workspace);
    assert.deepEqual(made.empty, ['below/tree'], 'it is not copied with the one that it is in');
  });

  it('that is shallow', async () => {
    await using origin = await committed({ 'a.txt': 'a\n' });
    await script(
      origin,
      'echo b > a.txt && git commit -qam second && echo c > a.txt && git commit -qam third',
    );
    await using workspace = await clone(origin, '--depth=1');
    const own = await works(workspace, 'a.txt', 'd\n');
    const count = await run('git', ['rev-list', '--count', 'HEAD'], { cwd: own });
    assert.equal(count.stdout, '2\n');
    const branches = branchFilesOf(workspace);
    const [made = assert.fail('there is none')] = await branches.list();
    await nameAuthor(workspace);
    await commitAll(branches, made.id, 'attempt');
    await script(workspace, 'test "$(git show attempt:a.txt)" = d && git fsck --no-dangling');
  });

  it('that has not all objects, and checks out a part', async () => {
    await using origin = await committed({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'out/c.txt': 'c\n' });
    await script(origin, 'git config uploadpack.allowFilter true');
    for (const filter of ['blob:none', 'tree:0']) {
      await using workspace = await clone(origin, `--filter=${filter} --sparse`);
      await script(workspace, 'git sparse-checkout set in && echo more >> in/a.txt');
      const own = await works(workspace, 'in/a.txt', 'changed\n');
      assert.deepEqual((await readdir(own)).sort(), ['.git', 'in']);
      const branches = branchFilesOf(workspace);
      const [made = assert.fail('there is none')] = await branches.list();
      await mkdir(path.join(own, 'out'));
      await writeFile(path.join(own, 'out', 'new.txt'), 'new\n');
      assert.deepEqual(named(await branches.changes(made.id)), {
        'in/a.txt': 'a\nmore\n|changed\n',
        'out/new.txt': '-|new\n',
      });
    }
  });

  it('that borrows objects of another', async () => {
    await using origin = await committed({ 'a.txt': 'a\n' });
    await using workspace = await TestWorkspace.create();
    await script(workspace, `git clone -q --shared '${origin.root}' .`);
    await works(workspace, 'a.txt', 'b\n');
  });

  it('in a folder with an unusual name', async () => {
    await using outer = await TestWorkspace.create();
    outer.opened = ['a "b" [c]*!# é '];
    await mkdir(outer.at(outer.opened[0] ?? ''));
    await outer.put(`${outer.opened[0]}/a.txt`, 'a\n');
    await outer.put(`${outer.opened[0]}/[x] y/node_modules/p.js`, 'p\n');
    await outer.put(`${outer.opened[0]}/[x] y/b.txt`, 'b\n');
    await outer.put(`${outer.opened[0]}/.gitignore`, 'node_modules/\n');
    await script(outer, `cd '${outer.opened[0]}' && git init -q && git add -A && git commit -qm first`);
    await works(outer, 'a.txt', 'b\n');
  });
});

void describe('files of a branch from a workspace with special files', () => {
  it('has links, permissions, and names that no text can have', async () => {
    await using workspace = await committed({
      'a.txt': 'a\n',
      'line\nend.txt': 'line\n',
      'run.sh': '#!/bin/sh\n',
    });
    await chmod(workspace.at('run.sh'), 0o755);
    await symlink('a.txt', workspace.at('link'));
    await symlink('nowhere', workspace.at('broken'));
    await mkdir(workspace.at('empty'));
    await script(workspace, `printf 'x\\n' > "$(printf 'caf\\351.txt')"`);
    const before = await everything(workspace.root);
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    const own = folderOf(made);
    assert.deepEqual(await branches.changes(made.id), []);
    assert.equal(await readlink(path.join(own, 'link')), 'a.txt');
    assert.equal(await readlink(path.join(own, 'broken')), 'nowhere');
    assert.equal((await lstat(path.join(own, 'run.sh'))).mode & 0o100, 0o100);
    await rm(path.join(own, 'link'));
    await symlink('run.sh', path.join(own, 'link'));
    await chmod(path.join(own, 'a.txt'), 0o755);
    await writeFile(path.join(own, 'line\nend.txt'), 'lines\n');
    await run('sh', ['-c', `printf 'y\\n' > "$(printf 'caf\\351.txt')"`], { cwd: own });
    const changes = await branches.changes(made.id);
    assert.deepEqual(named(changes), {
      'a.txt': 'a\n|a\n',
      'caf\uFFFD.txt': 'x\n|y\n',
      'line\nend.txt': 'line\n|lines\n',
      link: 'a.txt|run.sh',
    });
    const merged = await mergeChanges(changes, {
      contentAt: ({ path: file }) => contentAt(workspace.at(file)),
      mergeText: (...texts) => branches.mergeText(...texts),
    });
    assert.deepEqual(
      merged.map(({ path: file, how, result }) => [file, how, result === undefined]),
      [
        ['a.txt', 'taken', false],
        ['caf\uFFFD.txt', 'conflict', true],
        ['line\nend.txt', 'taken', false],
        ['link', 'taken', false],
      ],
    );
    await branches.discard(made.id);
    assert.deepEqual(named(await branches.changes(made.id)), named(changes), 'nothing of it is lost');
    assert.deepEqual(await everything(workspace.root), before);
  });

  if (isRoot) {
    it('is without files that can’t be read, and names them', async () => {
      await using workspace = await committed({ 'a.txt': 'a\n', 'secret.txt': 'old\n' });
      await workspace.put('secret.txt', 'new\n');
      await workspace.put('hidden.txt', 'hidden\n');
      await workspace.put('.env', 'own\n');
      for (const name of ['hidden.txt', 'secret.txt']) await chmod(workspace.at(name), 0);
      await mkdir(workspace.storage);
      const nobody = 65_534;
      for (const folder of [workspace.root, workspace.storage])
        await run('chown', ['-R', String(nobody), folder]);
      for (const name of ['hidden.txt', 'secret.txt']) await chown(workspace.at(name), 0, 0);
      const branches = branchFilesOf(workspace);
      const withoutHome = environment({ HOME: workspace.root });
      process.seteuid?.(nobody);
      try {
        const made = await make(branches, workspace);
        assert.deepEqual([...made.missing].sort(), ['hidden.txt', 'secret.txt']);
        assert.equal(await readFile(path.join(folderOf(made), 'secret.txt'), 'utf8'), 'old\n');
        assert.deepEqual(await branches.changes(made.id), []);
      } finally {
        process.seteuid?.(0);
        withoutHome[Symbol.dispose]();
      }
    });
  }

  it('has files that git is told to take for unchanged as they are', async () => {
    await using workspace = await committed({ 'local.cfg': 'old\n', 'other.cfg': 'old\n' });
    await script(
      workspace,
      'git update-index --skip-worktree local.cfg && git update-index --assume-unchanged other.cfg && echo mine > local.cfg && echo mine > other.cfg',
    );
    const branches = branchFilesOf(workspace);
    const own = folderOf(await make(branches, workspace));
    for (const file of ['local.cfg', 'other.cfg']) {
      assert.equal(await readFile(path.join(own, file), 'utf8'), 'mine\n');
    }
    const { stdout } = await run('git', ['status', '--short'], { cwd: own });
    assert.equal(stdout, '');
  });

  it('keeps the files of a repository that was made on the branch', async () => {
    await using workspace = await committed({ 'a.txt': 'a\n', '.gitignore': 'out/\n' });
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    for (const name of ['with', 'without']) {
      const folder = path.join(folderOf(made), name);
      await mkdir(path.join(folder, 'below'), { recursive: true });
      await writeFile(path.join(folder, 'below', 'file.txt'), `${name}\n`);
      await run('git', ['init', '-q'], { cwd: folder });
    }
    await script(
      workspace,
      `cd '${path.join(folderOf(made), 'with')}' && git add -A && git commit -qm first && echo more > more.txt`,
    );
    assert.deepEqual(named(await branches.changes(made.id)), {
      'with/below/file.txt': '-|with\n',
      'with/more.txt': '-|more\n',
      'without/below/file.txt': '-|without\n',
    });
  });

  it('refuses what is too large to be merged, and names it', async () => {
    await using workspace = await committed({ 'a.txt': 'a\n' });
    const branches = branchFilesOf(workspace, { maxFile: 1_000_000 });
    const made = await make(branches, workspace);
    const file = path.join(folderOf(made), 'huge.bin');
    await writeFile(file, '');
    await truncate(file, 1_000_001);
    await assert.rejects(branches.changes(made.id), { code: 'too-large', message: /huge\.bin/u });
    await assert.rejects(branches.discard(made.id), { code: 'too-large' });
    await rm(file);
    await branches.discard(made.id);
  });

  it('names a repository in it that has no commit', async () => {
    await using workspace = await committed({ 'a.txt': 'a\n' });
    await script(workspace, 'git init -q other && echo x > other/x.txt');
    const made = await make(branchFilesOf(workspace), workspace);
    assert.deepEqual([made.empty, made.missing], [['other'], []]);
  });
});

void describe('files of a branch where something is missing', () => {
  it('are refused without git', async () => {
    await using workspace = await committed({ 'a.txt': 'a\n' });
    using _nowhere = environment({ PATH: '/nowhere' });
    const branches = branchFilesOf(workspace);
    await assert.rejects(make(branches, workspace), { code: 'no-git' });
    assert.deepEqual(await readdir(path.join(workspace.storage, 'branches')), []);
  });

  it('are refused where the folder is gone, which is another thing than git', async () => {
    await using workspace = await committed({ 'a.txt': 'a\n' });
    workspace.opened = ['gone'];
    await assert.rejects(make(branchFilesOf(workspace), workspace), { code: 'ENOENT' });
  });

  if (isRoot) {
    it('are refused where git does not trust the owner of the repository', async () => {
      await using workspace = await committed({ 'a.txt': 'a\n' });
      await run('chown', ['-R', '65534', workspace.root]);
      using _home = environment({ HOME: workspace.storage });
      await assert.rejects(make(branchFilesOf(workspace), workspace), {
        code: 'git-failed',
        message: /safe\.directory/u,
      });
    });
  }

  it('are those of the open folder, whatever repository the environment names', async () => {
    await using workspace = await committed({ 'a.txt': 'a\n' });
    await using other = await committed({ 'other.txt': 'other\n' });
    const before = await everything(other.root);
    using _names = environment({
      GIT_DIR: other.at('.git'),
      GIT_WORK_TREE: other.root,
      GIT_INDEX_FILE: other.at('.git/index'),
      GIT_OBJECT_DIRECTORY: other.at('.git/objects'),
    });
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    await writeFile(path.join(folderOf(made), 'a.txt'), 'b\n');
    assert.deepEqual(named(await branches.changes(made.id)), { 'a.txt': 'a\n|b\n' });
    assert.deepEqual(await everything(other.root), before);
  });

  if (mayMount) {
    it('leave nothing when the disk is full, neither when made nor when discarded', async () => {
      await using workspace = await committed({
        'a.bin': new Uint8Array(3_000_000).map((_, at) => (at * at) >> 3),
      });
      await mkdir(workspace.storage);
      await run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', workspace.storage]);
      try {
        const before = await everything(workspace.root);
        const branches = branchFilesOf(workspace);
        await assert.rejects(make(branches, workspace));
        assert.deepEqual(await readdir(path.join(workspace.storage, 'branches')), []);
        assert.deepEqual(await everything(workspace.root), before);
        await run('mount', ['-o', 'remount,size=20m', workspace.storage]);
        const made = await make(branches, workspace);
        await writeFile(path.join(folderOf(made), 'b.txt'), 'b\n');
        await run('sh', ['-c', `cat /dev/zero > '${workspace.storage}/filler' || true`]);
        await assert.rejects(branches.discard(made.id));
        await rm(path.join(workspace.storage, 'filler'));
        assert.deepEqual(named(await branches.changes(made.id)), { 'b.txt': '-|b\n' });
        await branches.discard(made.id);
      } finally {
        await run('umount', [workspace.storage]);
      }
    });
  }

  it('leave nothing where git hangs and the user stops waiting', async () => {
    await using workspace = await committed({ 'a.txt': 'a\n' });
    const before = await everything(workspace.root);
    for (const at of ['ls-files', 'add', 'checkout-index', 'pack-objects']) {
      await using hanging = await hangingGit(at);
      using _slow = environment({ PATH: `${hanging.folder}:${process.env['PATH']}` });
      const stop = new AbortController();
      const branches = branchFilesOf(workspace);
      const { signal } = stop;
      const making = branches.make({ chatId: 'c', folders: workspace.folders(), limits, signal });
      const stopped = assert.rejects(making, { name: 'AbortError' }, at);
      await until(() => hanging.hangs(), `git to hang at ${at}`);
      stop.abort();
      await stopped;
      assert.deepEqual(await readdir(path.join(workspace.storage, 'branches')), [], at);
    }
    assert.deepEqual(await everything(workspace.root), before);
  });

  it('are made, compared and discarded where another git has locked the index', async () => {
    await using workspace = await committed({ 'a.txt': 'a\n' });
    await workspace.put('.git/index.lock', '');
    const own = await works(workspace, 'a.txt', 'b\n');
    const branches = branchFilesOf(workspace);
    const [made = assert.fail('there is none')] = await branches.list();
    const { stdout } = await run('git', ['rev-parse', '--absolute-git-dir'], { cwd: own });
    await writeFile(path.join(stdout.trim(), 'index.lock'), '');
    const changed = { 'a.txt': 'a\n|b\n' };
    assert.deepEqual(named(await branches.changes(made.id)), changed);
    await branches.discard(made.id);
    assert.deepEqual(named(await branches.changes(made.id)), changed);
  });

  it('stay the same after git has dropped all that nothing names', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    await script(workspace, 'git add -A && git commit -qm second');
    await workspace.put('kept.txt', 'one\nother\n');
    await script(workspace, 'git add -A');
    const made = await make(branches, workspace);
    await rm(path.join(folderOf(made), 'kept.txt'));
    await writeFile(path.join(folderOf(made), 'old.txt'), 'old\n');
    const changed = named(await branches.changes(made.id));
    await script(
      workspace,
      'git rm -qr --cached . && git commit -q --amend -m amended && git reflog expire --expire=now --all && git gc -q --prune=now && git prune --expire=now',
    );
    assert.deepEqual(named(await branches.changes(made.id)), changed);
    await nameAuthor(workspace);
    await commitAll(branches, made.id, 'attempt');
    await script(workspace, 'test "$(git show attempt:old.txt)" = old && git fsck --no-dangling');
    await rm(workspace.at('.git'), { recursive: true });
    assert.deepEqual(named(await branches.changes(made.id)), changed, 'it needs nothing of the other');
    await run('git', ['stash', '--include-untracked'], { cwd: folderOf(made) });
    assert.deepEqual(await branches.changes(made.id), []);
  });
});
