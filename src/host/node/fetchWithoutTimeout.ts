// Imported by bare names: only those give VS Code's versions, which know its proxy and certificates.
import http from 'http';
import https from 'https';
import { Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';

/** The delay after which the system probes a silent connection, in milliseconds: routers drop unused ones. */
const KEEP_ALIVE = 30_000;

/**
 * A `fetch` without a time limit. Node's gives up after 300 s without a byte, which a local model may need to read a
 * long prompt; a retry would start over. Redirects are returned. No encoding is requested, but some servers and
 * proxies compress without it.
 */
export const fetchWithoutTimeout: typeof globalThis.fetch = async (input, init) => {
  // The signal of the new request follows this one only until the request is garbage-collected, long before the
  // answer ends.
  const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
  signal?.throwIfAborted();
  const request = new Request(input, init);
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  try {
    return await send(request, body, signal).catch((error: unknown) => {
      // The server had closed a kept-alive connection: nothing of the request was read.
      if (error instanceof UnusedConnectionError) return send(request, body, signal);
      throw error;
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new TypeError('fetch failed', { cause: error });
  }
};

class UnusedConnectionError extends Error {}

function send(
  request: Request,
  body: Buffer | undefined,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { method } = request;
  const url = new URL(request.url);
  const headers: Record<string, string> = {
    ...Object.fromEntries(request.headers),
    'accept-encoding': 'identity',
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  };
  return new Promise<Response>((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? https : http).request(url, { method, headers });
    outgoing.setSocketKeepAlive(true, KEEP_ALIVE);
    stopWith(outgoing, signal);
    outgoing.on('error', (error) => {
      const isUnused = outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
      reject(isUnused ? new UnusedConnectionError('The connection was closed.', { cause: error }) : error);
    });
    outgoing.once('response', (incoming) => resolve(responseOf(incoming, signal)));
    outgoing.end(body);
  });
}

/** The statuses without a body (https://fetch.spec.whatwg.org/#null-body-status). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function responseOf(incoming: http.IncomingMessage, signal: AbortSignal | undefined): Response {
  const { statusCode: status = 502, statusMessage: statusText = '' } = incoming;
  const headers = new Headers();
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '');
  }
  stopWith(incoming, signal);
  if (WITHOUT_BODY.has(status)) incoming.resume();
  // Node's stream types and the web's are structurally the same.
  const body = WITHOUT_BODY.has(status)
    ? null
    : (Readable.toWeb(decompressed(incoming, headers)) as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText, headers });
}

/** What has arrived of a body that ends early is still read. */
const AS_FAR_AS_THERE = { finishFlush: zlib.constants.Z_SYNC_FLUSH };

function decompressed(incoming: http.IncomingMessage, headers: Headers): Readable {
  const decoder = decoderFor(headers.get('content-encoding')?.trim().toLowerCase());
  if (decoder === undefined) return incoming;
  headers.delete('content-encoding');
  headers.delete('content-length');
  incoming.on('error', (error) => decoder.destroy(error));
  decoder.once('close', () => incoming.destroy());
  return incoming.pipe(decoder);
}

function decoderFor(encoding: string | undefined): Transform | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(AS_FAR_AS_THERE);
    case 'deflate':
      return zlib.createInflate(AS_FAR_AS_THERE);
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      return undefined;
  }
}

function stopWith(stream: http.ClientRequest | http.IncomingMessage, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  const stop = (): void => void stream.destroy(reasonOf(signal));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  stream.once('close', () => signal.removeEventListener('abort', stop));
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The request was stopped.');
}
