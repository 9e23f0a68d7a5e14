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
  // That of the new request follows this one only until somebody collects the request, long before the answer ends.
  const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
  signal?.throwIfAborted();
  const request = new Request(input, init);
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  try {
    return await send(request, body, signal).catch((error: unknown) => {
      // A kept connection that the server had closed meanwhile: nothing of the request was read.
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

/** What has no body by its status (https://fetch.spec.whatwg.org/#null-body-status). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function responseOf(incoming: http.IncomingMessage, signal: AbortSignal | undefined): Response {
  const { statusCode: status = 502, statusMessage: statusText = '' } = incoming;
  const headers = new Headers();
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '');
  }
  stopWith(incoming, signal);
  if (WITHOUT_BODY.has(status)) incoming.resume();
  // The types of Node's streams and of the web's are the same thing twice.
  const body = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText, headers });
}

/** Ends it when the signal says so, for as long as it lives. */
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
