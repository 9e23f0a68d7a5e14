import { sentText } from '../context/sentText.ts';
import { TextTokens } from '../context/textTokens.ts';
import type { CompactionUnit, CountedUnit } from './planCompaction.ts';

/** The assumed tokens of a picture or another file: only its provider knows. */
const FILE_TOKENS = 1_000;

/** How many counts are cached; older ones are counted again. */
const MAX_COUNTS = 50_000;

/** The accepted range of the server's count relative to the count here; some servers omit cached tokens. */
const LEAST_RATIO = 0.5;
const MOST_RATIO = 4;

/** Counts what is sent, each piece once for all runs, and learns the deviation from the servers' counts. */
export class TokenCounts {
  private readonly tokens = new TextTokens();
  private readonly counts = new Map<string, number>();
  private readonly ratios = new Map<string, number>();

  async units(units: readonly CompactionUnit[]): Promise<CountedUnit[]> {
    const counted: CountedUnit[] = [];
    for (const unit of units) counted.push({ ...unit, tokens: await this.unit(unit) });
    return counted;
  }

  async text(text: string): Promise<number> {
    return text === '' ? 0 : this.counted(text, text);
  }

  /** The server's count for a model divided by the count here; 1 while unknown. */
  ratio(modelId: string): number {
    return this.ratios.get(modelId) ?? 1;
  }

  learn(modelId: string, counted: number, reported: number): void {
    const ratio = reported / counted;
    if (counted > 0 && ratio >= LEAST_RATIO) this.ratios.set(modelId, Math.min(MOST_RATIO, ratio));
  }

  private async unit({ message, from }: CompactionUnit): Promise<number> {
    const { text, files } = sentText(message);
    return (await this.counted(`${message.id} ${from} ${text.length}`, text)) + files * FILE_TOKENS;
  }

  private async counted(key: string, text: string): Promise<number> {
    const known = this.counts.get(key);
    if (known !== undefined) return known;
    const tokens = await this.tokens.count(text);
    this.counts.set(key, tokens);
    const oldest = this.counts.keys().next();
    if (this.counts.size > MAX_COUNTS && oldest.done !== true) this.counts.delete(oldest.value);
    return tokens;
  }
}

/** The most tokens these pieces can have, without counting: a token is at least one character. */
export function mostTokens(units: readonly CompactionUnit[]): number {
  return units.reduce((total, { message }) => {
    const { text, files } = sentText(message);
    return total + text.length + files * FILE_TOKENS;
  }, 0);
}
