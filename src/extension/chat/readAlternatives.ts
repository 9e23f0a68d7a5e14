import type { Run, Runs } from '../../agent/run/runs.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { BranchData, MessageData } from '../../engine/graph.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { questionText } from '../../agent/context/plainText.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import type { AlternativesView, AlternativeView } from '../../protocol/chatFromHost.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import { withSources } from '../pages/answerSources.ts';
import { messageView, runView } from '../pages/messageView.ts';
import { readWhole } from '../pages/readWhole.ts';
import { withContinue } from './continueActions.ts';
import { readAttempt } from './readAttempt.ts';
import { turnTotals } from './turns.ts';

export interface AlternativesSources {
  readonly labels: BranchLabels;
  readonly store: ReadonlyStore;
  readonly runs: Runs;
  readonly approvals: Approvals;
  readonly ownFiles: Pick<OwnFiles, 'knownOf'>;
}

/** Those still being written included; undefined when the question is gone. */
export function readAlternatives(
  sources: AlternativesSources,
  chatId: string,
  questionId: string,
): Promise<AlternativesView | undefined> {
  return readWhole(sources.runs, chatId, () => readOnce(sources, chatId, questionId));
}

async function readOnce(
  { store, labels, runs, approvals, ownFiles }: AlternativesSources,
  chatId: string,
  questionId: string,
): Promise<AlternativesView | undefined> {
  const question = (await store.getChat(chatId)) && (await store.getMessage(chatId, questionId));
  const read = question && readUIMessage(question.data);
  if (!read) return undefined;
  const branches = await store.listBranches(chatId);
  const alternatives = new Map<string, AlternativeView>();
  const attempts = new Set<string>();
  for (const { id, name, type } of await store.getChildren(chatId, questionId)) {
    // A branch with files of its own begins with the note of them.
    if (name !== 'assistant' && type !== 'internal') continue;
    const branch = await store.findBranchUsedWith(chatId, id);
    if (branch?.archivedAt === undefined && branch?.headMessageId) {
      const path = (await store.getPathAfter(chatId, questionId, branch.headMessageId)) ?? [];
      const isAnswered = path.some(({ name: kind }) => kind === 'assistant');
      const isAttempt = type === 'internal';
      if (isAttempt) attempts.add(branch.name);
      if (isAnswered) alternatives.set(branch.name, savedAlternative(branch, path, isAttempt));
    }
  }
  // Read last: it holds every piece that was sent before this moment.
  for (const run of runs.list(chatId)) {
    const isAsked = run.questionId === questionId || attempts.has(run.branch);
    if (isAsked && run.status === 'streaming') {
      alternatives.set(run.branch, withRun(alternatives.get(run.branch), run, approvals, branches));
    }
  }
  for (const { name } of branches) {
    const run = runs.failed(chatId, name);
    if (run && (run.questionId === questionId || attempts.has(name)))
      alternatives.set(name, withRun(alternatives.get(name), run, approvals, branches));
  }
  // In the order they were started, no matter which ends first.
  const labelOf = await labels.of(chatId);
  const shown: AlternativeView[] = [];
  for (const branch of branches) {
    const found = alternatives.get(branch.name);
    if (!found) continue;
    const isWriting = found.messages.at(-1)?.status === 'streaming';
    const attempt = await readAttempt(ownFiles, branch, isWriting);
    shown.push({ ...found, label: labelOf(branch.name), ...(attempt ? { attempt } : {}) });
  }
  return {
    chatId,
    questionId,
    question: questionText(read),
    alternatives: shown,
    isReadOnly: store.isReadOnly,
  };
}

/** @param isWhole what was asked there later is part of it */
function savedAlternative(
  { name, isActive }: BranchData,
  path: readonly MessageData[],
  isWhole: boolean,
): AlternativeView {
  const next = isWhole ? -1 : path.findIndex(isUserTurn);
  const goesOn = next !== -1;
  const turn = goesOn ? path.slice(0, next) : path;
  const messages = withSources(
    turn.flatMap((message) => messageView(message, []) ?? []),
    turn,
  );
  return {
    branch: name,
    isActive,
    messages: goesOn ? messages : withContinue(messages),
    ...turnTotals(turn),
    goesOn,
  };
}

function withRun(
  saved: AlternativeView | undefined,
  run: Run,
  approvals: Approvals,
  branches: readonly BranchData[],
): AlternativeView {
  const before = saved?.messages ?? [];
  // It may have been saved just now.
  if (saved && before.some(({ id }) => id === run.messageId)) return saved;
  const { duration: _stillGrows, ...known } = saved ?? {
    branch: run.branch,
    isActive: branches.some(({ name, isActive }) => isActive && name === run.branch),
    goesOn: false,
  };
  return { ...known, messages: [...before, runView(run, approvals)] };
}
