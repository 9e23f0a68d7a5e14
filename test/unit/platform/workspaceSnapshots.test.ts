import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { WorkspaceSnapshots } from '../../../src/host/node/workspaceSnapshots.ts';
import type { FoundChange } from '../../../src/host/workspaceFiles.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

const run = promisify(execFile);
const watch = new WorkspaceSnapshots();

function shown(content: FoundChange['before']): string | null {
  if (content === null || content === 'unknown') return content;
  return new TextDecoder().decode(content.bytes);
}

/** What was found, as path: before → after. */
async function changesBy(
  workspace: TestWorkspace,
  work: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const before = await watch.now(workspace.folders());
  await work();
  const found = (await before.changes()) ?? assert.fail('too many');
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
        'big-dirty.txt',
        'big.txt',
        'clean.txt',
        'dirty.txt',
        'gone.txt',
        'sub/two words.txt',
        'untracked.txt',
      ],
    ]);
    assert.deepEqual(found['clean.txt'], ['clean\n', 'clean\n!']);
    assert.deepEqual(found['dirty.txt'], ['mine\n', 'mine\n!']);
    assert.deepEqual(found['gone.txt'], ['gone\n', null]);
    assert.deepEqual(found['untracked.txt'], ['u\n', 'u\n!']);
    assert.deepEqual(found['sub/two words.txt'], ['w', 'w!']);
    assert.deepEqual(found['big.txt'], ['x'.repeat(2_000_000), `${'x'.repeat(2_000_000)}!`], 'git has it');
    assert.equal((found['big-dirty.txt'] as unknown[])[0], 'unknown', 'too large to be copied');
  });

  it('never takes for new what was there and was ignored', async () => {
    await using workspace = await repository({ '.gitignore': 'secret.txt\nhidden\n', 'a.txt': 'a' });
    await workspace.put('secret.txt', 's');
    await workspace.put('hidden/deep/x.txt', 'x');
    await mkdir(workspace.at('empty'));
    const found = await changesBy(workspace, async () => {
      await workspace.put('.gitignore', '');
      await rename(workspace.at('a.txt'), workspace.at('b.txt'));
      await writeFile(workspace.at('empty/new.txt'), 'n');
    });
    assert.deepEqual(found, {
      '.gitignore': ['secret.txt\nhidden\n', ''],
      'a.txt': ['a', null],
      'b.txt': [null, 'a'],
      'empty/new.txt': ['unknown', 'n'],
      'hidden/deep/x.txt': ['unknown', 'x'],
      'secret.txt': ['unknown', 's'],
    });
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
      const found = (await now.changes()) ?? [];
      assert.deepEqual(
        found.map((each) => [each.path, shown(each.before), shown(each.after)]),
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
