import assert from 'node:assert/strict';
import { streamedModel } from '../../../src/models/providers/streamedModel.ts';
import type { ChatModel } from '../../../src/models/chatModel.ts';
import { CHAT, FragileStore, newWorld, type World } from '../../worlds/agentWorld.ts';

const PIECE = 'word '.repeat(100);

/** A model in this process that says so many UTF-16 units. */
function talkative(length: number): ChatModel {
  const answer = async function* () {
    for (let sent = 0; sent < length; sent += PIECE.length) yield { type: 'text', text: PIECE } as const;
    await Promise.resolve();
  };
  return {
    id: 'test:talkative',
    label: 'Talkative',
    isDemo: false,
    open: () => Promise.resolve(streamedModel({ provider: 'test', modelId: 'talkative', answer })),
  };
}

async function timeOf(world: World, length: number): Promise<number> {
  const begin = performance.now();
  const branch = await world.store.getActiveBranch(CHAT);
  const run = await world.runs.start({
    chatId: CHAT,
    branch: branch?.name ?? 'main',
    question: `${length}`,
    model: talkative(length),
  });
  await run.done;
  assert.equal(run.status, 'complete');
  return performance.now() - begin;
}

describe('an answer of 5 MB', () => {
  const size = 5_000_000;

  it('takes time in proportion to its length', async () => {
    await using world = await newWorld({ fragments: () => [] });
    await world.store.upsertChat({ id: CHAT, userId: 'ann' });
    await timeOf(world, size / 8);
    const [eighth, whole] = [await timeOf(world, size / 8), await timeOf(world, size)];
    // Eight where it is linear, sixty-four where it is square.
    assert.ok(whole / eighth < 24, `an eighth took ${eighth} ms, the whole ${whole} ms`);
    assert.equal((await world.texts()).at(-1)?.length, size);
  });

  it('is written as a draft a small multiple of its length, all saves together', async () => {
    const store = new FragileStore();
    await using world = await newWorld({ store });
    await store.upsertChat({ id: CHAT, userId: 'ann' });
    await timeOf(world, size);
    const written = store.draftLengths.reduce((sum, length) => sum + length, 0);
    assert.ok(store.draftLengths.length > 20, `${store.draftLengths.length} drafts`);
    assert.ok(written < 20 * size, `${written / size} times its length`);
  });
});
