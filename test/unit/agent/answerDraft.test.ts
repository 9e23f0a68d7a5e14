import assert from 'node:assert/strict';
import { AnswerDraft, type AnswerPartType, type PartNote } from '../../../src/agent/run/answerDraft.ts';

const note = (
  event: PartNote['event'],
  type: AnswerPartType,
  providerMetadata?: unknown,
  now = 1_000,
): PartNote => ({
  event,
  type,
  key: '1',
  providerMetadata,
  now,
});

describe('what providers say of the parts of an answer', () => {
  it('is kept with reasoning, with when it began and ended', () => {
    const draft = new AnswerDraft('a');
    draft.note(note('begun', 'reasoning', { openai: { itemId: 'rs_1', reasoningEncryptedContent: null } }));
    draft.append('reasoning', '1', 'Hm.');
    draft.note(note('ended', 'reasoning', { openai: { reasoningEncryptedContent: 'gAAA' } }, 3_500));
    assert.deepEqual(draft.message().parts, [
      {
        type: 'reasoning',
        text: 'Hm.',
        providerMetadata: {
          openai: { itemId: 'rs_1', reasoningEncryptedContent: 'gAAA' },
          offshoot: { startedAt: 1_000, finishedAt: 3_500 },
        },
      },
    ]);
  });

  it('is kept with reasoning that never shows a word', () => {
    const draft = new AnswerDraft('a');
    draft.note(note('begun', 'reasoning', { anthropic: { redactedData: 'x' } }));
    draft.note(note('ended', 'reasoning'));
    const [part] = draft.message().parts;
    assert.deepEqual(part, {
      type: 'reasoning',
      text: '',
      providerMetadata: {
        anthropic: { redactedData: 'x' },
        offshoot: { startedAt: 1_000, finishedAt: 1_000 },
      },
    });
  });

  it('makes no text of its own, and is kept with the text once there is one', () => {
    const draft = new AnswerDraft('a');
    draft.note(note('begun', 'text', { openai: { itemId: 'msg_1' } }));
    assert.equal(draft.isEmpty, true);
    draft.append('text', '1', 'Hello');
    draft.note(note('ended', 'text', { openai: { phase: 'final_answer' } }));
    assert.deepEqual(draft.message().parts, [
      {
        type: 'text',
        text: 'Hello',
        providerMetadata: { openai: { itemId: 'msg_1', phase: 'final_answer' } },
      },
    ]);
  });

  it('is left out where it cannot be stored', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(600)}1${'}'.repeat(600)}`);
    for (const metadata of [{ other: { text: '\ud800' } }, { other: deep }, { other: 'text' }, 'text']) {
      const draft = new AnswerDraft('a');
      draft.append('text', '1', 'Hello');
      draft.note(note('ended', 'text', metadata));
      assert.deepEqual(draft.message().parts, [{ type: 'text', text: 'Hello' }]);
    }
  });

  it('makes reasoning of a text whose end shows that it was', () => {
    const draft = new AnswerDraft('a');
    draft.append('text', '1', 'Hm.');
    assert.equal(draft.note(note('ended', 'text', { tagged: { tag: '<think>' } })), 0);
    draft.append('text', '1', 'Hello');
    assert.deepEqual(
      draft.message().parts.map((part) => [part.type, 'text' in part ? part.text : '']),
      [
        ['reasoning', 'Hm.'],
        ['text', 'Hello'],
      ],
    );
  });

  it('belongs to its own request: the next one begins new parts', () => {
    const draft = new AnswerDraft('a');
    draft.note(note('begun', 'reasoning'));
    draft.append('reasoning', '1', 'One');
    draft.beginStep();
    draft.note(note('begun', 'reasoning'));
    draft.append('reasoning', '1', 'Two');
    assert.deepEqual(
      draft.message().parts.map((part) => ('text' in part ? part.text : part.type)),
      ['One', 'step-start', 'Two'],
    );
  });
});
