import type { Run, Runs } from '../../agent/runs.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { BranchData, MessageData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { questionText } from '../../agent/attachments/questionText.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/userTurn.ts';
import type { TriesView, TryView } from '../../protocol/alternatives.ts';
import { messageView, runView } from '../answers/messageView.ts';
import { turnTotals } from './turnTotals.ts';

export interface TriesSources {
  readonly store: ReadonlyStore;
  readonly runs: Runs;
  readonly approvals: Approvals;
}

/** All answers to a question that are in sight, those on their way included; undefined when the question is gone. */
export async function readTries(
  { store, runs, approvals }: TriesSources,
  chatId: string,
  questionId: string,
): Promise<TriesView | undefined> {
  const question = (await store.getChat(chatId)) && (await store.getMessage(chatId, questionId));
  const read = question && readUIMessage(question.data);
  if (!read) return undefined;
  const branches = await store.listBranches(chatId);
  const tries = new Map<string, TryView>();
  for (const { id, name } of await store.getChildren(chatId, questionId)) {
    if (name !== 'assistant') continue;
    const branch = await store.findBranchUsedWith(chatId, id);
    if (branch?.archivedAt === undefined && branch?.headMessageId) {
      const path = (await store.getPathAfter(chatId, questionId, branch.headMessageId)) ?? [];
      tries.set(branch.name, savedTry(branch, path));
    }
  }
  // Read last: it holds every piece that was told before this moment.
  for (const run of runs.list(chatId)) {
    if (run.questionId === questionId && run.status === 'streaming') {
      tries.set(run.branch, withRun(tries.get(run.branch), run, approvals, branches));
    }
  }
  // In the order they were begun in, whichever ends first.
  const shown = branches.flatMap(({ name }) => tries.get(name) ?? []);
  return { chatId, questionId, question: questionText(read), tries: shown, isReadOnly: store.isReadOnly };
}

function savedTry({ name, isActive }: BranchData, path: readonly MessageData[]): TryView {
  const next = path.findIndex(isUserTurn);
  const turn = next === -1 ? path : path.slice(0, next);
  return {
    branch: name,
    isActive,
    messages: turn.flatMap((message) => messageView(message, []) ?? []),
    ...turnTotals(turn),
    goesOn: next !== -1,
  };
}

function withRun(
  saved: TryView | undefined,
  run: Run,
  approvals: Approvals,
  branches: readonly BranchData[],
): TryView {
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
