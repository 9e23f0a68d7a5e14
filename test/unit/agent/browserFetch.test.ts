import assert from 'node:assert/strict';
import { browserFetch } from '../../../src/models/providers/browserFetch.ts';
import { hostedProviders } from '../../../src/models/modelProviders.ts';
import { HostedSource } from '../../../src/models/providers/hosted/hostedSource.ts';
import { ModelError } from '../../../src/models/errors/modelErrors.ts';
import { pageFetch } from '../../../src/host/browser/browserHost.ts';

const refusing = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));

/** What is said of a request from this page that did not get through. */
async function said(url: string, page = 'https://editor.example'): Promise<string> {
  const error: unknown = await browserFetch(refusing, page)(url).catch((each: unknown) => each);
  assert.ok(error instanceof ModelError && error.code === 'browser-refused');
  return error.message;
}

describe('requests from a browser', () => {
  it('that do not get through say what the server has to allow', async () => {
    assert.match(
      await said('https://api.example/v1/models'),
      /https:\/\/api\.example: .*https:\/\/editor\.example.*CORS/u,
    );
    assert.match(
      await said('http://127.0.0.1:11434/api/show'),
      /OLLAMA_ORIGINS=https:\/\/editor\.example\./u,
    );
    const ofWeb = await said('http://127.0.0.1:11434/v1', 'https://v--abc.vscode-cdn.net');
    assert.match(ofWeb, /OLLAMA_ORIGINS=https:\/\/\*\.vscode-cdn\.net/u);
  });

  it('that are stopped, or answered, are not explained', async () => {
    const stopped = AbortSignal.abort();
    await assert.rejects(browserFetch(refusing, 'x')('https://a.example', { signal: stopped }), TypeError);
    const failing = (): Promise<Response> => Promise.reject(new DOMException('late', 'TimeoutError'));
    await assert.rejects(browserFetch(failing, 'x')('https://a.example'), { name: 'TimeoutError' });
    const response = new Response('no', { status: 403 });
    assert.equal(await browserFetch(() => Promise.resolve(response), 'x')('https://a.example'), response);
  });

  it('tell Anthropic that they come from there, and nothing of what runs them', async () => {
    const anthropic = hostedProviders.find(({ id }) => id === 'anthropic') ?? assert.fail();
    const before = globalThis.fetch;
    const sent: Headers[] = [];
    globalThis.fetch = (_, init) => {
      sent.push(new Headers(init?.headers));
      return Promise.resolve(Response.json({ data: [] }));
    };
    try {
      for (const isBrowser of [true, false]) {
        const source = new HostedSource(anthropic, {
          keyFor: () => Promise.resolve('k'),
          fetch: pageFetch,
          isBrowser,
        });
        await source.check('k');
      }
      await pageFetch('https://a.example', { headers: { 'user-agent': 'x', accept: 'y' } });
    } finally {
      globalThis.fetch = before;
    }
    const marks = sent.map((headers) => headers.get('anthropic-dangerous-direct-browser-access'));
    assert.deepEqual(marks, ['true', null, null]);
    assert.deepEqual([...(sent[2] ?? [])], [['accept', 'y']]);
  });
});
