import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mergeChanges } from '../../../src/host/branchMerge.ts';
import { contentAt } from '../../../src/host/node/branchFiles/treeContent.ts';
import {
  branchFilesOf,
  commitAll,
  committed,
  everything,
  folderOf,
  make,
  nameAuthor,
  works,
} from '../../worlds/branchFilesWorld.ts';
import { script } from '../../worlds/gitRepository.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

// What a system does not have has no test there.
const hasLfs = spawnSync('git', ['lfs', 'version']).status === 0;

void describe('files of a branch from a workspace whose files go through filters', () => {
  if (hasLfs) {
    it('has pointers to large files, and what is changed goes with a branch of git', async () => {
      await using workspace = await TestWorkspace.create({
        '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n',
        'a.psd': 'large\n',
        'b.psd': 'large too\n',
      });
      await script(
        workspace,
        'git init -q && git lfs install --local && git add -A && git commit -qm first && echo changed > b.psd',
      );
      const before = await everything(workspace.root);
      const branches = branchFilesOf(workspace);
      const made = await make(branches, workspace);
      const own = folderOf(made);
      assert.match(await readFile(path.join(own, 'b.psd'), 'utf8'), /^version .*\noid .*\nsize 8\n$/u);
      assert.deepEqual(await branches.changes(made.id), []);
      await writeFile(path.join(own, 'a.psd'), 'larger\n');
      const [change, ...others] = await branches.changes(made.id);
      assert.deepEqual([change?.path, others], ['a.psd', []]);
      assert.deepEqual(await everything(workspace.root), before);
      await nameAuthor(workspace);
      await commitAll(branches, made.id, 'attempt');
      await script(
        workspace,
        'git checkout -qf attempt && test "$(cat a.psd)" = larger && test "$(cat b.psd)" = "large too"',
      );
    });
  } else {
    it('has pointers where the program for large files is missing', async () => {
      const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n';
      await using workspace = await TestWorkspace.create({
        '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n',
        'a.psd': pointer,
      });
      await script(workspace, 'git init -q && git add -A && git commit -qm first');
      // As its installation has it, which is not there any more.
      await script(
        workspace,
        'git config filter.lfs.process "git-lfs-gone filter-process" && git config filter.lfs.clean "git-lfs-gone clean" && git config filter.lfs.smudge "git-lfs-gone smudge" && git config filter.lfs.required true && touch a.psd',
      );
      assert.equal(
        await readFile(path.join(await works(workspace, 'a.psd', 'new\n'), 'a.psd'), 'utf8'),
        'new\n',
      );
    });
  }

  it('has line ends as git writes them, and merges into others', async () => {
    await using workspace = await committed(
      { 'a.txt': 'one\ntwo\nthree\n' },
      'git init -q && git config core.autocrlf true && git config core.safecrlf false',
    );
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    const own = path.join(folderOf(made), 'a.txt');
    assert.equal(await readFile(own, 'utf8'), 'one\r\ntwo\r\nthree\r\n');
    assert.deepEqual(await branches.changes(made.id), []);
    await writeFile(own, 'ONE\r\ntwo\r\nthree\r\n');
    const merged = async (): Promise<string[]> =>
      (
        await mergeChanges(await branches.changes(made.id), {
          contentAt: ({ path: file }) => contentAt(workspace.at(file)),
          mergeText: (...texts) => branches.mergeText(...texts),
        })
      ).map(({ how, result }) => `${how}: ${new TextDecoder().decode(result?.bytes)}`);
    assert.deepEqual(await merged(), ['taken: ONE\ntwo\nthree\n']);
    await workspace.put('a.txt', 'one\ntwo\nTHREE\n');
    assert.deepEqual(await merged(), ['merged: ONE\ntwo\nTHREE\n']);
    await writeFile(own, 'ONE\ntwo\nthree\n');
    await workspace.put('a.txt', 'one\r\ntwo\r\nthree\r\n');
    assert.deepEqual(await merged(), ['taken: ONE\ntwo\nthree\n'], 'the branch has changed them');
  });
});
