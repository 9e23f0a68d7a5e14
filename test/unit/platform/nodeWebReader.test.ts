import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http, { type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type Socket } from 'node:net';
import path from 'node:path';
import zlib from 'node:zlib';
import { NodeWebReader } from '../../../src/host/node/nodeWebReader.ts';
import { WebReadError, type PageReply, type WebReader } from '../../../src/host/webReader.ts';
import { startWebServer, testReader, type ServePage } from '../../fixtures/webServer.ts';

const never = new AbortController().signal;

function read(reader: WebReader, url: string, signal = never): Promise<PageReply> {
  return reader.read(new URL(url), { signal, wants: () => true });
}

const textOf = ({ body }: PageReply): string => new TextDecoder().decode(body);

async function refusal(work: Promise<unknown>): Promise<WebReadError> {
  const [result] = await Promise.allSettled([work]);
  assert.equal(result.status, 'rejected');
  assert.ok(result.reason instanceof WebReadError, String(result.reason));
  return result.reason;
}

/** Writes again and again until the other side is gone, and tells how much. */
async function flood(response: ServerResponse, piece: Uint8Array, most: number): Promise<number> {
  let sent = 0;
  while (sent < most && !response.destroyed) {
    sent += piece.length;
    if (response.write(piece)) continue;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const go = (): void => resolve(undefined);
    response.on('drain', go).on('close', go);
    await promise;
    response.off('drain', go).off('close', go);
  }
  response.end();
  return sent;
}

/** A server that sends bytes as they stand to every client. */
async function rawServer(onSocket: (socket: Socket) => void) {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => onSocket(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    url: `http://docs.example.com:${address.port}/`,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a reader of the public web', () => {
  it('asks for a page as nobody in particular, without anything it was given by others', async () => {
    await using server = await startWebServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'set-cookie': 'id=1' }).end('hello');
    });
    const reader = testReader();
    for (const path of ['/a?b=1', '/c']) {
      const reply = await read(reader, server.url(path));
      assert.deepEqual(
        [reply.status, reply.contentType, textOf(reply), reply.isCut],
        [200, 'text/plain', 'hello', false],
      );
    }
    assert.deepEqual(server.asked, ['GET docs.example.com/a?b=1', 'GET docs.example.com/c']);
    const [, headers = {}] = server.headers;
    assert.deepEqual(Object.keys(headers).sort(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    assert.match(headers['user-agent'] ?? '', /Offshoot/);
  });

  it('hands redirects back, and reads no body that is not wanted', async () => {
    await using server = await startWebServer((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1/', 'content-type': 'application/pdf' });
      response.write('%PDF');
    });
    const reply = await testReader().read(new URL(server.url()), { signal: never, wants: () => false });
    assert.deepEqual(reply, {
      status: 302,
      location: 'http://127.0.0.1/',
      contentType: 'application/pdf',
      body: undefined,
      isCut: false,
    });
  });

  it('connects to nothing of this machine or of a private network, by whatever name', async () => {
    let connections = 0;
    const server = http.createServer((_request, response) => response.end('secret'));
    server.on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const leadsTo = (...addresses: string[]): WebReader =>
      new NodeWebReader({ resolve: () => Promise.resolve(addresses) });
    const direct = new NodeWebReader();
    try {
      for (const host of [
        '127.0.0.1',
        '2130706433',
        '0x7f.1',
        '[::1]',
        '[::ffff:127.0.0.1]',
        'localhost',
        'a.localhost',
        '0',
      ]) {
        const error = await refusal(read(direct, `http://${host}:${address.port}/`));
        assert.equal(error.code, 'refused', host);
      }
      for (const addresses of [
        ['127.0.0.1'],
        ['8.8.8.8', '10.0.0.1'],
        ['::1', '8.8.8.8'],
        ['169.254.169.254'],
        ['nonsense'],
      ]) {
        const error = await refusal(read(leadsTo(...addresses), `http://docs.example.com:${address.port}/`));
        assert.equal(error.code, 'refused', addresses.join());
        assert.match(error.message, /only the public web may be read/);
      }
      assert.equal(connections, 0);
    } finally {
      server.close();
    }
  });

  it('connects to what was checked, whatever the name leads to a moment later', async () => {
    await using server = await startWebServer((_request, response) => void response.end('here'));
    let looked = 0;
    const reader = testReader({
      resolve: () => Promise.resolve([looked++ === 0 ? '127.0.0.1' : '10.0.0.1']),
    });
    assert.equal(textOf(await read(reader, server.url())), 'here');
    assert.equal(looked, 1);
    assert.equal((await refusal(read(reader, server.url()))).code, 'refused');
  });

  it('uses no connection that others opened to an address nobody checked', async () => {
    await using server = await startWebServer((_request, response) => void response.end('private'));
    const agent = http.globalAgent as http.Agent & { keepAlive: boolean };
    const options = {
      lookup: ((_host, _options, done) =>
        done(null, [{ address: '127.0.0.1', family: 4 }])) as net.LookupFunction,
    };
    const { keepAlive } = agent;
    agent.keepAlive = true;
    try {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      http.get(server.url(), options, (response) => response.resume().on('close', () => resolve(undefined)));
      await promise;
      await new Promise((done) => setImmediate(done));
      const reader = new NodeWebReader({ resolve: () => Promise.resolve(['8.8.8.8']), limitMs: 2_000 });
      assert.equal((await refusal(read(reader, server.url()))).code, 'refused');
      assert.equal(server.asked.length, 1);
    } finally {
      agent.keepAlive = keepAlive;
      agent.destroy();
    }
  });

  it('says so where a name is not known', async () => {
    const error = await refusal(
      read(new NodeWebReader({ resolve: () => Promise.resolve([]) }), 'http://docs.example.com/'),
    );
    assert.equal(error.code, 'unknown-host');
    assert.match(error.message, /no host docs\.example\.com/);
  });

  it('stops at its bound, however much there is', async () => {
    const sent = Promise.withResolvers<number>();
    await using server = await startWebServer(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      sent.resolve(await flood(response, new Uint8Array(65_536).fill(97), 100_000_000));
    });
    const reply = await read(testReader({ limitBytes: 100_000 }), server.url());
    assert.deepEqual([reply.body?.length, reply.isCut], [100_000, true]);
    assert.ok((await sent.promise) < 20_000_000);
  });

  for (const [encoding, compress] of [
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
  ] as const) {
    it(`decompresses ${encoding} as far as its bound`, async () => {
      const bytes = compress(Buffer.alloc(10_000_000));
      await using server = await startWebServer((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
      });
      const reply = await read(testReader({ limitBytes: 100_000 }), server.url());
      assert.deepEqual([reply.body?.length, reply.isCut], [100_000, true]);
    });
  }

  const slow: Readonly<Record<string, ServePage>> = {
    'says nothing': () => undefined,
    'sends a byte now and then': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const timer = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(timer));
    },
    'sends hints without end': (_request, response) => {
      const timer = setInterval(() => response.writeEarlyHints({ link: '</a>; rel=preload' }), 20);
      response.once('close', () => clearInterval(timer));
    },
  };
  for (const [what, serve] of Object.entries(slow)) {
    it(`waits no longer than it may for one that ${what}`, async () => {
      await using server = await startWebServer(serve);
      const error = await refusal(read(testReader({ limitMs: 200 }), server.url()));
      assert.deepEqual([error.code, error.message.includes('took longer than 0.2 s')], ['too-slow', true]);
    });
  }

  it('waits no longer than it may for the address of a name', async () => {
    const reader = testReader({ limitMs: 50, resolve: () => new Promise(() => undefined) });
    assert.equal((await refusal(read(reader, 'http://docs.example.com/'))).code, 'too-slow');
  });

  it('stops when it is told to, in the middle', async () => {
    const arrived = Promise.withResolvers<undefined>();
    const closed = Promise.withResolvers<undefined>();
    await using server = await startWebServer((_request, response) => {
      response.on('close', () => closed.resolve(undefined));
      response.write('some');
      arrived.resolve(undefined);
    });
    const stop = new AbortController();
    const reading = read(testReader(), server.url(), stop.signal);
    await arrived.promise;
    stop.abort();
    await assert.rejects(reading, { name: 'AbortError' });
    await closed.promise;
  });

  it('says what is wrong with what it gets', async () => {
    const line = (text: string) => (socket: Socket) => void socket.end(text);
    for (const [send, code] of [
      [line(`HTTP/1.1 200 OK\r\n${'x-flood: y\r\n'.repeat(100_000)}\r\n`), 'bad-headers'],
      [line('this is no HTTP\r\n\r\n'), 'bad-headers'],
      [line('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'), 'broken-off'],
      [line('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'), 'broken-off'],
      [line('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nnope'), 'broken-off'],
      [line('HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 4\r\n\r\nnope'), 'bad-headers'],
      [(socket: Socket) => void socket.destroy(), 'broken-off'],
    ] as const) {
      await using server = await rawServer(send);
      assert.equal(
        (await refusal(read(testReader({ limitMs: 5_000 }), server.url))).code,
        code,
        String(send),
      );
    }
    const server = await startWebServer(() => undefined);
    const url = server.url();
    await server.close();
    const error = await refusal(read(testReader(), url));
    assert.deepEqual([error.code, error.message.includes('ECONNREFUSED')], ['unreachable', true]);
  });

  it('takes no certificate that nobody vouches for, and asks for one by the name', async () => {
    const folder = path.join(process.cwd(), 'test', 'fixtures', 'certificate');
    const names: string[] = [];
    let asked = 0;
    const server = https.createServer(
      {
        key: await readFile(path.join(folder, 'key.pem')),
        cert: await readFile(path.join(folder, 'certificate.pem')),
        SNICallback: (name, done) => {
          names.push(name);
          done(null);
        },
      },
      (_request, response) => {
        asked += 1;
        response.end();
      },
    );
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    try {
      const error = await refusal(read(testReader(), `https://docs.example.com:${address.port}/`));
      assert.equal(error.code, 'certificate');
      assert.match(error.message, /certificate of docs\.example\.com:\d+ is not valid \(\w*SELF_SIGNED\w*\)/);
      assert.deepEqual([names, asked], [['docs.example.com'], 0]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
