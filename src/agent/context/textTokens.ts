import { loadTokenizer } from '../../engine/estimate/tokenizer.ts';

/** How much is counted in one go, in UTF-16 units; a cut may change the count by one. */
const SLICE = 20_000;

/** How long counting may keep a thread busy before others have their turn, in milliseconds. */
const BUSY_MS = 12;

/**
 * Counts the tokens of texts with the engine's tokenizer and lets others work meanwhile: an answer of some megabytes
 * takes seconds, and whoever streams into the same thread must not wait for it.
 */
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

/** Behind white space where there is some near, for tokens seldom reach over it. */
function endOfSlice(text: string, from: number): number {
  const to = from + SLICE;
  if (to >= text.length) return text.length;
  for (let at = to; at > to - 1_000; at -= 1) if (/\s/u.test(text.charAt(at - 1))) return at;
  // Not between the halves of a character.
  return /[\uD800-\uDBFF]/u.test(text.charAt(to - 1)) ? to - 1 : to;
}
