export type CountTokens = (text: string) => Promise<number>;

/** In order, as few as possible, each of at most `limit` (at least 1) tokens: a text that is too long alone is cut. */
export async function portions(
  texts: readonly string[],
  limit: number,
  count: CountTokens,
): Promise<string[]> {
  const made: string[] = [];
  let portion: string[] = [];
  let tokens = 0;
  const end = (): void => {
    if (portion.length > 0) made.push(portion.join('\n'));
    portion = [];
    tokens = 0;
  };
  for (const text of texts) {
    for (const piece of await pieces(text, limit, count)) {
      // One for the line break between them.
      if (tokens + piece.tokens + 1 > limit) end();
      portion.push(piece.text);
      tokens += piece.tokens + 1;
    }
  }
  end();
  return made;
}

interface Piece {
  readonly text: string;
  readonly tokens: number;
}

async function pieces(text: string, limit: number, count: CountTokens): Promise<Piece[]> {
  const tokens = await count(text);
  const middle = middleOf(text);
  if (tokens <= limit || middle === undefined) return [{ text, tokens }];
  return [
    ...(await pieces(text.slice(0, middle), limit, count)),
    ...(await pieces(text.slice(middle), limit, count)),
  ];
}

/** Where a text may be cut; undefined if it cannot be cut further. */
function middleOf(text: string): number | undefined {
  const half = Math.floor(text.length / 2);
  // Do not cut between surrogate halves.
  const middle = /[\uD800-\uDBFF]/u.test(text.charAt(half - 1)) ? half - 1 : half;
  return middle > 0 ? middle : undefined;
}
