const MAX_SERVER_TEXT = 300;

/** A server's message after a colon; shortened, on one line, and without anything that looks like a key. */
export function quoted(words: string): string {
  const text = withoutKeys(words).replace(/\s+/gu, ' ').replace(/\.$/u, '').trim();
  if (text === '') return '.';
  return `: ${text.length > MAX_SERVER_TEXT ? `${text.slice(0, MAX_SERVER_TEXT).toWellFormed()}…` : `${text}.`}`;
}

/** Redacts what looks like a key: bearer tokens, and long runs of letters and digits after a usual prefix. */
function withoutKeys(text: string): string {
  return text
    .replace(/\bbearer\s+\S+/giu, 'Bearer …')
    .replace(/\b(sk|pk|gsk|key|AIza|xai)[-_][\w-]{6,}/gu, '$1-…')
    .replace(/\bAIza[\w-]{10,}/gu, 'AIza…');
}
