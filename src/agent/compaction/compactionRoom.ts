import type { KeptRoom } from './planCompaction.ts';

/** The most room that is kept for an answer, in tokens, and as a share of the window. */
const ANSWER_TOKENS = 8_000;
const ANSWER_SHARE = 0.1;

/** What a summary may take at most, in tokens, and as a share of the window. */
const SUMMARY_TOKENS = 3_000;
const SUMMARY_SHARE = 0.15;

/** How much of the window the turns may take that are left as they are. */
const KEPT_SHARE = 0.25;

/** The least that is worth a summary, in tokens, and as a share of the window. */
const WORTH_TOKENS = 100;
const WORTH_SHARE = 0.05;

/** What must have come since before it is tried again, as a share of the window. */
const GROWTH_SHARE = 0.1;

/** From how many tokens on a request is too long, with room for its answer. */
export function limitOf(window: number, threshold: number, maxOutputTokens = Infinity): number {
  return window * threshold - Math.min(ANSWER_TOKENS, window * ANSWER_SHARE, maxOutputTokens);
}

/**
 * What may be left as it is.
 * @param limit of the whole request
 * @param fixed what is sent in any case: instructions, tools, the question that is being answered
 */
export function keptRoom(window: number, limit: number, fixed: number): KeptRoom {
  const most = Math.max(0, limit - fixed - Math.min(SUMMARY_TOKENS, window * SUMMARY_SHARE));
  return { keep: Math.min(window * KEPT_SHARE, most / 2), most };
}

/** Whether a summary in place of so many tokens is worth its cost. */
export function isWorthIt(coveredTokens: number, window: number): boolean {
  return coveredTokens >= Math.max(WORTH_TOKENS, window * WORTH_SHARE);
}

/** Whether there is so much more than after the last try that another makes sense. */
export function hasGrown(tokens: number, since: number | undefined, window: number): boolean {
  return since === undefined || tokens >= since + window * GROWTH_SHARE;
}
