/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/**
 * How long a run of characters without (or of only) white space may be before it is counted in pieces. Merging byte
 * pairs takes time quadratic in the length of such a run: 100,000 times the same letter would take seconds.
 */
const longRun = /\S{256}(?=\S)|\s{256}(?=\s)/gu;

let loading: Promise<CountTokens> | undefined;

/**
 * The tokenizer `o200k_base` of OpenAI's models since gpt-4o, loaded on first use (2 MB) and cached, because it never
 * changes. Other makers do not publish theirs; for their models the count is approximate.
 */
export async function loadTokenizer(): Promise<CountTokens> {
  loading ??= load().catch((error: unknown) => {
    // In a browser it is fetched: the next attempt may succeed.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // `<|endoftext|>` in a message is ordinary text and no reason to reject it.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => {
    let [tokens, from] = [0, 0];
    for (const { 0: run, index } of text.matchAll(longRun)) {
      tokens += countTokens(text.slice(from, index + run.length), options);
      from = index + run.length;
    }
    return tokens + countTokens(text.slice(from), options);
  };
}
