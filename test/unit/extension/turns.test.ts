import assert from 'node:assert/strict';
import { readTurns, withTurn, type Turns } from '../../../src/extension/chat/turns.ts';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import type { MessageData } from '../../../src/engine/graph.ts';
import type { UIMessagePart } from '../../../src/engine/uiMessage.ts';
import type { MessageView } from '../../../src/protocol/views.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const textPart: UIMessagePart = { type: 'text', text: 'so' };
const step: UIMessagePart = { type: 'step-start' };
/** One that took half a second and a cent. */
const answer = (id: string, ...parts: UIMessagePart[]): ReturnType<typeof assistant> =>
  assistant({
    id,
    role: 'assistant',
    parts,
    metadata: {
      modelId: 'test:model',
      modelLabel: 'Test',
      isDemo: false,
      status: 'complete',
      cost: 0.01,
      startedAt: 1_000,
      finishedAt: 1_500,
      usage: { inputTokens: 10, outputTokens: 1 },
    },
  });

async function pathOf(...fragments: readonly ReturnType<typeof user>[]) {
  const store = memoryStore();
  const engine = new ContextEngine({ store, chatId: 'c', userId: 'ann' });
  await engine.set(...fragments).save();
  const path = await store.getPath('c', engine.headMessageId ?? '');
  await engine.close();
  return { store, path };
}
const ends = ({ ends: all }: Turns): [string, number, number, number | undefined][] =>
  [...all].map(([id, { steps, duration, usage }]) => [id, steps, duration, usage?.cost]);
const oneCent = (count: number): number =>
  Array.from({ length: count }).reduce<number>((sum) => sum + 0.01, 0);

describe('what a turn took', () => {
  const longTurn = [
    user('why?', { id: 'q1' }),
    answer('a1', textPart, step, textPart),
    answer('a2', textPart),
    answer('a3', textPart),
    user('and?', { id: 'q2' }),
    answer('b1', textPart),
    user('more', { id: 'q3' }),
    answer('c1', textPart, step, textPart),
  ] as const;

  it('stands at its last message, of all its steps; one of a single request has none', async () => {
    const { store, path } = await pathOf(...longTurn);
    const turns = await readTurns(store, { chatId: 'c', path, next: undefined });
    assert.deepEqual(ends(turns), [
      ['a3', 4, 1_500, oneCent(3)],
      ['c1', 2, 500, oneCent(1)],
    ]);
    assert.deepEqual([...turns.parts], ['a1', 'a2', 'a3', 'c1']);
    await store.close();
  });

  it('is not told before the turn is over', async () => {
    const { store, path } = await pathOf(...longTurn);
    const running = await readTurns(store, { chatId: 'c', path, next: 'running' });
    assert.deepEqual(
      ends(running).map(([id]) => id),
      ['a3'],
    );
    const [, first, second, third] = path;
    assert.ok(first && second && third);
    const cut = await readTurns(store, { chatId: 'c', path: path.slice(0, 3), next: third });
    assert.deepEqual(ends(cut), []);
    await store.close();
  });

  it('counts what the page does not have of it', async () => {
    const { store, path } = await pathOf(...longTurn);
    const next = path[4];
    const turns = await readTurns(store, { chatId: 'c', path: path.slice(3, 4), next });
    assert.deepEqual(ends(turns), [['a3', 4, 1_500, oneCent(3)]]);
    await store.close();
  });

  it('takes the place of what its messages took', () => {
    const view = (id: string): MessageView => ({
      id,
      role: 'assistant',
      parts: [],
      createdAt: 0,
      status: 'complete',
      checkpoints: [],
      usage: { inputTokens: 1, outputTokens: 1 },
    });
    const turn = { steps: 2, duration: 5 };
    const turns: Turns = { ends: new Map([['a2', turn]]), parts: new Set(['a1', 'a2']) };
    assert.equal(withTurn(view('a1'), turns).usage, undefined);
    assert.deepEqual(withTurn(view('a2'), turns).turn, turn);
    assert.equal(withTurn(view('b'), turns).usage?.inputTokens, 1);
  });

  it('reads no further than to where it began, and gives up on what has no beginning', async () => {
    let reads = 0;
    const endless: MessageData = {
      id: 'x',
      chatId: 'c',
      parentId: 'x',
      depth: 9,
      name: 'assistant',
      type: 'message',
      data: null,
      invocationId: 'x',
      replaces: undefined,
      effects: undefined,
      createdAt: 0,
    };
    const getPath = () => {
      reads += 1;
      return Promise.resolve([endless]);
    };
    await readTurns({ getPath }, { chatId: 'c', path: [endless], next: undefined });
    assert.ok(reads > 0 && reads < 10, `${reads} reads`);
  });
});
