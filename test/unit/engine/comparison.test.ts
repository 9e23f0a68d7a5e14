import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareHeads } from '../../../src/engine/comparison.ts';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { foldEffects, type FileVersion } from '../../../src/engine/effects.ts';
import { user } from '../../../src/engine/fragments/index.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { building, perform, stepsOf } from '../../fixtures/randomChat.ts';
import { memoryStore } from '../../fixtures/stores.ts';

describe('comparing two points of a conversation', () => {
  let store: ContextStore;
  let engine: ContextEngine;
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const version = (hash: string): FileVersion => ({ hash, size: 1 });

  beforeEach(() => {
    store = memoryStore();
    engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
  });
  afterEach(async () => {
    await engine.close();
    await store.close();
  });

  const say = async (text: string): Promise<string> => {
    const { headMessageId } = await engine.set(user(text)).save();
    assert.ok(headMessageId);
    return headMessageId;
  };
  const changeFile = (path: string, before: string | null, after: string | null): void =>
    engine.files.add({
      folder: 'file:///w',
      path,
      before: before === null ? null : version(before),
      after: after === null ? null : version(after),
      at: 0,
    });

  it('finds where they part, and how much each has of its own', async () => {
    const fork = await say('one');
    await say('two');
    const left = await say('three');
    await engine.rewind(fork);
    const right = await say('another two');
    const { ancestor, leftCount, rightCount, state, artifacts, files } = await compareHeads(
      store,
      'chat',
      left,
      right,
    );
    assert.deepEqual([ancestor?.id, leftCount, rightCount], [fork, 2, 1]);
    assert.deepEqual([state, artifacts, files], [[], [], []]);
  });

  it('compares state and artifacts as they stand at each, also what only one side changed', async () => {
    engine.state.set('same', 1);
    engine.state.set('changed', 'old');
    engine.state.set('gone', true);
    await engine.artifacts.save('plan', bytes('v0'), { mediaType: 'text/plain' });
    const fork = await say('one');
    engine.state.set('changed', 'new');
    engine.state.set('same', 1);
    engine.state.delete('gone');
    await engine.artifacts.save('plan', bytes('v1'), { mediaType: 'text/plain' });
    await engine.artifacts.save('sketch', bytes('s'), { mediaType: 'text/plain' });
    const left = await say('two');
    await engine.rewind(fork);
    const right = await say('three');
    const { state, artifacts } = await compareHeads(store, 'chat', left, right);
    assert.deepEqual(state, [
      { name: 'changed', left: 'new', right: 'old' },
      { name: 'gone', left: undefined, right: true },
    ]);
    assert.deepEqual(
      artifacts.map(({ name, left: one, right: other }) => [name, one?.version, other?.version]),
      [
        ['plan', 1, 0],
        ['sketch', 0, undefined],
      ],
    );
  });

  it('compares files as each left them; one that a side did not touch is as the other found it', async () => {
    const fork = await say('one');
    changeFile('a', 'a0', 'a1');
    changeFile('a', 'a1', 'a2');
    changeFile('new', null, 'n1');
    changeFile('new', 'n1', 'n2');
    changeFile('there and back', 'b0', 'b1');
    changeFile('there and back', 'b1', 'b0');
    changeFile('both', 'c0', 'c1');
    const left = await say('two');
    await engine.rewind(fork);
    changeFile('both', 'c0', 'c1');
    changeFile('gone', 'g0', null);
    const right = await say('three');
    const { files } = await compareHeads(store, 'chat', left, right);
    assert.deepEqual(
      files.map(({ path, left: one, right: other }) => [path, one?.hash ?? null, other?.hash ?? null]),
      [
        ['a', 'a2', 'a0'],
        ['gone', 'g0', null],
        ['new', 'n2', null],
      ],
    );
  });

  it('compares a branch with one that begins apart, and with one that is empty', async () => {
    const left = await say('one');
    engine.state.set('key', 1);
    const later = await say('two');
    await engine.rewindBefore(left);
    const apart = await say('uno');
    const { ancestor, leftCount, rightCount, state } = await compareHeads(store, 'chat', later, apart);
    assert.deepEqual([ancestor, leftCount, rightCount], [undefined, 2, 1]);
    assert.deepEqual(state, [{ name: 'key', left: 1, right: undefined }]);
    const empty = await compareHeads(store, 'chat', null, later);
    assert.deepEqual([empty.ancestor, empty.leftCount, empty.rightCount], [undefined, 0, 2]);
  });

  it('says of state and artifacts what the whole paths say, whatever was done', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOf(building, 40), fc.nat(), fc.nat(), async (steps, one, other) => {
        const random = memoryStore();
        try {
          await random.upsertChat({ id: 'chat', userId: 'ann' });
          for (const step of steps) await perform(random, step).catch(() => undefined);
          const { nodes } = await random.getGraph('chat');
          const [left, right] = [nodes[one % nodes.length]?.id, nodes[other % nodes.length]?.id];
          if (left === undefined || right === undefined) return;
          const [atLeft, atRight] = [
            foldEffects(await random.getPath('chat', left)),
            foldEffects(await random.getPath('chat', right)),
          ];
          const { state, artifacts, ancestor } = await compareHeads(random, 'chat', left, right);
          const keys = [...new Set([...atLeft.state.keys(), ...atRight.state.keys()])].sort();
          assert.deepEqual(
            state,
            keys
              .map((name) => ({ name, left: atLeft.state.get(name), right: atRight.state.get(name) }))
              .filter((each) => JSON.stringify(each.left) !== JSON.stringify(each.right)),
          );
          const names = [...new Set([...atLeft.artifacts.keys(), ...atRight.artifacts.keys()])].sort();
          assert.deepEqual(
            artifacts,
            names
              .map((name) => ({
                name,
                left: atLeft.artifacts.get(name)?.at(-1),
                right: atRight.artifacts.get(name)?.at(-1),
              }))
              .filter((each) => each.left?.hash !== each.right?.hash),
          );
          const path = new Set((await random.getPath('chat', left)).map(({ id }) => id));
          const common = (await random.getPath('chat', right)).findLast(({ id }) => path.has(id));
          assert.equal(ancestor?.id, common?.id);
        } finally {
          await random.close();
        }
      }),
      { numRuns: 100 },
    );
  });
});
