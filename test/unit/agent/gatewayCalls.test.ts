import assert from 'node:assert/strict';
import { groq } from '../../../src/models/providers/hosted/groq.ts';
import { OpenAiCompatibleSource } from '../../../src/models/providers/compatible/openAiCompatible.ts';
import { readList, readObject } from '../../fixtures/strict/strictServer.ts';
import { events, startRawServer, type RawRequest } from '../../fixtures/rawServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';
import { ended, fine, hosted, json } from '../../worlds/endedAnswers.ts';
import { echoTool } from '../../worlds/toolCalls.ts';

const delta = (value: object, finish: string | null = null): object => ({
  id: '1',
  choices: [{ index: 0, delta: value, finish_reason: finish }],
});

/** What a gateway is sent after it has answered with a call. */
async function secondRequest(...first: readonly object[]): Promise<RawRequest> {
  const replies = [events(...first, delta({}, 'tool_calls')), fine];
  await using server = await startRawServer((_request, index) => replies[index] ?? assert.fail('too many'));
  await using world = await newWorld({ tools: () => [echoTool] });
  const source = new OpenAiCompatibleSource({
    settings: () => ({ baseUrl: `${server.origin}/v1`, models: ['m'] }),
    keyFor: () => Promise.resolve(undefined),
  });
  const model = (await source.find('openai-compatible:m')) ?? assert.fail();
  await (
    await world.runs.start({ chatId: CHAT, branch: 'main', question: '?', model })
  ).done;
  assert.equal((await world.lastMetadata()).error, undefined);
  return server.requests[1] ?? assert.fail();
}

const messageIn = ({ body }: RawRequest): Readonly<Record<string, unknown>> =>
  readList(readObject(body)['messages']).find(({ role }) => role === 'assistant') ?? assert.fail();

describe('a gateway to models whose calls are signed', () => {
  const call = (more: object, fields: object = {}): object =>
    delta({
      tool_calls: [
        {
          index: 0,
          id: 'call1',
          type: 'function',
          function: { name: 'echo', arguments: '{"text":"a"}', ...fields },
          ...more,
        },
      ],
    });

  it('gets a signature back where it put it: with the function', async () => {
    const [sent = {}] = readList(
      messageIn(await secondRequest(call({}, { thought_signature: 'sig' })))['tool_calls'],
    );
    assert.equal(readObject(sent['function'])['thought_signature'], 'sig');
    assert.equal(sent['extra_content'], undefined);
  });

  it('is sent no details that name a call by an id which has been replaced', async () => {
    const details = [{ type: 'reasoning.encrypted', data: 'sig', id: 'call of mine', index: 0 }];
    const sent = messageIn(
      await secondRequest(call({ id: 'call of mine' }), delta({ reasoning_details: details })),
    );
    assert.match(String(readList(sent['tool_calls'])[0]?.['id']), /^[a-zA-Z0-9]{9}$/);
    assert.equal(sent['reasoning_details'], undefined);
    const kept = [{ ...details[0], id: 'call1' }];
    const same = messageIn(await secondRequest(call({}), delta({ reasoning_details: kept })));
    assert.deepEqual([readList(same['tool_calls'])[0]?.['id'], same['reasoning_details']], ['call1', kept]);
  });

  it('gets a signature back where it put it: beside the function', async () => {
    const extra_content = { google: { thought_signature: 'sig' } };
    const [sent = {}] = readList(messageIn(await secondRequest(call({ extra_content })))['tool_calls']);
    assert.deepEqual(sent['extra_content'], extra_content);
    assert.equal(readObject(sent['function'])['thought_signature'], undefined);
  });

  it('gets reasoning details back as OpenRouter does, beside the reasoning it knows', async () => {
    const details = [{ type: 'reasoning.encrypted', data: 'x', id: 'call1', index: 0 }];
    const message = messageIn(
      await secondRequest(delta({ reasoning_content: 'Hm.', reasoning_details: details }), call({})),
    );
    assert.deepEqual(message['reasoning_details'], details);
    assert.equal(message['reasoning_content'], 'Hm.');
  });
});

describe('Groq', () => {
  const broken = json(400, {
    error: {
      message:
        "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
      type: 'invalid_request_error',
      code: 'tool_use_failed',
      failed_generation: '<function=echo{}',
    },
  });

  it('is asked once more when it read no call in what its model wrote', async () => {
    const { status, text, requests } = await ended([broken, fine], hosted(groq));
    assert.deepEqual([status, text, requests], ['complete', 'Fine', 2]);
  });

  it('is asked once more when its stream begins with that', async () => {
    const error = {
      message: 'Failed to call a function.',
      type: 'invalid_request_error',
      code: 'tool_use_failed',
    };
    const { status, text, requests } = await ended([events({ error }), fine], hosted(groq));
    assert.deepEqual([status, text, requests], ['complete', 'Fine', 2]);
  });

  it('is asked only once more', async () => {
    const { status, error, requests } = await ended([broken, broken, fine], hosted(groq));
    assert.deepEqual([status, requests], ['failed', 2]);
    assert.match(error?.message ?? '', /Failed to call a function/);
  });
});
