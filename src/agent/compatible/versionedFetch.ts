import type { Fetch } from '../originFetch.ts';
import type { ServerQuirks } from './compatibleFetch.ts';

/** An address that ends with a version, as in `/v1` or `/api/v3`. */
const VERSIONED = /\/v\d+\w*\/?$/u;

/** The path at which an address with a version would have what is asked for; undefined when it has a version. */
export function versionedUrl(base: URL, url: URL): URL | undefined {
  const path = base.pathname.replace(/\/$/u, '');
  if (VERSIONED.test(path) || !url.pathname.startsWith(path)) return undefined;
  const versioned = new URL(url);
  versioned.pathname = `${path}/v1${url.pathname.slice(path.length)}`;
  return versioned;
}

/**
 * A `fetch` for an address whose version may have been left out: what is not there is asked for below `/v1` as well,
 * and from then on only there.
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
 * Whether there is nothing at an address: by the status, by a page for browsers, or as LM Studio says it. Of other kinds
 * nothing is read, for an answer may be streamed under any of them.
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
