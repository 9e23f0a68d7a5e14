import assert from 'node:assert/strict';
import type { UIMessage as AiMessage } from 'ai';
import {
  isReminderPart,
  modelTextOf,
  readUIMessage,
  stripReminders,
  textOf,
  uiMessageSchema,
  type UIMessage,
} from '../../../src/engine/uiMessage.ts';

// Checked by the compiler: each program's messages can be given to the other.
export const asTheirs = (ours: UIMessage): AiMessage => ours;
export const asOurs = (theirs: AiMessage): UIMessage => theirs;

const mixed: AiMessage = {
  id: 'a1',
  role: 'assistant',
  metadata: { model: 'x' },
  parts: [
    { type: 'step-start' },
    { type: 'reasoning', text: 'Let me see.', state: 'done' },
    { type: 'text', text: 'One.', providerMetadata: { openai: { itemId: 'i' } } },
    { type: 'tool-search', toolCallId: 't1', state: 'output-available', input: { q: 'x' }, output: [1] },
    {
      type: 'dynamic-tool',
      toolName: 'mcp',
      toolCallId: 't2',
      state: 'output-error',
      input: {},
      errorText: 'no',
    },
    { type: 'source-url', sourceId: 's', url: 'https://example.org/' },
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
    { type: 'data-weather', data: { sun: true } },
    { type: 'text', text: 'Two.' },
  ],
};

describe('a message', () => {
  it('of the AI SDK comes back whole, with every kind of part', () => {
    assert.deepEqual(uiMessageSchema.parse(mixed), mixed);
    assert.deepEqual(readUIMessage(JSON.parse(JSON.stringify(mixed))), mixed);
  });

  it('keeps parts of kinds that nobody knows yet', () => {
    const message = {
      id: 'm',
      role: 'assistant',
      parts: [{ type: 'hologram', depth: 3, inner: { x: [null] } }],
    };
    assert.deepEqual(uiMessageSchema.parse(message), message);
  });

  it('is refused when what is read of it is missing, with the path to it', () => {
    const wrong: [unknown, (string | number)[]][] = [
      [{ role: 'user', parts: [] }, ['id']],
      [{ id: 'm', role: 'nobody', parts: [] }, ['role']],
      [{ id: 'm', role: 'user', parts: [{ text: 'x' }] }, ['parts', 0, 'type']],
      [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 1 }] }, ['parts', 0, 'text']],
      [{ id: 'm', role: 'user', parts: [{ type: 'reasoning' }] }, ['parts', 0, 'text']],
      [{ id: 'm', role: 'user', parts: [{ type: 'file', mediaType: 'a/b' }] }, ['parts', 0, 'url']],
    ];
    for (const [message, path] of wrong) {
      assert.deepEqual(
        uiMessageSchema.safeParse(message).error?.issues.map((issue) => issue.path),
        [path],
      );
    }
  });

  it('stored damaged is not read as one', () => {
    for (const damaged of [null, 'x', [], {}, { id: 'm', role: 'user' }]) {
      assert.equal(readUIMessage(damaged), undefined);
    }
  });

  it('stored with a damaged part keeps the others, and has a mark in its place', () => {
    const text = { type: 'text', text: 'Hi' };
    assert.deepEqual(readUIMessage({ id: 'm', role: 'user', parts: [null, text] })?.parts, [
      { type: 'data-unreadable', data: null },
      text,
    ]);
  });

  it('stored with what no reader of its parts could take has a mark in their place', () => {
    const call = { type: 'tool-x', toolCallId: 'c', state: 'output-available', input: {}, output: 'o' };
    const parts: readonly unknown[] = [
      { ...call, callProviderMetadata: { other: 1 } },
      { ...call, callProviderMetadata: 'x' },
      { ...call, toolCallId: 5 },
      { ...call, state: 'output-error' },
      { ...call, state: 'approval-requested', approval: null },
      { ...call, type: 'tool-' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png' },
      { type: 'steering-message', parts: [{ type: 'text' }] },
      { type: 'steering-message', parts: [{ type: 'data-x' }] },
      { type: '' },
    ];
    const read = readUIMessage({ id: 'm', role: 'assistant', parts: [call, ...parts] })?.parts ?? [];
    assert.deepEqual(read, [call, ...parts.map(() => ({ type: 'data-unreadable', data: null }))]);
  });

  it('has as its text the text parts in order, without reasoning, tools and files', () => {
    assert.equal(textOf(mixed), 'One.\n\nTwo.');
    assert.equal(textOf({ parts: [] }), '');
  });

  it('shows reminders to the model alone', () => {
    const reminder = {
      type: 'text' as const,
      text: '<system-reminder>psst</system-reminder>',
      providerMetadata: { offshoot: { reminder: true } },
    };
    const message: UIMessage = { id: 'q1', role: 'user', parts: [{ type: 'text', text: 'Hi' }, reminder] };
    assert.equal(isReminderPart(reminder), true);
    assert.equal(textOf(message), 'Hi');
    assert.equal(modelTextOf(message), 'Hi\n\n<system-reminder>psst</system-reminder>');
    assert.deepEqual(stripReminders(message), {
      id: 'q1',
      role: 'user',
      parts: [{ type: 'text', text: 'Hi' }],
    });
    assert.equal(message.parts.length, 2);
  });
});
