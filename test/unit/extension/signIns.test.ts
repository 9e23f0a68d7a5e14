import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { SignIns } from '../../../src/extension/models/signIns.ts';
import { HostedSource } from '../../../src/models/providers/hosted/hostedSource.ts';
import { hostedProviders } from '../../../src/models/modelProviders.ts';
import { openRouter } from '../../../src/models/providers/hosted/openRouter.ts';
import { startRawServer, type RawReply } from '../../fixtures/rawServer.ts';
import { readObject } from '../../fixtures/strict/strictServer.ts';

const json = (body: unknown, status = 200): RawReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  pieces: [JSON.stringify(body)],
});

/** OpenRouter's part of it: a code is good once, with the verifier of the challenge that the page had. */
class Pages {
  readonly opened: URL[] = [];
  readonly codes = new Map<string, string>();

  /** The link that the page opens once the user has agreed. */
  agree(code: string): URL {
    const page = this.opened.at(-1) ?? assert.fail('no page');
    assert.equal(page.searchParams.get('code_challenge_method'), 'S256');
    this.codes.set(code, page.searchParams.get('code_challenge') ?? '');
    const link = new URL(page.searchParams.get('callback_url') ?? '');
    link.searchParams.set('code', code);
    return link;
  }

  exchange(body: unknown): RawReply {
    const { code, code_verifier: verifier, code_challenge_method: method } = readObject(body);
    const challenge = this.codes.get(String(code));
    this.codes.delete(String(code));
    const made = createHash('sha256').update(String(verifier)).digest('base64url');
    return method === 'S256' && made === challenge
      ? json({ key: 'sk-or-v1-new', user_id: 'user_1' })
      : json({ error: { message: 'Invalid code or code_verifier' } }, 403);
  }
}

describe('a sign-in', () => {
  const pages = new Pages();
  beforeEach(() => {
    pages.opened.length = 0;
    pages.codes.clear();
  });

  const signIns = (): SignIns =>
    new SignIns({
      callbackTo: (path) => Promise.resolve(`vscode://offshoot.offshoot${path}`),
      open: (page) => {
        pages.opened.push(new URL(page));
        return Promise.resolve(true);
      },
    });
  const serve = () => startRawServer(({ body }) => pages.exchange(body));
  const startAt = (origin: string): NonNullable<HostedSource['signIn']> =>
    new HostedSource(openRouter, {
      keyFor: () => Promise.resolve(undefined),
      baseUrl: () => `${origin}/api/v1`,
    }).signIn ?? assert.fail();
  const opened = async (): Promise<void> => {
    while (pages.opened.length === 0) await new Promise((resolve) => setImmediate(resolve));
  };
  const receive = (to: SignIns, { pathname: path, search }: URL): boolean =>
    to.received({ path, query: search.slice(1) });

  it('ends with the key that the page’s code is worth, and with nothing of it in the page', async () => {
    await using server = await serve();
    const all = signIns();
    const key = all.run(startAt(server.origin), 'OpenRouter', new AbortController().signal);
    await opened();
    const [page = assert.fail()] = pages.opened;
    assert.equal(page.origin + page.pathname, `${server.origin}/auth`);
    assert.equal(receive(all, pages.agree('code1')), true);
    assert.equal(await key, 'sk-or-v1-new');
    const [request = assert.fail()] = server.requests;
    assert.equal(request.path, '/api/v1/auth/keys');
    const verifier = String(readObject(request.body)['code_verifier']);
    assert.match(verifier, /^[\w-]{43}$/);
    assert.doesNotMatch(page.href, new RegExp(verifier));
  });

  it('is not ended by a link that nobody waits for', async () => {
    await using server = await serve();
    const all = signIns();
    const stopping = new AbortController();
    const key = all.run(startAt(server.origin), 'OpenRouter', stopping.signal);
    await opened();
    const link = pages.agree('code1');
    assert.equal(receive(all, new URL('vscode://offshoot.offshoot/sign-in/another?code=code1')), true);
    assert.equal(receive(all, new URL('vscode://offshoot.offshoot/chat/x')), false);
    assert.equal(receive(all, link), true);
    assert.equal(await key, 'sk-or-v1-new');
    // Once.
    assert.equal(receive(all, link), true);
    assert.equal(server.requests.length, 1);
  });

  it('fails with what to do when the page gave no code, or another’s', async () => {
    await using server = await serve();
    const all = signIns();
    for (const code of ['', 'stolen']) {
      pages.opened.length = 0;
      const key = all.run(startAt(server.origin), 'OpenRouter', new AbortController().signal);
      await opened();
      const link = pages.agree('mine');
      link.searchParams.set('code', code);
      receive(all, link);
      await assert.rejects(key, { code: 'sign-in', message: /OpenRouter gave no key\. Sign in again/ });
    }
  });

  it('ends without a key when the user stops it, or opens no page', async () => {
    await using server = await serve();
    const all = signIns();
    const stopping = new AbortController();
    const key = all.run(startAt(server.origin), 'OpenRouter', stopping.signal);
    await opened();
    stopping.abort();
    assert.equal(await key, undefined);
    const none = new SignIns({
      callbackTo: (path) => Promise.resolve(`vscode://offshoot.offshoot${path}`),
      open: () => Promise.resolve(false),
    });
    assert.equal(
      await none.run(startAt(server.origin), 'OpenRouter', new AbortController().signal),
      undefined,
    );
    assert.deepEqual(server.requests, []);
  });

  it('is there for OpenRouter alone', () => {
    const ids = hostedProviders.filter((provider) => 'signIn' in provider).map(({ id }) => id);
    assert.deepEqual(ids, ['openrouter']);
  });
});
