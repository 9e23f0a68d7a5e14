import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { factsOfUri } from '../../../src/host/folderFacts.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { nodeFolderFacts, type FactsHost } from '../../../src/host/node/nodeFolderFacts.ts';
import { nodeRepositoryFacts } from '../../../src/host/node/nodeRepositoryFacts.ts';

describe('what a folder is recognized by', () => {
  let root: string;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-facts-')));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const at = (name: string): string => path.join(root, name);
  const facts = (name: string) => nodeFolderFacts(uriOf(at(name)));

  it('is the same by a link, and in the disk’s own words after a rename', async () => {
    await mkdir(at('app'));
    await symlink(at('app'), at('link'));
    const before = await facts('app');
    assert.deepEqual(await facts('link'), before);
    assert.equal(before.real, uriOf(at('app')));
    await rename(at('app'), at('b'));
    assert.deepEqual((await facts('b')).file, before.file);
    await mkdir(at('app'));
    assert.notDeepEqual((await facts('app')).file, before.file);
  });

  it('is its URI where nothing else can be known: links in a circle, a folder that is gone, another machine', async () => {
    await symlink(at('one'), at('other'));
    await symlink(at('other'), at('one'));
    for (const name of ['one', 'gone']) {
      const { real, file } = await facts(name);
      assert.deepEqual([real, file], [uriOf(at(name)), undefined]);
    }
    assert.equal((await nodeFolderFacts('file:///broken%')).real, 'file:///broken%');
    assert.deepEqual(await nodeFolderFacts('vscode-vfs://github/a/b/'), {
      real: 'vscode-vfs://github/a/b',
      machine: '',
    });
  });

  const fake = (more: Partial<FactsHost>): FactsHost => ({
    realpath: (folder) => Promise.resolve(folder),
    stat: () => Promise.resolve({ dev: 1n, ino: 2n, birthtimeNs: 3n }),
    ignoresCase: false,
    machine: 'm',
    reachMs: 1_000,
    ...more,
  });

  it('does not differ by case where the disk knows none', async () => {
    const [one, other] = ['file:///Users/Ana/App', 'file:///users/ana/app'];
    const ignoring = fake({ ignoresCase: true });
    assert.deepEqual(await nodeFolderFacts(one, ignoring), await nodeFolderFacts(other, ignoring));
    assert.notDeepEqual(await nodeFolderFacts(one, fake({})), await nodeFolderFacts(other, fake({})));
  });

  it('does without ids where a share has none, and without an answer where its server is gone', async () => {
    const none = fake({ stat: () => Promise.resolve({ dev: 0n, ino: 0n, birthtimeNs: 0n }) });
    assert.deepEqual(await nodeFolderFacts('file:///a', none), { real: 'file:///a', machine: 'm' });
    const silent = fake({ realpath: () => new Promise<string>(() => undefined), reachMs: 5 });
    assert.deepEqual(await nodeFolderFacts('file://server/share/a', silent), {
      real: 'file://server/share/a',
      machine: 'm',
    });
  });

  it('is, of another extension’s folder, scheme, authority and path', () => {
    assert.equal(factsOfUri('vscode-vfs://github/a/b/').real, 'vscode-vfs://github/a/b');
    assert.equal(factsOfUri('memfs:/').real, 'memfs:/');
  });
});

describe('the repository of a folder', () => {
  let root: string;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-repository-')));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const git = (folder: string, ...args: string[]): void => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main'];
    execFileSync('git', [...who, ...args], {
      cwd: path.join(root, folder),
      env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
      stdio: 'ignore',
    });
  };
  const facts = (name: string) => nodeRepositoryFacts(uriOf(path.join(root, name)));

  it('is one for a clone and a work tree, by its first commit, and tells which folder of it is meant', async () => {
    await mkdir(path.join(root, 'app', 'docs'), { recursive: true });
    git('app', 'init', '-q');
    assert.equal((await facts('app'))?.first, undefined);
    git('app', 'commit', '-q', '--allow-empty', '-m', 'one');
    git('app', 'commit', '-q', '--allow-empty', '-m', 'two');
    git('app', 'worktree', 'add', '-q', '../tree');
    git('', 'clone', '-q', 'app', 'clone');
    const app = await facts('app');
    assert.match(app?.first ?? '', /^[0-9a-f]{40}$/u);
    assert.deepEqual([app?.common, app?.below], [uriOf(path.join(root, 'app', '.git')), '']);
    assert.deepEqual(await facts('tree'), app);
    assert.equal((await facts('clone'))?.first, app?.first);
    assert.notEqual((await facts('clone'))?.common, app?.common);
    assert.equal((await facts('app/docs'))?.below, 'docs');
  });

  it('says no first commit of a shallow clone', async () => {
    await mkdir(path.join(root, 'app'));
    git('app', 'init', '-q');
    for (const message of ['one', 'two']) git('app', 'commit', '-q', '--allow-empty', '-m', message);
    git('', 'clone', '-q', '--depth', '1', uriOf(path.join(root, 'app')), 'clone');
    const clone = await facts('clone');
    assert.ok(clone);
    assert.equal(clone.first, undefined);
  });

  it('is none without one, nor where it is damaged', async () => {
    await mkdir(path.join(root, 'app'));
    assert.equal(await facts('app'), undefined);
    assert.equal(await facts('gone'), undefined);
    assert.equal(await nodeRepositoryFacts('vscode-vfs://github/a/b'), undefined);
  });
});
