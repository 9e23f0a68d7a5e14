/** All code that uses the AI SDK, loaded together on first use: activation must not wait for it. */
export { pdfProblem, readPdf } from './attachments/pdf.ts';
export { ActiveRun } from './activeRun.ts';
export { TokenCounts } from './compaction/tokenCounts.ts';
export { describeModelError } from './describeModelError.ts';
export { explorationFragment } from './explore/explorationPrompt.ts';
export { Explorer } from './explore/explorer.ts';
export { withoutAsking } from './explore/readingApprovals.ts';
export { FailedRuns } from './failedRuns.ts';
export { recoverDrafts } from './recoverDrafts.ts';
export { recoverKept } from './recoverKept.ts';
export { writeBySmall } from './summaries/writeBySmall.ts';
export { writeTitle } from './titles/writeTitle.ts';
export { openVsCodeModel } from './vscodeAnswer.ts';
