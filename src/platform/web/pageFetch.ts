/** What an extension may not say of itself in a browser, or what a server would have to be asked about first. */
const NOT_SENT = ['user-agent'];

/**
 * The browser's own `fetch`, which waits as long as an answer takes. A header that no server expects of a page would be
 * asked about before the request, and refused.
 */
export const pageFetch: typeof globalThis.fetch = (input, init) => {
  if (!init?.headers) return fetch(input, init);
  const headers = new Headers(init.headers);
  for (const name of NOT_SENT) headers.delete(name);
  return fetch(input, { ...init, headers });
};
