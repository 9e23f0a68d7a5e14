import type { IncomingMessage } from 'http';
import type { Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import { WebReadError } from '../webReader.ts';

/** Reads and decompresses a body, up to a limit in bytes; the rest is never read. */
export async function readBody(
  incoming: IncomingMessage,
  limit: number,
): Promise<{ readonly body: Uint8Array<ArrayBuffer>; readonly isCut: boolean }> {
  const decoded = decompressed(incoming);
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of decoded as AsyncIterable<Buffer>) {
      pieces.push(piece.subarray(0, limit - length));
      length += piece.length;
      if (length > limit) break;
    }
  } finally {
    decoded.destroy();
    incoming.destroy();
  }
  return { body: Uint8Array.from(Buffer.concat(pieces)), isCut: length > limit };
}

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

function decompressed(incoming: IncomingMessage): Readable {
  const decoder = decoderOf((incoming.headers['content-encoding'] ?? 'identity').trim().toLowerCase());
  if (!decoder) return incoming;
  // Without this, connection errors would not reach the reader.
  incoming.on('error', (error) => decoder.destroy(error));
  return incoming.pipe(decoder);
}

function decoderOf(encoding: string): Transform | undefined {
  switch (encoding) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      throw new WebReadError('bad-headers', 'The page comes in an encoding that was not asked for.');
  }
}
