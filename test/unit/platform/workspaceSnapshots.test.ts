import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  appendFile,
  chmod,
  link,
  mkdir,
  rename,
  rm,
  rmdir,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { WorkspaceSnapshots } from '../../../src/host/node/workspaceSnapshots.ts';
import type { FoundChange, WorkspaceChanges } from '../../../src/host/workspaceFiles.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { script } from '../../worlds/gitRepository.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

const run = promisify(execFile);
const watch = new WorkspaceSnapshots();

function shown(content: FoundChange['before']): string | null {
  if (content === null || content === 'unknown') return content;
  const text = new TextDecoder().decode(content.bytes);
  return content.kind === undefined ? text : `${content.kind} ${text}`.trim();
}

async function allChangesBy(
  workspace: TestWorkspace,
  work: () => Promise<void>,
  snapshots = watch,
): Promise<WorkspaceChanges> {
  const before = await snapshots.now(workspace.folders());
  await work();
  return (await before.changes()) ?? assert.fail('too many');
}

const pathsOf = (files: readonly { readonly path: string }[]): string[] => files.map(({ path }) => path);

/** What was found, as path: before → after. */
async function changesBy(
  workspace: TestWorkspace,
  work: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const { found } = await allChangesBy(workspace, work);
  return Object.fromEntries(
    found.map(({ path, before: was, after, madeFolders }) => [
      path,
      [shown(was), shown(after), ...madeFolders],
    ]),
  );
}

async function repository(files: Readonly<Record<string, string>>): Promise<TestWorkspace> {
  const workspace = await TestWorkspace.create(files);
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=b', ...args], { cwd: workspace.root });
  await git('init', '-q');
  await git('add', '.');
  await git('commit', '-qm', 'first');
  return workspace;
}

/** Root reads everything: what runs until this is disposed has the rights of nobody in particular. */
function withoutRoot(): Disposable {
  const own = process.geteuid?.();
  if (own === 0) process.seteuid?.(65_534);
  return {
    [Symbol.dispose]: () => {
      if (own === 0) process.seteuid?.(0);
    },
  };
}

describe('what has changed in a workspace', () => {
  it('is found without git, but for what is usually ignored', async () => {
    await using workspace = await TestWorkspace.create({
      'a.txt': 'a',
      'b.txt': 'b',
      'c/d.txt': 'd',
      'same.txt': 's',
      'node_modules/x.js': 'x',
    });
    const found = await changesBy(workspace, async () => {
      await workspace.put('a.txt', 'A');
      await rm(workspace.at('b.txt'));
      await workspace.put('c/new.txt', 'n');
      await workspace.put('e/f/new.txt', 'n');
      await workspace.put('node_modules/x.js', 'X');
      await utimes(workspace.at('same.txt'), 1, 1);
      await symlink('/etc/hostname', workspace.at('link'));
    });
    assert.deepEqual(found, {
      'a.txt': ['a', 'A'],
      'b.txt': ['b', null],
      'c/new.txt': [null, 'n'],
      'e/f/new.txt': [null, 'n', 'e', 'e/f'],
      link: [null, 'link /etc/hostname'],
    });
  });

  it('is found with git, which has what was clean', async () => {
    await using workspace = await repository({
      '.gitignore': 'ignored\n*.log\n',
      'clean.txt': 'clean\n',
      'dirty.txt': 'old\n',
      'gone.txt': 'gone\n',
      'big.txt': 'x'.repeat(2_000_000),
      'big-dirty.txt': 'x',
      'ignored/x.txt': 'x',
      'sub/two words.txt': 'w',
    });
    await workspace.put('dirty.txt', 'mine\n');
    await workspace.put('big-dirty.txt', 'y'.repeat(2_000_000));
    await workspace.put('untracked.txt', 'u\n');
    const found = await changesBy(workspace, async () => {
      for (const name of [
        'clean.txt',
        'dirty.txt',
        'untracked.txt',
        'big.txt',
        'big-dirty.txt',
        'sub/two words.txt',
      ]) {
        await appendFile(workspace.at(name), '!');
      }
      await rm(workspace.at('gone.txt'));
      await workspace.put('ignored/x.txt', 'y');
      await workspace.put('x.log', 'y');
      await run('git', ['add', 'clean.txt'], { cwd: workspace.root });
    });
    assert.deepEqual(Object.keys(found).sort(), [
      ...[
        '.git',
        'big-dirty.txt',
        'big.txt',
        'clean.txt',
        'dirty.txt',
        'gone.txt',
        'ignored/x.txt',
        'sub/two words.txt',
        'untracked.txt',
        'x.log',
      ],
    ]);
    assert.deepEqual(found['.git'], ['unknown', 'unknown'], 'the index has changed');
    assert.deepEqual(found['ignored/x.txt'], ['x', 'y']);
    assert.deepEqual(found['x.log'], [null, 'y']);
    assert.deepEqual(found['clean.txt'], ['clean\n', 'clean\n!']);
    assert.deepEqual(found['dirty.txt'], ['mine\n', 'mine\n!']);
    assert.deepEqual(found['gone.txt'], ['gone\n', null]);
    assert.deepEqual(found['untracked.txt'], ['u\n', 'u\n!']);
    assert.deepEqual(found['sub/two words.txt'], ['w', 'w!']);
    assert.deepEqual(found['big.txt'], ['x'.repeat(2_000_000), `${'x'.repeat(2_000_000)}!`], 'git has it');
    assert.equal((found['big-dirty.txt'] as unknown[])[0], 'unknown', 'too large to be copied');
  });

  it('never takes for new what was there and was not looked into', async () => {
    await using workspace = await repository({ '.gitignore': 'secret.txt\nnode_modules\n', 'a.txt': 'a' });
    await workspace.put('secret.txt', 's');
    await workspace.put('node_modules/deep/x.txt', 'x');
    await mkdir(workspace.at('empty'));
    const found = await changesBy(workspace, async () => {
      await workspace.put('.gitignore', '');
      await rename(workspace.at('a.txt'), workspace.at('b.txt'));
      await writeFile(workspace.at('empty/new.txt'), 'n');
    });
    assert.deepEqual(found, {
      '.gitignore': ['secret.txt\nnode_modules\n', ''],
      'a.txt': ['a', null],
      'b.txt': [null, 'a'],
      'empty/new.txt': [null, 'n'],
    });
  });

  it('is found in repositories within, each by its own git', async () => {
    await using workspace = await repository({ '.gitignore': 'ignored\n', 'a.txt': 'a' });
    await script(
      workspace,
      `git init -q none; echo one > none/a; git init -q tools/inner; cd tools/inner
       echo one > clean; echo skip > .gitignore; git add .; git commit -qm x; echo s > skip; cd ../..
       git submodule --quiet add "$PWD/tools/inner" sub; git worktree add -q tree
       git init -q ignored/inner; echo one > ignored/inner/a; git init -q --bare store`,
    );
    const changes = await allChangesBy(workspace, () =>
      script(
        workspace,
        `for f in none/a tools/inner/clean tools/inner/skip sub/clean tree/a.txt ignored/inner/a; do echo 2 > $f; done
         rm sub/.gitignore; echo x > store/description; git -C tools/inner add clean`,
      ),
    );
    assert.deepEqual(
      changes.found.map(({ path, before, after }) => [path, shown(before), shown(after)]),
      [
        ['ignored/inner/a', 'one\n', '2\n'],
        ['none/a', 'one\n', '2\n'],
        ['sub/.gitignore', 'skip\n', null],
        ['sub/clean', 'one\n', '2\n'],
        ['tools/inner/.git', 'unknown', 'unknown'],
        ['tools/inner/clean', 'one\n', '2\n'],
        ['tools/inner/skip', 's\n', '2\n'],
        ['tree/a.txt', 'a', '2\n'],
      ],
    );
    assert.deepEqual(pathsOf(changes.unwatched), ['store'], 'a repository without a working tree');
  });

  it('is what links lead to, never what is there, and folders that were empty or are', async () => {
    await using workspace = await TestWorkspace.create({ 'real/x': 'x', f: 'f', 'g/1': '1' });
    await symlink('real', workspace.at('a'));
    await symlink('nowhere', workspace.at('b'));
    await mkdir(workspace.at('empty'));
    const found = await changesBy(workspace, async () => {
      await rm(workspace.at('a'));
      await symlink('f', workspace.at('a'));
      await rm(workspace.at('b'));
      await rm(workspace.at('f'));
      await symlink('real', workspace.at('f'));
      await rm(workspace.at('g'), { recursive: true });
      await symlink('real', workspace.at('g'));
      await rmdir(workspace.at('empty'));
      await mkdir(workspace.at('made/deep'), { recursive: true });
    });
    assert.deepEqual(found, {
      a: ['link real', 'link f'],
      b: ['link nowhere', null],
      empty: ['folder', null],
      f: ['f', 'link real'],
      g: ['folder', 'link real'],
      'g/1': ['1', null],
      'made/deep': [null, 'folder', 'made'],
    });
  });

  it('names what is not looked into, also when nothing in it changed', async () => {
    const ignored = 'many\n*.tmp\nnode_modules\n';
    await using workspace = await repository({ '.gitignore': ignored, 'a.txt': 'a' });
    await workspace.put('node_modules/x.js', 'x');
    await workspace.put('large', new Uint8Array(1_000_001));
    for (let index = 0; index < 8; index += 1) await workspace.put(`many/${index}`, '');
    for (let index = 0; index < 8; index += 1) await workspace.put(`${index}.tmp`, '');
    // Three of them are not ignored.
    const small = new WorkspaceSnapshots({ maxFiles: 10 });
    const unwatched = ['*', 'large', 'many', 'node_modules'];
    assert.deepEqual(pathsOf((await small.unwatched(workspace.folders())) ?? []).sort(), unwatched);
    const changes = await allChangesBy(workspace, () => rm(workspace.at('a.txt')), small);
    assert.deepEqual(pathsOf(changes.found), ['a.txt']);
    assert.deepEqual(pathsOf(changes.unwatched), unwatched);
    const none = new WorkspaceSnapshots({ maxFiles: 1 });
    assert.equal(await none.unwatched(workspace.folders()), undefined, 'too many of its own');
    assert.equal(await (await none.now(workspace.folders())).changes(), undefined);
  });

  if (process.platform !== 'win32') {
    it('names folders that cannot be read', async () => {
      await using workspace = await TestWorkspace.create({ 'a.txt': 'a', 'closed/x': 'x' });
      await chmod(workspace.root, 0o777);
      await chmod(workspace.at('a.txt'), 0o666);
      await chmod(workspace.at('closed'), 0o000);
      using _user = withoutRoot();
      assert.deepEqual(pathsOf((await watch.unwatched(workspace.folders())) ?? []), ['closed']);
      const changes = await allChangesBy(workspace, () => workspace.put('a.txt', 'b'));
      assert.deepEqual(pathsOf(changes.unwatched), ['closed']);
    });
  }

  it('names what no restore brings back: pipes, odd names, permissions, other names of a file', async () => {
    await using workspace = await TestWorkspace.create({ a: 'a', b: 'b', c: 'c', d: 'd', run: 'r' });
    await link(workspace.at('b'), workspace.at('b2'));
    for (const name of ['a', 'd', 'run']) await chmod(workspace.at(name), 0o644);
    const changes = await allChangesBy(workspace, async () => {
      await script(workspace, 'mkfifo pipe; touch c; mkdir node_modules; echo x > "odd:name"');
      await chmod(workspace.at('a'), 0o600);
      await chmod(workspace.at('run'), 0o755);
      await rm(workspace.at('b'));
      await chmod(workspace.at('d'), 0o600);
      await chmod(workspace.at('d'), 0o644);
    });
    assert.deepEqual(
      changes.found.map(({ path, before, after }) => [path, shown(before), shown(after)]),
      [
        ['b', 'b', null],
        ['node_modules', null, 'unknown'],
        ['odd:name', 'unknown', 'x\n'],
        ['pipe', null, 'unknown'],
        ['run', 'r', 'r'],
      ],
    );
    // Of `d` alone it cannot be known what it was.
    assert.deepEqual(pathsOf(changes.attributes), ['a', 'b', 'b2', 'd']);
  });

  it('is what a file really held where git makes another one of it', async () => {
    await using workspace = await repository({ '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': 'a\r\n' });
    const found = await changesBy(workspace, () => workspace.put('a.txt', 'b\r\n'));
    assert.deepEqual(found, { 'a.txt': ['a\r\n', 'b\r\n'] });
  });

  it('is found below a folder of a repository, and where the repository ignores the folder', async () => {
    await using outer = await repository({
      '.gitignore': 'ignored\n',
      'sub/a.txt': 'a',
      'ignored/b.txt': 'b',
    });
    for (const [below, before] of [
      ['sub/a.txt', 'a'],
      ['ignored/b.txt', 'b'],
    ] as const) {
      const [folder = '', name = ''] = below.split('/');
      const now = await watch.now([{ name: folder, uri: outer.uri(folder) }]);
      await outer.put(below, 'changed');
      const found = (await now.changes())?.found;
      assert.deepEqual(
        found?.map((each) => [each.path, shown(each.before), shown(each.after)]),
        [[name, before, 'changed']],
      );
    }
  });

  it('fuzz: is all of it, with what was there before', async function () {
    this.timeout(60_000);
    const name = fc.constantFrom('a', 'b', 'c/a', 'c/b', 'c/d/a');
    const step = fc.record({ name, text: fc.option(fc.string({ maxLength: 5 }), { nil: null }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step), fc.array(step), fc.boolean(), async (first, then, hasGit) => {
        await using workspace = await (hasGit
          ? repository({ 'c/b': 'b' })
          : TestWorkspace.create({ 'c/b': 'b' }));
        const state = new Map([['c/b', 'b']]);
        const apply = async (steps: typeof first): Promise<void> => {
          for (const { name: file, text } of steps) {
            if (text === null) await rm(workspace.at(file), { force: true });
            else await workspace.put(file, text);
            if (text === null) state.delete(file);
            else state.set(file, text);
          }
        };
        await apply(first);
        const before = new Map(state);
        const found = await changesBy(workspace, () => apply(then));
        for (const file of ['a', 'b', 'c/a', 'c/b', 'c/d/a']) {
          const was = before.get(file)?.toWellFormed() ?? null;
          const is = state.get(file)?.toWellFormed() ?? null;
          const change = found[file] as unknown[] | undefined;
          if (was === is) assert.equal(change, undefined, file);
          else if (was === null && change?.[0] === 'unknown') assert.equal(change[1], is);
          else assert.deepEqual(change?.slice(0, 2), [was, is], file);
        }
      }),
      { numRuns: fuzzRuns(15) },
    );
  });
});
