import { MessageNotFoundError } from '../../engine/errors.ts';
import type { MessageEffects } from '../../engine/effects.ts';
import type { BranchData, MessageData } from '../../engine/graph.ts';
import { storable } from '../../engine/storable.ts';
import type { ContextStore, NewMessage } from '../../engine/store.ts';
import { readUIMessage, type UIMessage } from '../../engine/uiMessage.ts';
import { storableStrings } from '../tools/storedStrings.ts';
import { BRANCH_SUMMARY, branchSummaryMessage, type BranchSummary } from '../../engine/branchSummary.ts';
import { keptFileChanges } from './keptFiles.ts';
import type { RequestedRewind } from './stepCheckpoints.ts';

export interface ApplyRewindOptions {
  readonly store: ContextStore;
  readonly chatId: string;
  /** The branch that was explored, as it is now. */
  readonly explored: BranchData;
  readonly rewind: RequestedRewind;
  /** What the other tools of the step said. */
  readonly siblings: readonly string[];
  /** The question the run answers. */
  readonly questionId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface AppliedRewind {
  readonly branch: BranchData;
  /** The checkpoint's message was not there any more; the new branch begins before the first message. */
  readonly isFromRoot: boolean;
}

/**
 * Goes back to the agent's checkpoint: a new branch there with the report, the active one if the explored one was. The
 * explored branch stays as it is. The branch, the report and the entry in the log are one transaction.
 */
export async function applyRewind(options: ApplyRewindOptions): Promise<AppliedRewind> {
  try {
    return await save(options, options.rewind.checkpoint.messageId);
  } catch (error) {
    if (!(error instanceof MessageNotFoundError)) throw error;
    return save(options, null);
  }
}

async function save(options: ApplyRewindOptions, at: string | null): Promise<AppliedRewind> {
  const { store, chatId, explored, rewind, siblings, now } = options;
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
  const left = await leftMessages(options, at);
  const question = laterQuestion(left, options.questionId);
  const files = keptFileChanges(left);
  const message = branchSummaryMessage(crypto.randomUUID(), summary, siblings);
  const { branch } = await store.saveMessages({
    chatId,
    branch: explored.name,
    expectedHead: explored.headMessageId,
    onHeadConflict: 'fork',
    newBranchAt: { messageId: at, why: 'report' },
    activate: explored.isActive,
    messages: [
      newMessage(BRANCH_SUMMARY, message, files.length === 0 ? undefined : { files }),
      ...(question ? [question] : []),
    ],
    shared: { user: new Map(), app: new Map(), userId: '', artifacts: [] },
    event: {
      kind: 'rewind-report',
      details: { startedAt, rewoundAt, goal, abandonedHead, from: explored.name },
    },
  });
  return { branch, isFromRoot };
}

/** What was explored: the messages that are left behind, oldest first. */
async function leftMessages(
  { store, chatId, explored: { headMessageId } }: ApplyRewindOptions,
  at: string | null,
): Promise<readonly MessageData[]> {
  if (headMessageId === null) return [];
  if (at === null) return store.getPath(chatId, headMessageId);
  return (await store.getPathAfter(chatId, at, headMessageId)) ?? [];
}

/** A question asked after the checkpoint has to be asked again: it is what the run answers. */
function laterQuestion(left: readonly MessageData[], questionId: string): NewMessage | undefined {
  const question = left.find(({ id }) => id === questionId);
  const read = question && readUIMessage(question.data);
  if (!read) return undefined;
  const id = crypto.randomUUID();
  return { ...newMessage('user', { ...read, id }), invocationId: id, replaces: questionId };
}

function newMessage(name: string, message: UIMessage, effects?: MessageEffects): NewMessage {
  return {
    id: message.id,
    name,
    type: 'message',
    data: storable(message, 'message'),
    invocationId: undefined,
    replaces: undefined,
    effects,
  };
}
