/** Headers that an extension may not send in a browser, or that would need a preflight request. */
const NOT_SENT = ['user-agent'];

/**
 * The browser's own `fetch`, which has no time limit. Headers that servers do not expect from a page would trigger a
 * preflight request and be refused.
 */
export const pageFetch: typeof globalThis.fetch = (input, init) => {
  if (!init?.headers) return fetch(input, init);
  const headers = new Headers(init.headers);
  for (const name of NOT_SENT) headers.delete(name);
  return fetch(input, { ...init, headers });
};
