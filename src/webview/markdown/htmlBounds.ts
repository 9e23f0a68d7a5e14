/** The browser lays out nested elements recursively, some kinds in time that doubles per level. */
const MAX_DEPTH = 40;

/** Elements that are empty, or end where the next of their kind begins: they nest only with others in between. */
const FLAT = new Set(['br', 'hr', 'img', 'input', 'p', 'li', 'td', 'th', 'tr', 'thead', 'tbody']);

export function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (FLAT.has(name.toLowerCase())) continue;
    // An unmatched closing tag must not make room for more.
    depth = slash === '/' ? Math.max(0, depth - 1) : depth + 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Text escaped for HTML, including quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
