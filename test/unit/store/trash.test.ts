import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { user } from '../../../src/engine/fragments/index.ts';
import type { GraphData } from '../../../src/engine/graph.ts';
import type { TrashEntry } from '../../../src/engine/trash.ts';
import { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import type { Database } from '../../../src/store/sqlite/database.ts';
import { MemoryBlobStore, openMemoryDatabase } from '../../../src/store/sqlite/inMemory.ts';
import { anyStep, building, deleting, perform, stepsOf } from '../../fixtures/randomChat.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

/** A store whose rows can be counted, and that can be cut off. */
class Place {
  readonly store: SqlContextStore;
  private time = 1;

  private constructor(private readonly database: Database) {
    this.store = new SqlContextStore({
      open: () => Promise.resolve(database),
      blobs: new MemoryBlobStore(),
      now: () => this.time++,
    });
  }

  static async open(): Promise<Place> {
    return new Place(await openMemoryDatabase(sqliteWasm));
  }

  rows(): Record<string, number> {
    const tables = [
      'chats',
      'messages',
      'branches',
      'activeBranches',
      'checkpoints',
      'events',
      'drafts',
      'trash',
      'messageTexts_docsize',
    ];
    return Object.fromEntries(
      tables.map((name) => [name, Number(this.database.get(`SELECT count(*) AS n FROM ${name}`)?.['n'])]),
    );
  }

  /** Does something that is cut off after so many transactions. */
  async cutOff(after: number, work: () => Promise<unknown>): Promise<void> {
    const { database } = this;
    const transaction = database.transaction.bind(database);
    let left = after;
    database.transaction = (each) =>
      left-- > 0 ? transaction(each) : Promise.reject(new Error('the power went'));
    await assert.rejects(work, /the power went/);
    database.transaction = transaction;
  }
}

/** What every branch and checkpoint leads to. */
async function reach(store: SqlContextStore, graph: GraphData): Promise<Map<string, string[]>> {
  const ends = [
    ...graph.branches.map(({ name, headMessageId }) => [`branch ${name}`, headMessageId] as const),
    ...graph.checkpoints.map(({ name, messageId }) => [`checkpoint ${name}`, messageId] as const),
  ];
  const paths = new Map<string, string[]>();
  for (const [name, end] of ends) {
    const path = end === null ? [] : await store.getPath('chat', end);
    paths.set(
      name,
      path.map(({ id }) => id),
    );
  }
  return paths;
}

describe('the trash, whatever was done before', () => {
  const started = async (): Promise<Place> => {
    const place = await Place.open();
    await place.store.upsertChat({ id: 'chat', userId: 'ann' });
    return place;
  };

  it('deleting a branch changes no other branch and no checkpoint, and leaves nothing that nothing reaches', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOf(anyStep, 30), fc.nat(), async (steps, at) => {
        const place = await started();
        const { store } = place;
        for (const step of steps) await perform(place.store, step);
        const before = await store.getGraph('chat');
        const pathsBefore = await reach(store, before);
        await perform(place.store, { do: 'delete branch', at });
        const after = await store.getGraph('chat');
        const pathsAfter = await reach(store, after);
        for (const [name, path] of pathsAfter) assert.deepEqual(path, pathsBefore.get(name), name);
        assert.deepEqual(after.checkpoints, before.checkpoints);
        assert.ok(pathsBefore.size - pathsAfter.size <= 1);
        const reached = new Set([...pathsAfter.values()].flat());
        assert.deepEqual(
          after.nodes.filter(({ id }) => !reached.has(id)),
          [],
        );
        await store.close();
      }),
      { numRuns: 50 },
    );
  });

  it('undoing all deletions, in any order, gives the same picture back', async () => {
    await fc.assert(
      fc.asyncProperty(
        stepsOf(building, 25),
        stepsOf(deleting, 8),
        fc.infiniteStream(fc.nat()),
        async (build, remove, order) => {
          const place = await started();
          const { store } = place;
          for (const step of build) await perform(place.store, step);
          const before = await store.getGraph('chat');
          for (const step of remove) await perform(place.store, step);
          const inTrash: TrashEntry[] = await store.trash.list();
          while (inTrash.length > 0) {
            const [entry] = inTrash.splice(Number(order.next().value) % inTrash.length, 1);
            if (entry) await store.trash.restore(entry.id);
          }
          // Checkpoints that were moved left nothing behind here: every message was on a branch.
          assert.deepEqual(await store.getGraph('chat'), before);
          await store.close();
        },
      ),
      { numRuns: 50 },
    );
  });

  it('what is left can be brought back, whatever of the rest is gone for good', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOf(anyStep, 40), async (steps) => {
        const place = await started();
        const { store } = place;
        for (const step of steps) await perform(place.store, step);
        for (const { id, kind } of await store.trash.list()) {
          const { name = '' } = await store.trash.restore(id);
          const end =
            kind === 'branch'
              ? (await store.getBranch('chat', name))?.headMessageId
              : (await store.getCheckpoint('chat', name))?.messageId;
          if (typeof end === 'string') await store.getPath('chat', end);
        }
        await reach(store, await store.getGraph('chat'));
        assert.equal(place.rows()['chats'], 1);
        await store.close();
      }),
      { numRuns: 50 },
    );
  });

  it('deleting a chat and emptying the trash leaves no row and no bytes', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOf(anyStep, 30), async (steps) => {
        const place = await started();
        const { store } = place;
        for (const [index, step] of steps.entries()) {
          await perform(place.store, step);
          const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
          await engine.artifacts.save('a', Uint8Array.from([index]), { mediaType: 'text/plain' });
          await engine.save();
          await engine.close();
        }
        await store.deleteChat('chat');
        await store.trash.empty({ blobGrace: 0 });
        assert.deepEqual(new Set(Object.values(place.rows())), new Set([0]));
        assert.equal((await store.storageReport()).blobs.count, 0);
        await store.close();
      }),
      { numRuns: 30 },
    );
  });

  it('finishes what was cut off while it was emptied, and gives nothing back of it', async () => {
    const place = await started();
    const { store } = place;
    const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    for (let index = 0; index < 2_500; index++) engine.set(user(`text ${index}`));
    await engine.save();
    await store.upsertChat({ id: 'other', userId: 'ann' });
    await store.deleteChat('chat');
    const [entry] = await store.trash.list();
    await place.cutOff(2, () => store.trash.empty());
    assert.equal(place.rows()['messages'], 1_500);
    assert.deepEqual(await store.trash.list(), []);
    await assert.rejects(store.trash.restore(entry?.id ?? ''), { code: 'not-in-trash' });
    await store.trash.empty();
    const { chats, branches, events, ...rest } = place.rows();
    assert.deepEqual([chats, branches, events], [1, 1, 1]);
    assert.deepEqual(new Set(Object.values(rest)), new Set([0]));
    await store.close();
  });
});
