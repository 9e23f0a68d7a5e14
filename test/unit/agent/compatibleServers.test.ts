import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Usage } from '../../../src/agent/run/runUsage.ts';
import {
  compatibleServer,
  freeServerName,
  headersWithKey,
} from '../../../src/models/providers/compatible/compatibleServer.ts';
import {
  versionedFetch,
  versionedUrl,
  OpenAiCompatibleSource,
  type OpenAiCompatibleSettings,
} from '../../../src/models/providers/compatible/openAiCompatible.ts';
import { ModelRegistry } from '../../../src/models/modelRegistry.ts';
import { streamTextAnswer } from '../../../src/agent/summaries/textAnswer.ts';
import { fetchWithoutTimeout } from '../../../src/host/node/fetchWithoutTimeout.ts';
import { events, startRawServer, type RawReply, type RawRequest } from '../../fixtures/rawServer.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const stream = events(
  { id: '1', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
  '[DONE]',
);
const list: RawReply = {
  headers: { 'content-type': 'application/json' },
  pieces: [JSON.stringify({ data: [{ id: 'm' }] })],
};

/** A server whose paths are below `/v1` alone. */
const versioned =
  (missing: RawReply) =>
  ({ path }: RawRequest): RawReply =>
    path === '/v1/models' ? list : path === '/v1/chat/completions' ? stream : missing;

function sourceOf(
  settings: Partial<OpenAiCompatibleSettings> & { readonly baseUrl: string },
  key?: string,
): OpenAiCompatibleSource {
  return new OpenAiCompatibleSource({
    id: 'openai-compatible.Mine',
    label: 'Mine',
    settings: () => ({ models: [], ...settings }),
    keyFor: () => Promise.resolve(key),
    fetch: fetchWithoutTimeout,
  });
}

async function ask(source: OpenAiCompatibleSource): Promise<string> {
  let text = '';
  const model = (await source.find(`${source.id}:m`)) ?? assert.fail();
  const outcome = await streamTextAnswer({
    spends: undefined,
    model,
    instructions: '',
    content: '?',
    maxOutputTokens: 200,
    signal: new AbortController().signal,
    maxRetries: 0,
    onText: (piece) => (text += piece),
  });
  assert.equal(outcome.status, 'complete', outcome.error?.message);
  return text;
}

describe('one of several compatible servers', () => {
  const missing: Readonly<Record<string, RawReply>> = {
    'with status 404': { status: 404, headers: { 'content-type': 'text/plain' }, pieces: ['nothing here'] },
    'with a page for browsers': {
      headers: { 'content-type': 'text/html' },
      pieces: ['<html>Welcome</html>'],
    },
    'as LM Studio says it': {
      headers: { 'content-type': 'application/json' },
      pieces: [JSON.stringify({ error: 'Unexpected endpoint or method. (GET /models)' })],
    },
  };
  for (const [how, reply] of Object.entries(missing)) {
    it(`is found below /v1 where the address lacks it and nothing else is there, ${how}`, async () => {
      await using server = await startRawServer(versioned(reply));
      const source = sourceOf({ baseUrl: server.origin });
      assert.deepEqual(
        (await source.list()).map(({ label, detail }) => [label, detail]),
        [['m', 'Mine']],
      );
      assert.equal(await ask(source), 'Hi');
      assert.deepEqual(
        server.requests.map(({ path }) => path),
        ['/models', '/v1/models', '/v1/chat/completions'],
      );
    });
  }

  it('is found below /v1 by a question as well', async () => {
    await using server = await startRawServer(versioned(missing['with status 404'] ?? assert.fail()));
    assert.equal(await ask(sourceOf({ baseUrl: `${server.origin}/` })), 'Hi');
  });

  it('is asked nowhere else when it has a version, or knows no such model', async () => {
    const refusal: RawReply = {
      status: 404,
      headers: { 'content-type': 'application/json' },
      pieces: [JSON.stringify({ error: { message: 'no such model' } })],
    };
    await using server = await startRawServer(() => refusal);
    await assert.rejects(ask(sourceOf({ baseUrl: `${server.origin}/api/v3` })), /no such model/);
    assert.equal(server.requests.length, 1);
  });

  it('is read as it streams, whatever it calls its stream', async () => {
    for (const type of ['text/plain', 'application/x-ndjson', undefined]) {
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode('data: {}\n\n')),
      });
      const headers = type === undefined ? {} : { 'content-type': type };
      const base = new URL('http://localhost:1234');
      const quirks = {};
      const fetch = versionedFetch(() => Promise.resolve(new Response(stream, { headers })), base, quirks);
      const { body } = await fetch(new URL('/chat/completions', base));
      const read = await (body ?? assert.fail()).getReader().read();
      assert.equal(new TextDecoder().decode(read.value), 'data: {}\n\n');
    }
  });

  it('gets a version at most once, before what is asked for (fuzz)', () => {
    const segment = fc.stringMatching(/^[a-z0-9-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), fc.boolean(), (segments, slash) => {
        const base = new URL(`http://h/${segments.join('/')}${slash ? '/' : ''}`);
        const asked = new URL(`http://h${base.pathname.replace(/\/$/, '')}/chat/completions`);
        const found = versionedUrl(base, asked);
        const has = /^v\d+[a-z0-9]*$/.test(segments.at(-1) ?? '');
        assert.equal(found === undefined, has);
        if (found) assert.ok(found.pathname.endsWith('/v1/chat/completions'));
      }),
      { numRuns: fuzzRuns(200) },
    );
  });

  it('gets its headers, its members of the body and its limit of output with each question', async () => {
    await using server = await startRawServer(({ path }) => (path.endsWith('/models') ? list : stream));
    const source = sourceOf(
      {
        baseUrl: `${server.origin}/v1`,
        headers: { 'x-title': 'Offshoot' },
        body: { provider: { sort: 'price' } },
        maxOutputTokens: 99,
      },
      'k',
    );
    await source.list();
    await ask(source);
    for (const { headers } of server.requests) {
      assert.deepEqual([headers['x-title'], headers.authorization], ['Offshoot', 'Bearer k']);
    }
    assert.partialDeepStrictEqual(server.requests[1]?.body, { max_tokens: 99, provider: { sort: 'price' } });
  });

  it('gets its key in the header that wants it, and in no other', async () => {
    await using server = await startRawServer(({ path }) => (path.endsWith('/models') ? list : stream));
    const source = sourceOf({ baseUrl: `${server.origin}/v1`, headers: { 'api-key': '{key}' } }, 'k');
    await source.list();
    await ask(source);
    await source.check('other');
    assert.deepEqual(
      server.requests.map(({ headers }) => [headers['api-key'], headers.authorization]),
      [
        ['k', undefined],
        ['k', undefined],
        ['other', undefined],
      ],
    );
  });

  it('is not asked at all with a key in its settings', async () => {
    await using server = await startRawServer(() => list);
    for (const name of ['Authorization', 'api-key', 'apikey', 'X-AuthToken', 'X-Auth-Token', 'cookie']) {
      const source = sourceOf({ baseUrl: `${server.origin}/v1`, headers: { [name]: 'sk-1' } }, 'k');
      await assert.rejects(source.list(), { code: 'secret-header' });
    }
    assert.equal(server.requests.length, 0);
    assert.deepEqual(headersWithKey({ 'x-a': 'b' }, undefined), {
      headers: { 'x-a': 'b' },
      isKeyUsed: false,
    });
  });

  it('has the window and the price that the user gives it', async () => {
    const source = sourceOf({
      baseUrl: 'http://localhost:1/v1',
      contextWindow: 8_000,
      price: { input: 2, output: 10 },
    });
    const model = (await source.find('openai-compatible.Mine:gpt-4o')) ?? assert.fail();
    assert.equal(model.contextWindow, 8_000);
    const usage = new Usage(model);
    usage.add({ inputTokens: 1_000_000, outputTokens: 100_000 });
    assert.equal(usage.cost, 3);
  });

  it('is known by its name among others, as soon as it is there', async () => {
    const sources = [sourceOf({ baseUrl: 'http://localhost:1/v1' })];
    const registry = new ModelRegistry({ sources: () => sources, chosen: () => undefined });
    assert.equal((await registry.find('openai-compatible.Mine:a:b/c'))?.label, 'a:b/c');
    sources.pop();
    assert.equal(await registry.find('openai-compatible.Mine:a:b/c'), undefined);
  });

  it('gets a name the settings take, however long that of its host is', () => {
    const taken = new Set<string>();
    for (const wanted of ['a', 'a', '::1', 'host.'.repeat(40), 'host.'.repeat(40)]) {
      const name = freeServerName(wanted, taken);
      const read = compatibleServer.safeParse({ name, address: 'http://localhost' });
      assert.ok(!taken.has(name) && read.data?.name === name, name);
      taken.add(name);
    }
    assert.deepEqual([...taken].slice(0, 3), ['a', 'a 2', '..1']);
  });

  it('is read from the settings with a name that fits into ids', () => {
    for (const name of ['', ' ', 'a:b', 'a\nb', 'x'.repeat(61)]) {
      assert.equal(compatibleServer.safeParse({ name, address: 'http://h' }).success, false, name);
    }
    assert.deepEqual(compatibleServer.parse({ name: ' LM Studio ', address: ' http://h ' }), {
      name: 'LM Studio',
      address: 'http://h',
      models: [],
      headers: {},
      body: {},
    });
  });
});
