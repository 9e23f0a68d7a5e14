import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { PathGuard } from '../../../src/host/node/pathGuard.ts';
import { createFile, git, gitRuns, hasGit, isThere, spy } from '../../worlds/gitRepository.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

type Files = readonly (readonly [file: string, content: string])[];

/** A way for git to keep a repository, and what a model would write so that git runs a program. */
interface Layout {
  /** What is there before the model writes; git itself makes it where it can. */
  readonly before?: (workspace: TestWorkspace) => Promise<void>;
  readonly writes: (config: string) => Files;
}

const HEAD = 'ref: refs/heads/main\n';

/** All it takes for a repository, in a folder of any name. */
const repositoryIn = (folder: string, config: string): Files => [
  [path.posix.join(folder, 'config'), config],
  [path.posix.join(folder, 'objects/x'), ''],
  [path.posix.join(folder, 'refs/x'), ''],
  [path.posix.join(folder, 'HEAD'), HEAD],
];

const commit = async (workspace: TestWorkspace, folder: string): Promise<void> => {
  const cwd = workspace.at(folder);
  await git(workspace.root, cwd, 'add', '.');
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.test'];
  await git(workspace.root, cwd, ...who, 'commit', '-qm', 'first', '--allow-empty');
};
const init =
  (folder: string, ...options: string[]) =>
  async (workspace: TestWorkspace): Promise<void> => {
    await mkdir(workspace.at(folder), { recursive: true });
    await git(workspace.root, workspace.root, 'init', '-q', ...options, folder);
  };

const layouts: Readonly<Record<string, Layout>> = {
  'bare, made of files at the top': { writes: (config) => repositoryIn('', config) },
  'bare, made of files in a subfolder': { writes: (config) => repositoryIn('docs/sample', config) },
  'bare, made of files where a work tree is': {
    before: init('.'),
    writes: (config) => repositoryIn('docs/sample', config),
  },
  'that a `.git` file leads to, made of files': {
    before: (workspace) => workspace.put('.git', 'gitdir: data/meta\n'),
    writes: (config) => repositoryIn('data/meta', config),
  },
  'that the `.git` file of a subfolder leads to, made of files': {
    before: (workspace) => workspace.put('deep/er/.git', 'gitdir: ../../data\n'),
    writes: (config) => repositoryIn('data', config),
  },
  'that a `.git` link leads to, made of files': {
    before: async (workspace) => {
      await mkdir(workspace.at('data'));
      await symlink('data', workspace.at('.git'));
    },
    writes: (config) => repositoryIn('data', config),
  },
  'of a worktree, made of files': {
    before: (workspace) => workspace.put('tree/.git', 'gitdir: ../admin\n'),
    writes: (config) => [
      ['common/config', config],
      ['common/objects/x', ''],
      ['common/refs/x', ''],
      ['admin/commondir', '../common\n'],
      ['admin/HEAD', HEAD],
    ],
  },
  'in its own folder': { before: init('.'), writes: (config) => [['.git/config', config]] },
  'in its own folder in a subfolder': {
    before: init('packages/a'),
    writes: (config) => [['packages/a/.git/config', config]],
  },
  'bare, made by git': { before: init('store', '--bare'), writes: (config) => [['store/config', config]] },
  'bare in a subfolder, made by git': {
    before: init('deep/store.git', '--bare'),
    writes: (config) => [['deep/store.git/config', config]],
  },
  'in a separate folder, made by git': {
    before: async (workspace) => {
      await git(workspace.root, workspace.root, 'init', '-q', '--separate-git-dir', 'meta', 'work');
    },
    writes: (config) => [['meta/config', config]],
  },
  'of a worktree with a configuration of its own, made by git': {
    before: async (workspace) => {
      await init('main')(workspace);
      await commit(workspace, 'main');
      await git(workspace.root, workspace.at('main'), 'config', 'extensions.worktreeConfig', 'true');
      await git(workspace.root, workspace.at('main'), 'worktree', 'add', '-q', '../other');
    },
    writes: (config) => [
      ['main/.git/worktrees/other/config.worktree', config.replace(/worktree = .*\n/u, '')],
    ],
  },
  'bare with worktrees next to it, made by git': {
    before: async (workspace) => {
      await init('seed')(workspace);
      await commit(workspace, 'seed');
      await git(workspace.root, workspace.root, 'clone', '-q', '--bare', 'seed', 'bare');
      await git(workspace.root, workspace.at('bare'), 'worktree', 'add', '-q', '../tree');
    },
    writes: (config) => [['bare/config', config.replace(/worktree = .*\n/u, '')]],
  },
  'of a submodule, made by git': {
    before: async (workspace) => {
      await init('seed')(workspace);
      await commit(workspace, 'seed');
      await init('super')(workspace);
      const local = ['-c', 'protocol.file.allow=always'];
      await git(
        workspace.root,
        workspace.at('super'),
        ...local,
        'submodule',
        '--quiet',
        'add',
        '../seed',
        'sub',
      );
    },
    writes: (config) => [['super/.git/modules/sub/config', config]],
  },
};

describe('a git repository', () => {
  before('there has to be git', async () => assert.ok(await hasGit(), 'git runs on this machine'));

  for (const [name, { before: prepare, writes }] of Object.entries(layouts)) {
    it(`${name}, runs what a file says, and the tools do not write that file`, async () => {
      {
        await using workspace = await TestWorkspace.create();
        await prepare?.(workspace);
        const { config, mark } = await spy(workspace);
        await gitRuns(workspace.root);
        assert.equal(await isThere(mark), false, 'nothing runs before');
        for (const [file, content] of writes(config)) await workspace.put(file, content);
        await gitRuns(workspace.root);
        assert.ok(await isThere(mark), 'git runs the program of a file that anybody else writes');
      }
      await using workspace = await TestWorkspace.create();
      await prepare?.(workspace);
      const { config, mark } = await spy(workspace);
      let asked = 0;
      const write = createFile(workspace, () => (asked += 1));
      const done: boolean[] = [];
      for (const [file, content] of writes(config)) done.push(await write(file, content));
      assert.ok(done.includes(false), 'something is refused');
      assert.equal(asked, done.filter(Boolean).length, 'nobody is asked for what is refused');
      await gitRuns(workspace.root);
      assert.equal(await isThere(mark), false, 'git runs no program');
    });
  }

  it('runs nothing by what may be written in its work tree', async () => {
    await using workspace = await TestWorkspace.create();
    const { config, mark } = await spy(workspace);
    await init('.')(workspace);
    const program = workspace.at('spy.sh');
    const write = createFile(workspace);
    for (const [file, content] of [
      ['.gitattributes', '* filter=spy diff=spy merge=spy\n'],
      ['.gitmodules', `[submodule "x"]\n\tpath = x\n\turl = ext::${program}\n\tupdate = !${program}\n`],
      ['.gitconfig-of-project', config],
      ['src/config', config],
      ['hooks/post-index-change', `#!/bin/sh\n${program}\n`],
      ['docs/HEAD', HEAD],
      ['docs/refs/x', ''],
      ['x/a.txt', 'a'],
    ] as const) {
      assert.ok(await write(file, content), file);
    }
    await gitRuns(workspace.root);
    await commit(workspace, '.');
    await gitRuns(workspace.root);
    assert.equal(await isThere(mark), false);
  });

  it('above the open folder is written to by nobody, though nothing in the folder shows that it is there', async () => {
    await using workspace = await TestWorkspace.create();
    await init('store', '--bare')(workspace);
    const root = workspace.at('store/hooks');
    const guard = new PathGuard(() => [{ name: 'hooks', uri: 'file:///hooks', root }]);
    await assert.rejects(guard.resolveForWriting('post-index-change'), { code: 'git-repository' });
    await assert.rejects(guard.resolve('pre-commit.sample'), { code: 'git-repository' });
  });

  it('is not completed by a file that was harmless when the user was asked about it', async () => {
    await using workspace = await TestWorkspace.create();
    const guard = new PathGuard(() => workspace.folders());
    const { files } = workspace;
    const head = await guard.resolveForWriting('data/HEAD');
    for (const file of ['data/objects/x', 'data/refs/x']) await workspace.put(file, '');
    const content = { bytes: new TextEncoder().encode(HEAD), mode: undefined };
    await assert.rejects(files.write(head, content, 't', { hash: null }), { code: 'git-repository' });
    assert.equal(await isThere(workspace.at('data/HEAD')), false);
  });
});
