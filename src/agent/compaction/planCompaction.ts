import type { CompactionUnit } from './compactionUnits.ts';

/** A piece of what is sent, with its token count. */
export interface CountedUnit extends CompactionUnit {
  readonly tokens: number;
}

/** How many tokens may stay uncompacted. */
export interface KeptRoom {
  /** Turns stay if they fit in this. */
  readonly keep: number;
  /** The most that the last step alone may take and still stay. */
  readonly most: number;
}

/** What a summary should replace. */
export interface CompactionPlan {
  /** Everything up to the cut, in order. */
  readonly before: readonly CountedUnit[];
  /** From that, the question that is being answered and what the user wrote since: sent unchanged. */
  readonly kept: readonly CountedUnit[];
  /** Everything after the cut. */
  readonly after: readonly CountedUnit[];
  /** The tokens the summary replaces. */
  readonly coveredTokens: number;
}

/**
 * Decides where the summary ends and what stays: the last turns that fit, each starting at its question; else the
 * question that is being answered and its last steps; else only that question.
 * @param asked the index of the question that is being answered
 * @returns undefined if only an earlier summary would be covered
 */
export function planCompaction(
  units: readonly CountedUnit[],
  asked: number,
  room: KeptRoom,
): CompactionPlan | undefined {
  return planAt(units, asked, cutFor(units, asked, room));
}

/** Plans a summary of everything but the question that is being answered. */
export function planAll(units: readonly CountedUnit[], asked: number): CompactionPlan | undefined {
  return planAt(units, asked, units.length);
}

/** Plans a summary of everything before the last question; if the rest is too long, as {@link planCompaction}. */
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

/** The total tokens of these pieces. */
export function sum(units: readonly CountedUnit[]): number {
  return units.reduce((total, { tokens }) => total + tokens, 0);
}
