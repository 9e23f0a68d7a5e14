import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { streamAnswer, type RequestedCall } from '../../../src/agent/run/answerStream.ts';
import { OpenAiCompatibleSource } from '../../../src/models/providers/compatible/openAiCompatible.ts';
import { defineTool } from '../../../src/agent/tools/tool.ts';
import { fetchWithoutTimeout } from '../../../src/host/node/fetchWithoutTimeout.ts';
import { events, startRawServer, type RawReply, type RawRequest } from '../../fixtures/rawServer.ts';

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: z.object({ where: z.string().optional() }),
  run: () => ({ text: '' }),
});

interface Got {
  readonly status: string;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly Pick<RequestedCall, 'toolName' | 'input'>[];
  readonly ids: readonly string[];
  readonly usage: unknown;
  readonly requests: readonly RawRequest[];
}

/** What is made of these replies, each to one request. */
async function got(...replies: readonly RawReply[]): Promise<Got> {
  await using server = await startRawServer((_request, index) => replies[index] ?? assert.fail('too many'));
  const source = new OpenAiCompatibleSource({
    settings: () => ({ baseUrl: `${server.origin}/v1`, models: [] }),
    keyFor: () => Promise.resolve('secret-0123456789'),
    fetch: fetchWithoutTimeout,
  });
  const model = (await source.find('openai-compatible:m')) ?? assert.fail();
  const received = { text: '', reasoning: '' };
  const calls: RequestedCall[] = [];
  const { status, error, usage } = await streamAnswer({
    spends: undefined,
    model,
    instructions: '',
    messages: [{ role: 'user', content: '?' }],
    tools: [look],
    temperature: undefined,
    signal: new AbortController().signal,
    maxRetries: 0,
    onPiece: (type, _key, piece) => (received[type] += piece),
    onNote: () => undefined,
    onCallBegun: () => undefined,
    onCall: (call) => calls.push(call),
    onTemperatureIgnored: () => undefined,
    scheduler: { now: () => 0, after: () => assert.fail('waited') },
    onRetry: () => undefined,
  });
  return {
    status,
    code: error?.code,
    message: error?.message,
    text: received.text,
    thoughts: received.reasoning,
    calls: calls.map(({ toolName, input }) => ({ toolName, input })),
    ids: calls.map(({ callId }) => callId),
    usage,
    requests: server.requests,
  };
}

const delta = (value: object, finish: string | null = null, more: object = {}): object => ({
  id: '1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: value, finish_reason: finish }],
  ...more,
});
const stop = delta({}, 'stop');
const calling = (...calls: readonly object[]): RawReply =>
  events(...calls.map((call) => delta({ tool_calls: [call] })), delta({}, 'tool_calls'), '[DONE]');

describe('a compatible server with ways of its own', () => {
  it('may send comments to keep the connection', async () => {
    const reply = events(delta({ content: 'Hi' }), stop);
    const pieces = [': OPENROUTER PROCESSING\n\n', ...reply.pieces.flatMap((each) => [each, ':\n\n'])];
    assert.equal((await got({ pieces })).text, 'Hi');
  });

  it('may end without [DONE]', async () => {
    const { status, text } = await got(events(delta({ content: 'Hi' }), stop));
    assert.deepEqual([status, text], ['complete', 'Hi']);
  });

  it('may end its lines as Windows does, with no blank behind the colon', async () => {
    const text = [delta({ content: 'Hi' }), stop]
      .map((each) => `data:${JSON.stringify(each)}\r\n\r\n`)
      .join('');
    assert.equal((await got({ pieces: [text] })).text, 'Hi');
  });

  it('may cut letters and lines wherever it likes', async () => {
    const all = Buffer.from(
      `data: ${JSON.stringify(delta({ content: 'Grüße 👋' }))}\n\ndata: ${JSON.stringify(stop)}\n\n`,
    );
    const pieces = Array.from(all, (_byte, index) => all.subarray(index, index + 1));
    assert.equal((await got({ pieces })).text, 'Grüße 👋');
  });

  it('may send the usage in a chunk without choices', async () => {
    const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
    for (const last of [{ id: '1', choices: [], usage }, { usage }, { choices: null, usage }]) {
      const result = await got(events(delta({ content: 'Hi' }), stop, last));
      assert.equal(result.status, 'complete', JSON.stringify(last));
      assert.partialDeepStrictEqual(result.usage, { inputTokens: 7, outputTokens: 3 });
    }
  });

  it('may send the usage in every chunk: the last one counts', async () => {
    const counted = (completion_tokens: number): object => ({
      usage: { prompt_tokens: 7, completion_tokens, total_tokens: 7 + completion_tokens },
    });
    const { usage, text } = await got(
      events(
        delta({ content: 'H' }, null, counted(1)),
        delta({ content: 'i' }, null, counted(2)),
        delta({}, 'stop', counted(3)),
      ),
    );
    assert.equal(text, 'Hi');
    assert.partialDeepStrictEqual(usage, { inputTokens: 7, outputTokens: 3 });
  });

  it('may say in each chunk that there is no error', async () => {
    const none = { error: null };
    const { status, text } = await got(
      events(delta({ content: 'Hi' }, null, none), delta({}, 'stop', none), '[DONE]'),
    );
    assert.deepEqual([status, text], ['complete', 'Hi']);
  });

  it('may call itself what it likes', async () => {
    const { text } = await got(
      events(delta({ role: 'model', content: 'H' }), delta({ role: null, content: 'i' }), stop),
    );
    assert.equal(text, 'Hi');
  });

  it('may send chunks that hold nothing', async () => {
    const { status, text } = await got(
      events(
        { choices: [] },
        {},
        delta({ content: null }),
        { id: '1', choices: [{ index: 0 }] },
        delta({ content: 'Hi' }),
        stop,
      ),
    );
    assert.deepEqual([status, text], ['complete', 'Hi']);
  });

  it('may answer a stream with an error as text, of any form', async () => {
    for (const error of [
      { error: { message: 'Out of memory', code: 500 } },
      { error: 'Out of memory' },
      { object: 'error', message: 'Out of memory', code: 500 },
      { detail: 'Out of memory' },
    ]) {
      const { status, message, text } = await got(events(delta({ content: 'Ha' }), error));
      assert.deepEqual([status, text], ['failed', 'Ha']);
      assert.match(message ?? '', /Out of memory/, JSON.stringify(error));
    }
  });

  it('may send the error as an event of that name', async () => {
    const { message } = await got({
      pieces: ['event: error\ndata: {"message":"Out of memory"}\n\n'],
    });
    assert.match(message ?? '', /Out of memory/);
    const plain = await got({ pieces: ['event: error\ndata: Out of memory\n\n'] });
    assert.match(plain.message ?? '', /Out of memory/);
  });

  it('may answer with status 200 and an error instead of a stream', async () => {
    const { status, message } = await got({
      headers: { 'content-type': 'application/json' },
      pieces: [JSON.stringify({ error: { message: 'Model is not loaded', code: 503 } })],
    });
    assert.equal(status, 'failed');
    assert.match(message ?? '', /Model is not loaded/);
  });

  it('may answer whole instead of in a stream', async () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
    const { status, text } = await got({
      headers: { 'content-type': 'application/json' },
      pieces: [JSON.stringify({ id: '1', choices })],
    });
    assert.deepEqual([status, text], ['complete', 'Hi']);
  });

  it('may send the error under a name no stream of events has, as llama.cpp did', async () => {
    const reply = events(delta({ content: 'Ha' }));
    const error = { code: 500, message: 'Failed to parse the tool call', type: 'server_error' };
    const { status, message, text } = await got({
      pieces: [...reply.pieces, `error: ${JSON.stringify(error)}\n\n`],
    });
    assert.deepEqual([status, text], ['failed', 'Ha']);
    assert.match(message ?? '', /Failed to parse the tool call/);
  });

  it('may stream as llama.cpp does: no content at first, input by letters, the end and usage apart', async () => {
    const pieces = [
      delta({ role: 'assistant', content: null }),
      ...['Look', 'ing'].map((text) => delta({ reasoning_content: text })),
      delta({ content: 'So:' }),
      delta({
        tool_calls: [
          { index: 0, id: 'tOaRQ7mxLzNf4', type: 'function', function: { name: 'look', arguments: '{' } },
        ],
      }),
      ...Array.from(arguments_.slice(1), (letter) =>
        delta({ tool_calls: [{ index: 0, function: { arguments: letter } }] }),
      ),
      delta({}, 'tool_calls', { timings: { prompt_n: 7, predicted_per_second: 31.5 } }),
      {
        id: '1',
        choices: [],
        usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
        timings: { cache_n: 0 },
      },
    ].map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`);
    const result = await got({ pieces: [':\r\n\r\n', ...pieces] });
    assert.deepEqual(
      [result.status, result.thoughts, result.text, result.calls, result.ids],
      ['complete', 'Looking', 'So:', [up], ['tOaRQ7mxLzNf4']],
    );
    assert.partialDeepStrictEqual(result.usage, { inputTokens: 7, outputTokens: 3 });
  });

  it('never brings the key into view', async () => {
    const { message } = await got(events({ error: { message: 'Bad key secret-0123456789!' } }));
    assert.match(message ?? '', /Bad key …/);
    // The same as an answer in one piece.
    const body = JSON.stringify({ error: { message: 'Bad key secret-0123456789!' } });
    const whole = await got({ headers: { 'content-type': 'application/json' }, pieces: [body] });
    assert.match(whole.message ?? '', /Bad key …/);
  });

  const arguments_ = '{"where":"up"}';
  const up = { toolName: 'look', input: { where: 'up' } };
  const nowhere = { toolName: 'look', input: {} };

  it('may give calls no index', async () => {
    const { calls } = await got(
      calling(
        { id: 'a', type: 'function', function: { name: 'look', arguments: arguments_ } },
        { id: 'b', type: 'function', function: { name: 'look', arguments: arguments_ } },
      ),
    );
    assert.deepEqual(calls, [up, up]);
  });

  it('may give calls no id, or one id to all', async () => {
    for (const id of [undefined, '', 'call_0']) {
      const { calls, ids } = await got(
        calling(
          { index: 0, id, function: { name: 'look', arguments: arguments_ } },
          { index: 1, id, function: { name: 'look', arguments: arguments_ } },
        ),
      );
      assert.deepEqual(calls, [up, up]);
      assert.ok(ids.every((each) => each !== ''));
    }
  });

  it('may send empty arguments, or none', async () => {
    for (const given of ['', undefined, null]) {
      const { calls } = await got(
        calling({ index: 0, id: 'a', function: { name: 'look', arguments: given } }),
      );
      assert.deepEqual(calls, [nowhere], JSON.stringify(given));
    }
  });

  it('may send the arguments as an object', async () => {
    const { calls } = await got(
      calling({ index: 0, id: 'a', function: { name: 'look', arguments: { where: 'up' } } }),
    );
    assert.deepEqual(calls, [up]);
  });

  it('may finish a call with "stop"', async () => {
    const { status, calls } = await got(
      events(
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: arguments_ } }] }),
        stop,
      ),
    );
    assert.deepEqual([status, calls], ['complete', [up]]);
  });

  it('may think under either name', async () => {
    const { thoughts, text } = await got(
      events(
        delta({ reasoning_content: 'Hm' }),
        delta({ reasoning: 'm', content: '' }),
        delta({ content: 'Hi' }),
        stop,
      ),
    );
    assert.deepEqual([thoughts, text], ['Hmm', 'Hi']);
  });

  it('may send a call in the older form', async () => {
    const { status, calls } = await got(
      events(
        delta({ function_call: { name: 'look', arguments: '' } }),
        delta({ function_call: { arguments: arguments_.slice(0, 4) } }),
        delta({ function_call: { arguments: arguments_.slice(4) } }),
        delta({}, 'function_call'),
        '[DONE]',
      ),
    );
    assert.deepEqual([status, calls], ['complete', [up]]);
  });

  it('may compress what nobody asked to be compressed', async () => {
    const whole = events(delta({ content: 'Grüße' }), stop, '[DONE]').pieces.join('');
    const ways = { gzip: gzipSync, 'x-gzip': gzipSync, deflate: deflateSync, br: brotliCompressSync };
    for (const [encoding, compress] of Object.entries(ways)) {
      const bytes = compress(whole);
      const { status, text } = await got({
        headers: { 'content-type': 'text/event-stream', 'content-encoding': encoding },
        pieces: [bytes.subarray(0, 9), bytes.subarray(9)],
      });
      assert.deepEqual([status, text], ['complete', 'Grüße'], encoding);
    }
  });

  it('may compress an error', async () => {
    const { message } = await got({
      status: 400,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      pieces: [gzipSync(JSON.stringify({ error: { message: 'No luck today' } }))],
    });
    assert.match(message ?? '', /No luck today/);
  });

  it('may leave out the blank line after the last event, and begin with a mark of its encoding', async () => {
    const [first = '', last = ''] = events(delta({ content: 'Hi' }), stop).pieces;
    const { status, text } = await got({ pieces: [`\uFEFF${String(first)}`, String(last).trimEnd()] });
    assert.deepEqual([status, text], ['complete', 'Hi']);
  });

  it('is told to have ended early when it sends nothing, or half of a call', async () => {
    const nothing = await got({ pieces: [] });
    assert.deepEqual([nothing.status, nothing.code], ['failed', 'incomplete']);
    const half = await got(
      events(delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '{"whe' } }] })),
    );
    assert.deepEqual([half.status, half.code], ['failed', 'incomplete']);
  });

  it('may refuse stream_options: it is asked once more without', async () => {
    const refusal: RawReply = {
      status: 422,
      headers: { 'content-type': 'application/json' },
      pieces: [
        JSON.stringify({
          detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted', type: 'extra' }],
        }),
      ],
    };
    const { status, text, requests } = await got(refusal, events(delta({ content: 'Hi' }), stop));
    assert.deepEqual([status, text], ['complete', 'Hi']);
    assert.deepEqual(
      requests.map(({ body }) => 'stream_options' in (body as object)),
      [true, false],
    );
    const again = await got(refusal, refusal);
    assert.equal(again.requests.length, 2);
    assert.match(again.message ?? '', /Extra inputs/);
  });
});
