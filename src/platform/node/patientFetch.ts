// By their bare names: only so does VS Code hand out the ones that know its proxy and certificates.
import http from 'http';
import https from 'https';
import { Readable } from 'node:stream';

/** After how long a silent connection is checked by the system, in milliseconds: routers forget the ones nobody uses. */
const KEEP_ALIVE = 30_000;

/**
 * A `fetch` that waits as long as it takes. The one of Node gives up after 300 s without a byte, which a model on this
 * machine may need to read a long prompt; asking again would have it begin from the start. Redirects are handed back,
 * and nothing is decompressed: no other encoding is asked for.
 */
export const patientFetch: typeof globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  request.signal.throwIfAborted();
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  try {
    return await send(request, body);
  } catch (error) {
    request.signal.throwIfAborted();
    // A kept connection that the server had closed meanwhile: nothing of the request was read.
    if (error instanceof UnusedConnectionError) return await send(request, body);
    throw new TypeError('fetch failed', { cause: error });
  }
};

class UnusedConnectionError extends Error {}

function send(request: Request, body: Buffer | undefined): Promise<Response> {
  const { signal, method } = request;
  const url = new URL(request.url);
  const headers: Record<string, string> = {
    ...Object.fromEntries(request.headers),
    'accept-encoding': 'identity',
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  };
  return new Promise<Response>((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? https : http).request(url, { method, headers });
    outgoing.setSocketKeepAlive(true, KEEP_ALIVE);
    const stop = (): void => void outgoing.destroy(reasonOf(signal));
    signal.addEventListener('abort', stop, { once: true });
    outgoing.once('close', () => signal.removeEventListener('abort', stop));
    outgoing.on('error', (error) => {
      const isUnused = outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
      reject(isUnused ? new UnusedConnectionError('The connection was closed.', { cause: error }) : error);
    });
    outgoing.once('response', (incoming) => resolve(responseOf(incoming, signal)));
    outgoing.end(body);
  });
}

/** What has no body by its status (https://fetch.spec.whatwg.org/#null-body-status). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function responseOf(incoming: http.IncomingMessage, signal: AbortSignal): Response {
  const { statusCode: status = 502, statusMessage: statusText = '' } = incoming;
  const headers = new Headers();
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '');
  }
  const stop = (): void => void incoming.destroy(reasonOf(signal));
  signal.addEventListener('abort', stop, { once: true });
  incoming.once('close', () => signal.removeEventListener('abort', stop));
  if (WITHOUT_BODY.has(status)) incoming.resume();
  // The types of Node's streams and of the web's are the same thing twice.
  const body = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText, headers });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The request was stopped.');
}
