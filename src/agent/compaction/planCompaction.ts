import type { CompactionUnit } from './compactionUnits.ts';

/** A piece of what is sent, with what it takes. */
export interface CountedUnit extends CompactionUnit {
  readonly tokens: number;
}

/** How much may be left as it is, in tokens. */
export interface KeptRoom {
  /** What is left where it fits. */
  readonly keep: number;
  /** The most that the last step alone may take to be left. */
  readonly most: number;
}

/** What a summary is to stand for. */
export interface CompactionPlan {
  /** Everything up to the cut, in order. */
  readonly before: readonly CountedUnit[];
  /** Of that, the question that is being answered, and what the user said since: sent as it is. */
  readonly kept: readonly CountedUnit[];
  /** What follows the cut. */
  readonly after: readonly CountedUnit[];
  /** What the summary stands in place of. */
  readonly coveredTokens: number;
}

/**
 * Decides where the summary ends and what is left as it is: the last turns where they fit, from the question on that
 * each begins with; else the question that is being answered and its last steps; else that question alone.
 * @param asked the place of the question that is being answered
 * @returns undefined where nothing but an earlier summary would be covered
 */
export function planCompaction(
  units: readonly CountedUnit[],
  asked: number,
  room: KeptRoom,
): CompactionPlan | undefined {
  return planAt(units, asked, cutFor(units, asked, room));
}

/** What a summary of everything but the question that is being answered stands for. */
export function planAll(units: readonly CountedUnit[], asked: number): CompactionPlan | undefined {
  return planAt(units, asked, units.length);
}

/** What a summary of everything before the last question stands for; where that is too long, as {@link planCompaction}. */
export function planOnDemand(
  units: readonly CountedUnit[],
  asked: number,
  room: KeptRoom,
): CompactionPlan | undefined {
  return planAt(units, asked, Math.max(asked, cutFor(units, asked, room)));
}

function planAt(units: readonly CountedUnit[], asked: number, cut: number): CompactionPlan | undefined {
  const before = units.slice(0, cut);
  const kept = before.filter(({ kind }, index) => kind === 'question' && asked >= 0 && index >= asked);
  const covered = before.filter((unit) => !kept.includes(unit));
  if (covered.every(({ kind }) => kind === 'summary')) return undefined;
  return { before, kept, after: units.slice(cut), coveredTokens: sum(covered) };
}

function cutFor(units: readonly CountedUnit[], asked: number, { keep, most }: KeptRoom): number {
  let cut = units.length;
  let left = 0;
  for (let at = units.length - 1; at >= 0; at -= 1) {
    left += units[at]?.tokens ?? 0;
    if (left > keep) break;
    cut = at;
  }
  const last = units.at(-1);
  if (cut === units.length && last && last.kind !== 'summary' && last.tokens <= most) cut -= 1;
  // A turn begins with its question.
  const turn = units.findIndex(({ kind }, at) => kind === 'question' && at >= cut && at <= asked);
  return turn < 0 ? cut : turn;
}

/** What pieces take together. */
export function sum(units: readonly CountedUnit[]): number {
  return units.reduce((total, { tokens }) => total + tokens, 0);
}
