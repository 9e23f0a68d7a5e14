import { answerMetadataOf } from '../../agent/run/answerMetadata.ts';
import { plainText } from '../../agent/context/plainText.ts';
import { BRANCH_SUMMARY } from '../../engine/branchSummary.ts';
import { explorationBranches, explorationEventKinds } from '../../engine/explorationTask.ts';
import { isToolPart, readUIMessage, toolNameOf } from '../../engine/uiMessage.ts';
import type { MessageData, SkeletonNode } from '../../engine/graph.ts';
import type { GraphBranch, GraphChanged, GraphRole, NodeDescription } from '../../protocol/graphMessages.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';
import { oneLine } from '../ui/shownName.ts';
import { activityOf } from '../commands/runActivity.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { Runs } from '../../agent/run/runs.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

/** In characters. */
const LABEL_LENGTH = 120;

/** In UTF-16 units. */
const PREVIEW_LENGTH = 4_000;

/** Undefined for a chat that does not exist (yet). */
export async function readGraph(
  {
    store,
    labels,
    runs,
    approvals,
  }: {
    readonly approvals: Approvals;
    readonly labels: BranchLabels;
    readonly runs: Runs;
    readonly store: ReadonlyStore;
  },
  chatId: string,
): Promise<Omit<GraphChanged, 'type'> | undefined> {
  const chat = await store.getChat(chatId);
  if (!chat) return undefined;
  const nodes = await store.getSkeleton(chatId);
  const numbers = new Map(nodes.map(({ id }, number) => [id, number]));
  const branches = await store.listBranches(chatId, { includeArchived: true });
  const labelOf = await labels.of(chatId);
  const tasks = explorationBranches(await store.listEvents(chatId, { kinds: explorationEventKinds }));
  const running = new Map(runs.list(chatId).map((run) => [run.branch, run]));
  return {
    chat: { id: chatId, title: chat.title ?? '' },
    from: 0,
    ids: nodes.map(({ id }) => id),
    parents: nodes.map(({ parentId }) => (parentId === null ? -1 : (numbers.get(parentId) ?? -1))),
    roles: nodes.map(roleOf),
    branches: branches.map(({ name, headMessageId, isActive, archivedAt }) => {
      const run = running.get(name);
      const isArchived = archivedAt !== undefined;
      const shared = { name, label: labelOf(name), headMessageId, isActive, isArchived };
      const branch: GraphBranch = tasks.has(name) ? { ...shared, isTask: true } : shared;
      return run ? { ...branch, activity: activityOf(run, approvals) } : branch;
    }),
    checkpoints: (await store.listCheckpoints(chatId)).map(({ name, messageId }) => ({ name, messageId })),
    isReadOnly: store.isReadOnly,
  };
}

/** Messages never change, so only later ones must be sent. */
export function sinceThen(
  known: Omit<GraphChanged, 'type'> | undefined,
  now: Omit<GraphChanged, 'type'>,
): Omit<GraphChanged, 'type'> {
  const count = known?.ids.length ?? 0;
  // Deleting a branch removes messages from the middle.
  const goesOn = known?.chat.id === now.chat.id && known.ids.every((id, number) => now.ids[number] === id);
  if (!goesOn || count === 0) return now;
  return {
    ...now,
    from: count,
    ids: now.ids.slice(count),
    parents: now.parents.slice(count),
    roles: now.roles.slice(count),
  };
}

export async function describeNodes(
  store: ReadonlyStore,
  chatId: string,
  ids: readonly string[],
): Promise<NodeDescription[]> {
  const messages = await Promise.all(ids.map((id) => store.getMessage(chatId, id)));
  return messages.flatMap((message) => (message ? describe(message) : []));
}

function describe(message: MessageData): NodeDescription {
  const { id, createdAt } = message;
  const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
  const status = read?.role === 'assistant' ? answerMetadataOf(read)?.status : undefined;
  return {
    id,
    label: oneLine(textFor(message), LABEL_LENGTH),
    createdAt,
    ...(status === 'interrupted' || status === 'failed' ? { status } : {}),
  };
}

export function previewOf(message: MessageData): { readonly text: string; readonly isCut: boolean } {
  const text = textFor(message);
  return { text: text.slice(0, PREVIEW_LENGTH).toWellFormed(), isCut: text.length > PREVIEW_LENGTH };
}

/** The text, or the tools of a message that only used tools. */
function textFor({ type, data }: MessageData): string {
  const read = type === 'message' ? readUIMessage(data) : undefined;
  if (!read) return typeof data === 'string' ? data : '';
  const words = plainText(read);
  if (words.trim() !== '') return words;
  return read.parts.filter(isToolPart).map(toolNameOf).join(', ');
}

function roleOf({ name }: SkeletonNode): GraphRole {
  if (name === 'user' || name === 'assistant' || name === 'system') return name;
  return name === BRANCH_SUMMARY ? 'note' : 'hidden';
}
