import { startOf } from '../tools/textLimits.ts';
import { fairShares } from '../tools/fairShares.ts';
import { estimatedTokens } from './estimatedTokens.ts';

/** A message that the user wants kept always, as text. */
export interface KeptText {
  readonly messageId: string;
  readonly role: string;
  readonly text: string;
}

/** Long messages are cut at their ends, short ones stay whole. */
export function keptTexts(texts: readonly KeptText[], room: number): KeptText[] {
  const tokens = texts.map(({ text }) => estimatedTokens(text));
  const shares = fairShares(tokens, room);
  return texts.map((kept, index) => {
    const share = shares[index] ?? 0;
    const wanted = tokens[index] ?? 0;
    if (wanted <= share) return kept;
    const { text } = kept;
    const shown = startOf(text, Math.floor((text.length * share) / wanted));
    return { ...kept, text: `${shown}… [${text.length - shown.length} more characters found no room]` };
  });
}
