import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Call, ModelRequest, Picture, Reply, Said } from '../said.ts';

/** Calls with the ids that the server gives them. */
export interface NumberedReply extends Omit<Reply, 'calls'> {
  readonly calls: readonly (Call & { readonly id: string })[];
  /** Of the answer itself. */
  readonly id: string;
}

export interface Writing {
  readonly response: ServerResponse;
  readonly request: ModelRequest;
  readonly reply: NumberedReply;
  /** Resolves when the client has gone away, or the server lets go. */
  readonly held: () => Promise<void>;
  /** Called with each thing once it was sent. */
  readonly sent: (said: Said) => void;
}

/** One of the protocols that model servers speak. */
export interface Protocol {
  readonly name: string;
  /** @param path without its query */
  readonly isFor: (path: string) => boolean;
  readonly read: (body: unknown, url: URL) => ModelRequest;
  readonly write: (writing: Writing) => Promise<void>;
}

export const OUTPUT_TOKENS = 20;
export const INPUT_TOKENS = 100;

/** The pieces a text is streamed in: its halves. */
export function halves(text: string): [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

export function pictureOf(mediaType: string, base64: string): Picture {
  const sha256 = createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex');
  return { mediaType, sha256 };
}

/** Undefined for an address that leads elsewhere. */
export function pictureOfUrl(url: string): Picture | undefined {
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/su.exec(url) ?? [];
  return mediaType === undefined || data === undefined ? undefined : pictureOf(mediaType, data);
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** JSON where it is some, else the text. */
export function parsedInput(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return text;
  }
}
