import assert from 'node:assert/strict';
import type { ChatModel } from '../../../src/models/chatModel.ts';
import { anthropic } from '../../../src/models/providers/hosted/anthropic.ts';
import { google } from '../../../src/models/providers/hosted/google.ts';
import { events, type RawReply } from '../../fixtures/rawServer.ts';
import { ended, hosted, chunk } from '../../worlds/endedAnswers.ts';

describe('how an answer ends', () => {
  const reply = (reason: string, text = 'So'): RawReply =>
    events(chunk({ content: text }), chunk({}, reason), '[DONE]');
  const gemini = (finishReason: string): RawReply =>
    events({ candidates: [{ content: { role: 'model', parts: [{ text: 'So' }] }, finishReason }] });
  const claude = (stop: string): RawReply =>
    events(
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 1, output_tokens: 0 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'So' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: stop }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    );

  const cases: readonly (readonly [
    what: string,
    reply: RawReply,
    expected: readonly [status: string, code: string | undefined],
    model?: (origin: string) => Promise<ChatModel>,
  ])[] = [
    ['as usual', reply('stop'), ['complete', undefined]],
    ['with an end of another name', reply('eos_token'), ['complete', undefined]],
    ['for a reason nobody knows', reply('cosmic_rays'), ['complete', 'unknown-end']],
    ['at the limit of output', reply('length'), ['interrupted', 'output-limit']],
    ['by a filter', reply('content_filter'), ['failed', 'content-filter']],
    ['with finish_reason "error"', reply('error'), ['failed', 'incomplete']],
    ['without a word', reply('stop', ''), ['failed', 'no-answer']],
    ['with white space only', reply('stop', ' \n'), ['failed', 'no-answer']],
    ['Gemini, SAFETY', gemini('SAFETY'), ['failed', 'content-filter'], hosted(google)],
    ['Gemini, RECITATION', gemini('RECITATION'), ['failed', 'recitation'], hosted(google)],
    [
      'Gemini, MALFORMED_FUNCTION_CALL',
      gemini('MALFORMED_FUNCTION_CALL'),
      ['failed', 'malformed-call'],
      hosted(google),
    ],
    [
      'Gemini, UNEXPECTED_TOOL_CALL',
      gemini('UNEXPECTED_TOOL_CALL'),
      ['failed', 'malformed-call'],
      hosted(google),
    ],
    [
      'Gemini, MISSING_THOUGHT_SIGNATURE',
      gemini('MISSING_THOUGHT_SIGNATURE'),
      ['failed', 'incomplete'],
      hosted(google),
    ],
    [
      'Gemini, no candidates',
      events({ usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 } }),
      ['failed', 'no-answer'],
      hosted(google),
    ],
    ['Claude, end_turn', claude('end_turn'), ['complete', undefined], hosted(anthropic)],
    ['Claude, max_tokens', claude('max_tokens'), ['interrupted', 'output-limit'], hosted(anthropic)],
    ['Claude, refusal', claude('refusal'), ['failed', 'refusal'], hosted(anthropic)],
    ['Claude, pause_turn', claude('pause_turn'), ['interrupted', 'paused'], hosted(anthropic)],
    [
      'Claude, a full window',
      claude('model_context_window_exceeded'),
      ['interrupted', 'context-too-long'],
      hosted(anthropic),
    ],
  ];
  for (const [what, reply, [status, code], model] of cases) {
    it(`is told for what it is: ${what}`, async () => {
      const outcome = await ended([reply], model);
      assert.equal(outcome.status, status);
      assert.equal(outcome.error?.code ?? outcome.notice?.code, code);
    });
  }
});
