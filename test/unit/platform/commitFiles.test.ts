import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import type { FileContent } from '../../../src/host/workspaceFiles.ts';
import { committedIn, createGitBranch } from '../../../src/host/node/branchFiles/commitFiles.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { committed, everything, nameAuthor } from '../../worlds/branchFilesWorld.ts';
import { script } from '../../worlds/gitRepository.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

const run = promisify(execFile);
const content = (text: string, more: Partial<FileContent> = {}): FileContent => ({
  bytes: new TextEncoder().encode(text),
  mode: 0o644,
  ...more,
});

async function use(workspace: TestWorkspace): Promise<TestWorkspace> {
  await nameAuthor(workspace);
  return workspace;
}

async function commit(
  workspace: TestWorkspace,
  files: Readonly<Record<string, FileContent | null>>,
  { name = 'attempt', folder = workspace.root } = {},
): Promise<string> {
  return createGitBranch({
    name,
    message: 'A title\n\nA body',
    commit: (await committedIn(folder)).commit,
    files: Object.entries(files).map(([file, each]) => ({
      folder: uriOf(folder),
      path: file,
      content: each,
    })),
  });
}

/** What a branch has, as git names it, by its path. */
async function filesOn(workspace: TestWorkspace, branch: string): Promise<Record<string, string>> {
  const options = { cwd: workspace.root };
  const listed = await run('git', ['ls-tree', '-r', '-z', branch], options);
  const lines = listed.stdout.split('\0').filter((line) => line !== '');
  const all = lines.map(async (line): Promise<[string, string]> => {
    const [about = '', name = ''] = line.split('\t');
    const [mode = '', , id = ''] = about.split(' ');
    return [name, `${mode} ${(await run('git', ['cat-file', 'blob', id], options)).stdout}`];
  });
  return Object.fromEntries(await Promise.all(all));
}

describe('a new branch of the repository', () => {
  it('has the files that are given, and all others as they are committed (fuzz)', async () => {
    const names = ['a', 'b', 'd/a', 'd/e/b', 'f.txt', 'g g/ü', 'd/[x]'];
    const texts = fc.dictionary(fc.constantFrom(...names), fc.constantFrom('1\n', '2', ''), { maxKeys: 6 });
    const changed = fc.dictionary(fc.constantFrom(...names), fc.constantFrom('2', '3\n', null), {
      minKeys: 1,
      maxKeys: 5,
    });
    await fc.assert(
      fc.asyncProperty(texts, changed, async (before, changes) => {
        await using workspace = await use(await committed({ 'always.txt': 'always', ...before }));
        await commit(
          workspace,
          Object.fromEntries(
            Object.entries(changes).map(([name, text]) => [name, text === null ? null : content(text)]),
          ),
        );
        const wanted: Record<string, string | null> = { 'always.txt': 'always', ...before, ...changes };
        assert.deepEqual(
          await filesOn(workspace, 'attempt'),
          Object.fromEntries(
            Object.entries(wanted).flatMap(([name, text]) =>
              text === null ? [] : [[name, `100644 ${text}`]],
            ),
          ),
        );
        await script(workspace, 'git fsck --strict --no-dangling');
      }),
      { numRuns: fuzzRuns(8) },
    );
  });

  it('changes nothing else, staged and unstaged files included', async () => {
    await using workspace = await use(await committed({ 'a.txt': 'a\n', 'b.txt': 'b\n' }));
    await workspace.put('a.txt', 'changed\n');
    await workspace.put('staged.txt', 'staged\n');
    await script(workspace, 'git add staged.txt');
    const before = await everything(workspace.root);
    const id = await commit(workspace, { 'a.txt': content('A\n') });
    const after = await everything(workspace.root);
    const differs = Object.keys(after).filter((file) => after[file] !== before[file]);
    assert.deepEqual(
      differs.filter((file) => !/^\.git\/(?:objects|refs|logs)(?:\/|$)/u.test(file)),
      [],
    );
    assert.deepEqual(await filesOn(workspace, 'attempt'), { 'a.txt': '100644 A\n', 'b.txt': '100644 b\n' });
    await script(
      workspace,
      `test "$(git rev-parse attempt)" = ${id} && test "$(git rev-parse attempt~1)" = "$(git rev-parse HEAD)" && test "$(git log -1 --format=%B attempt)" = "$(printf 'A title\\n\\nA body')" && test "$(git log -1 --format=%an attempt)" = a`,
    );
  });

  it('keeps what is executable, and takes links as links', async () => {
    await using workspace = await use(await committed({ 'run.sh': 'a\n', 'old.sh': 'a\n' }));
    await script(workspace, 'chmod +x old.sh && git add -A && git commit -qm second');
    await commit(workspace, {
      'run.sh': content('b\n', { mode: 0o755 }),
      'old.sh': content('b\n', { mode: undefined }),
      link: content('run.sh', { mode: undefined, kind: 'link' }),
    });
    assert.deepEqual(await filesOn(workspace, 'attempt'), {
      'run.sh': '100755 b\n',
      'old.sh': '100755 b\n',
      link: '120000 run.sh',
    });
  });

  it('stores texts as git would, and reads them as it writes them', async () => {
    await using workspace = await use(
      await committed({ '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': 'a\n' }),
    );
    const found = await committedIn(workspace.root);
    assert.equal(new TextDecoder().decode((await found.contentAt('a.txt'))?.bytes), 'a\r\n');
    assert.equal(await found.contentAt('nothing.txt'), null);
    await commit(workspace, { 'a.txt': content('a\r\nb\r\n') });
    assert.equal((await filesOn(workspace, 'attempt'))['a.txt'], '100644 a\nb\n');
  });

  it('is made from a folder in the work tree, and in a repository without a commit', async () => {
    await using workspace = await TestWorkspace.create({ 'in/a.txt': 'a\n' });
    await script(workspace, 'git init -q');
    await use(workspace);
    const folder = path.join(workspace.root, 'in');
    await commit(workspace, { 'a.txt': content('A\n') }, { folder });
    assert.deepEqual(await filesOn(workspace, 'attempt'), { 'in/a.txt': '100644 A\n' });
    const found = await committedIn(folder);
    assert.deepEqual([found.commit, found.remote], [undefined, undefined]);
    assert.equal(found.repository, (await committedIn(workspace.root)).repository);
  });

  it('may have nothing left', async () => {
    await using workspace = await use(await committed({ 'd/a.txt': 'a\n' }));
    await commit(workspace, { 'd/a.txt': null });
    assert.deepEqual(await filesOn(workspace, 'attempt'), {});
  });

  it('is not made over another, with a name that is none, or outside a repository', async () => {
    await using workspace = await use(await committed({ 'a.txt': 'a\n' }));
    await commit(workspace, { 'a.txt': content('b\n') });
    const before = await filesOn(workspace, 'attempt');
    await assert.rejects(commit(workspace, { 'a.txt': content('c\n') }), { code: 'branch-exists' });
    assert.deepEqual(await filesOn(workspace, 'attempt'), before);
    for (const name of ['a..b', '-x', 'a b', 'x.lock', 'attempt/below', '../../x']) {
      await assert.rejects(
        commit(workspace, { 'a.txt': content('c\n') }, { name }),
        { code: 'git-failed' },
        name,
      );
    }
    await using other = await TestWorkspace.create({ 'a.txt': 'a\n' });
    await mkdir(other.root, { recursive: true });
    await assert.rejects(committedIn(other.root), { code: 'no-repository' });
  });

  it('says where it would be pushed to', async () => {
    await using workspace = await committed({ 'a.txt': 'a\n' }, 'git init -q -b main');
    const remote = async (): Promise<string | undefined> => (await committedIn(workspace.root)).remote;
    await script(workspace, 'git remote add only https://a.test/x');
    assert.equal(await remote(), 'only');
    await script(workspace, 'git remote add other https://a.test/y');
    assert.equal(await remote(), undefined);
    await script(workspace, 'git remote add origin https://a.test/z');
    assert.equal(await remote(), 'origin');
    await script(workspace, 'git config branch.main.remote other');
    assert.equal(await remote(), 'other');
  });
});
