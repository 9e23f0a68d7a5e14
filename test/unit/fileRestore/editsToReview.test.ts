import assert from 'node:assert/strict';
import { z } from 'zod';
import type { JsonObject } from '../../../src/engine/json.ts';
import { GraphHistory } from '../../../src/conversation/graphHistory.ts';
import { logRestored, logReviewed } from '../../../src/conversation/userWrites.ts';
import { contentOf, versionOf } from '../../../src/files/contentVersion.ts';
import { readEditsToReview, reviewedDetails, type ReviewedFile } from '../../../src/files/editsToReview.ts';
import type { Restored } from '../../../src/files/restorer.ts';
import { until } from '../../fixtures/until.ts';
import { loadLater } from '../../fixtures/loadLater.ts';
import { undoRestored } from '../../fixtures/undoRestored.ts';
import { CHAT, FilesWorld } from '../../worlds/filesWorld.ts';

/** As it was written to the log. */
function asLogged(details: object): JsonObject {
  return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(details)));
}

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
      .map(({ location, baseline }) => ({ location, version: baseline, baseline }));
    const plan = await restorer.previewDecision(CHAT, wanted);
    return restorer.restore(CHAT, plan, plan.files, { why: 'edits' });
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
    await undoRestored(world.store, world.restorer(), undone);
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

  describe('that the user decided about', () => {
    const text = '1\n2\n3\n';
    const edited = 'one\n2\nthree\n';
    const rejected = '1\n2\nthree\n';

    /** Undoes a part of the edits of a file, as the user does with a hunk. */
    const reject = async (path: string, left: string): Promise<void> => {
      const { store } = world;
      const file = (await readEditsToReview(store, CHAT)).find(({ location }) => location.path === path);
      assert.ok(file);
      const bytes = new TextEncoder().encode(left);
      await store.blobs.put(bytes);
      const version = await versionOf({ bytes, mode: undefined });
      const restorer = world.restorer();
      const plan = await restorer.previewDecision(CHAT, [{ ...file, version }]);
      await restorer.restore(CHAT, plan, plan.files, { why: 'edits' });
    };
    /** Goes to a message with the files, or without them. */
    const rewind = async (messageId: string, extent: 'both' | 'conversation' = 'both'): Promise<void> => {
      const restorer = world.restorer();
      const plan = await restorer.preview(CHAT, messageId);
      const commit = async (): Promise<void> => void (await world.engine.rewind(messageId));
      if (extent === 'both') await restorer.restore(CHAT, plan, plan.files, { why: 'move', commit });
      else {
        await restorer.leave(CHAT);
        await commit();
      }
    };
    const history = (): GraphHistory => {
      const { store, engine } = world;
      const parts = {
        store,
        userId: 'me',
        current: { chatId: () => Promise.resolve(CHAT) },
        runs: { get: () => undefined, stop: () => Promise.resolve() },
        loadLater,
      };
      return new GraphHistory(parts, (_chat, name) => engine.switchBranch(name), world.restorer());
    };
    const began = async (): Promise<string> => {
      await world.workspace.put('a', text);
      const before = await world.turn({});
      await world.turn({ a: edited, b: 'made' });
      return before;
    };

    it('do not come back with a rewind that is undone', async () => {
      const before = await began();
      await reject('a', rejected);
      assert.deepEqual(await toReview(), { a: text, b: null });
      await rewind(before);
      assert.equal(await holds('a'), text);
      assert.deepEqual(await toReview(), {});
      assert.equal((await history().take('undo'))?.kind, 'rewound');
      assert.equal(await holds('a'), rejected);
      assert.deepEqual(await toReview(), { a: text, b: null });
      await history().take('redo');
      assert.equal(await holds('a'), text);
      assert.deepEqual(await toReview(), {});
    });

    it('are undone one by one, together with what was reviewed, and redone', async () => {
      await began();
      await reject('a', rejected);
      await keep('b');
      assert.equal((await history().take('undo'))?.kind, 'edits-reviewed');
      assert.deepEqual(await toReview(), { a: text, b: null });
      assert.equal((await history().take('undo'))?.kind, 'files-restored');
      assert.equal(await holds('a'), edited);
      for (const _ of [1, 2]) await history().take('redo');
      assert.equal(await holds('a'), rejected);
      assert.deepEqual(await toReview(), { a: text });
    });

    it('stay where they are when a move without the files is undone', async () => {
      const before = await began();
      await rewind(before, 'conversation');
      await reject('a', rejected);
      await history().take('undo');
      assert.equal(await holds('a'), edited);
      await history().take('redo');
      assert.equal(await holds('a'), rejected);
      await history().take('undo');
      await history().take('undo');
      assert.equal(world.engine.branch, 'main');
      assert.equal(await holds('a'), edited);
      assert.deepEqual(await toReview(), { a: text, b: null });
    });

    it('are not those of another branch that begins at the same message', async () => {
      await began();
      const head = world.engine.headMessageId ?? '';
      await rewind(head);
      await reject('a', rejected);
      await history().take('undo');
      await history().take('undo');
      assert.equal(world.engine.branch, 'main');
      assert.equal(await holds('a'), edited);
      await history().take('redo');
      await history().take('redo');
      assert.equal(await holds('a'), rejected);
      const plan = await world.restorer().preview(CHAT, head, { branch: 'main' });
      assert.deepEqual(
        plan.files.map(({ planned }) => planned.location.path),
        ['a'],
      );
    });

    it('count for a checkpoint that was set later, and not for what came before them', async () => {
      await began();
      const head = world.engine.headMessageId ?? '';
      const early = await world.store.setCheckpoint(CHAT, 'early', head);
      await until(() => Date.now() > early.createdAt, 'a later moment');
      await reject('a', rejected);
      const late = await world.store.setCheckpoint(CHAT, 'late', head);
      const targets = async (before: number): Promise<string[]> =>
        (await world.restorer().preview(CHAT, head, { before })).files.map(
          ({ planned }) => planned.location.path,
        );
      assert.deepEqual(await targets(late.createdAt), []);
      assert.deepEqual(await targets(early.createdAt), ['a']);
    });

    it('while a step is on its way are later than its changes', async () => {
      await began();
      await world.edit({ a: '1\n2\n3\nfour\n' });
      await reject('a', rejected);
      const head = await world.answer();
      assert.deepEqual(await world.states(head), {});
      await rewind('a1');
      await history().take('undo');
      assert.equal(await holds('a'), rejected);
    });

    it('before this version are read as they were logged', async () => {
      await began();
      const { store, workspace } = world;
      const [edit] = await readEditsToReview(store, CHAT);
      const files = [{ ...workspace.at('b') }, { ...workspace.at('a'), baseline: edit?.left ?? null }];
      await logReviewed(store, CHAT, asLogged({ at: world.now(), files }));
      assert.deepEqual(await toReview(), {});
      await rewind('a1');
      await store.activateBranch(CHAT, 'main');
      await world.restoreTo('a2');
      assert.equal(await holds('a'), edited);
      assert.deepEqual(await toReview(), {});
      const restored = { messageId: 'a1', version: edit?.baseline ?? null, ...workspace.at('a') };
      const details = { restoreId: 'earlier', at: world.now(), files: [restored] };
      await logRestored(store, CHAT, asLogged(details));
      assert.deepEqual(await world.states('a2'), { a: 'there' });
    });
  });
});
