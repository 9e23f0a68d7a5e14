/** Elements in one another: the browser lays them out by recursion, some kinds in time that doubles with each. */
const MAX_DEPTH = 40;

/** These hold nothing, or end where the next of their kind begins: they only nest with others between them. */
const FLAT = new Set(['br', 'hr', 'img', 'input', 'p', 'li', 'td', 'th', 'tr', 'thead', 'tbody']);

/** Whether elements stand in one another too deep to be laid out. */
export function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (FLAT.has(name.toLowerCase())) continue;
    // A closing tag that closes nothing must not make room for more.
    depth = slash === '/' ? Math.max(0, depth - 1) : depth + 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
