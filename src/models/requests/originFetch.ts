import { boundedResponse } from './boundedResponse.ts';
import { ModelError } from '../errors/modelErrors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

export type Fetch = typeof globalThis.fetch;

export interface OriginFetchOptions {
  /** The only origin (scheme, host and port) requests may go to. */
  readonly origin: string;
  /** The secret sent with them; removed from every error the server sends back. */
  readonly key: string | undefined;
  readonly fetch: Fetch;
}

/**
 * A `fetch` restricted to one origin, so that a key never reaches another: a request elsewhere is an error, and
 * redirects are returned instead of followed. Response bodies are limited to what a program can hold.
 */
export function originFetch({ origin, key, fetch }: OriginFetchOptions): Fetch {
  return async (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input).origin;
    if (target !== origin) {
      throw new ModelError(
        'foreign-origin',
        defineMessage('A request meant for {0} was about to go to {1}.', origin, target),
      );
    }
    const response = await boundedResponse(await fetch(input, { ...init, redirect: 'manual' }));
    return response.ok || key === undefined || key === '' ? response : withoutKey(response, key);
  };
}

async function withoutKey(response: Response, key: string): Promise<Response> {
  if (response.body === null) return response;
  const text = (await response.text()).replaceAll(key, '…');
  const { status, statusText, headers } = response;
  return new Response(withoutBeginningOf(key, text), { status, statusText, headers });
}

/** How many characters of a key already reveal something. */
const TELLING = 4;

/** Cutting a long body may leave the beginning of a key. */
function withoutBeginningOf(key: string, text: string): string {
  for (let length = Math.min(key.length, text.length); length >= TELLING; length--) {
    if (text.endsWith(key.slice(0, length))) return text.slice(0, -length);
  }
  return text;
}

/** Not encrypted, and leaving this machine. Only names that always mean it are local (RFC 6761, RFC 5735). */
export function isCleartext(origin: string): boolean {
  const url = URL.parse(origin);
  return url?.protocol === 'http:' && !isLoopback(url);
}

export function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/u.test(hostname);
}
