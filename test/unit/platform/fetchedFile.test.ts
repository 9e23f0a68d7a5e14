import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FetchedFile } from '../../../src/host/browser/fetchedFile.ts';

describe('a file that is fetched before it is asked for', () => {
  let requests = 0;
  let status = 200;
  let server: Server;

  before(async () => {
    server = createServer((_request, response) => {
      requests += 1;
      response.writeHead(status).end(Uint8Array.of(1, 2, 3));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  });
  after(() => new Promise((resolve) => void server.close(resolve)));
  beforeEach(() => {
    [requests, status] = [0, 200];
  });

  const made = (): FetchedFile =>
    new FetchedFile(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sql-wasm.wasm`);

  it('is the first caller’s, and fetched again for others, who get bytes of their own', async () => {
    const file = made();
    file.begin();
    file.begin();
    const first = await file.bytes();
    assert.equal(requests, 1);
    first.fill(0);
    assert.deepEqual(await file.bytes(), Uint8Array.of(1, 2, 3));
    assert.equal(requests, 2);
  });

  it('is fetched when it is asked for, where nobody began', async () => {
    assert.deepEqual(await made().bytes(), Uint8Array.of(1, 2, 3));
  });

  it('is fetched again after a failure, of which only the caller is told', async () => {
    const file = made();
    status = 503;
    file.begin();
    await assert.rejects(file.bytes(), /sql-wasm\.wasm could not be fetched \(503\)/u);
    status = 200;
    assert.equal((await file.bytes()).byteLength, 3);
  });
});
