import type { Fetch } from '../originFetch.ts';
import type { ServerQuirks } from './compatibleFetch.ts';

/** An address that ends with a version, as in `/v1` or `/api/v3`. */
const VERSIONED = /\/v\d+\w*\/?$/u;

/** The path with a version added to the address; undefined when the address has a version. */
export function versionedUrl(base: URL, url: URL): URL | undefined {
  const path = base.pathname.replace(/\/$/u, '');
  if (VERSIONED.test(path) || !url.pathname.startsWith(path)) return undefined;
  const versioned = new URL(url);
  versioned.pathname = `${path}/v1${url.pathname.slice(path.length)}`;
  return versioned;
}

/**
 * A `fetch` for an address that may lack its version: after a "not found" it also tries `/v1`, and then only uses
 * that.
 */
export function versionedFetch(fetch: Fetch, base: URL, quirks: ServerQuirks): Fetch {
  return async (input, init) => {
    const versioned = versionedUrl(base, new URL(input instanceof Request ? input.url : input));
    if (versioned === undefined) return fetch(input, init);
    if (quirks.isVersioned) return fetch(versioned, init);
    const first = await fetch(input, init);
    const { isMissing, response } = await looked(first);
    if (!isMissing) return response;
    const second = await fetch(versioned, init);
    const found = await looked(second);
    if (found.isMissing) return response;
    quirks.isVersioned = true;
    return found.response;
  };
}

/**
 * Whether an address has nothing: by the status, by an HTML page, or by LM Studio's message. No other type is read,
 * because any of them may be a streamed answer.
 */
async function looked(response: Response): Promise<{ isMissing: boolean; response: Response }> {
  const { status, statusText, headers, ok } = response;
  const maySayMissing = ok
    ? /\b(?:json|html)\b/iu.test(headers.get('content-type') ?? '')
    : status === 404 || status === 405;
  if (!maySayMissing) return { isMissing: false, response };
  const text = await response.text();
  const isMissing = !ok || /^\s*</u.test(text) || /^\s*\{\s*"error"\s*:\s*"Unexpected endpoint/iu.test(text);
  return { isMissing, response: new Response(text, { status, statusText, headers }) };
}
