import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, link, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { canBeChosen, isReady } from '../../../src/files/inspectFiles.ts';
import { keyOf } from '../../../src/files/contentVersion.ts';
import { undoRestored } from '../../fixtures/undoRestored.ts';
import { CHAT, FilesWorld, MAX_FILE_SIZE } from '../../worlds/filesWorld.ts';

describe('files brought to another point of the conversation', () => {
  let world: FilesWorld;
  beforeEach(async () => (world = await FilesWorld.make()));
  afterEach(() => world[Symbol.asyncDispose]());

  it('come back as they were: created ones go, deleted ones and changed ones return', async () => {
    const { workspace } = world;
    await workspace.put('changed.txt', '\ufeffone\r\ntwo\r\n');
    await workspace.put('deleted.bin', Uint8Array.from([0, 255, 10, 13, 0]), 0o755);
    await workspace.put('untouched', 'mine');
    const before = await workspace.picture();
    await world.turn({ 'changed.txt': 'new\n', 'deleted.bin': null, 'made/in/here.txt': 'x' });
    const after = await workspace.picture();
    const { count } = await world.restoreTo(null);
    assert.equal(count, 3);
    assert.deepEqual(await workspace.picture(), before);
    await world.restoreTo('a1');
    assert.deepEqual(await workspace.picture(), after);
  });

  it('come back step by step, and across branches', async () => {
    const { workspace } = world;
    await world.turn({ a: '1', b: '1' });
    const one = await workspace.picture();
    await world.turn({ a: '2', c: '2' });
    const two = await workspace.picture();
    await world.restoreTo('a1');
    assert.deepEqual(await workspace.picture(), one);
    await world.engine.rewind('a1');
    await world.turn({ b: '3', d: '3' });
    const three = await workspace.picture();
    await world.restoreTo('a2');
    assert.deepEqual(await workspace.picture(), two);
    await world.restoreTo('a3');
    assert.deepEqual(await workspace.picture(), three);
  });

  it('come back after a rename', async () => {
    const { workspace } = world;
    await workspace.put('old/name', 'same');
    const before = await workspace.picture();
    await world.turn({ 'old/name': null, 'new/name': 'same' });
    await world.restoreTo(null);
    assert.deepEqual(await workspace.picture(), before);
  });

  it('come back where a file took the place of a folder', async () => {
    const { workspace } = world;
    await world.turn({ 'thing/inside': 'x' });
    const one = await workspace.picture();
    await world.restoreTo(null);
    await world.engine.rewind('q1');
    await world.turn({ thing: 'a file' });
    const two = await workspace.picture();
    await world.restoreTo('a1');
    assert.deepEqual(await workspace.picture(), one);
    await world.restoreTo('a2');
    assert.deepEqual(await workspace.picture(), two);
  });

  it('start from where each stands, also when the conversation went back without them', async () => {
    const { workspace } = world;
    await world.turn({ a: '1' });
    await world.turn({ a: '2', b: '2' });
    await world.engine.rewind('a1');
    await world.turn({ c: '3' });
    assert.deepEqual(await world.states('a1'), { a: 'ready', b: 'ready', c: 'ready' });
    await world.restoreTo('a1');
    assert.deepEqual(Object.keys(await workspace.picture()), ['a']);
    assert.equal(await workspace.text('a'), '1');
    await world.restoreTo('a2');
    assert.deepEqual([await workspace.text('a'), await workspace.text('b')], ['2', '2']);
  });

  it('start from what an answer on another branch left in between', async () => {
    const { workspace } = world;
    await world.turn({ a: '1' });
    const side = await world.engine.btw();
    const main = world.engine;
    world.engine = new ContextEngine({ store: world.store, chatId: CHAT, userId: 'me', branch: side.name });
    await world.turn({ a: 'side', b: 'side' });
    await world.engine.close();
    world.engine = main;
    assert.deepEqual(await world.states('a1'), { a: 'ready', b: 'ready' });
    await world.restoreTo('a1');
    assert.deepEqual([await workspace.text('a'), Object.keys(await workspace.picture())], ['1', ['a']]);
  });

  describe('that someone else changed', () => {
    it('are shown, skipped, and restored when they are chosen', async () => {
      const { workspace } = world;
      await workspace.put('a', 'original');
      await world.turn({ a: 'tool', b: 'tool', c: 'tool' });
      await workspace.put('a', 'mine');
      await rm(workspace.onDisk('b'));
      assert.deepEqual(await world.states(null), { a: 'changed', b: 'there', c: 'ready' });
      await world.restoreTo(null);
      assert.equal(await workspace.text('a'), 'mine');
      assert.deepEqual(Object.keys(await workspace.picture()), ['a']);
      assert.deepEqual(await world.states(null), { a: 'changed' });
      await world.restoreTo(null, 'a');
      assert.equal(await workspace.text('a'), 'original');
      assert.deepEqual(await world.states('a1'), { a: 'ready', b: 'ready', c: 'ready' });
    });

    it('are known by a bit for running as well', async () => {
      await world.turn({ 'run.sh': '#!/bin/sh' });
      await chmod(world.workspace.onDisk('run.sh'), 0o755);
      assert.deepEqual(await world.states(null), { 'run.sh': 'changed' });
    });

    it('between two turns are shown, for going back loses that change too', async () => {
      const { workspace } = world;
      await world.turn({ a: '1' });
      await workspace.put('a', '1 and mine');
      await world.turn({ a: '1 and mine and 2' });
      assert.deepEqual(await world.states(null), { a: 'mixed' });
      assert.deepEqual(await world.states('a1'), { a: 'ready' });
      await world.restoreTo('a1');
      assert.equal(await workspace.text('a'), '1 and mine');
    });

    it('and did not save are shown, and come back with Undo', async () => {
      const { workspace, editors } = world;
      await workspace.put('a', 'original');
      await world.turn({ a: 'tool' });
      const key = keyOf(workspace.at('a'));
      editors.unsaved.set(key, 'half typed');
      assert.deepEqual(await world.states(null), { a: 'unsaved' });
      await world.restoreTo(null);
      assert.deepEqual([await workspace.text('a'), editors.unsaved.get(key)], ['tool', 'half typed']);
      const restored = await world.restoreTo(null, 'a');
      assert.deepEqual([await workspace.text('a'), editors.unsaved.get(key)], ['original', undefined]);
      assert.deepEqual(await undoRestored(world.store, world.restorer(), restored), []);
      assert.deepEqual([await workspace.text('a'), editors.unsaved.get(key)], ['tool', 'half typed']);
    });

    it('in an editor that does not give them away are shown, and skipped, also by Undo', async () => {
      const { workspace, editors } = world;
      await workspace.put('a', 'original');
      await world.turn({ a: 'tool', b: 'tool' });
      editors.closed.add(keyOf(workspace.at('a')));
      const { files } = await world.restorer().preview(CHAT, null);
      assert.match(files.find(({ planned }) => planned.location.path === 'a')?.problem ?? '', /not saved/);
      assert.deepEqual(await world.states(null), { a: 'blocked', b: 'ready' });
      await world.restoreTo(null, 'a');
      assert.deepEqual(Object.keys(await workspace.picture()), ['a']);
      assert.equal(await workspace.text('a'), 'tool');
      editors.closed.clear();
      const restored = await world.restoreTo(null);
      assert.equal(await workspace.text('a'), 'original');
      editors.closed.add(keyOf(workspace.at('a')));
      assert.deepEqual(await undoRestored(world.store, world.restorer(), restored), ['a']);
      assert.equal(await workspace.text('a'), 'original');
    });

    it('after they were looked at make the whole restore fail, and nothing is touched', async () => {
      const { workspace } = world;
      await world.turn({ a: 'tool', b: 'tool' });
      const restorer = world.restorer();
      const preview = await restorer.preview(CHAT, null);
      await workspace.put('b', 'mine');
      const before = await workspace.picture();
      await assert.rejects(restorer.restore(CHAT, preview, preview.files), { code: 'file-changed' });
      assert.deepEqual(await workspace.picture(), before);
    });
  });

  describe('that run programs, instruct agents or grant access', () => {
    const protectedFiles = {
      'package.json': 'runs-programs',
      'docs/AGENTS.md': 'instructs-agents',
      '.npmrc': 'credentials',
      '.vscode/settings.json': 'editor-settings',
      '.gitattributes': 'repository',
    } as const;

    it('are marked with the reason, skipped, and restored when they are chosen', async () => {
      const { workspace } = world;
      const names = Object.keys(protectedFiles);
      const turn = (text: string) =>
        world.turn({ 'a.ts': text, ...Object.fromEntries(names.map((name) => [name, text])) });
      await turn('1');
      await turn('2');
      const { files } = await world.restorer().preview(CHAT, 'a1');
      const marks = files.map((file) => [
        file.planned.location.path,
        [file.state, file.protection, isReady(file), canBeChosen(file)],
      ]);
      assert.deepEqual(Object.fromEntries(marks), {
        'a.ts': ['ready', undefined, true, true],
        ...Object.fromEntries(
          Object.entries(protectedFiles).map(([name, reason]) => [name, ['ready', reason, false, true]]),
        ),
      });
      await world.restoreTo('a1');
      assert.equal(await workspace.text('a.ts'), '1');
      for (const name of names) assert.equal(await workspace.text(name), '2', name);
      await world.restoreTo('a1', ...names);
      for (const name of names) assert.equal(await workspace.text(name), '1', name);
    });

    it('need no choice where they are as they were already', async () => {
      await world.turn({ 'package.json': '1' });
      await world.turn({ 'package.json': '2' });
      await world.workspace.put('package.json', '1');
      const [file] = (await world.restorer().preview(CHAT, 'a1')).files;
      assert.ok(file && isReady(file));
    });
  });

  it('that are read-only are marked, skipped, and restored when they are chosen', async () => {
    const { workspace } = world;
    await world.turn({ locked: '1', set: '1', free: '1' });
    await world.turn({ locked: '2', set: '2', free: '2' });
    await chmod(workspace.onDisk('locked'), 0o444);
    world.readOnly.add('set');
    const { files } = await world.restorer().preview(CHAT, 'a1');
    const marks = files.map((file) => [
      file.planned.location.path,
      [file.state, file.isReadOnly, isReady(file), canBeChosen(file)],
    ]);
    assert.deepEqual(Object.fromEntries(marks), {
      free: ['ready', false, true, true],
      locked: ['ready', true, false, true],
      set: ['ready', true, false, true],
    });
    await world.restoreTo('a1');
    assert.deepEqual([await workspace.text('locked'), await workspace.text('set')], ['2', '2']);
    await world.restoreTo('a1', 'locked', 'set');
    assert.deepEqual([await workspace.text('locked'), await workspace.text('set')], ['1', '1']);
    assert.equal((await stat(workspace.onDisk('locked'))).mode & 0o777, 0o444);
  });

  it('that became links since are shown as changed, and the link itself is replaced when they are chosen', async () => {
    const { workspace } = world;
    const theirs = path.join(workspace.outside, 'theirs');
    await world.turn({ a: '1' });
    await world.turn({ a: '2' });
    await rm(workspace.onDisk('a'));
    await writeFile(theirs, 'theirs');
    await symlink(theirs, workspace.onDisk('a'));
    assert.deepEqual(await world.states('a1'), { a: 'changed' });
    const restored = await world.restoreTo('a1', 'a');
    assert.equal(await workspace.text('a'), '1');
    assert.deepEqual(await undoRestored(world.store, world.restorer(), restored), []);
    assert.equal(await readlink(workspace.onDisk('a')), theirs);
    assert.equal(await readFile(theirs, 'utf8'), 'theirs');
  });

  it('stay the files they are: their other names hold the same', async () => {
    const { workspace } = world;
    await workspace.put('a', 'original');
    const other = path.join(workspace.outside, 'other');
    await link(workspace.onDisk('a'), other);
    await world.turn({ a: 'tool' });
    assert.equal(await readFile(other, 'utf8'), 'tool');
    await world.restoreTo(null);
    assert.equal(await readFile(other, 'utf8'), 'original');
  });

  describe('undone', () => {
    it('are as they were, also those that were chosen though someone else had changed them', async () => {
      const { workspace } = world;
      await world.turn({ a: 'tool', 'made/b': 'tool' });
      await workspace.put('a', 'mine', 0o755);
      const before = await workspace.picture();
      const restored = await world.restoreTo(null, 'a');
      assert.deepEqual(await workspace.picture(), {});
      assert.deepEqual(await undoRestored(world.store, world.restorer(), restored), []);
      assert.deepEqual(await workspace.picture(), before);
      assert.deepEqual(await world.states(null), { a: 'changed', 'made/b': 'ready' });
    });

    it('skip what was changed after them, and say so', async () => {
      const { workspace } = world;
      await workspace.put('a', 'original');
      await world.turn({ a: 'tool', b: 'tool' });
      const restored = await world.restoreTo(null);
      await workspace.put('a', 'mine');
      assert.deepEqual(await undoRestored(world.store, world.restorer(), restored), ['a']);
      assert.deepEqual([await workspace.text('a'), await workspace.text('b')], ['mine', 'tool']);
    });
  });

  describe('that must not be touched', () => {
    it('are those in a repository: HEAD, index and ignore files stay as they are', async () => {
      const { workspace } = world;
      const git = (...args: string[]): string =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
          cwd: workspace.folder,
          encoding: 'utf8',
        });
      await workspace.put('.gitignore', 'node_modules\n');
      await workspace.put('tracked', 'committed');
      git('init', '-q');
      git('add', '.');
      git('commit', '-qm', 'first');
      await workspace.put('untracked', 'mine');
      const repository = await workspace.picture(workspace.onDisk('.git'));
      await world.turn({ tracked: 'tool', made: 'tool' });
      await world.restoreTo(null);
      await world.restoreTo('a1');
      await world.restoreTo(null);
      assert.deepEqual(await workspace.picture(workspace.onDisk('.git')), repository);
      assert.equal(await workspace.text('.gitignore'), 'node_modules\n');
      assert.equal(await workspace.text('untracked'), 'mine');
      assert.equal(await workspace.text('tracked'), 'committed');
    });

    it('are those a damaged or foreign record names outside of the workspace', async () => {
      await world.turn({ a: 'tool' });
      const version = { hash: '0'.repeat(64), size: 1 };
      for (const path of ['../outside/x', '.git/HEAD', '/etc/passwd']) {
        world.engine.files.add({
          folder: world.workspace.uri,
          path,
          before: null,
          after: version,
          at: 5_000,
        });
      }
      await world.turn({ b: 'tool' });
      const states = await world.states('a1');
      assert.deepEqual(states, {
        b: 'ready',
        '../outside/x': 'blocked',
        '.git/HEAD': 'blocked',
        '/etc/passwd': 'blocked',
      });
      await world.restoreTo('a1', ...Object.keys(states));
      assert.deepEqual(Object.keys(await world.workspace.picture()), ['a']);
    });

    it('are those whose folder became a link since', async () => {
      const { workspace } = world;
      await world.turn({ 'sub/a': 'tool' });
      await rename(workspace.onDisk('sub'), path.join(workspace.outside, 'sub'));
      await symlink(path.join(workspace.outside, 'sub'), workspace.onDisk('sub'));
      assert.deepEqual(await world.states(null), { 'sub/a': 'blocked' });
      await world.restoreTo(null, 'sub/a');
      assert.equal(await readFile(path.join(workspace.outside, 'sub', 'a'), 'utf8'), 'tool');
    });

    it('are all, while another window is the writer', async () => {
      await world.turn({ a: 'tool' });
      const restorer = world.restorer();
      const preview = await restorer.preview(CHAT, null);
      Object.defineProperty(world.store, 'isReadOnly', { value: true });
      await assert.rejects(restorer.restore(CHAT, preview, preview.files), { code: 'read-only' });
      assert.equal(await world.workspace.text('a'), 'tool');
    });

    it('are those that are too large to be kept', async () => {
      await world.workspace.put('large', new Uint8Array(MAX_FILE_SIZE + 1));
      await world.turn({ large: 'small' });
      assert.deepEqual(await world.states(null), { large: 'not-kept' });
      await world.restoreTo(null, 'large');
      assert.equal(await world.workspace.text('large'), 'small');
    });
  });

  it('leave the user’s own mode of a file alone', async () => {
    await world.workspace.put('a', 'original', 0o600);
    await world.turn({ a: 'tool' });
    await world.turn({ a: null });
    await world.restoreTo(null);
    assert.equal((await stat(world.workspace.onDisk('a'))).mode & 0o777, 0o600);
  });
});
