import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anthropic } from '../../../src/models/providers/hosted/anthropic.ts';
import { google } from '../../../src/models/providers/hosted/google.ts';
import { serverErrorText } from '../../../src/models/errors/serverErrorText.ts';
import { events, type RawReply } from '../../fixtures/rawServer.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { ended, hosted, json, chunk, fine } from '../../worlds/endedAnswers.ts';

describe('what a server says of an error', () => {
  const bodies: Readonly<Record<string, unknown>> = {
    'error.message': { error: { message: 'No luck today', type: 'x' } },
    'error as text': { error: 'No luck today' },
    message: { object: 'error', message: 'No luck today', code: 400 },
    detail: { detail: 'No luck today' },
    'detail as a list': { detail: [{ loc: ['body', 'model'], msg: 'No luck today', type: 'missing' }] },
    'a list of errors': [{ error: { code: 400, message: 'No luck today', status: 'INVALID_ARGUMENT' } }],
    'the server behind a router': {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: { raw: '{"error":{"message":"No luck today"}}' },
      },
    },
    'plain text': 'No luck today',
  };
  for (const [member, body] of Object.entries(bodies)) {
    it(`is shown, whichever member holds it: ${member}`, async () => {
      const { status, error } = await ended([json(400, body)]);
      assert.equal(status, 'failed');
      assert.match(error?.message ?? '', /No luck today/);
    });
  }

  it('is no page for browsers', async () => {
    const { error } = await ended([json(502, '<html><body>Bad gateway</body></html>')]);
    assert.equal(error?.message, 'Server error (502).');
  });

  it('is read from any JSON without failing (fuzz)', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const { text, codes, status } = serverErrorText(body);
        assert.equal(typeof text + typeof codes, 'stringstring');
        assert.deepEqual(serverErrorText(JSON.stringify({ error: { message: 'x', deep: body } })).text, 'x');
        assert.ok(status === undefined || (status >= 400 && status <= 599));
      }),
      { numRuns: fuzzRuns(200) },
    );
  });
});

describe('a conversation that is too long', () => {
  const replies: Readonly<Record<string, RawReply>> = {
    OpenAI: json(400, {
      error: {
        message: 'Your input exceeds the context window of this model.',
        code: 'context_length_exceeded',
      },
    }),
    vLLM: json(400, {
      object: 'error',
      message: "This model's maximum context length is 4096 tokens.",
      code: 400,
    }),
    Google: json(400, {
      error: {
        code: 400,
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    }),
    'llama.cpp': json(400, {
      error: {
        code: 400,
        message: 'the request exceeds the available context size. try increasing it',
        type: 'exceed_context_size_error',
      },
    }),
    'Anthropic, input': json(400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    }),
    'Anthropic, with output': json(400, {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000',
      },
    }),
    'LM Studio': json(400, {
      error: 'Trying to keep the first 5000 tokens when context the overflows. The context length is 4096.',
    }),
    xAI: json(400, { error: "This model's maximum prompt length is 131072 but the request has 140000." }),
    Moonshot: json(400, { error: { message: 'Your request exceeded model token limit: 8192' } }),
    Groq: json(413, { error: { message: 'Request Entity Too Large', code: 'request_too_large' } }),
    'a stream that began well': events({ error: { message: 'maximum context length exceeded', code: 400 } }),
  };
  for (const [server, reply] of Object.entries(replies)) {
    it(`is recognised in the words of ${server}`, async () => {
      const { error, requests } = await ended([reply]);
      assert.equal(error?.code, 'context-too-long');
      assert.equal(requests, 1);
    });
  }
});

describe('a limit of requests', () => {
  const perMinute = {
    error: {
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      message: 'You exceeded your current quota, please check your plan and billing details.',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
          violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' }],
        },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '17s' },
      ],
    },
  };
  const perDay = JSON.parse(JSON.stringify(perMinute).replace('PerMinute', 'PerDay')) as unknown;

  it('of a minute is waited for as long as Google says', async () => {
    const google200 = events({
      candidates: [{ content: { role: 'model', parts: [{ text: 'Fine' }] }, finishReason: 'STOP' }],
    });
    const { status, text, retries } = await ended([json(429, perMinute), google200], hosted(google));
    assert.equal(status, 'complete');
    assert.equal(text, 'Fine');
    assert.deepEqual(
      retries.map(({ delay, error }) => [delay, error.code]),
      [[17_000, 'rate-limited']],
    );
  });

  it('of a day is a quota that is used up', async () => {
    const { error, requests } = await ended([json(429, perDay), fine], hosted(google));
    assert.equal(error?.code, 'quota');
    assert.equal(requests, 1);
  });

  it('is waited for as long as the words say', async () => {
    const message = 'Rate limit reached for model `m`. Please try again in 7.66s. Visit the billing page.';
    const { status, retries } = await ended([json(429, { error: { message } }), fine]);
    assert.equal(status, 'complete');
    assert.equal(retries[0]?.delay, 7_660);
  });

  it('is no conversation that is too long, whatever words it comes in', async () => {
    const message = 'You have exceeded the limit of requests. Please try again in 2s.';
    const { status, retries } = await ended([json(429, { error: { message } }), fine]);
    assert.deepEqual([status, retries[0]?.error.code], ['complete', 'rate-limited']);
  });

  it('without credit is a quota', async () => {
    const { error } = await ended([
      json(429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }),
    ]);
    assert.equal(error?.code, 'quota');
  });
});

describe('a server that is overloaded', () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  const anthropicStart = {
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
  };

  it('before the first word, in a stream that began, is asked again', async () => {
    const error = { error: { message: 'Overloaded', type: 'overloaded_error', code: 529 } };
    const { status, text, retries } = await ended([events(error), fine]);
    assert.equal(status, 'complete');
    assert.equal(text, 'Fine');
    assert.equal(retries[0]?.error.code, 'overloaded');
  });

  it('before the first word of Claude is asked again', async () => {
    const start = events(anthropicStart, overloaded);
    const { requests, error } = await ended([start, start], hosted(anthropic));
    assert.equal(requests, 2);
    assert.equal(error?.code, 'overloaded');
  });

  it('after the first word keeps what there is, and is not asked again', async () => {
    const error = { error: { message: 'Overloaded', code: 529 } };
    const {
      status,
      text,
      requests,
      error: described,
    } = await ended([events(chunk({ content: 'Half' }), error), fine]);
    assert.deepEqual([status, text, requests], ['failed', 'Half', 1]);
    assert.equal(described?.code, 'overloaded');
  });
});
