import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OpenAiCompatibleSource } from '../../../src/models/providers/compatible/openAiCompatible.ts';
import { events, startRawServer, type RawRequest } from '../../fixtures/rawServer.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';
import { echoTool } from '../../worlds/toolCalls.ts';

const delta = (value: object, finish: string | null = null): object => ({
  id: '1',
  choices: [{ index: 0, delta: value, finish_reason: finish }],
});

interface Stored {
  readonly parts: readonly (readonly [type: string, text: string])[];
  readonly requests: readonly RawRequest[];
}

/** What is stored of an answer whose text comes in these pieces, after calls with texts of their own. */
async function stored(pieces: readonly string[], ...steps: readonly (readonly string[])[]): Promise<Stored> {
  const called = { index: 0, id: 'call1', function: { name: 'echo', arguments: '{"text":"a"}' } };
  const replies = [
    ...steps.map((texts) =>
      events(
        ...texts.map((content) => delta({ content })),
        delta({ tool_calls: [called] }),
        delta({}, 'tool_calls'),
      ),
    ),
    events(...pieces.map((content) => delta({ content })), delta({}, 'stop'), '[DONE]'),
  ];
  await using server = await startRawServer((_request, index) => replies[index] ?? assert.fail('too many'));
  await using world = await newWorld({ tools: () => [echoTool] });
  const source = new OpenAiCompatibleSource({
    settings: () => ({ baseUrl: `${server.origin}/v1`, models: ['m'] }),
    keyFor: () => Promise.resolve(undefined),
  });
  const model = (await source.find('openai-compatible:m')) ?? assert.fail();
  const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: '?', model });
  await run.done;
  const answers = (await world.path()).filter(({ role }) => role === 'assistant');
  const parts = answers.flatMap((answer) =>
    answer.parts.flatMap((part) =>
      (part.type === 'text' || part.type === 'reasoning') && 'text' in part
        ? [[part.type, part.text] as const]
        : [],
    ),
  );
  return { parts, requests: server.requests };
}

describe('reasoning in the text of an answer', () => {
  const cases: Readonly<Record<string, { readonly text: string; readonly parts: Stored['parts'] }>> = {
    'between tags': {
      text: '<think>\nLet me see.\n</think>\n\nHello',
      parts: [
        ['reasoning', 'Let me see.'],
        ['text', 'Hello'],
      ],
    },
    'between tags of Mistral': {
      text: '[THINK]Let me see.[/THINK]Hello',
      parts: [
        ['reasoning', 'Let me see.'],
        ['text', 'Hello'],
      ],
    },
    'after blanks': {
      text: '\n<thinking>Hm.</thinking> Hello',
      parts: [
        ['reasoning', 'Hm.'],
        ['text', 'Hello'],
      ],
    },
    'without an end': { text: '<think>Let me', parts: [['reasoning', 'Let me']] },
    'without a beginning': {
      text: 'Let me see.\n</think>\n\nHello',
      parts: [
        ['reasoning', 'Let me see.\n'],
        ['text', 'Hello'],
      ],
    },
    'that is only an end': { text: '</think>\n\nHello', parts: [['text', 'Hello']] },
    'that is what the text is about': {
      text: 'Close it with `</think>`:\n```\n<think>a\n</think>\n```\nor <think>.',
      parts: [['text', 'Close it with `</think>`:\n```\n<think>a\n</think>\n```\nor <think>.']],
    },
    'that is none': { text: '<thin is no tag', parts: [['text', '<thin is no tag']] },
  };
  for (const [how, { text, parts }] of Object.entries(cases)) {
    it(`is told from it: ${how}`, async () => {
      assert.deepEqual((await stored([text])).parts, parts);
      assert.deepEqual((await stored(Array.from(text))).parts, parts, 'letter by letter');
    });
  }

  it('is not sent back as what the server never sent', async () => {
    const { parts, requests } = await stored(['Done'], ['<think>Hm.</think>', 'Look:']);
    assert.deepEqual(parts, [
      ['reasoning', 'Hm.'],
      ['text', 'Look:'],
      ['text', 'Done'],
    ]);
    assert.doesNotMatch(JSON.stringify(requests[1]?.body), /reasoning|Hm\./);
  });

  it('leaves every text without a tag as it is (fuzz)', async () => {
    const letters = fc.string({ unit: fc.constantFrom('<', 't', 'h', '/', '[', '\n', ' ', 'é') });
    await fc.assert(
      fc.asyncProperty(fc.array(letters, { minLength: 1, maxLength: 6 }), async (pieces) => {
        const whole = pieces.join('');
        fc.pre(whole.trim() !== '' && !/<\/?think|\[\/?THINK/u.test(whole));
        assert.equal((await stored(pieces)).parts.map(([, text]) => text).join(''), whole);
      }),
      { numRuns: fuzzRuns(15) },
    );
  });
});
