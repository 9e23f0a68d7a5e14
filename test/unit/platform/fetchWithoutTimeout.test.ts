import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { fetchWithoutTimeout } from '../../../src/host/node/fetchWithoutTimeout.ts';
import { startRawServer } from '../../fixtures/rawServer.ts';

/** How long Node's own `fetch` waits for a byte, in milliseconds. */
const LIMIT_OF_NODE = 300_000;

describe('a fetch without a limit of time', () => {
  it('sends and hands back what it is given', async () => {
    await using server = await startRawServer(() => ({
      status: 418,
      headers: { 'x-test': 'yes' },
      pieces: ['tea', 'pot'],
    }));
    const response = await fetchWithoutTimeout(`${server.origin}/pot?x=1`, {
      method: 'POST',
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
      body: '{"a":"ü"}',
    });
    assert.deepEqual([response.status, response.headers.get('x-test')], [418, 'yes']);
    assert.equal(await response.text(), 'teapot');
    const [request] = server.requests;
    assert.deepEqual([request?.path, request?.body], ['/pot?x=1', { a: 'ü' }]);
    assert.equal(request?.headers.authorization, 'Bearer k');
  });

  it('outlasts the time after which a silent socket is reported', async () => {
    const { options } = http.globalAgent as http.Agent & { options: http.AgentOptions };
    const { timeout } = options;
    options.timeout = 20;
    try {
      await using server = await startRawServer(() => ({ pieces: ['late'], before: () => delay(200) }));
      assert.equal(await (await fetchWithoutTimeout(server.origin)).text(), 'late');
    } finally {
      if (timeout === undefined) delete options.timeout;
      else options.timeout = timeout;
    }
  });

  it('follows no redirect', async () => {
    await using server = await startRawServer(() => ({
      status: 307,
      headers: { location: 'http://127.0.0.1:1/' },
      pieces: [],
    }));
    assert.equal((await fetchWithoutTimeout(server.origin)).status, 307);
  });

  it('fails as fetch does when there is no server', async () => {
    const server = await startRawServer(() => ({ pieces: [] }));
    await server.close();
    await assert.rejects(fetchWithoutTimeout(server.origin), (error: unknown) => {
      assert.ok(error instanceof TypeError && error.cause instanceof Error);
      assert.match(error.message, /^fetch failed$/);
      assert.match(error.cause.message, /ECONNREFUSED/);
      return true;
    });
  });

  for (const when of ['before the first byte', 'in the middle of a body'] as const) {
    it(`closes its connection when it is stopped ${when}`, async () => {
      const closed = Promise.withResolvers<undefined>();
      const arrived = Promise.withResolvers<undefined>();
      const server = http.createServer((_request, response) => {
        response.on('close', () => closed.resolve(undefined));
        if (when === 'in the middle of a body') response.write('some');
        arrived.resolve(undefined);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      assert.ok(typeof address === 'object' && address !== null);
      const stop = new AbortController();
      const reading = fetchWithoutTimeout(`http://127.0.0.1:${address.port}/`, { signal: stop.signal }).then(
        (response) => response.text(),
      );
      await arrived.promise;
      stop.abort();
      await assert.rejects(reading, { name: 'AbortError' });
      await closed.promise;
      server.close();
      server.closeAllConnections();
    });
  }

  it('stops however long it has been reading: nobody else need hold its request', async () => {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc') as () => void;
    const closed = Promise.withResolvers<undefined>();
    const server = http.createServer((_request, response) => {
      const writing = setInterval(() => response.write('piece'), 5);
      response.on('close', () => {
        clearInterval(writing);
        closed.resolve(undefined);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const stop = new AbortController();
    const response = await fetchWithoutTimeout(`http://127.0.0.1:${address.port}/`, { signal: stop.signal });
    const reader = response.body?.getReader() ?? assert.fail();
    for (let read = 0; read < 2; read += 1) {
      await reader.read();
      collect();
    }
    stop.abort();
    await closed.promise;
    await assert.rejects(
      async () => {
        while (!(await reader.read()).done);
      },
      { name: 'AbortError' },
    );
    server.close();
    server.closeAllConnections();
  });

  it('uses a connection again that the server has since closed', async () => {
    let connections = 0;
    const server = http.createServer({ keepAliveTimeout: 1 }, (_request, response) => response.end('ok'));
    server.on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    for (let round = 0; round < 3; round += 1) {
      assert.equal(await (await fetchWithoutTimeout(`http://127.0.0.1:${address.port}/`)).text(), 'ok');
      server.closeIdleConnections();
    }
    assert.ok(connections > 1);
    server.close();
  });

  if (process.env['OFFSHOOT_FUZZ'] !== undefined) {
    it('waits longer than the fetch of Node (fuzz: takes more than five minutes)', async function () {
      this.timeout(LIMIT_OF_NODE + 60_000);
      await using server = await startRawServer(() => ({
        pieces: ['at last'],
        before: () => delay(LIMIT_OF_NODE + 10_000),
      }));
      const [patient, usual] = await Promise.allSettled([
        fetchWithoutTimeout(server.origin).then((response) => response.text()),
        fetch(server.origin),
      ]);
      assert.deepEqual(patient, { status: 'fulfilled', value: 'at last' });
      assert.equal(usual.status, 'rejected');
    });
  }
});
