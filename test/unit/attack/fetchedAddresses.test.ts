import assert from 'node:assert/strict';
import zlib from 'node:zlib';
import { fetchPage } from '../../../src/agent/tools/web/fetchPage.ts';
import { isListedPage } from '../../../src/agent/tools/web/webLeave.ts';
import type { ToolContext } from '../../../src/agent/tools/tool.ts';
import { DeniedError, type ApprovalRequest } from '../../../src/agent/tools/approvals.ts';
import { NodeWebReader } from '../../../src/host/node/nodeWebReader.ts';
import type { PageReply, WebReader } from '../../../src/host/webReader.ts';
import { startWebServer, testReader } from '../../fixtures/webServer.ts';

/** What is never fetched, by a model or by a page: nobody is asked, and nothing is looked up. */
const refused: readonly string[] = [
  // This machine, in the ways in which its address may be written.
  ...['http://127.0.0.1/', 'http://127.1/', 'http://127.0.1/', 'http://2130706433/', 'http://0x7f000001/'],
  ...[
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://0x7f.1/',
    'http://127.0.0.1./',
  ],
  ...[
    'http://127.0.0.1../',
    'http://0/',
    'http://0.0.0.0/',
    'http://00000000000/',
    'http://%31%32%37.0.0.1/',
  ],
  ...[
    'http://１２７.０.０.１/',
    'http://①②⑦.0.0.1/',
    'http://127。0。0。1/',
    'http://127.0.0.1:80/',
    'http:127.0.0.1',
  ],
  ...[
    'http:\\\\127.0.0.1\\',
    'http:///127.0.0.1/',
    'http://127.0.0.1\t/',
    'ht\ntp://127.0.0.1/',
    'HTTP://127.0.0.1/',
  ],
  ...['http://x@127.0.0.1/', 'http://docs.example.com@127.0.0.1/', 'http://127.0.0.1#@docs.example.com/'],
  ...[
    'http://127.0.0.1?@docs.example.com/',
    'http://127.0.0.1\\@docs.example.com/',
    'https://127.255.255.254/',
  ],
  // The same in IPv6.
  ...['http://[::1]/', 'http://[0:0:0:0:0:0:0:1]/', 'http://[::]/', 'http://[::ffff:127.0.0.1]/'],
  ...[
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[2002:7f00:1::]/',
  ],
  ...[
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fe80::1%25lo]/',
  ],
  // Names of this machine and of private networks.
  ...[
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://localhost.../',
    'http://a.localhost/',
  ],
  ...[
    'http://ｌｏｃａｌｈｏｓｔ/',
    'http://lo%63alhost/',
    'http://loc\u00adalhost/',
    'http://printer/',
    'http://printer.local/',
  ],
  ...[
    'http://printer.local.../',
    'http://x.internal/',
    'http://metadata.google.internal/',
    'http://x.lan/',
    'http://x.corp/',
  ],
  ...[
    'http://x.home.arpa/',
    'http://x.intranet/',
    'http://x.private/',
    'http://x.home/',
    'http://printer.local:631/',
  ],
  // Private networks, services of clouds, and what is no network.
  ...[
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://169.254.169.254/',
  ],
  ...[
    'http://[fd00:ec2::254]/',
    'http://100.64.0.1/',
    'http://100.100.100.200/',
    'http://192.0.0.192/',
    'http://0xa9fea9fe/',
  ],
  ...[
    'http://[fc00::1]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://224.0.0.1/',
  ],
  ...[
    'http://255.255.255.255/',
    'http://198.18.0.1/',
    'http://203.0.113.1/',
    'http://[2001:db8::1]/',
    'http://240.0.0.1/',
  ],
  ...[
    'http://[::ffff:10.0.0.1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:c0a8:1]/',
    'http://[100::1]/',
  ],
  // What is no page of the web.
  ...[
    'file:///etc/passwd',
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://example.com/x',
  ],
  ...[
    'vscode://offshoot.offshoot/chat/x',
    'command:workbench.action.quit',
    'gopher://example.com/',
    'ws://example.com/',
  ],
  ...[
    'about:blank',
    'view-source:http://example.com/',
    'jar:http://example.com!/',
    'unix:/var/run/docker.sock',
    'ldap://x.y/',
  ],
  ...[
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
    'mailto:x@example.com',
    'chrome://settings',
    'vscode-file://vscode-app/x',
  ],
  // With credentials, ports that are none, or no host.
  ...['https://user@example.com/', 'https://user:secret@example.com/', 'https://:secret@example.com/'],
  ...[
    'https://example.com:0x50/',
    'https://example.com:99999/',
    'https://example.com:-1/',
    'https://',
    'https:///',
    'https://./',
  ],
  ...['https://exa mple.com/', 'https://example.com%00.evil.example/', 'https://[::1', 'https://a]b/'],
  ...[
    `https://example.com/${'a'.repeat(4_000)}`,
    `https://${'a.'.repeat(3_000)}example/`,
    'https://%/',
    'https://^/',
  ],
];

const found = { status: 200, contentType: 'text/plain', location: undefined, isCut: false };

/** Sends on to an address, and reads nothing else; says whom it was asked for. */
class SendingOn implements WebReader {
  readonly read_: string[] = [];
  private readonly names = new NodeWebReader({ resolve: () => assert.fail('nothing is looked up') });

  constructor(private readonly location: string) {}

  checkName(url: URL): void {
    this.names.checkName(url);
  }
  read(url: URL): Promise<PageReply> {
    this.read_.push(url.href);
    return Promise.resolve({ ...found, status: 302, location: this.location, body: undefined });
  }
}

async function fetched(
  reader: WebReader,
  url: string,
  approve: (request: ApprovalRequest) => Promise<void>,
  allowedHosts: readonly string[] = [],
): Promise<string> {
  const context: Pick<ToolContext, 'approve' | 'signal'> = { approve, signal: new AbortController().signal };
  const host = {
    load: () => assert.fail('it is loaded'),
    reader: () => Promise.resolve(reader),
    log: () => undefined,
    allowedHosts: () => allowedHosts,
  };
  return (await fetchPage(host, { url, offset: 0 }, context as ToolContext)).text;
}

describe('attack: an address that is to be fetched', () => {
  for (const url of refused) {
    const shown = JSON.stringify(url.slice(0, 60));
    it(`is refused unasked: ${shown}`, async () => {
      const reader = new SendingOn('/');
      const asked = fetched(reader, url, () => assert.fail('nobody is asked'));
      await assert.rejects(asked, { name: 'ToolError' });
      assert.deepEqual(reader.read_, []);
    });

    it(`is not followed where a page sends there: ${shown}`, async () => {
      const reader = new SendingOn(url);
      const asked: string[] = [];
      const reading = fetched(reader, 'http://docs.example.com/', ({ page }) => {
        asked.push(page?.host ?? '');
        // What a browser takes for a page of the same host is none of this machine.
        return page?.host === 'docs.example.com' && asked.length === 1
          ? Promise.resolve()
          : Promise.reject(new DeniedError());
      });
      await assert.rejects(reading);
      assert.deepEqual(reader.read_, ['http://docs.example.com/']);
      assert.ok(
        asked.every((host) => host === 'docs.example.com'),
        asked.join(),
      );
    });
  }
});

/** What the user listed covers none of these. */
const unlisted: readonly string[] = [
  'http://docs.example.com/',
  'https://docs.example.com:8443/',
  'https://docs.example.com.evil.example/',
  'https://evil.example/docs.example.com',
  'https://evil.example/?docs.example.com',
  'https://evil.example/#docs.example.com',
  'https://docs-example.com/',
  'https://docs.example.co/',
  'https://xdocs.example.com/',
  'https://docs.example.com.',
  'https://d\u043ecs.example.com/',
  'https://docs.ex\u0430mple.com/',
  'https://example.org/',
  'https://xexample.org/',
  'https://a.example.org.evil.example/',
  'https://a.example.org:444/',
  'http://a.example.org/',
  `https://docs.example.com/?q=${'a'.repeat(300)}`,
  `https://a.example.org/${'b'.repeat(300)}`,
];

describe('attack: hosts that the user listed', () => {
  for (const url of unlisted) {
    it(`do not cover ${url.slice(0, 60)}`, () => {
      // A dot at the end is taken away before, and leaves the host that was listed.
      if (url.endsWith('.com.')) assert.equal(isListedPage(new URL(url), ['docs.example.com']), false);
      else
        for (const list of [
          ['docs.example.com', '*.example.org'],
          ['*', '*.', '', '.', '*.*', '**'],
        ])
          assert.equal(isListedPage(new URL(url), list), false);
    });
  }
});

/** Addresses that a name may be made to lead to. */
const inside: readonly string[] = [
  ...[
    '127.0.0.1',
    '127.1.2.3',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
  ],
  ...[
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1',
  ],
  ...[
    '64:ff9b::7f00:1',
    '2002:7f00:1::1',
    '2001:db8::1',
    'ff02::1',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
  ],
  ...['', 'localhost', '127.1', '2130706433', '0x7f000001', '1.2.3.4.5', '1.2.3.4/8'],
];

describe('attack: a name that leads inside', () => {
  const refuses = async (addresses: readonly string[]): Promise<void> => {
    const reader = new NodeWebReader({ resolve: () => Promise.resolve(addresses), limitMs: 5_000 });
    const reading = reader.read(new URL('http://docs.example.com:9/'), {
      signal: new AbortController().signal,
      wants: () => assert.fail('nothing was asked'),
    });
    await assert.rejects(reading, { name: 'WebReadError', code: 'refused' });
  };

  for (const address of inside) {
    it(`is not connected to: ${JSON.stringify(address)}`, () => refuses([address]));
    it(`is not connected to, though it leads to public ones as well: ${JSON.stringify(address)}`, async () => {
      await refuses(['93.184.216.34', address]);
      await refuses([address, '2606:2800:220:1::1']);
    });
  }
});

const zeros = Buffer.alloc(4_000_000);

/** What a server may say about bytes that would grow. */
const bombs: readonly (readonly [string, string, Buffer])[] = [
  ['gzip', 'gzip', zlib.gzipSync(zeros)],
  ['gzip by another name', 'X-GZIP', zlib.gzipSync(zeros)],
  ['deflate', 'deflate', zlib.deflateSync(zeros)],
  ['brotli', 'br', zlib.brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ['gzip in gzip', 'gzip', zlib.gzipSync(zlib.gzipSync(zeros))],
  ['two encodings', 'gzip, gzip', zlib.gzipSync(zlib.gzipSync(zeros))],
  ['three encodings', 'br, gzip, deflate', zlib.gzipSync(zeros)],
  ['one that was not asked for', 'compress', zlib.gzipSync(zeros)],
  ['one after another', 'gzip', Buffer.concat(Array<Buffer>(20).fill(zlib.gzipSync(zeros)))],
  ['none, though it is one', 'identity', zlib.gzipSync(zeros)],
];

describe('attack: a page that grows', () => {
  for (const [what, encoding, bytes] of bombs) {
    it(`is read as far as its bound: ${what}`, async () => {
      await using server = await startWebServer((_request, response) => {
        response.on('error', () => undefined);
        response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding }).end(bytes);
      });
      const reading = testReader({ limitBytes: 50_000, limitMs: 10_000 }).read(new URL(server.url()), {
        signal: new AbortController().signal,
        wants: () => true,
      });
      const [result] = await Promise.allSettled([reading]);
      if (result.status === 'fulfilled') assert.ok((result.value.body?.length ?? 0) <= 50_000);
      else assert.equal((result.reason as { name?: string }).name, 'WebReadError');
    });
  }
});
