import assert from 'node:assert/strict';
import { lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { BranchFilesError } from '../../../src/host/branchFilesError.ts';
import { isSameContent, mergeChanges } from '../../../src/host/branchMerge.ts';
import type { NodeBranchFiles } from '../../../src/host/node/branchFiles/nodeBranchFiles.ts';
import { contentAt, putContent } from '../../../src/host/node/branchFiles/treeContent.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import {
  branchFilesOf,
  commitAll,
  everything,
  folderOf,
  make,
  nameAuthor,
  named,
  repository,
} from '../../worlds/branchFilesWorld.ts';
import { script } from '../../worlds/gitRepository.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

void describe('files of a branch', () => {
  it('begin at the state of the workspace, what is not committed included', async () => {
    await using workspace = await repository();
    const before = await everything(workspace.root);
    const branches = branchFilesOf(workspace);
    const own = folderOf(await make(branches, workspace));
    const read = (file: string): Promise<string> => readFile(path.join(own, file), 'utf8');
    assert.equal(await read('kept.txt'), 'one\ntwo\nthree\nfour\nfive\nnot committed\n');
    assert.equal(await read('staged.txt'), 'staged\n');
    assert.equal(await read('new.txt'), 'new\n');
    assert.equal(await read('gone.txt'), 'gone\n', 'it is on the disk, and not ignored');
    assert.equal(await read('.env'), 'SECRET=1\n');
    assert.equal((await lstat(path.join(own, 'node_modules'))).isSymbolicLink(), true);
    await assert.rejects(read('dist/out.js'));
    assert.deepEqual(await everything(workspace.root), before, 'nothing in the workspace was changed');
  });

  it('are compared with how they began, for git calls in them as well', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    const own = folderOf(made);
    assert.deepEqual(await branches.changes(made.id), []);
    await writeFile(path.join(own, 'kept.txt'), 'ONE\ntwo\nthree\nfour\nfive\nnot committed\n');
    await rename(path.join(own, 'old.txt'), path.join(own, 'renamed.txt'));
    await rm(path.join(own, 'gone.txt'));
    await writeFile(path.join(own, 'added.txt'), 'added\n');
    const before = await everything(path.join(workspace.root, '.git'));
    const committing = `cd '${own}' && test "$(git status --short | wc -l)" = 5 && git add -A && git commit -qm mine`;
    await script(workspace, committing);
    assert.deepEqual(named(await branches.changes(made.id)), {
      'added.txt': '-|added\n',
      'gone.txt': 'gone\n|-',
      'kept.txt': 'one\ntwo\nthree\nfour\nfive\nnot committed\n|ONE\ntwo\nthree\nfour\nfive\nnot committed\n',
      'old.txt > renamed.txt':
        'a file that is renamed\nwith two lines\n|a file that is renamed\nwith two lines\n',
    });
    assert.deepEqual(await branches.countLines(made.id), { files: 4, added: 2, removed: 2 });
    assert.deepEqual(await everything(path.join(workspace.root, '.git')), before);
  });

  it('follow the open folder of a repository that is not its root', async () => {
    await using workspace = await repository();
    workspace.opened = ['below'];
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    await writeFile(path.join(folderOf(made), 'deep.txt'), 'deeper\n');
    await writeFile(path.join(folderOf(made), '..', 'kept.txt'), 'outside\n');
    assert.deepEqual(named(await branches.changes(made.id)), { 'deep.txt': 'deep\n|deeper\n' });
  });

  it('are copied from a folder without a repository, up to a limit', async () => {
    await using workspace = await TestWorkspace.create({ 'a.txt': 'a\n', 'below/b.txt': 'b\n' });
    await workspace.put('node_modules/pkg/index.js', 'pkg\n');
    await symlink('a.txt', workspace.at('link'));
    const before = await everything(workspace.root);
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    const own = folderOf(made);
    assert.equal(await readlink(path.join(own, 'link')), 'a.txt');
    await writeFile(path.join(own, 'below', 'b.txt'), 'B\n');
    assert.deepEqual(named(await branches.changes(made.id)), { 'below/b.txt': 'b\n|B\n' });
    await assert.rejects(make(branches, workspace, { maxFiles: 1 }), BranchFilesError);
    assert.equal((await branches.list()).length, 1, 'nothing is left of the one that was refused');
    assert.deepEqual(await everything(workspace.root), before);
  });

  it('can be had again after they were discarded, in what the workspace is by then', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    await writeFile(path.join(folderOf(made), 'kept.txt'), 'ONE\ntwo\nthree\nfour\nfive\nnot committed\n');
    await writeFile(path.join(folderOf(made), 'picture.bin'), Uint8Array.of(0, 9));
    const changed = named(await branches.changes(made.id));
    await branches.discard(made.id);
    assert.deepEqual(
      (await branches.list()).map(({ state, folders }) => [state, folders]),
      [['discarded', []]],
    );
    assert.deepEqual(named(await branches.changes(made.id)), changed);
    await workspace.put('kept.txt', 'one\ntwo\nthree\nfour\nFIVE\nnot committed\n');
    const again = await make(branches, workspace, { id: made.id });
    assert.equal(again.id, made.id);
    assert.equal(
      await readFile(path.join(folderOf(again), 'kept.txt'), 'utf8'),
      'ONE\ntwo\nthree\nfour\nFIVE\nnot committed\n',
    );
    assert.deepEqual([...(await readFile(path.join(folderOf(again), 'picture.bin')))], [0, 9]);
  });

  it('become a branch of the repository on request, and nothing else there changes', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    await writeFile(path.join(folderOf(made), 'added.txt'), 'added\n');
    await nameAuthor(workspace);
    const before = await everything(path.join(workspace.root, '.git'));
    await commitAll(branches, made.id, 'attempt');
    const after = await everything(path.join(workspace.root, '.git'));
    const changed = Object.keys(after).filter((file) => after[file] !== before[file]);
    const isOther = (file: string): boolean => !/^(?:objects|refs|logs)(?:\/|$)/u.test(file);
    assert.deepEqual(changed.filter(isOther), []);
    await script(
      workspace,
      'test "$(git show attempt:added.txt)" = added && test "$(git rev-list --count attempt)" = 2',
    );
    await assert.rejects(commitAll(branches, made.id, 'attempt'), { code: 'branch-exists' });
  });

  it('name folders of other repositories, which are empty', async () => {
    await using workspace = await TestWorkspace.create({ 'a.txt': 'a\n' });
    await script(
      workspace,
      'git init -q other && git -C other commit -q --allow-empty -m o && git init -q && git submodule -q add ./other sub && git add -A && git commit -qm first',
    );
    const made = await make(branchFilesOf(workspace), workspace);
    assert.deepEqual([...made.empty].sort(), ['other', 'sub']);
  });

  it('do not read a file as unchanged that was written when the index was', async () => {
    await using workspace = await TestWorkspace.create({ 'a.txt': 'one\n' });
    await script(workspace, 'git init -q && git add -A && git commit -qm first && printf "two\\n" > a.txt');
    const made = await make(branchFilesOf(workspace), workspace);
    assert.equal(await readFile(path.join(folderOf(made), 'a.txt'), 'utf8'), 'two\n');
  });

  it('keep line ends and filters as the repository of the user has them', async () => {
    await using workspace = await TestWorkspace.create({
      '.gitattributes': '*.up filter=up\n*.crlf text eol=crlf\n',
      'a.up': 'SHOUTED\n',
      'b.crlf': 'one\r\ntwo\r\n',
    });
    await script(
      workspace,
      "git init -q && git config filter.up.clean 'tr A-Z a-z' && git config filter.up.smudge 'tr a-z A-Z' && git add -A && git commit -qm first",
    );
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    const own = folderOf(made);
    assert.equal(await readFile(path.join(own, 'a.up'), 'utf8'), 'SHOUTED\n');
    assert.equal(await readFile(path.join(own, 'b.crlf'), 'utf8'), 'one\r\ntwo\r\n');
    await writeFile(path.join(own, 'b.crlf'), 'one\r\nTWO\r\n');
    assert.deepEqual(named(await branches.changes(made.id)), {
      'b.crlf': 'one\r\ntwo\r\n|one\r\nTWO\r\n',
    });
  });
});

void describe('files of a branch whose program was killed', () => {
  for (const state of ['making', 'discarding'] as const) {
    it(`are as before ${state}, or as after`, async () => {
      await using workspace = await repository();
      const branches = branchFilesOf(workspace, { pid: 1 });
      const made = await make(branches, workspace);
      await writeFile(path.join(folderOf(made), 'new.txt'), 'changed\n');
      const changed = named(await branches.changes(made.id));
      const file = path.join(workspace.storage, 'branches', made.id, 'record.json');
      const stored = await readFile(file, 'utf8');
      if (state === 'discarding') {
        await branches.discard(made.id);
        await mkdir(path.join(path.dirname(file), 'files'));
        await writeFile(file, (await readFile(file, 'utf8')).replace('"discarded"', '"discarding"'));
      } else await writeFile(file, stored.replace('"open"', '"making"'));
      const next = branchFilesOf(workspace, { pid: 2, isAlive: () => false });
      const left = await next.list();
      if (state === 'making') {
        assert.deepEqual(left, []);
        assert.deepEqual(await readdir(path.join(workspace.storage, 'branches')), []);
      } else {
        assert.deepEqual(
          left.map(({ state: now }) => now),
          ['discarded'],
        );
        assert.deepEqual(named(await next.changes(made.id)), changed);
        assert.deepEqual((await readdir(path.dirname(file))).sort(), ['kept', 'record.json']);
      }
    });
  }

  it('are not touched while the program of another window is at work', async () => {
    await using workspace = await repository();
    const made = await make(branchFilesOf(workspace, { pid: 1 }), workspace);
    const file = path.join(workspace.storage, 'branches', made.id, 'record.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"open"', '"making"'));
    await writeFile(path.join(workspace.storage, 'branches', `${made.id}.1.here.busy`), '');
    await branchFilesOf(workspace, { pid: 2, isAlive: () => true }).list();
    assert.match(await readFile(file, 'utf8'), /"making"/u);
  });
});

void describe('merging the changes of a branch', () => {
  async function merged(
    workspace: TestWorkspace,
    branches: NodeBranchFiles,
    id: string,
  ): Promise<Record<string, string>> {
    const all = await mergeChanges(await branches.changes(id), {
      contentAt: ({ path: file }) => contentAt(workspace.at(file)),
      mergeText: (...texts) => branches.mergeText(...texts),
    });
    return Object.fromEntries(
      all.map(({ path: file, how, result }) => [
        file,
        `${how}: ${result ? new TextDecoder().decode(result.bytes) : String(result)}`,
      ]),
    );
  }

  it('takes what only the branch changed, merges texts, and tells conflicts', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    const own = folderOf(made);
    await writeFile(path.join(own, 'kept.txt'), 'ONE\ntwo\nthree\nfour\nfive\nnot committed\n');
    await writeFile(path.join(own, 'staged.txt'), 'branch\n');
    await writeFile(path.join(own, 'new.txt'), 'branch\n');
    await writeFile(path.join(own, 'picture.bin'), Uint8Array.of(0, 5));
    await rm(path.join(own, 'gone.txt'));
    await workspace.put('kept.txt', 'one\ntwo\nthree\nfour\nfive\nNOT COMMITTED\n');
    await workspace.put('new.txt', 'workspace\n');
    await workspace.put('picture.bin', Uint8Array.of(0, 6));
    await workspace.put('gone.txt', 'still wanted\n');
    assert.deepEqual(await merged(workspace, branches, made.id), {
      'gone.txt': 'conflict: undefined',
      'kept.txt': 'merged: ONE\ntwo\nthree\nfour\nfive\nNOT COMMITTED\n',
      'new.txt': 'conflict: <<<<<<< workspace\nworkspace\n=======\nbranch\n>>>>>>> branch\n',
      'picture.bin': 'conflict: undefined',
      'staged.txt': 'taken: branch\n',
    });
  });

  it('gives a renamed file what the workspace changed under its old name', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    await rename(path.join(folderOf(made), 'old.txt'), path.join(folderOf(made), 'renamed.txt'));
    assert.deepEqual(await merged(workspace, branches, made.id), {
      'old.txt': 'taken: null',
      'renamed.txt': 'taken: a file that is renamed\nwith two lines\n',
    });
    await workspace.put('old.txt', 'a file that is renamed\nwith more lines\n');
    assert.equal(
      (await merged(workspace, branches, made.id))['renamed.txt'],
      'merged: a file that is renamed\nwith more lines\n',
    );
    await workspace.put('renamed.txt', 'another one\n');
    assert.deepEqual(await merged(workspace, branches, made.id), { 'renamed.txt': 'conflict: undefined' });
  });
});

void describe('random sequences with files of branches', () => {
  const names = ['kept.txt', 'new.txt', 'below/deep.txt', 'other.txt'] as const;
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('make' as const) }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom('write' as const, 'delete' as const, 'rename' as const),
        file: fc.constantFrom(...names),
        nth: fc.nat(3),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom('user' as const),
        command: fc.constantFrom(
          'git add -A && git commit -qm more',
          'git commit -q --amend -m amended',
          'git stash -q --include-untracked',
          'git stash pop -q',
          'git checkout -q -b side || git checkout -q side',
          'git checkout -q master',
          'git reflog expire --expire=now --all && git gc -q --prune=now',
          'git reset -q --hard',
          'git rm -q --cached below/deep.txt',
          'echo mine >> kept.txt',
          'echo mine > new.txt',
          'rm -f old.txt',
          'git worktree add -q --detach ../$(basename "$PWD")-storage/tree && git worktree list',
        ),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          'keep' as const,
          'undo' as const,
          'changes' as const,
          'discard' as const,
          'again' as const,
          'restart' as const,
        ),
        nth: fc.nat(3),
      }),
    },
  );

  it('change the workspace as they say, and nothing in its repository (fuzz)', async function () {
    this.timeout(3_600_000);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        await using workspace = await repository();
        let branches = branchFilesOf(workspace);
        /** What the branches are to have, by their ids. */
        const model = new Map<string, Record<string, string>>();
        let undo: (() => Promise<void>) | undefined;
        let expected = await everything(workspace.root);
        for (const [index, each] of steps.entries()) {
          const records = await branches.list();
          const record = 'nth' in each ? records[each.nth % Math.max(1, records.length)] : undefined;
          if (each.kind === 'user') {
            // What it refuses to do is no concern of the test.
            await script(workspace, each.command).catch(() => undefined);
            expected = await everything(workspace.root);
            undo = undefined;
          } else if (each.kind === 'make') {
            if (records.length < 3) model.set((await make(branches, workspace)).id, {});
          } else if (each.kind === 'restart') branches = branchFilesOf(workspace, { isAlive: () => false });
          else if (each.kind === 'undo') {
            await undo?.();
            undo = undefined;
          } else if (!record) continue;
          else if (each.kind === 'keep') {
            if (record.state === 'open') undo = await keep(workspace, branches, record.id);
          } else if (each.kind === 'discard') await branches.discard(record.id);
          else if (each.kind === 'again') {
            const again = await make(branches, workspace, { id: record.id });
            // Merged with what the workspace is by then.
            if (record.state === 'discarded') model.set(again.id, named(await branches.changes(again.id)));
          } else if ('file' in each && record.state === 'open') {
            const file = path.join(folderOf(record), each.file);
            if (each.kind === 'delete') await rm(file, { force: true });
            else if (each.kind === 'write') await writeFile(file, `text ${index}\n`).catch(() => undefined);
            else await rename(file, `${file}.${index}`).catch(() => undefined);
            model.set(record.id, named(await branches.changes(record.id)));
          }
          const now = await everything(workspace.root);
          if (each.kind === 'keep' || each.kind === 'undo') {
            // It has changed files, and their folders.
            const isGit = (name: string): boolean => name === '.git' || name.startsWith('.git/');
            const only = (all: typeof now): [string, string][] =>
              Object.entries(all).filter(([name]) => isGit(name));
            assert.deepEqual(only(now), only(expected));
            expected = now;
          } else assert.deepEqual(now, expected);
          for (const { id } of await branches.list()) {
            assert.deepEqual(
              named(await branches.changes(id)),
              model.get(id),
              `the branch after ${each.kind}`,
            );
          }
        }
      }),
      { numRuns: fuzzRuns(3) },
    );
  });

  /** @returns takes it back, and looks that all is as before */
  async function keep(
    workspace: TestWorkspace,
    branches: NodeBranchFiles,
    id: string,
  ): Promise<() => Promise<void>> {
    const all = await mergeChanges(await branches.changes(id), {
      contentAt: ({ path: file }) => contentAt(workspace.at(file)),
      mergeText: (...texts) => branches.mergeText(...texts),
    });
    const taken = all.filter(({ how, result }) => how !== 'conflict' && result !== undefined);
    for (const { path: file, result } of taken) await putContent(workspace.at(file), result ?? null);
    for (const { path: file, result } of taken) {
      assert.equal(isSameContent(await contentAt(workspace.at(file)), result ?? null), true, file);
    }
    return async () => {
      for (const { path: file, now } of taken) await putContent(workspace.at(file), now);
      for (const { path: file, now } of all) {
        assert.equal(isSameContent(await contentAt(workspace.at(file)), now), true, file);
      }
    };
  }
});
