import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PositionChangedError } from '../../../src/extension/pages/checkPosition.ts';
import { WebviewHost, type PageListener } from '../../../src/extension/pages/webviewHost.ts';
import { graphFromPage, type GraphProtocol } from '../../../src/protocol/graphMessages.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const nodes = [{ id: 'm', label: 'Hello', createdAt: 0 }];
const describeNodes = { type: 'describeNodes', chatId: 'c', ids: ['m'] };
const request = (messageId: unknown, body: unknown = describeNodes): unknown => ({
  type: 'request',
  messageId,
  body,
});

describe('the host of a page', () => {
  it('answers a request with one reply that names it', async () => {
    const { host, posted } = opened();
    await host.receive(request(7));
    assert.deepEqual(posted, [{ type: 'reply', inReplyTo: 7, body: { nodes } }]);
  });

  it('refuses a request with the reason, and goes on', async () => {
    const { host, posted, log, failed } = opened({
      answers: {
        describeNodes: () => Promise.reject(new PositionChangedError()),
        previewNode: () => Promise.resolve({}),
      },
    });
    await host.receive(request(1));
    await host.receive(request(2, { type: 'previewNode', chatId: 'c', id: 'm' }));
    assert.deepEqual(posted, [
      { type: 'requestRefused', inReplyTo: 1, reason: 'place-changed' },
      { type: 'reply', inReplyTo: 2, body: {} },
    ]);
    assert.deepEqual(log, ['describeNodes']);
    assert.deepEqual(failed, ['describeNodes']);
  });

  it('asks whether it may be done before it does anything', async () => {
    const { host, posted, handled } = opened({
      check: () => {
        throw new PositionChangedError();
      },
    });
    await host.receive(request(1));
    await host.receive({ type: 'switchBranch', chatId: 'c', branch: 'main' });
    assert.deepEqual(posted, [
      { type: 'requestRefused', inReplyTo: 1, reason: 'place-changed' },
      { type: 'actionFailed', text: 'place-changed' },
    ]);
    assert.deepEqual(handled, []);
  });

  it('refuses what another page asks, and what has the wrong shape, by its shape and without doing it', async () => {
    const { host, posted, log, handled } = opened();
    await host.receive({ type: 'keepAlternative', branch: 'a secret' });
    await host.receive({ type: 'switchBranch', chatId: 'c', branch: 'main', more: 'a secret' });
    await host.receive({ ...describeNodes, ids: ['a secret'] });
    await host.receive('a secret');
    assert.deepEqual([posted, handled], [[], []]);
    assert.equal(log.length, 4);
    assert.ok(!log.join().includes('a secret'), log.join());
  });

  it('refuses what its page has no business to say in the same way, before it asks whether it may be done', async () => {
    const checked: string[] = [];
    const { host, posted, log, handled, failed } = opened({
      check: ({ type }) => void checked.push(type),
      handlers: { showMessage: () => Promise.reject(new Error('never')) },
      answers: {},
    });
    await host.receive({ type: 'switchBranch', chatId: 'a secret', branch: 'main' });
    await host.receive(request(5));
    assert.deepEqual(posted, [{ type: 'requestRefused', inReplyTo: 5, reason: 'unreadable-request' }]);
    assert.deepEqual([checked, handled, failed], [[], [], []]);
    assert.deepEqual(log, [
      'The graph sent a message that was refused (type: not of this page)',
      'The graph sent a message that was refused (body.type: not of this page)',
    ]);
  });

  it('says that the page is used before it does what a notice asks, and of nothing else', async () => {
    const done: string[] = [];
    const { host } = opened({
      used: () => void done.push('used'),
      handlers: { switchBranch: () => void done.push('switched') },
    });
    await host.receive({ type: 'ready' });
    await host.receive(request(1));
    await host.receive({ type: 'switchBranch', chatId: 'c', branch: 'main' });
    assert.deepEqual(done, ['used', 'switched']);
  });

  it('does not leave a page waiting for what could not be read', async () => {
    const { host, posted } = opened();
    await host.receive(request(3, { type: 'findFiles', names: [] }));
    await host.receive({ type: 'request', messageId: 4 });
    assert.deepEqual(posted, [
      { type: 'requestRefused', inReplyTo: 3, reason: 'unreadable-request' },
      { type: 'requestRefused', inReplyTo: 4, reason: 'unreadable-request' },
    ]);
  });

  it('answers no number that is none', async () => {
    const { host, posted, log } = opened();
    for (const id of [0, -1, 1.5, 2 ** 53, 1e300, Infinity, NaN, '1', null, undefined, {}, [1]])
      await host.receive(request(id));
    assert.deepEqual(posted, []);
    assert.equal(log.length, 12);
  });

  it('takes no second request under the number of one that is on its way', async () => {
    const gate = Promise.withResolvers<boolean>();
    let times = 0;
    const { host, posted } = opened({
      answers: {
        describeNodes: async () => {
          times += 1;
          await gate.promise;
          return { nodes };
        },
        previewNode: () => Promise.resolve({}),
      },
    });
    const first = host.receive(request(1));
    await host.receive(request(1));
    await host.receive(request(1, { type: 'nonsense' }));
    gate.resolve(true);
    await first;
    assert.equal(times, 1);
    assert.deepEqual(posted, [{ type: 'reply', inReplyTo: 1, body: { nodes } }]);
  });

  it('does once what is clicked twice before it is done, and again after that', async () => {
    const gates = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const begun: string[] = [];
    const { host, posted } = opened({
      handlers: {
        switchBranch: ({ branch }) => {
          begun.push(branch);
          return gates[begun.length - 1]?.promise;
        },
      },
    });
    const click = (branch: string): Promise<void> =>
      host.receive({ type: 'switchBranch', chatId: 'c', branch });
    const first = click('main');
    await click('main');
    const other = click('side');
    gates[1]?.reject(new PositionChangedError());
    await other;
    await click('side');
    assert.deepEqual(begun, ['main', 'side', 'side']);
    gates[0]?.resolve(undefined);
    await first;
    await click('main');
    assert.deepEqual(begun, ['main', 'side', 'side', 'main']);
    assert.deepEqual(posted, [{ type: 'actionFailed', text: 'place-changed' }]);
  });

  it('says nothing to a page that was hidden or closed since it asked', async () => {
    for (const end of ['hide', 'close', 'dispose'] as const) {
      const gate = Promise.withResolvers<boolean>();
      const { host, posted } = opened({
        answers: {
          describeNodes: async () => {
            await gate.promise;
            return { nodes };
          },
          previewNode: () => Promise.resolve({}),
        },
      });
      const asked = host.receive(request(1));
      await Promise.resolve();
      host[end]();
      gate.resolve(true);
      await asked;
      assert.deepEqual(posted, [], end);
    }
  });

  it('keeps what a page is to be told until it is there, and after all it shows', async () => {
    const { host, posted } = opened();
    host.postWhenReady({ type: 'graphFailed', reason: 'late' });
    assert.equal(host.isReady, false);
    await host.receive({ type: 'ready' });
    assert.equal(host.isReady, true);
    assert.deepEqual(posted, [
      { type: 'localised', texts: {}, locale: 'en' },
      { type: 'actionFailed', text: 'begun' },
      { type: 'graphFailed', reason: 'late' },
    ]);
    host.hide();
    assert.equal(host.isReady, false);
  });

  it('posts nothing to a page before it is there, nor to one that is hidden: each gets everything once it begins', async () => {
    const { host, posted } = opened();
    host.post({ type: 'graphFailed', reason: 'too early' });
    await host.receive({ type: 'ready' });
    host.post({ type: 'graphFailed', reason: 'in time' });
    host.hide();
    host.post({ type: 'graphFailed', reason: 'too late' });
    assert.deepEqual(posted, [
      { type: 'localised', texts: {}, locale: 'en' },
      { type: 'actionFailed', text: 'begun' },
      { type: 'graphFailed', reason: 'in time' },
    ]);
  });

  it('says when VS Code has passed a message on, and not before', async () => {
    const { host } = opened();
    const passing = Promise.withResolvers<boolean>();
    let isPassedOn = false;
    host.open({ postMessage: () => passing.promise });
    await host.receive({ type: 'ready' });
    host.post({ type: 'graphFailed', reason: 'any' }, () => (isPassedOn = true));
    await Promise.resolve();
    assert.equal(isPassedOn, false);
    passing.resolve(true);
    await passing.promise;
    assert.equal(isPassedOn, true);
  });

  it('survives whatever is said (fuzz)', async () => {
    const message = fc.oneof(
      fc.anything(),
      fc.record({ type: fc.constant('request'), messageId: fc.anything(), body: fc.anything() }),
      fc.record({ type: fc.constantFrom('reply', 'ready', 'compare'), inReplyTo: fc.anything() }),
    );
    await fc.assert(
      fc.asyncProperty(message, async (message) => {
        const { host, handled } = opened();
        await host.receive(message);
        assert.deepEqual(handled, []);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});

/** A host of the graph's page, with what it posted, handled, logged and was told of failures. */
function opened(listener: Partial<PageListener<GraphProtocol>> = {}): {
  host: WebviewHost<GraphProtocol>;
  posted: unknown[];
  handled: unknown[];
  log: string[];
  failed: string[];
} {
  const [posted, handled]: [unknown[], unknown[]] = [[], []];
  const [log, failed]: [string[], string[]] = [[], []];
  const handle = (message: unknown): void => void handled.push(message);
  const host: WebviewHost<GraphProtocol> = new WebviewHost<GraphProtocol>(
    'The graph',
    () => graphFromPage,
    {
      begin: () => {
        host.post({ type: 'actionFailed', text: 'begun' });
        return Promise.resolve();
      },
      handlers: { switchBranch: handle, showMessage: handle, compare: handle },
      answers: {
        describeNodes: () => Promise.resolve({ nodes }),
        previewNode: () => Promise.resolve({}),
      },
      failed: (_error, message) => void failed.push(message.type),
      ...listener,
    },
    {
      log: { warn: (text: string) => void log.push(text) },
      localised: () => Promise.resolve({ texts: {}, locale: 'en' }),
      logFailure: (what) => void log.push(what),
      messageOf: (error) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
    },
  );
  host.open({ postMessage: (message) => Promise.resolve(posted.push(message) > 0) });
  return { host, posted, handled, log, failed };
}
