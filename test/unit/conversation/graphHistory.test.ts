import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cherryPick } from '../../../src/conversation/copies.ts';
import { mergeSummary, partOf, replaceBySummary } from '../../../src/conversation/summarize.ts';
import { NothingToTakeError } from '../../../src/conversation/summaryNode.ts';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { MessageNotFoundError } from '../../../src/engine/errors.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { GraphHistory } from '../../../src/conversation/graphHistory.ts';
import { loadLater } from '../../fixtures/loadLater.ts';
import { noFiles } from '../../fixtures/noFiles.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const CHAT = 'chat';

/** A chat of two turns whose history a user goes back and forth in. */
class World implements AsyncDisposable {
  private constructor(readonly store: ContextStore) {}

  static async make(): Promise<World> {
    const world = new World(memoryStore());
    await world.engine(async (engine) => {
      for (const turn of ['1', '2']) {
        await engine.set(user(turn, { id: `q${turn}` }), assistant(turn, { id: `a${turn}` })).save();
      }
    });
    return world;
  }

  /** A new window: it knows nothing but what is stored. */
  history(userId = 'me'): GraphHistory {
    const { store } = this;
    const current = { chatId: () => Promise.resolve(CHAT) };
    const runs = { get: () => undefined, stop: () => Promise.resolve() };
    const parts = { store, userId, current, runs, loadLater };
    return new GraphHistory(
      parts,
      (chatId, branch) => store.activateBranch(chatId, branch, { userId }),
      noFiles,
    );
  }

  async engine<T>(work: (engine: ContextEngine) => Promise<T>): Promise<T> {
    const engine = new ContextEngine({ store: this.store, chatId: CHAT, userId: 'me' });
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  }

  /** Where one is, what is visible and what is not. */
  async picture(): Promise<{ active: string | undefined; branches: string[] }> {
    const branches = await this.store.listBranches(CHAT, { includeArchived: true });
    return {
      active: branches.find(({ isActive }) => isActive)?.name,
      branches: branches.map(({ name, archivedAt }) => (archivedAt === undefined ? name : `(${name})`)),
    };
  }

  async others(): Promise<string[]> {
    const branches = await this.store.listBranches(CHAT);
    return branches.filter(({ isActive }) => !isActive).map(({ name }) => name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
  }
}

const written = { text: 'In short.', model: undefined, now: 0 };

type Act = readonly [
  'rewind' | 'switch' | 'archive' | 'delete' | 'ask' | 'summarize' | 'bring' | 'pick',
  number,
];

/** @returns whether there was something to do it to */
async function act(world: World, [kind, choice]: Act): Promise<boolean> {
  if (kind === 'rewind') {
    await world.engine((engine) => engine.rewind(['q1', 'a1', 'q2'][choice % 3] ?? 'q1'));
    return true;
  }
  if (kind === 'ask') {
    await world.engine((engine) => engine.set(user('more'), assistant('said')).save());
    return false;
  }
  const here = await world.store.getActiveBranch(CHAT);
  assert.ok(here);
  if (kind === 'summarize') {
    const part = await partOf(world.store, here, here.headMessageId ?? '', 'from-here');
    await replaceBySummary(world.store, here, part, 'from-here', written);
    return true;
  }
  const others = await world.others();
  const name = others[choice % Math.max(others.length, 1)];
  if (name === undefined) return false;
  if (kind === 'bring' || kind === 'pick') {
    const source = await world.store.getBranch(CHAT, name);
    assert.ok(source);
    try {
      if (kind === 'pick') await cherryPick(world.store, source, 'q1', here);
      // One stays on the branch that a summary is added to.
      else await mergeSummary(world.store, source, here, written);
      return kind === 'pick';
    } catch (error) {
      // What the other branch has, this one has as well.
      assert.ok(error instanceof NothingToTakeError || error instanceof MessageNotFoundError, String(error));
      return false;
    }
  }
  if (kind === 'switch') await world.engine((engine) => engine.switchBranch(name));
  else if (kind === 'archive') await world.store.archiveBranch(CHAT, name);
  else await world.store.deleteBranch(CHAT, name);
  return true;
}

const kinds = ['rewind', 'switch', 'archive', 'ask', 'summarize', 'bring', 'pick'] as const;
const acts = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(5)), { maxLength: 8 });

describe('undo and redo', () => {
  it('go back through everything that was done, and forward again, whatever it was', () =>
    fc.assert(
      fc.asyncProperty(acts, async (list) => {
        await using world = await World.make();
        const pictures = [await world.picture()];
        for (const each of list) if (await act(world, each)) pictures.push(await world.picture());
        const active = (): string[] => pictures.map((picture) => picture.active ?? '');
        const back = [(await world.picture()).active];
        while (await world.history().take('undo')) back.push((await world.picture()).active);
        // Branches that were made stay: nothing is ever lost.
        assert.deepEqual(back.map(String), active().toReversed());
        assert.equal(
          (await world.picture()).branches.some((name) => name.startsWith('(')),
          false,
        );
        while (await world.history().take('redo'));
        assert.deepEqual(await world.picture(), pictures.at(-1));
      }),
      { numRuns: 40 },
    ));

  it('bring back a deleted branch, and delete it again, by the name it has then', async () => {
    await using world = await World.make();
    await act(world, ['rewind', 0]);
    await act(world, ['switch', 0]);
    await world.store.deleteBranch(CHAT, 'main-v2');
    // Another branch takes its name.
    await world.store.createBranch({ chatId: CHAT, name: 'main-v2', headMessageId: 'a2' });
    const step = await world.history().take('undo');
    assert.deepEqual([step?.kind, step?.branch], ['branch-deleted', 'main-v2']);
    assert.deepEqual((await world.picture()).branches, ['main', 'main-v2-v2', 'main-v2']);
    await world.history().take('redo');
    assert.deepEqual((await world.picture()).branches, ['main', 'main-v2']);
    assert.equal((await world.store.getBranch(CHAT, 'main-v2'))?.headMessageId, 'a2');
  });

  it('bring back a deleted checkpoint, and delete it again, also one that has the name of a branch', async () => {
    await using world = await World.make();
    await act(world, ['rewind', 0]);
    await world.store.setCheckpoint(CHAT, 'main', 'q1');
    await world.store.deleteCheckpoint(CHAT, 'main');
    await world.store.renameBranch(CHAT, 'main', 'first');
    const marks = async (): Promise<string[]> =>
      (await world.store.listCheckpoints(CHAT)).map(({ name, messageId }) => `${name} ${messageId}`);
    const step = await world.history().take('undo');
    assert.deepEqual([step?.kind, step?.branch], ['checkpoint-deleted', 'main']);
    assert.deepEqual(await marks(), ['main q1']);
    await world.history().take('redo');
    assert.deepEqual(await marks(), []);
    await world.history().take('undo');
    assert.deepEqual(await marks(), ['main q1']);
    assert.equal((await world.history().take('undo'))?.kind, 'rewound');
  });

  it('follow a branch that was renamed, and pass over what was taken back in another way', async () => {
    await using world = await World.make();
    await act(world, ['rewind', 0]);
    await world.store.renameBranch(CHAT, 'main', 'first');
    await world.store.archiveBranch(CHAT, 'first');
    await world.store.unarchiveBranch(CHAT, 'first');
    const step = await world.history().take('undo');
    assert.deepEqual([step?.kind, step?.from], ['rewound', 'first']);
    assert.equal((await world.picture()).active, 'first');
    assert.equal(await world.history().take('undo'), undefined);
  });

  it('are each user’s own, and follow what another renamed', async () => {
    await using world = await World.make();
    const { store } = world;
    const bob = { userId: 'bob' };
    const bobs = () => world.history('bob');
    const places = async () => [
      (await store.getActiveBranch(CHAT))?.name,
      (await store.getActiveBranch(CHAT, bob))?.name,
    ];
    await act(world, ['rewind', 0]);
    assert.deepEqual(await bobs().steps('undo'), []);
    assert.equal(await bobs().take('undo'), undefined);
    await store.activateBranch(CHAT, 'main-v2', bob);
    await act(world, ['switch', 0]);
    assert.deepEqual(await places(), ['main', 'main-v2']);
    await store.renameBranch(CHAT, 'main', 'first');
    // More than is looked through.
    for (let count = 0; count < 200; count++) {
      for (const name of ['main-v2', 'first']) await store.activateBranch(CHAT, name);
    }
    const step = await bobs().take('undo');
    assert.deepEqual([step?.kind, step?.branch, step?.from], ['switched', 'main-v2', 'first']);
    assert.deepEqual(await places(), ['first', 'first']);
    assert.deepEqual(await bobs().steps('undo'), []);
    assert.deepEqual(await world.history().steps('redo'), []);
    assert.equal((await bobs().take('redo'))?.branch, 'main-v2');
    assert.deepEqual(await places(), ['first', 'main-v2']);
    const done = (await store.listEvents(CHAT, bob)).map(({ kind }) => kind);
    assert.deepEqual(done, ['switched', 'switched', 'undone', 'switched', 'redone']);

    await store.archiveBranch(CHAT, 'main-v2', { userId: 'me' });
    assert.deepEqual(await bobs().steps('undo'), [], 'archived by another');
    await world.history().take('undo');
    assert.equal((await store.getBranch(CHAT, 'main-v2'))?.archivedAt, undefined);
  });

  it('forget what was undone once something else is done', async () => {
    await using world = await World.make();
    await act(world, ['rewind', 0]);
    await world.history().take('undo');
    assert.equal((await world.history().steps('redo')).length, 1);
    await act(world, ['rewind', 1]);
    assert.deepEqual(await world.history().steps('redo'), []);
  });
});
