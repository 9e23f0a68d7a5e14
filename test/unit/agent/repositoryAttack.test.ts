import assert from 'node:assert/strict';
import { lstat, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { createFile, gitRuns, hasGit, isThere, spy } from '../../worlds/gitRepository.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

/** What git takes for a repository, as its `is_git_directory` looks at it. */
async function isGitDirectory(folder: string): Promise<boolean> {
  const exists = (name: string) =>
    lstat(path.resolve(folder, name)).then(
      () => true,
      () => false,
    );
  const head = path.join(folder, 'HEAD');
  const found = await lstat(head).catch(() => undefined);
  if (!found || found.isDirectory()) return false;
  const text = found.isSymbolicLink() ? await readlink(head) : await readFile(head, 'utf8');
  if (!/^(?:ref:\s*refs\/|refs\/|[0-9a-f]{40})/u.test(text)) return false;
  const common = await readFile(path.join(folder, 'commondir'), 'utf8').catch(() => '.');
  return (await exists(`${common.trim()}/objects`)) && (await exists(`${common.trim()}/refs`));
}

/** Folders of a workspace that git would take for a repository. */
async function repositories(root: string): Promise<string[]> {
  const folders = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const found = await Promise.all(
    [root, ...folders].map(async (folder) => ((await isGitDirectory(folder)) ? [folder] : [])),
  );
  return found.flat();
}

/** Bare, with and without folders in folders, and as a work tree's own folder with its objects elsewhere. */
const attacks = (config: string): readonly (readonly (readonly [string, string])[])[] => [
  [
    ['HEAD', 'ref: refs/heads/main\n'],
    ['config', config],
    ['objects/x', 'x'],
    ['refs/heads/x', 'x'],
  ],
  [
    ['sub/HEAD', 'ref: refs/heads/main\n'],
    ['sub/config', config],
    ['sub/objects/info/x', 'x'],
    ['sub/refs/x', 'x'],
    ['sub/hooks/post-index-change', '#!/bin/sh\n'],
  ],
  [
    ['w/HEAD', 'ref: refs/heads/main\n'],
    ['w/commondir', '../common\n'],
    ['w/config', config],
    ['common/config', config],
    ['common/objects/x', 'x'],
    ['common/refs/x', 'x'],
  ],
  [
    ['.git', 'gitdir: meta\n'],
    ['meta/HEAD', 'ref: refs/heads/main\n'],
    ['meta/objects', 'x'],
    ['meta/refs/x', 'x'],
    ['meta/config', config],
  ],
];

describe('files that would make a git repository', () => {
  it('are refused in whatever order they come, before the last of them (fuzz)', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 1, 2, 3).chain((kind) =>
          fc.record({
            kind: fc.constant(kind),
            order: fc.shuffledSubarray(
              (attacks('')[kind] ?? []).map((_, index) => index),
              { minLength: attacks('')[kind]?.length ?? 0 },
            ),
          }),
        ),
        async ({ kind, order }) => {
          await using workspace = await TestWorkspace.create();
          const { config, mark } = await spy(workspace);
          const write = createFile(workspace);
          const steps = attacks(config)[kind] ?? [];
          const done: boolean[] = [];
          for (const index of order) {
            const [file, content] = steps[index] ?? assert.fail();
            done.push(await write(file, content));
          }
          assert.ok(done.includes(false), 'something was refused');
          assert.deepEqual(await repositories(workspace.root), []);
          if (kind === 0) await gitRuns(workspace.root);
          assert.equal(await isThere(mark), false, 'git ran a program');
        },
      ),
      { numRuns: fuzzRuns(40) },
    );
  });

  it('would make git run a program, were they not refused', async () => {
    await using workspace = await TestWorkspace.create();
    const { config, mark } = await spy(workspace);
    for (const [file, content] of attacks(config)[0] ?? []) await workspace.put(file, content);
    assert.deepEqual(await repositories(workspace.root), [workspace.root]);
    await gitRuns(workspace.root);
    // Where there is no git, its rule stands for it.
    assert.equal(await isThere(mark), await hasGit());
  });

  it('are refused next to what is there already, whatever it is', async () => {
    await using workspace = await TestWorkspace.create({
      'a/HEAD': 'ref: refs/heads/main',
      'b/objects': 'a file',
    });
    const write = createFile(workspace);
    await mkdir(workspace.at('a/objects'));
    await symlink(workspace.at('a'), workspace.at('b/refs'));
    assert.equal(await write('a/refs/x', ''), false);
    assert.equal(await write('a/REFS', ''), false);
    assert.equal(await write('a/re\u200bfs/x', ''), false);
    assert.equal(await write('a/commondir', '..'), false);
    assert.equal(await write('b/HEAD', 'ref: refs/heads/main'), false);
    assert.equal(await isThere(workspace.at('a/refs')), false);
  });

  it('are not those of everyday work', async () => {
    await using workspace = await TestWorkspace.create();
    const write = createFile(workspace);
    for (const file of [
      'src/hooks/useX.ts',
      'config/routes.rb',
      'src/config',
      'src/objects/a.ts',
      'src/refs/b.ts',
      'src/info/c.ts',
      'src/index',
      'src/modules/d.ts',
      'logs/e.txt',
      'components/Head/index.tsx',
      'components/objects/a.tsx',
      'components/refs/a.tsx',
      'docs/HEAD',
      'docs/refs/a',
      'src/commondir/a.ts',
    ]) {
      assert.equal(await write(file, 'x'), true, file);
    }
  });

  it('may be changed in a work tree that lies within its bare repository', async () => {
    await using workspace = await TestWorkspace.create({
      HEAD: 'ref: refs/heads/main',
      'objects/x': '',
      'refs/x': '',
      'main/.git': 'gitdir: ../worktrees/main',
    });
    const write = createFile(workspace);
    assert.equal(await write('main/src/a.ts', 'x'), true);
    assert.equal(await write('config', 'x'), false);
    assert.equal(await write('hooks/post-checkout', 'x'), false);
    assert.equal(await write('worktrees/main/config.worktree', 'x'), false);
  });
});
