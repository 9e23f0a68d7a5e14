import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PartView, ToolState } from '../../../src/protocol/views.ts';
import { groupReadings, indexesOf } from '../../../src/webview/state/groupReadings.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const call = (reading: boolean, state: ToolState = 'done'): PartView => ({
  type: 'tool',
  callId: 'c',
  name: 'n',
  title: 't',
  icon: 'file',
  input: '',
  output: '',
  state,
  ...(reading ? { reading: { kind: 'file', of: 'a.ts' } } : {}),
});
const read = call(true);
const edit = call(false);
const text: PartView = { type: 'text', text: 'So:' };
const thought: PartView = { type: 'reasoning', text: 'Hm.', duration: 2_000 };
const nothing: PartView = { type: 'nothing' };

/** The numbers of what stands alone, and of what is together. */
const grouped = (parts: readonly PartView[], isStreaming = false): (number | number[])[] =>
  groupReadings(parts, isStreaming).map((item) => (typeof item === 'number' ? item : indexesOf(item)));

describe('calls that only look at something', () => {
  it('are one row, with the thoughts between them, from the second on', () => {
    assert.deepEqual(grouped([text, read, nothing, thought, read, text]), [0, [1, 2, 3, 4], 5]);
    assert.deepEqual(grouped([thought, read, edit, read, read, thought]), [0, 1, 2, [3, 4], 5]);
    assert.deepEqual(grouped([read]), [0]);
  });

  it('are told apart from what failed, asks, was denied or is at work', () => {
    for (const state of ['preparing', 'queued', 'asking', 'running', 'failed', 'denied'] as const) {
      assert.deepEqual(grouped([read, read, call(true, state), read, read]), [[0, 1], 2, [3, 4]], state);
    }
  });

  it('show the last of them while the answer is on its way, until something else follows', () => {
    assert.deepEqual(grouped([read, read, read], true), [[0, 1], 2]);
    assert.deepEqual(grouped([read, read, thought], true), [0, 1, 2]);
    assert.deepEqual(grouped([read, read, read, text], true), [[0, 1, 2], 3]);
    assert.deepEqual(grouped([read, read, edit, read, read], true), [[0, 1], 2, 3, 4]);
  });

  it('lose nothing, keep their order, and hide nothing of note (fuzz)', () => {
    const states = ['preparing', 'queued', 'asking', 'running', 'done', 'failed', 'denied'] as const;
    const part = fc.oneof(
      fc
        .record({ reading: fc.boolean(), state: fc.constantFrom(...states) })
        .map((of) => call(of.reading, of.state)),
      fc.constantFrom<PartView>(read, read, read, text, thought, nothing, { type: 'text', text: '\n' }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.boolean(), (parts, isStreaming) => {
        const items = grouped(parts, isStreaming);
        assert.deepEqual(
          items.flat(),
          parts.map((_, index) => index),
        );
        for (const item of items) {
          if (typeof item === 'number') continue;
          const hidden = item.flatMap((index) => parts[index] ?? []);
          const calls = hidden.filter((each) => each.type === 'tool');
          assert.ok(calls.length > 1);
          assert.ok(calls.every(({ reading, state }) => reading !== undefined && state === 'done'));
          assert.ok(hidden.every((each) => each.type !== 'text' || each.text.trim() === ''));
          assert.equal(hidden[0]?.type, 'tool');
          assert.equal(hidden.at(-1)?.type, 'tool');
        }
      }),
      { numRuns: fuzzRuns(500) },
    );
  });
});
