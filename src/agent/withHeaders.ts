import type { Fetch } from './originFetch.ts';

/** A `fetch` that adds these headers to each request. */
export function withHeaders(fetch: Fetch, added: Readonly<Record<string, string>>): Fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
    return fetch(input, { ...init, headers });
  };
}
