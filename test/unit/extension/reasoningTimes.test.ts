import assert from 'node:assert/strict';
import type { MessageData } from '../../../src/engine/graph.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

const thought = (text: string, times: object) => ({
  type: 'reasoning',
  text,
  providerMetadata: { offshoot: { ...times } },
});

describe('the thoughts of a stored answer', () => {
  it('have each its own time; those that were cut off end with the answer', async () => {
    const { messageView } = await withVsCodeStub(() => import('../../../src/extension/pages/messageView.ts'));
    const metadata = {
      modelId: 'm',
      modelLabel: 'M',
      isDemo: false,
      status: 'interrupted',
      startedAt: 1_000,
      finishedAt: 60_000,
    };
    const parts = [
      thought('One.', { startedAt: 1_000, finishedAt: 13_000 }),
      { type: 'text', text: 'So:' },
      { type: 'step-start' },
      thought('Two.', { startedAt: 20_000, finishedAt: 20_500 }),
      thought('Three.', { startedAt: 40_000 }),
      { type: 'reasoning', text: 'Of another program.' },
      thought('Of a clock that was set back.', { startedAt: 70_000 }),
    ];
    const message: MessageData = {
      id: 'm',
      chatId: 'c',
      parentId: null,
      depth: 1,
      name: 'assistant',
      type: 'message',
      invocationId: 'q',
      replaces: undefined,
      effects: undefined,
      createdAt: 0,
      data: { id: 'm', role: 'assistant', parts, metadata },
    };
    const view = messageView(message, []);
    const durations = view?.parts.flatMap((part) =>
      part.type === 'reasoning' ? [[part.duration, part.startedAt]] : [],
    );
    assert.deepEqual(durations, [
      [12_000, undefined],
      [500, undefined],
      [20_000, undefined],
      [undefined, undefined],
      [0, undefined],
    ]);
  });
});
