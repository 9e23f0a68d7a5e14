import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BranchFileChange } from '../../../src/host/branchFiles.ts';
import { mergeChanges } from '../../../src/host/branchMerge.ts';
import { NodeBranchFiles } from '../../../src/host/node/branchFiles/nodeBranchFiles.ts';
import { contentAt } from '../../../src/host/node/branchFiles/treeContent.ts';
import { NodeFiles } from '../../../src/host/node/nodeFiles.ts';
import type { Step } from '../../fixtures/branchFiles/branchSteps.ts';
import { until } from '../../fixtures/until.ts';
import {
  branchFilesOf,
  committed,
  folderOf,
  limits,
  make,
  named,
  repository,
} from '../../worlds/branchFilesWorld.ts';
import { script } from '../../worlds/gitRepository.ts';

void describe('files of a branch in two windows', () => {
  it('are made by one of them', async () => {
    await using workspace = await repository();
    const windows = [branchFilesOf(workspace, { pid: 1 }), branchFilesOf(workspace, { pid: 2 })] as const;
    const [one, other] = windows;
    const both = await Promise.all(windows.map((window) => make(window, workspace)));
    assert.equal(new Set(both.map(folderOf)).size, 2, 'new ones are made side by side');
    const [made = assert.fail('there is none')] = both;
    await writeFile(path.join(folderOf(made), 'new.txt'), 'changed\n');
    const changed = named(await one.changes(made.id));
    const outcomes = async (works: readonly Promise<unknown>[]): Promise<void> => {
      for (const outcome of await Promise.allSettled(works)) {
        if (outcome.status === 'rejected') assert.equal((outcome.reason as { code: string }).code, 'busy');
      }
    };
    await outcomes(windows.map((window) => window.discard(made.id)));
    await one.discard(made.id);
    assert.deepEqual(named(await other.changes(made.id)), changed);
    await outcomes(windows.map((window) => make(window, workspace, { id: made.id })));
    const again = await make(one, workspace, { id: made.id });
    assert.deepEqual(named(await other.changes(made.id)), changed);
    assert.equal((await make(other, workspace, { id: made.id })).id, again.id, 'those that are there stay');
    assert.equal(await readFile(path.join(folderOf(again), 'new.txt'), 'utf8'), 'changed\n');
  });

  it('are kept and discarded at once without a loss', async () => {
    await using workspace = await repository();
    const child = path.resolve('out/test/fixtures/branchFiles/branchFiles.child.cjs');
    const run = (step: Step): Promise<unknown> =>
      promisify(execFile)(process.execPath, [child, workspace.root, workspace.storage, step, '0', 'alone']);
    for (const step of ['begin', 'make', 'run'] as const) await run(step);
    const text = (name: string): Promise<string | undefined> =>
      readFile(path.join(workspace.root, name), 'utf8').catch(() => undefined);
    const kept = ['ONE\ntwo\nthree\nfour\nfive\nnot committed\n', 'added\n', undefined, undefined];
    const texts = (): Promise<unknown[]> =>
      Promise.all(['kept.txt', 'added.txt', 'old.txt', 'staged.txt'].map(text));
    const before = await texts();
    let isDone = false;
    for (const other of ['keep', 'discard'] as const) {
      const outcomes = await Promise.allSettled([run('keep'), run(other)]);
      const now = await texts();
      const isKept = outcomes.some(
        ({ status }, index) => status === 'fulfilled' && (index === 0 || other === 'keep'),
      );
      // Where two come at the same time, both may go away.
      if (isKept) isDone = true;
      assert.deepEqual(now, isDone ? kept : before, `after ${other}`);
    }
    // What could not be done at once can be done now; what is kept already stays.
    await run('keep');
    assert.deepEqual(await texts(), kept);
    const [record] = await branchFilesOf(workspace).list();
    assert.equal((await branchFilesOf(workspace).changes(record?.id ?? '')).length > 0, true);
  });

  it('are checked by one of them at a time, which the other sees', async () => {
    await using workspace = await repository();
    const one = branchFilesOf(workspace, { pid: 1 });
    const other = branchFilesOf(workspace, { pid: 2 });
    const { id } = await make(one, workspace);
    assert.equal(await other.isCheckedElsewhere(id), false);
    await one.check(id, async () => {
      assert.deepEqual([await one.isCheckedElsewhere(id), await other.isCheckedElsewhere(id)], [false, true]);
      await assert.rejects(
        other.check(id, () => Promise.resolve()),
        { code: 'busy' },
      );
    });
    assert.equal(await other.isCheckedElsewhere(id), false);
    const killed = branchFilesOf(workspace, { pid: 3 });
    const never = new Promise<void>(() => undefined);
    void killed.check(id, () => never);
    await until(() => other.isCheckedElsewhere(id), 'the check to begin');
    assert.equal(
      await branchFilesOf(workspace, { pid: 4, isAlive: () => false }).isCheckedElsewhere(id),
      false,
    );
  });

  it('are not taken for left over while this one makes them', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    const making = make(branches, workspace);
    const during = await branches.list();
    const made = await making;
    assert.deepEqual([during.length, (await branches.list()).length], [0, 1]);
    assert.deepEqual(await branches.changes(made.id), []);
  });

  it('are brought to an end once the other was killed', async () => {
    await using workspace = await repository();
    const killed = branchFilesOf(workspace, { pid: 1 });
    const made = await make(killed, workspace);
    await killed.discard(made.id);
    const file = path.join(workspace.storage, 'branches', made.id, 'record.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"discarded"', '"making"'));
    await writeFile(path.join(workspace.storage, 'branches', `${made.id}.1.here.busy`), '');
    const next = branchFilesOf(workspace, { pid: 2, isAlive: () => false });
    assert.equal((await make(next, workspace, { id: made.id })).state, 'open');
    assert.deepEqual(await readdir(path.join(workspace.storage, 'branches')), [made.id]);
  });
});

void describe('merging a file that was renamed', () => {
  it('keeps it where the disk takes both names for the same', async () => {
    const content = (text: string): NonNullable<BranchFileChange['after']> => ({
      bytes: new TextEncoder().encode(text),
      mode: undefined,
    });
    const change = {
      folder: 'file:///work',
      path: 'Readme.md',
      oldPath: 'readme.md',
      before: content('a\n'),
      after: content('b\n'),
    };
    const [one, ...others] = await mergeChanges([change], {
      contentAt: () => Promise.resolve(content('a\n')),
      mergeText: () => assert.fail('there is nothing to merge'),
    });
    assert.deepEqual([one?.how, one?.path, others], ['taken', 'Readme.md', []]);
  });

  it('renames it where only the case changes and the disk tells names apart', async () => {
    await using workspace = await committed({ 'readme.md': 'a file with some text\nin two lines\n' });
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    await rename(path.join(folderOf(made), 'readme.md'), path.join(folderOf(made), 'README.md'));
    const merged = await mergeChanges(await branches.changes(made.id), {
      contentAt: ({ path: file }) => contentAt(workspace.at(file)),
      mergeText: (...texts) => branches.mergeText(...texts),
    });
    assert.deepEqual(
      merged.map(({ path: file, result }) => [file, result === null]),
      [
        ['README.md', false],
        ['readme.md', true],
      ],
    );
  });
});

void describe('making files again', () => {
  it('has what the branch had where it can’t be merged', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    await writeFile(path.join(folderOf(made), 'picture.bin'), Uint8Array.of(0, 9));
    await branches.discard(made.id);
    await workspace.put('picture.bin', Uint8Array.of(0, 8));
    const again = await make(branches, workspace, { id: made.id });
    assert.deepEqual([...(await readFile(path.join(folderOf(again), 'picture.bin')))], [0, 9]);
  });

  it('leaves the discarded ones as they are when it fails', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    await writeFile(path.join(folderOf(made), 'new.txt'), 'changed\n');
    const changed = named(await branches.changes(made.id));
    await branches.discard(made.id);
    await assert.rejects(make(branches, workspace, { id: made.id, maxFiles: 0 }), { code: 'too-large' });
    assert.deepEqual(
      (await branches.list()).map(({ state }) => state),
      ['discarded'],
    );
    assert.deepEqual(named(await branches.changes(made.id)), changed);
  });

  it('says when it can’t be stopped half way: nothing is left', async () => {
    await using workspace = await repository();
    const stop = new AbortController();
    const owner = { pid: process.pid, host: 'here', isAlive: () => true };
    const folder = `${workspace.storage}/branches`;
    const branches = new NodeBranchFiles({ files: new NodeFiles(), owner, folder });
    const making = branches.make({ chatId: 'c', folders: workspace.folders(), limits, signal: stop.signal });
    const at = setInterval(
      () =>
        void readdir(folder).then(
          (names) => names.length > 1 && stop.abort(),
          () => undefined,
        ),
      1,
    );
    await assert.rejects(making).finally(() => clearInterval(at));
    assert.deepEqual(await readdir(folder), []);
  });
});

void describe('what files of branches take', () => {
  it('is counted without what is linked, and left with what was discarded', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    const before = await branches.measure(made.id);
    await writeFile(path.join(folderOf(made), 'large.bin'), new Uint8Array(1_000_000));
    await symlink(path.join(folderOf(made), 'large.bin'), path.join(folderOf(made), 'link'));
    const after = await branches.measure(made.id);
    assert.deepEqual([after.files - before.files, after.bytes - before.bytes], [1, 1_000_000]);
    await branches.discard(made.id);
    const discarded = await branches.measure(made.id);
    assert.ok(discarded.bytes >= 1_000_000 && discarded.files < before.files, JSON.stringify(discarded));
    assert.deepEqual(await branches.measure('gone'), { files: 0, bytes: 0 });
  });

  it('tells whether there is anything to keep', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    const made = await make(branches, workspace);
    const inner = path.join(folderOf(made), 'inner');
    assert.equal(await branches.hasChanges(made.id), false, 'what was not committed was there already');
    await writeFile(path.join(folderOf(made), '.env'), 'ignored\n');
    assert.equal(await branches.hasChanges(made.id), false);
    await script(workspace, `git init -q '${inner}' && echo new > '${inner}/new.txt'`);
    assert.equal(await branches.hasChanges(made.id), true, 'files of a repository made there');
    await branches.discard(made.id);
    assert.equal(await branches.hasChanges(made.id), true);
    await make(branches, workspace, { id: made.id });
    await rm(inner, { recursive: true });
    assert.equal(await branches.hasChanges(made.id), false);
    await branches.discard(made.id);
    assert.equal(await branches.hasChanges(made.id), false);
  });

  it('has folders whose record can’t be read, which are removed on request only', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    const [made, whole] = [await make(branches, workspace), await make(branches, workspace)];
    assert.deepEqual(await branches.lost(), []);
    await writeFile(path.join(workspace.storage, 'branches', made.id, 'record.json'), '{"version":1,');
    const next = branchFilesOf(workspace, { pid: 2, isAlive: () => false });
    assert.deepEqual(await next.lost(), [made.id]);
    assert.ok((await next.measure(made.id)).files > 0);
    await next.remove(made.id);
    assert.deepEqual(await next.lost(), []);
    assert.deepEqual(
      (await next.list()).map(({ id }) => id),
      [whole.id],
    );
  });

  it('is of a store, and as old as when it was made last', async () => {
    await using workspace = await repository();
    const branches = branchFilesOf(workspace);
    const request = { chatId: 'c', store: 'postgres://host/db', folders: workspace.folders(), limits };
    const made = await branches.make(request);
    await branches.discard(made.id);
    const file = path.join(workspace.storage, 'branches', made.id, 'record.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"createdAt":\d+/u, '"createdAt":1'));
    assert.deepEqual(
      (await branches.list()).map(({ store, createdAt }) => [store, createdAt]),
      [['postgres://host/db', 1]],
    );
    const again = await branches.make({ ...request, id: made.id });
    assert.ok(again.createdAt > 1, 'made again, it is new');
    assert.equal(again.store, 'postgres://host/db');
  });
});
