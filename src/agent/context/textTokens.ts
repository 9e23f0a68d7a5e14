import { loadTokenizer } from '../../engine/estimate/estimate.ts';

/** How much is counted at once, in UTF-16 units; a cut may change the count by one. */
const SLICE = 20_000;

/** How long counting may block a thread before it yields, in milliseconds. */
const BUSY_MS = 12;

/** Yields in between: an answer of some megabytes takes seconds, and streams on the same thread must not wait. */
export class TextTokens {
  private busySince = 0;

  async count(text: string): Promise<number> {
    const countTokens = await loadTokenizer();
    let tokens = 0;
    for (let from = 0; from < text.length;) {
      const to = endOfSlice(text, from);
      if (performance.now() - this.busySince > BUSY_MS) {
        await new Promise<void>((resolve) => setTimeout(resolve, 0));
        this.busySince = performance.now();
      }
      tokens += countTokens(text.slice(from, to));
      from = to;
    }
    return tokens;
  }
}

/** Cuts after nearby white space if there is any, because tokens seldom span it. */
function endOfSlice(text: string, from: number): number {
  const to = from + SLICE;
  if (to >= text.length) return text.length;
  for (let at = to; at > to - 1_000; at -= 1) if (/\s/u.test(text.charAt(at - 1))) return at;
  // Do not cut between surrogate halves.
  return /[\uD800-\uDBFF]/u.test(text.charAt(to - 1)) ? to - 1 : to;
}
