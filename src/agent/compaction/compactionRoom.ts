import type { KeptRoom } from './planCompaction.ts';

/** The most room reserved for an answer, in tokens, and as a share of the window. */
const ANSWER_TOKENS = 8_000;
const ANSWER_SHARE = 0.1;

/** The longest summary, in tokens, and as a share of the window. */
const SUMMARY_TOKENS = 3_000;
const SUMMARY_SHARE = 0.15;

/** The share of the window for turns that stay uncompacted. */
const KEPT_SHARE = 0.25;

/** The smallest amount that is worth a summary, in tokens, and as a share of the window. */
const WORTH_TOKENS = 100;
const WORTH_SHARE = 0.05;

/** The growth required before another try, as a share of the window. */
const GROWTH_SHARE = 0.1;

/** The token count above which a request is too long, with room for its answer. */
export function limitOf(window: number, threshold: number, maxOutputTokens = Infinity): number {
  return window * threshold - Math.min(ANSWER_TOKENS, window * ANSWER_SHARE, maxOutputTokens);
}

/**
 * How much may stay uncompacted.
 * @param limit of the whole request
 * @param fixed always sent: instructions, tools, the question that is being answered
 */
export function keptRoom(window: number, limit: number, fixed: number): KeptRoom {
  const most = Math.max(0, limit - fixed - Math.min(SUMMARY_TOKENS, window * SUMMARY_SHARE));
  return { keep: Math.min(window * KEPT_SHARE, most / 2), most };
}

/** Whether replacing this many tokens with a summary is worth its cost. */
export function isWorthIt(coveredTokens: number, window: number): boolean {
  return coveredTokens >= Math.max(WORTH_TOKENS, window * WORTH_SHARE);
}

/** Whether the context has grown enough since the last try for another. */
export function hasGrown(tokens: number, since: number | undefined, window: number): boolean {
  return since === undefined || tokens >= since + window * GROWTH_SHARE;
}
