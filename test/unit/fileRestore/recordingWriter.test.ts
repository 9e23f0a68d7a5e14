import assert from 'node:assert/strict';
import { stat, symlink } from 'node:fs/promises';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { Sequencer } from '../../../src/base/sequencer.ts';
import { readEditsToReview } from '../../../src/files/editsToReview.ts';
import { RecordingWriter, VersionKeeper, type KeeperLimits } from '../../../src/files/recordingWriter.ts';
import { RealWorkspace } from '../../fixtures/realWorkspace.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

describe('what a tool writes', () => {
  let workspace: RealWorkspace;
  let store: ContextStore;
  let engine: ContextEngine;
  let limits: KeeperLimits;
  let notes: string[];
  let writer: RecordingWriter;

  beforeEach(async () => {
    workspace = await RealWorkspace.make();
    store = memoryStore();
    engine = new ContextEngine({ store, chatId: 'chat', userId: 'me' });
    limits = { maxFileSize: 1_000, budget: 10_000 };
    notes = [];
    const keeper = new VersionKeeper({
      blobs: store.blobs,
      limits: () => limits,
      onNotKept: (path, reason) => notes.push(`${path} ${reason}`),
    });
    let time = 100;
    writer = new RecordingWriter(
      { files: workspace.files, keeper, sequencer: new Sequencer(), now: () => time++ },
      engine.files,
    );
  });
  afterEach(async () => {
    await engine.close();
    await store.close();
    await workspace[Symbol.asyncDispose]();
  });

  it('is stored on the message saved next, with the bytes of both versions', async () => {
    await workspace.put('src/a.txt', 'old', 0o755);
    await writer.write(workspace.at('src/a.txt'), bytes('old'), bytes('new'));
    await writer.write(workspace.at('made/b.txt'), null, bytes('b'));
    await writer.write(workspace.at('src/a.txt'), bytes('new'), null);
    engine.set(user('q', { id: 'q' }), assistant('a', { id: 'a' }));
    await engine.save();
    const message = await store.getMessage('chat', 'a');
    const [edited, made, removed] = message?.effects?.files ?? [];
    assert.equal((await store.getMessage('chat', 'q'))?.effects, undefined);
    assert.deepEqual([edited?.path, edited?.before?.size, edited?.before?.mode], ['src/a.txt', 3, 0o755]);
    assert.deepEqual(await store.blobs.get(edited?.before?.hash ?? ''), bytes('old'));
    assert.deepEqual(await store.blobs.get(edited?.after?.hash ?? ''), bytes('new'));
    assert.deepEqual([made?.before, made?.madeFolders], [null, ['made']]);
    assert.deepEqual([removed?.before?.hash, removed?.after], [edited?.after?.hash, null]);
    assert.deepEqual([edited?.at, made?.at, removed?.at], [100, 101, 102]);
    assert.deepEqual(engine.files.pending(), []);
  });

  it('is stored as a folder where it made one, which is no edit to review', async () => {
    await writer.makeFolder(workspace.at('a/b'));
    await writer.makeFolder(workspace.at('a/b'));
    engine.set(user('q', { id: 'q' }), assistant('a', { id: 'a' }));
    await engine.save();
    const files = (await store.getMessage('chat', 'a'))?.effects?.files ?? [];
    assert.deepEqual(
      files.map(({ path, before, after, madeFolders }) => [path, before, after?.kind, madeFolders]),
      [['a/b', null, 'folder', ['a']]],
    );
    assert.deepEqual(await readEditsToReview(store, 'chat'), []);
  });

  it('keeps who may run it', async () => {
    await workspace.put('run.sh', 'old', 0o755);
    await writer.write(workspace.at('run.sh'), bytes('old'), bytes('new'));
    assert.equal((await stat(workspace.onDisk('run.sh'))).mode & 0o777, 0o755);
  });

  it('is refused when the file is not what was shown any more', async () => {
    await workspace.put('a', 'changed since');
    for (const [before, after] of [
      [bytes('shown'), bytes('new')],
      [null, bytes('new')],
      [bytes('shown'), null],
    ] as const) {
      await assert.rejects(writer.write(workspace.at('a'), before, after), { code: 'file-changed' });
    }
    await assert.rejects(writer.write(workspace.at('gone'), bytes('x'), null), { code: 'file-changed' });
    assert.equal(await workspace.text('a'), 'changed since');
    assert.deepEqual(engine.files.pending(), []);
  });

  it('is recorded under the one name of the file, whichever link led there', async () => {
    await workspace.put('real/a', 'old');
    await symlink(workspace.onDisk('real'), workspace.onDisk('alias'));
    await writer.write(await workspace.guard.resolve('alias/a'), bytes('old'), bytes('new'));
    assert.deepEqual(
      engine.files.pending().map(({ path }) => path),
      ['real/a'],
    );
  });

  it('never goes into a git repository or out of the workspace', async () => {
    await workspace.put('.git/HEAD', 'ref');
    await symlink(workspace.outside, workspace.onDisk('out'));
    for (const path of ['.git/HEAD', '.GIT/x', 'out/x', '../outside/x']) {
      await assert.rejects(writer.write(workspace.at(path), null, bytes('!')), /“/);
    }
    assert.equal(await workspace.text('.git/HEAD'), 'ref');
    assert.deepEqual(await workspace.picture(workspace.outside), {});
  });

  it('is not kept when it is too large, and this is reported', async () => {
    await writer.write(workspace.at('large'), null, new Uint8Array(1_001));
    const [change] = engine.files.pending();
    assert.equal(change?.after?.isKept, false);
    assert.equal(await store.blobs.get(change.after.hash), undefined);
    assert.deepEqual(notes, ['large file-too-large']);
  });

  it('is not kept when the room for it is used up, and what is kept already is', async () => {
    limits = { maxFileSize: 1_000, budget: 1_000 };
    await writer.write(workspace.at('a'), null, new Uint8Array(600));
    await writer.write(workspace.at('b'), null, new Uint8Array(500));
    await writer.write(workspace.at('c'), null, new Uint8Array(600));
    assert.deepEqual(
      engine.files.pending().map(({ after }) => after?.isKept),
      [undefined, false, undefined],
    );
    assert.deepEqual(notes, ['b budget-used-up']);
    assert.equal(await store.blobs.usedBytes(), 600);
  });

  it('survives a save that fails, and is stored with the next', async () => {
    await writer.write(workspace.at('a'), null, bytes('x'));
    const other = new ContextEngine({ store, chatId: 'chat', userId: 'me' });
    await engine.set(user('first')).save();
    assert.deepEqual(engine.files.pending(), []);
    await writer.write(workspace.at('b'), null, bytes('x'));
    await other.set(user('in between')).save();
    await assert.rejects(engine.set(assistant('late')).save(), { code: 'head-conflict' });
    assert.equal(engine.files.pending().length, 1);
    await other.close();
  });
});
