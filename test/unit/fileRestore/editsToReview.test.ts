import assert from 'node:assert/strict';
import { logReviewed } from '../../../src/conversation/userWrites.ts';
import { contentOf, versionOf } from '../../../src/files/contentVersion.ts';
import { readEditsToReview, reviewedDetails, type ReviewedFile } from '../../../src/files/editsToReview.ts';
import type { Restored } from '../../../src/files/restorer.ts';
import { CHAT, FilesWorld } from '../../worlds/filesWorld.ts';

describe('edits to review', () => {
  let world: FilesWorld;
  beforeEach(async () => (world = await FilesWorld.make()));
  afterEach(() => world[Symbol.asyncDispose]());

  /** What each file's edits are compared with; null: it was not there. */
  const toReview = async (): Promise<Record<string, string | null>> => {
    const { store } = world;
    const entries = (await readEditsToReview(store, CHAT)).map(async ({ location, baseline }) => {
      const content = baseline && (await contentOf(baseline, store.blobs));
      return [location.path, content ? new TextDecoder().decode(content.bytes) : null] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  };
  const decide = async (...files: ReviewedFile[]): Promise<void> => {
    await logReviewed(world.store, CHAT, await reviewedDetails(world.store, CHAT, files, world.now()));
  };
  const holds = async (path: string): Promise<string | undefined> => {
    const { files, at } = { files: world.workspace.files, at: world.workspace.at(path) };
    const content = await files.read(at);
    return content && new TextDecoder().decode(content.bytes);
  };
  const keep = (...paths: string[]): Promise<void> =>
    decide(...paths.map((path) => ({ location: world.workspace.at(path), baseline: 'kept' as const })));
  /** Puts files back as the user does who undoes their edits. */
  const undo = async (...paths: string[]): Promise<Restored> => {
    const restorer = world.restorer();
    const wanted = (await readEditsToReview(world.store, CHAT))
      .filter(({ location }) => paths.includes(location.path))
      .map(({ location, baseline }) => ({ location, version: baseline }));
    const plan = await restorer.previewVersions(CHAT, world.engine.headMessageId ?? null, wanted);
    return restorer.restore(CHAT, plan, plan.files);
  };

  it('are none in a chat that changed nothing', async () => {
    assert.deepEqual(await toReview(), {});
    await world.turn({});
    assert.deepEqual(await toReview(), {});
  });

  it('are compared with what was there before the first of them', async () => {
    await world.workspace.put('a', 'mine');
    await world.turn({ a: '1', b: '1' });
    await world.turn({ a: '2' });
    assert.deepEqual(await toReview(), { a: 'mine', b: null });
  });

  it('are none any more once they are kept, until the next edit, which counts separately', async () => {
    await world.turn({ a: '1', b: '1' });
    await keep('a');
    assert.deepEqual(await toReview(), { b: null });
    await world.turn({ b: '2' });
    assert.deepEqual(await toReview(), { b: null });
    await keep('b');
    assert.deepEqual(await toReview(), {});
  });

  it('do not count what the user changed after a decision', async () => {
    await world.turn({ a: '1' });
    await keep('a');
    await world.workspace.put('a', 'mine');
    await world.turn({ c: 'x' });
    assert.deepEqual(await toReview(), { c: null });
    await world.turn({ a: '2' });
    assert.deepEqual(await toReview(), { a: 'mine', c: null });
  });

  it('are undone with the file as it was, and come back when that is undone', async () => {
    const { workspace } = world;
    await workspace.put('a', 'mine');
    await world.turn({ a: '1', 'made/b': '1' });
    const undone = await undo('a', 'made/b');
    assert.deepEqual(await toReview(), {});
    assert.equal(await holds('a'), 'mine');
    assert.equal(await holds('made/b'), undefined);
    await world.restorer().undo(undone);
    assert.deepEqual(await toReview(), { a: 'mine', 'made/b': null });
    assert.equal(await holds('a'), '1');
  });

  it('leave nothing to be restored at the head once they are undone', async () => {
    await world.workspace.put('a', 'mine');
    const answer = await world.turn({ a: '1' });
    await undo('a');
    assert.deepEqual(await world.states(answer), {});
    assert.deepEqual(await world.states(null), {});
  });

  it('go with a rewind, as far as the files go with it', async () => {
    await world.workspace.put('a', 'mine');
    const first = await world.turn({ a: '1' });
    await world.turn({ a: '2', b: '2' });
    await world.restoreTo(first);
    assert.deepEqual(await toReview(), { a: 'mine' });
    await world.restoreTo(null);
    assert.deepEqual(await toReview(), {});
  });

  it('are not asked about again where they were kept and the files are brought back to them', async () => {
    await world.turn({ a: '1' });
    const second = await world.turn({ a: '2' });
    await keep('a');
    await world.restoreTo(null);
    assert.deepEqual(await toReview(), {});
    await world.restoreTo(second);
    assert.deepEqual(await toReview(), {});
  });

  it('are compared with what was decided about, where that was a part of them', async () => {
    const { store, workspace } = world;
    await workspace.put('a', '1\n2\n');
    await world.turn({ a: 'one\n2\nthree\n' });
    const bytes = new TextEncoder().encode('one\n2\n');
    await store.blobs.put(bytes);
    await decide({ location: workspace.at('a'), baseline: await versionOf({ bytes, mode: undefined }) });
    assert.deepEqual(await toReview(), { a: 'one\n2\n' });
    await keep('a');
    assert.deepEqual(await toReview(), {});
  });
});
