import assert from 'node:assert/strict';
import { streamText } from 'ai';
import {
  OpenAiCompatibleSource,
  parseBaseUrl,
  type OpenAiCompatibleSettings,
} from '../../../src/models/providers/compatible/openAiCompatible.ts';
import type { ChatModel } from '../../../src/models/chatModel.ts';
import { describeModelError } from '../../../src/models/errors/describeModelError.ts';
import { isCleartext, originFetch } from '../../../src/models/requests/originFetch.ts';
import { answer, redirect, startOpenAiServer } from '../../fixtures/openaiServer.ts';

/** What asking a model once ends with: the text, or the code of the error. */
async function outcomeOf(model: ChatModel | undefined): Promise<string> {
  assert.ok(model);
  try {
    const errors: unknown[] = [];
    const result = streamText({
      model: await model.open(),
      prompt: 'hi',
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    });
    let text = '';
    for await (const piece of result.textStream) text += piece;
    if (errors.length > 0) throw errors[0];
    return text;
  } catch (error) {
    return describeModelError(error, model.label).code;
  }
}

/** A source whose settings a test may change, and whose keys are kept by origin. */
function sourceOf(settings: OpenAiCompatibleSettings, keys: Readonly<Record<string, string>> = {}) {
  const current = { ...settings };
  const source = new OpenAiCompatibleSource({
    settings: () => current,
    keyFor: (origin) => Promise.resolve(keys[origin]),
  });
  return { source, current };
}

describe('models of an OpenAI-compatible server', () => {
  it('are those the user named and those the server lists, each once', async () => {
    await using server = await startOpenAiServer({ script: [], models: ['big', 'small'] });
    const { source } = sourceOf({ baseUrl: server.baseUrl, models: ['small', 'mine'] });
    const models = await source.list();
    assert.deepEqual(
      models.map((model) => model.id),
      ['openai-compatible:small', 'openai-compatible:mine', 'openai-compatible:big'],
    );
    assert.deepEqual(
      [models[0]?.label, models[0]?.isDemo, models[0]?.detail],
      ['small', false, new URL(server.origin).host],
    );
  });

  it('are none while no address is set', async () => {
    const { source } = sourceOf({ baseUrl: ' ', models: ['mine'] });
    assert.deepEqual(await source.list(), []);
    assert.equal(await source.find('openai-compatible:mine'), undefined);
  });

  it('that the user named are listed though the server is away', async () => {
    await using server = await startOpenAiServer({ script: [] });
    const { source } = sourceOf({ baseUrl: server.baseUrl, models: ['mine'] });
    await server.close();
    assert.deepEqual(
      (await source.list()).map((model) => model.label),
      ['mine'],
    );
  });

  it('cannot be listed when the server is away and none was named', async () => {
    await using server = await startOpenAiServer({ script: [] });
    const { source } = sourceOf({ baseUrl: server.baseUrl, models: [] });
    await server.close();
    await assert.rejects(source.list(), { code: 'model-list', message: /Can’t reach/ });
  });

  it('cannot be listed when the server wants another key', async () => {
    await using server = await startOpenAiServer({ script: [], key: 'right' });
    const { source } = sourceOf({ baseUrl: server.baseUrl, models: [] }, { [server.origin]: 'wrong' });
    await assert.rejects(source.list(), { code: 'unauthorized', message: /Set API Key/ });
  });

  it('are found by name without asking the server', async () => {
    await using server = await startOpenAiServer({ script: [answer('hello')] });
    const { source } = sourceOf({ baseUrl: server.baseUrl, models: [] });
    const model = await source.find('openai-compatible:llama3:8b');
    assert.equal(server.modelListRequests, 0);
    assert.equal(await outcomeOf(model), 'hello');
    assert.equal(server.requests[0]?.body.model, 'llama3:8b');
  });

  it('are asked at the new address once the user has changed it', async () => {
    await using first = await startOpenAiServer({ script: [answer('first')] });
    await using second = await startOpenAiServer({ script: [answer('second')] });
    const { source, current } = sourceOf({ baseUrl: first.baseUrl, models: ['m'] });
    assert.equal(await outcomeOf(await source.find('openai-compatible:m')), 'first');
    current.baseUrl = `${second.baseUrl}/`;
    assert.equal(await outcomeOf(await source.find('openai-compatible:m')), 'second');
  });

  it('are asked with the query the address carries', async () => {
    const asked: string[] = [];
    const source = new OpenAiCompatibleSource({
      settings: () => ({ baseUrl: 'https://models.test/v1?api-version=2', models: [] }),
      keyFor: () => Promise.resolve(undefined),
      fetch: (input) => {
        asked.push(input instanceof Request ? input.url : String(input));
        return Promise.resolve(Response.json({ data: [{ id: 'm' }] }));
      },
    });
    const [model] = await source.list();
    await outcomeOf(model);
    assert.deepEqual(asked, [
      'https://models.test/v1/models?api-version=2',
      'https://models.test/v1/chat/completions?api-version=2',
    ]);
  });
});

describe('the key of a model server', () => {
  it('goes to the origin it was given for', async () => {
    await using server = await startOpenAiServer({ script: [answer('welcome')], key: 'k1' });
    const { source } = sourceOf({ baseUrl: server.baseUrl, models: ['m'] }, { [server.origin]: 'k1' });
    assert.equal((await source.list()).length, 2);
    assert.equal(await outcomeOf(await source.find('openai-compatible:m')), 'welcome');
  });

  it('is not sent when the settings name another address', async () => {
    await using trusted = await startOpenAiServer({ script: [], key: 'k1' });
    await using other = await startOpenAiServer({ script: [answer('thanks')] });
    const { source, current } = sourceOf(
      { baseUrl: trusted.baseUrl, models: ['m'] },
      { [trusted.origin]: 'k1' },
    );
    current.baseUrl = other.baseUrl;
    assert.equal(await outcomeOf(await source.find('openai-compatible:m')), 'thanks');
    assert.equal(other.requests[0]?.headers['authorization'], undefined);
  });

  it('does not follow a redirect, and neither does the conversation', async () => {
    await using other = await startOpenAiServer({ script: [answer('thanks')] });
    const script = [redirect(`${other.baseUrl}/chat/completions`)];
    await using server = await startOpenAiServer({ script, key: 'k1' });
    const { source } = sourceOf({ baseUrl: server.baseUrl, models: ['m'] }, { [server.origin]: 'k1' });
    assert.equal(await outcomeOf(await source.find('openai-compatible:m')), 'redirected');
    assert.deepEqual(other.requests, []);
  });

  it('is not needed by a server that asks for none', async () => {
    await using server = await startOpenAiServer({ script: [answer('hi')] });
    const { source } = sourceOf({ baseUrl: server.baseUrl, models: ['m'] });
    assert.equal(await outcomeOf(await source.find('openai-compatible:m')), 'hi');
    assert.equal(server.requests[0]?.headers['authorization'], undefined);
  });

  it('never leaves its origin, for any caller', async () => {
    const fetch = originFetch({ origin: 'https://a.test', key: 'k1', fetch: () => assert.fail('was sent') });
    await assert.rejects(fetch('https://a.test.evil.test/v1'), { code: 'foreign-origin' });
    await assert.rejects(fetch('http://a.test/v1'), { code: 'foreign-origin' });
    await assert.rejects(fetch(new Request('https://b.test/')), { code: 'foreign-origin' });
  });
});

describe('a key on its way to a server', () => {
  it('can be read where it is not encrypted and leaves this machine', () => {
    const readable = ['http://models.test', 'http://192.168.0.2:1234', 'http://127.0.0.1.evil.test'];
    readable.push('http://localhost.evil.test', 'http://[fe80::1]', 'http://0.0.0.0', 'http://notlocalhost');
    const safe = ['https://models.test', 'http://localhost:1234', 'http://127.0.0.1', 'http://127.9.9.9:80'];
    safe.push('http://[::1]:1', 'http://a.localhost');
    assert.deepEqual(
      readable.map(isCleartext),
      readable.map(() => true),
    );
    assert.deepEqual(
      safe.map(isCleartext),
      safe.map(() => false),
    );
  });
});

describe('the address of a model server', () => {
  it('has to be a web address', () => {
    for (const text of ['localhost:1234', 'file:///etc/passwd', 'nonsense', 'javascript:alert(1)']) {
      assert.throws(() => parseBaseUrl(text), { code: 'invalid-address' }, text);
    }
    assert.equal(parseBaseUrl(' http://localhost:1234/v1 ').origin, 'http://localhost:1234');
  });

  it('may hold no secret, which belongs to the secret storage', () => {
    const addresses = [
      'https://me:hidden@models.test/v1',
      'https://hidden@models.test/v1',
      'https://models.test/v1?api-version=2&api-key=hidden',
      'https://models.test/v1?KEY=hidden',
      'https://models.test/v1?access_token=hidden',
    ];
    for (const address of addresses) {
      assert.throws(
        () => parseBaseUrl(address),
        (error: Error) => {
          assert.match(error.message, /Set API Key/);
          assert.doesNotMatch(error.message, /hidden/);
          return true;
        },
        address,
      );
    }
    assert.equal(parseBaseUrl('https://models.test/v1?api-version=2').search, '?api-version=2');
  });
});
