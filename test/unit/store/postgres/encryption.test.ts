import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';

const folder = path.resolve('test/fixtures/certificate');
const cert = readFileSync(path.join(folder, 'certificate.pem'), 'utf8');
const key = readFileSync(path.join(folder, 'key.pem'), 'utf8');

/** What a PostgreSQL server does with those who ask for encryption, and no more. */
async function encrypting(how: 'refuses' | 'with a certificate'): Promise<{ port: number; end: () => void }> {
  const secureContext = createSecureContext({ cert, key });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(how === 'refuses' ? 'N' : 'S');
      if (how === 'refuses') return;
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, end };
}

describe('the way to a PostgreSQL server', () => {
  const refusal = async (how: 'refuses' | 'with a certificate', ca?: string): Promise<unknown> => {
    const { port, end } = await encrypting(how);
    const store = new PostgresContextStore({
      connectionString: `postgres://ana@127.0.0.1:${port}/x?sslmode=require`,
      ...(ca === undefined ? {} : { ca }),
    });
    try {
      return await store.open().catch((error: unknown) => error);
    } finally {
      await store.close();
      end();
    }
  };

  it('is not taken where nothing would be encrypted, which is said with what to do', async () => {
    const error = await refusal('refuses');
    assert.ok(error instanceof Error);
    assert.equal((error as { code?: unknown }).code, 'no-encryption');
    assert.match(error.message, /Ask its administrator to turn on "ssl"/);
  });

  it('is not taken where the certificate is of nobody known, or is another’s', async () => {
    for (const [ca, reason] of [
      [undefined, /isn’t trusted: self-signed certificate\. Set the certificate of its authority/],
      [cert, /isn’t trusted: Hostname\/IP does not match/],
    ] as const) {
      const error = await refusal('with a certificate', ca);
      assert.ok(error instanceof Error);
      assert.equal((error as { code?: unknown }).code, 'certificate-not-trusted');
      assert.match(error.message, reason);
    }
  });
});
