/** All code that uses the AI SDK, loaded together on first use: activation must not wait for it. */
export { pdfProblem, readPdf } from './attachments/pdf.ts';
export { Budget } from './budget/budget.ts';
export { SpendingJournal } from './budget/spendingJournal.ts';
export { StoredSpending } from './budget/storedSpending.ts';
export { ActiveRun } from './run/activeRun.ts';
export { ledgerRoom, SUPPOSED_WINDOW } from './compaction/planCompaction.ts';
export { summarySize } from './compaction/summarySize.ts';
export { TokenCounts } from './compaction/tokenCounts.ts';
export { exploreToolFor } from './explore/exploreAgents.ts';
export { explorationFragment, Explorer, withoutAsking } from './explore/explorer.ts';
export { Ledgers, withLedger } from './ledger/ledgers.ts';
export { fullText } from './ledger/unsentMessages.ts';
export { FailedRuns } from './run/failedRuns.ts';
export { recoverDrafts, recoverKept } from './run/recoverAnswers.ts';
export { writeBySmall } from './summaries/writeSummary.ts';
export { writeTitle } from './summaries/writeTitle.ts';
export { TooManyBranchesError } from './run/tooManyBranches.ts';
export { approvalsOn } from './tools/approvalsOn.ts';
