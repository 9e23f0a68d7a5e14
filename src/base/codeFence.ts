/** A fence of Markdown that the text cannot close: longer than any row of backticks in it. */
export function codeFence(text: string): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/gu)) longest = Math.max(longest, ticks.length);
  return '`'.repeat(longest + 1);
}
