import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { uriOf } from '../../../../src/host/node/fileUris.ts';
import { nodeHost } from '../../../../src/host/node/nodeHost.ts';
import { ProjectIndex } from '../../../../src/store/projects/projectIndex.ts';
import { Projects, type ProjectsOptions } from '../../../../src/store/projects/projects.ts';
import { until } from '../../../fixtures/until.ts';
import { MemoryUriFiles } from '../../../fixtures/memoryUriFiles.ts';

const host = nodeHost({
  dist: uriOf(path.resolve('dist')),
  appRoot: '/nowhere',
  editorFiles: new MemoryUriFiles(),
  storage: uriOf(tmpdir()),
});

describe('the store of a project', () => {
  let root: string;
  let errors: unknown[];
  let now: number;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'offshoot-projects-'));
    errors = [];
    now = 1_000;
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
    assert.deepEqual(errors, []);
  });

  const at = (...names: string[]): string => path.join(root, ...names);
  const placeOf = (id: string): string => uriOf(at('workspaceStorage', id, 'x'));
  const index = (): ProjectIndex => new ProjectIndex(host.platformFor(''), at('global'));

  /** A window of a workspace for which the editor has this id. */
  function open(id: string, folders: readonly string[], more: Partial<ProjectsOptions> = {}): Projects {
    const opened = folders.map((folder) => ({ uri: uriOf(folder), name: path.basename(folder) }));
    return new Projects({
      host,
      index: index(),
      place: placeOf(id),
      workspace: { name: opened[0]?.name ?? '', folders: opened },
      mayRunGit: () => true,
      places: async () => (await host.files.names(at('workspaceStorage'))).map(placeOf),
      describe: () => Promise.resolve(undefined),
      onError: (error) => errors.push(error),
      now: () => now,
      ...more,
    });
  }

  async function makeFolder(...names: string[]): Promise<string> {
    await mkdir(at(...names), { recursive: true });
    return at(...names);
  }

  /** A window in which something was asked. */
  async function used(id: string, folders: readonly string[]): Promise<Projects> {
    const projects = open(id, folders);
    const { store } = await projects.choose();
    await mkdir(host.pathOf(store), { recursive: true });
    await writeFile(path.join(host.pathOf(store), 'offshoot.db'), 'conversations');
    await projects.note(store);
    return projects;
  }

  const git = (folder: string, ...args: string[]): void => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main'];
    execFileSync('git', [...who, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
    });
  };

  async function makeRepository(name: string, message = name): Promise<string> {
    const folder = await makeFolder(name);
    git(folder, 'init', '-q');
    git(folder, 'commit', '-q', '--allow-empty', '-m', message);
    return folder;
  }

  const related = async (projects: Projects): Promise<[string, string][]> => {
    const { store } = await projects.choose();
    return (await projects.related(store)).map((each) => [each.store, each.kind]);
  };

  it('is the one of its place, which is made by the first question', async () => {
    const app = await makeFolder('app');
    assert.deepEqual(await open('1', [app]).choose(), { store: placeOf('1') });
    await used('1', [app]);
    assert.deepEqual(await open('1', [app]).choose(), { store: placeOf('1') });
  });

  it('is used at once by a link to its folder, and from then on without looking', async () => {
    const app = await makeFolder('app');
    await used('1', [app]);
    await symlink(app, at('link'));
    const { store, from } = await open('2', [at('link')]).choose();
    assert.deepEqual([store, from?.place], [placeOf('1'), placeOf('1')]);
    await open('2', [at('link')]).note(store);
    await rm(at('global'), { recursive: true });
    assert.deepEqual(await open('2', [at('link')]).choose(), { store: placeOf('1') });
  });

  it('is used at once after a rename, in a workspace file of any name', async () => {
    const app = await makeFolder('app');
    await used('1', [app]);
    await rename(app, at('renamed'));
    assert.equal((await open('2', [at('renamed')]).choose()).store, placeOf('1'));
  });

  it('is noted before git has answered, so that it is found though the window was left', async () => {
    const app = await makeFolder('app');
    await used('1', [app]);
    const silent = { ...host, repositoryFacts: () => new Promise<undefined>(() => undefined) };
    const left = open('2', [await makeFolder('other')], { host: silent });
    await mkdir(at('workspaceStorage', '2', 'x'), { recursive: true });
    await writeFile(at('workspaceStorage', '2', 'x', 'offshoot.db'), 'conversations');
    void left.note(placeOf('2'));
    await until(
      async () => (await index().all()).records.some(({ place }) => place === placeOf('2')),
      'a note',
    );
    await rename(at('other'), at('renamed'));
    assert.equal((await open('3', [at('renamed')]).choose()).store, placeOf('2'));
  });

  it('is found through a window that only used it', async () => {
    const [app, later] = [await makeFolder('app'), at('later')];
    await used('1', [app]);
    await used('2', [app]);
    await rm(at('workspaceStorage', '1', 'x', 'offshoot.project'));
    await rename(app, later);
    await rm(at('global'), { recursive: true });
    assert.equal((await open('3', [later]).choose()).store, placeOf('1'));
  });

  it('is offered, not used, where only some of several folders are known', async () => {
    const [app, api] = [await makeFolder('app'), await makeFolder('api')];
    await used('1', [app]);
    assert.deepEqual(await related(open('2', [app, api])), [[placeOf('1'), 'part']]);
    assert.equal((await open('2', [app, api]).choose()).store, placeOf('2'));
    await used('2', [app, api]);
    assert.deepEqual(await related(open('3', [api])), [[placeOf('2'), 'part']]);
    assert.equal((await open('3', [api, app]).choose()).store, placeOf('2'));
  });

  it('is offered to a clone, a copy and a move to another disk, which git knows; each keeps its own from then on', async () => {
    const app = await makeRepository('app');
    await used('1', [app]);
    await cp(app, at('copy'), { recursive: true });
    git(root, 'clone', '-q', app, 'clone');
    for (const name of ['copy', 'clone']) {
      assert.equal((await open(name, [at(name)]).choose()).store, placeOf(name));
      assert.deepEqual(await related(open(name, [at(name)])), [[placeOf('1'), 'likely']]);
    }
    await used('copy', [at('copy')]);
    assert.equal((await open('1', [app]).choose()).store, placeOf('1'));
    assert.equal((await open('copy', [at('copy')]).choose()).store, placeOf('copy'));
  });

  it('is offered where another folder has taken the name, and used where it is of the same repository', async () => {
    const app = await makeRepository('app');
    const bare = await makeFolder('bare');
    await used('1', [app]);
    await used('2', [bare]);
    await rename(app, at('away'));
    await rename(bare, at('bare-away'));
    await makeFolder('bare');
    assert.equal((await open('4', [bare]).choose()).store, placeOf('4'));
    assert.deepEqual(await related(open('4', [bare])), [[placeOf('2'), 'likely']]);
    await makeRepository('app', 'another one');
    assert.equal((await open('3', [app]).choose()).store, placeOf('3'));
    assert.deepEqual(await related(open('3', [app])), [[placeOf('1'), 'likely']]);
    await rm(app, { recursive: true });
    git(root, 'clone', '-q', at('away'), 'app');
    assert.equal((await open('5', [app]).choose()).store, placeOf('1'));
  });

  it('is opened when it was offered and chosen, and offered no more when it was refused', async () => {
    const [app, api] = [await makeFolder('app'), await makeFolder('api')];
    await used('1', [app]);
    await open('2', [app, api]).use(placeOf('1'));
    assert.deepEqual(await open('2', [app, api]).choose(), { store: placeOf('1') });
    await open('3', [app, api]).refuse(placeOf('1'));
    assert.deepEqual(await related(open('3', [app, api])), []);
    await open('4', [app]).refuse(placeOf('1'));
    assert.equal((await open('4', [app]).choose()).store, placeOf('4'));
  });

  it('is that of its place again when the one it used is gone, and nothing is offered that is gone', async () => {
    const app = await makeFolder('app');
    await used('1', [app]);
    await used('2', [app]);
    await rm(at('workspaceStorage', '1'), { recursive: true });
    assert.equal((await open('2', [app]).choose()).store, placeOf('2'));
    assert.deepEqual(await related(open('3', [app])), []);
  });

  it('is named once, by the workspace that used it last, when two claim it', async () => {
    const [app, api] = [await makeFolder('app'), await makeFolder('api')];
    await used('1', [app]);
    now += 48 * 60 * 60 * 1_000;
    await used('2', [app]);
    const found = await open('3', [app, api]).related(placeOf('3'));
    assert.deepEqual(
      found.map(({ store, record }) => [store, record.place]),
      [[placeOf('1'), placeOf('2')]],
    );
  });

  it('is found without the index, and with a damaged one, from the storage folders', async () => {
    const app = await makeFolder('app');
    await used('1', [app]);
    await symlink(app, at('link'));
    for (const damaged of [
      undefined,
      '',
      'nothing of it',
      '{"format":"offshoot-projects","version":1}\n{"pl',
    ]) {
      await rm(at('global'), { recursive: true, force: true });
      if (damaged !== undefined) {
        await mkdir(at('global'));
        await writeFile(at('global', 'index.json'), damaged);
      }
      assert.equal((await open('2', [at('link')]).choose()).store, placeOf('1'), damaged);
      assert.ok((await index().find([])).isWhole);
    }
  });

  it('is found where an earlier version made it, by what the editor knows', async () => {
    const app = await makeFolder('app');
    await used('1', [app]);
    await rm(at('global'), { recursive: true });
    await rm(at('workspaceStorage', '1', 'x', 'offshoot.project'));
    await symlink(app, at('link'));
    const describe = (): Promise<{ name: string; folders: { uri: string; name: string }[] }> =>
      Promise.resolve({ name: 'app', folders: [{ uri: uriOf(app), name: 'app' }] });
    assert.equal((await open('2', [at('link')], { describe }).choose()).store, placeOf('1'));
  });

  it('is found although what the editor knows of another one is nonsense', async () => {
    const app = await makeFolder('app');
    await used('1', [app]);
    await mkdir(at('workspaceStorage', '0', 'x'), { recursive: true });
    await writeFile(at('workspaceStorage', '0', 'x', 'offshoot.db'), 'conversations');
    await rm(at('global'), { recursive: true });
    await symlink(app, at('link'));
    const describe = (): Promise<undefined> => Promise.reject(new Error('nonsense'));
    assert.equal((await open('2', [at('link')], { describe }).choose()).store, placeOf('1'));
    assert.equal(errors.splice(0).length, 1);
  });

  it('takes no record from a storage folder that was copied', async () => {
    const [app, api] = [await makeFolder('app'), await makeFolder('api')];
    await used('1', [app]);
    await used('2', [app]);
    await cp(at('workspaceStorage', '2'), at('workspaceStorage', '3'), { recursive: true });
    assert.deepEqual(await open('3', [api]).choose(), { store: placeOf('3') });
  });

  it('is the one of its place for links in a circle, a folder that is gone and one of another machine', async () => {
    await symlink(at('one'), at('other'));
    await symlink(at('other'), at('one'));
    for (const folder of [at('one'), at('gone'), '//server/share/app']) {
      assert.deepEqual(await open('1', [folder]).choose(), { store: placeOf('1') });
      await open('1', [folder]).note(placeOf('1'));
    }
  });

  it('is listed with all others', async () => {
    await used('1', [await makeFolder('app')]);
    await used('2', [await makeFolder('api')]);
    await rm(at('global'), { recursive: true });
    const all = await open('3', [at('app')]).all();
    assert.deepEqual(all.map(({ name }) => name).sort(), ['api', 'app']);
  });
});
