import assert from 'node:assert/strict';
import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import fc from 'fast-check';
import { fitTo } from '../../../src/models/requests/fitTo.ts';
import { writtenBy } from '../../../src/models/requests/prompt.ts';
import { vsCodeMessages } from '../../../src/models/providers/vscode/vscodeAnswer.ts';
import { streamedModel } from '../../../src/models/providers/streamedModel.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { VSCODE_MODEL } from '../../worlds/scriptedModels.ts';

describe("a model of VS Code's", () => {
  it('keeps what a thought is checked by, and gets it back with it', async () => {
    const model = streamedModel({
      provider: 'vscode.copilot',
      modelId: 'm',
      answer: async function* () {
        yield await Promise.resolve({ type: 'reasoning', text: 'Hm', kept: { id: 't1' } } as const);
        yield { type: 'reasoning', text: '', kept: { metadata: { signature: 'abc' } } } as const;
        yield { type: 'text', text: 'Hi' } as const;
      },
    });
    const { stream } = await model.doStream({ prompt: [] });
    const parts: LanguageModelV4StreamPart[] = [];
    for await (const part of stream) parts.push(part);
    const end = parts.find(({ type }) => type === 'reasoning-end');
    const providerOptions = end?.type === 'reasoning-end' ? end.providerMetadata : undefined;
    const prompt: LanguageModelV4Prompt = [
      { role: 'user', content: [{ type: 'text', text: '?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm', ...(providerOptions ? { providerOptions } : {}) },
          { type: 'reasoning', text: 'of another', providerOptions: { anthropic: { signature: 'x' } } },
          { type: 'text', text: 'Hi' },
        ],
        ...writtenBy(VSCODE_MODEL.id),
      },
    ];
    const sent = vsCodeMessages(fitTo({ prompt }, VSCODE_MODEL).prompt);
    assert.deepEqual(sent[1]?.parts, [
      { type: 'reasoning', text: 'Hm', kept: { id: 't1', metadata: { signature: 'abc' } } },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('is not given a thought back that names a call by an id which is never sent', () => {
    const sentWith = (id: string): unknown =>
      vsCodeMessages(
        fitTo(
          {
            prompt: [
              { role: 'user', content: [{ type: 'text', text: '?' }] },
              {
                role: 'assistant',
                content: [
                  {
                    type: 'reasoning',
                    text: 'Hm',
                    providerOptions: { vscode: { thinking: { metadata: { call: id } } } },
                  },
                  { type: 'tool-call', toolCallId: id, toolName: 'echo', input: {} },
                ],
                ...writtenBy(VSCODE_MODEL.id),
              },
              {
                role: 'tool',
                content: [
                  {
                    type: 'tool-result',
                    toolCallId: id,
                    toolName: 'echo',
                    output: { type: 'text', value: 'a' },
                  },
                ],
              },
            ],
          },
          VSCODE_MODEL,
        ).prompt,
      )[1]?.parts.map(({ type }) => type);
    assert.deepEqual(sentWith('call-1'), ['reasoning', 'tool-call']);
    assert.deepEqual(sentWith('call 1'), ['tool-call']);
  });

  it('keeps apart thoughts that follow each other, and those around a call', async () => {
    const model = streamedModel({
      provider: 'vscode.copilot',
      modelId: 'm',
      answer: async function* () {
        yield await Promise.resolve({ type: 'reasoning', text: 'One', kept: { id: 't1' } } as const);
        yield { type: 'reasoning', text: '', kept: { id: 't1', metadata: { signature: 'a' } } } as const;
        yield { type: 'reasoning', text: 'Two', kept: { id: 't2', metadata: { signature: 'b' } } } as const;
        yield { type: 'tool-call', callId: 'c', name: 'echo', input: {} } as const;
        yield { type: 'reasoning', text: 'Three', kept: { metadata: { signature: 'c' } } } as const;
      },
    });
    const { stream } = await model.doStream({ prompt: [] });
    const received: unknown[] = [];
    for await (const part of stream) {
      if (part.type === 'reasoning-delta') received.push(part.delta);
      if (part.type === 'reasoning-end') received.push(part.providerMetadata?.['vscode']?.['thinking']);
      if (part.type === 'tool-call') received.push(part.toolCallId);
    }
    assert.deepEqual(received, [
      ...['One', '', { id: 't1', metadata: { signature: 'a' } }],
      ...['Two', { id: 't2', metadata: { signature: 'b' } }, 'c'],
      ...['Three', { metadata: { signature: 'c' } }],
    ]);
  });

  it('gets turns that alternate, with a result right after each call, whatever the prompt (fuzz)', () => {
    const text = fc.record({ type: fc.constant('text' as const), text: fc.string({ minLength: 1 }) });
    const callId = fc.constantFrom('a', 'b', 'c');
    const call = callId.map(
      (toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 't', input: {} }) as const,
    );
    const result = callId.map(
      (toolCallId) =>
        ({ type: 'tool-result', toolCallId, toolName: 't', output: { type: 'text', value: 'r' } }) as const,
    );
    const message = fc.oneof(
      fc.record({ role: fc.constant('system' as const), content: fc.string({ minLength: 1 }) }),
      fc.record({ role: fc.constant('user' as const), content: fc.array(text, { maxLength: 2 }) }),
      fc.record({
        role: fc.constant('assistant' as const),
        content: fc.uniqueArray(fc.oneof(text, call), {
          maxLength: 3,
          selector: (part) => (part.type === 'tool-call' ? part.toolCallId : part),
        }),
      }),
      fc.record({ role: fc.constant('tool' as const), content: fc.array(result, { maxLength: 3 }) }),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (prompt) => {
        const sent = vsCodeMessages(fitTo({ prompt }, VSCODE_MODEL).prompt);
        let open: string[] = [];
        for (const [index, { role, parts }] of sent.entries()) {
          assert.equal(role, index % 2 === 0 ? 'user' : 'assistant');
          assert.ok(parts.length > 0);
          const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : []));
          assert.deepEqual(results, open);
          open = parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []));
        }
        assert.deepEqual(open, []);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});
