/** All that needs the AI SDK, to be loaded together when it is needed first: activation must not wait for it. */
export { ActiveRun } from './activeRun.ts';
export { describeModelError } from './describeModelError.ts';
export { explorationFragment } from './explore/explorationPrompt.ts';
export { Explorer } from './explore/explorer.ts';
export { withoutAsking } from './explore/readingApprovals.ts';
export { recoverDrafts } from './recoverDrafts.ts';
export { writeSummary } from './summaries/writeSummary.ts';
export { writeTitle } from './titles/writeTitle.ts';
export { openVsCodeModel } from './vscodeAnswer.ts';
