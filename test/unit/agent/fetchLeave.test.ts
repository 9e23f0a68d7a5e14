import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readAddress } from '../../../src/agent/tools/web/fetchPage.ts';
import { isListedPage, pageRequest } from '../../../src/agent/tools/web/webLeave.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { answer, useTools } from '../../fixtures/openaiServer.ts';
import { page, startWebServer } from '../../fixtures/webServer.ts';
import { asked, fetch, results, webWorld } from '../../worlds/webWorld.ts';

describe('leave to fetch pages', () => {
  it('holds for a host in a chat, or in the workspace, with its port and its protocol', async () => {
    await using server = await startWebServer(page('x', 'x'));
    await using second = await startWebServer(page('y', 'y'));
    const steps = [
      server.url('/1'),
      server.url('/2'),
      second.url('/3'),
      server.url('/4', 'other.example.com'),
    ];
    for (const choice of ['chat', 'workspace'] as const) {
      await using web = await webWorld([...steps.map((url) => useTools(fetch(url))), answer('ok')], {
        choose: () => choice,
      });
      await web.world.answered('?');
      assert.deepEqual(asked(web), [steps[0], steps[2], steps[3]]);
      const kept =
        choice === 'chat' ? [] : [server.url(''), second.url(''), server.url('', 'other.example.com')];
      assert.deepEqual(
        [...web.person.allowances.kinds],
        kept.map((origin) => `web:${origin}`),
      );
    }
  });

  it('that is given while the same host is asked for several times answers all of them', async () => {
    await using server = await startWebServer(page('x', 'x'));
    const urls = ['/1', '/2', `/${'long'.repeat(100)}`].map((path) => server.url(path));
    await using web = await webWorld([useTools(...urls.map((url) => fetch(url))), answer('ok')], {
      choose: ({ page: shown }) => (shown?.url === urls[1] ? undefined : 'workspace'),
    });
    await web.world.answered('?');
    assert.equal(results(web.world).filter((result) => result.startsWith('URL: ')).length, 3);
    assert.deepEqual(asked(web).toSorted(), urls.toSorted());
  });

  it('does not cover an address that has room for something to be carried out', async () => {
    await using server = await startWebServer(page('x', 'x'));
    const long = server.url(`/?q=${'a'.repeat(300)}`);
    const script = [
      useTools(fetch(server.url('/'))),
      useTools(fetch(long)),
      useTools(fetch(long)),
      answer('ok'),
    ];
    await using web = await webWorld(script, { choose: () => 'workspace' });
    await web.world.answered('?');
    assert.deepEqual(asked(web), [server.url('/'), long, long]);
  });

  it('is not needed for hosts the user listed, over an encrypted connection', () => {
    const isListed = (url: string, ...hosts: string[]): boolean => isListedPage(readAddress(url), hosts);
    assert.equal(isListed('https://docs.example.com/a?b', 'docs.example.com'), true);
    assert.equal(isListed('https://docs.example.com./a?b', ' DOCS.example.com '), true);
    assert.equal(isListed('https://a.b.example.com/', '*.example.com'), true);
    assert.equal(isListed('https://bücher.example/', 'bücher.example'), true);
    assert.equal(isListed('https://example.com:8443/', 'example.com:8443'), true);
    for (const [url, ...hosts] of [
      ['https://example.com/', '*.example.com'],
      ['https://notexample.com/', '*.example.com', '*example.com'],
      ['https://docs.example.com.evil.test/', 'docs.example.com'],
      ['https://example.com:8443/', 'example.com'],
      ['http://example.com/', 'example.com'],
      [
        'https://example.com/',
        '*',
        '*.',
        '*.*',
        '',
        '.',
        '*.com.',
        'https://example.com',
        'example.com/',
        'a@example.com',
        '**.com',
        'exa*.com',
      ],
      [`https://example.com/${'x'.repeat(300)}`, 'example.com'],
      ['https://xn--exmple-cua.com/', 'example.com'],
    ] as const) {
      assert.equal(isListed(url, ...hosts), false, `${url} by ${hosts.join()}`);
    }
  });

  it('is shown as the host that is connected to, however it is written (fuzz)', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true }),
        fc.constantFrom('', 'ü', '。', '\u200b', 'а'),
        (url, odd) => {
          const read = URL.parse(url.replace('://', `://${odd}`));
          fc.pre(read !== null);
          const { page: shown } = pageRequest(readAddress(read.href));
          assert.match(shown?.url ?? '', /^https?:\/\/[\x21-\x7e]+$/);
          assert.equal(new URL(shown?.url ?? '').host, shown?.host);
        },
      ),
      { numRuns: fuzzRuns(300) },
    );
  });
});
