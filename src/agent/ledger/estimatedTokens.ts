/**
 * About how many tokens a text has, rather too many than too few, without a tokenizer: loading one takes a while, and
 * another one would choose other entries of a ledger.
 */
export function estimatedTokens(text: string): number {
  let plain = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) < 0x80) plain += 1;
  return Math.ceil(plain / 3.2 + (text.length - plain) * 0.9);
}
