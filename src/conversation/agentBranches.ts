import { keptFileChanges } from '../agent/checkpoints/agentCheckpoint.ts';
import { storableStrings } from '../agent/tools/textLimits.ts';
import type {
  AgentRewind,
  AppliedRewind,
  BegunExploration,
  NewExploration,
  SavedCompaction,
} from '../agent/run/writes.ts';
import { BRANCH_SUMMARY, branchSummaryMessage, type BranchSummary } from '../engine/branchSummary.ts';
import { MessageNotFoundError, BranchNotFoundError } from '../engine/errors.ts';
import type { MessageData } from '../engine/graph.ts';
import type { ContextStore, NewMessage } from '../engine/store.ts';
import { readUIMessage } from '../engine/uiMessage.ts';
import type { ViewedBy } from '../engine/users.ts';
import { appendOnNewBranch } from '../engine/appendOnNewBranch.ts';
import { messageNode, summaryDetails } from './summaryNode.ts';
import { EXPLORE, explorationTaskMessage } from '../engine/explorationTask.ts';
import { pathSummaryMessage } from '../engine/pathSummary.ts';

type RewindStore = Pick<ContextStore, 'getPath' | 'getPathAfter' | 'saveMessages'>;

/**
 * Goes back to the agent's checkpoint, on a new branch that begins with its report. If the checkpoint's message is
 * gone, the new branch begins before the first message.
 */
export async function applyRewind(
  store: RewindStore,
  request: AgentRewind,
  by: ViewedBy = {},
): Promise<AppliedRewind> {
  try {
    return await save(store, request, request.rewind.checkpoint.messageId, by);
  } catch (error) {
    if (!(error instanceof MessageNotFoundError)) throw error;
    return save(store, request, null, by);
  }
}

async function save(
  store: RewindStore,
  request: AgentRewind,
  at: string | null,
  { userId }: ViewedBy,
): Promise<AppliedRewind> {
  const { explored, rewind, siblings, now } = request;
  const { checkpoint } = rewind;
  const isFromRoot = at === null;
  const summary: BranchSummary = {
    report: (await storableStrings(rewind.report)) as string,
    goal: checkpoint.goal,
    checkpoint: checkpoint.callId,
    startedAt: checkpoint.startedAt,
    rewoundAt: new Date(now).toISOString(),
    abandonedHead: explored.headMessageId,
    exploredBranch: explored.name,
    ...(isFromRoot ? { isFromRoot } : {}),
  };
  const { startedAt, rewoundAt, goal, abandonedHead } = summary;
  const left = await leftMessages(store, request, at);
  const question = laterQuestion(left, request.questionId);
  const files = keptFileChanges(left);
  const message = branchSummaryMessage(crypto.randomUUID(), summary, siblings);
  const branch = await appendOnNewBranch(store, {
    from: explored,
    at,
    why: 'report',
    activate: explored.isActive,
    userId,
    messages: [
      messageNode(BRANCH_SUMMARY, message, { effects: files.length === 0 ? undefined : { files } }),
      ...(question ? [question] : []),
    ],
    event: {
      kind: 'rewind-report',
      details: { startedAt, rewoundAt, goal, abandonedHead, from: explored.name },
    },
  });
  return { branch, isFromRoot };
}

/** Oldest first. */
async function leftMessages(
  store: RewindStore,
  { chatId, explored: { headMessageId } }: AgentRewind,
  at: string | null,
): Promise<readonly MessageData[]> {
  if (headMessageId === null) return [];
  if (at === null) return store.getPath(chatId, headMessageId);
  return (await store.getPathAfter(chatId, at, headMessageId)) ?? [];
}

/** A question asked after the checkpoint must be asked again: the run is answering it. */
function laterQuestion(left: readonly MessageData[], questionId: string): NewMessage | undefined {
  const question = left.find(({ id }) => id === questionId);
  const read = question && readUIMessage(question.data);
  if (!read) return undefined;
  const id = crypto.randomUUID();
  return messageNode('user', { ...read, id }, { invocationId: id, replaces: questionId });
}

/**
 * Makes the branch of a task, next to the answer that gives it: existing messages stay, and the active branch stays
 * active. The branch, the task and its title are one transaction.
 * @throws BranchNotFoundError, MessageNotFoundError, ReadOnlyError
 */
export async function beginExploration(
  store: Pick<ContextStore, 'listBranches' | 'saveMessages'>,
  { chatId, branchId, afterId, title, prompt }: NewExploration,
  { userId }: ViewedBy,
): Promise<BegunExploration> {
  const by = userId === undefined ? {} : { userId };
  // It may have been renamed by now.
  const from = (await store.listBranches(chatId, { includeArchived: true, ...by })).find(
    ({ id }) => id === branchId,
  );
  if (!from) throw new BranchNotFoundError(branchId);
  const taskId = crypto.randomUUID();
  const message = explorationTaskMessage(taskId, { title: title.toWellFormed() }, prompt.toWellFormed());
  const branch = await appendOnNewBranch(store, {
    from,
    at: afterId,
    why: EXPLORE,
    activate: false,
    ...by,
    messages: [messageNode('user', message)],
    event: { kind: 'titled', details: { title: title.toWellFormed() } },
  });
  return { branch, taskId };
}

/** Saves a summary after the part of the answer written so far. One transaction. */
export async function saveCompaction(
  store: Pick<ContextStore, 'saveMessages'>,
  { chatId, branch, afterId, answers, summary: written, metadata }: SavedCompaction,
  { userId }: ViewedBy = {},
): Promise<void> {
  const summary = { ...written, text: (await storableStrings(written.text)) as string };
  const node = pathSummaryMessage(crypto.randomUUID(), summary);
  await store.saveMessages({
    chatId,
    userId,
    branch,
    expectedHead: afterId,
    onHeadConflict: 'error',
    newBranchAt: undefined,
    activate: false,
    messages: [
      ...answers.map((answer) => messageNode(answer.role, answer)),
      messageNode(BRANCH_SUMMARY, { ...node, metadata: { ...metadata, pathSummary: summary } }),
    ],
    event: { kind: 'summarised', details: summaryDetails(summary) },
  });
}
