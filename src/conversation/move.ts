import type { ContextEngine } from '../engine/contextEngine.ts';
import type { BranchData, BranchInfo, CheckpointData } from '../engine/graph.ts';
import { activeBranch, withEngine } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';
import { keepBranch } from '../engine/provisionalBranch.ts';
import { CheckpointNotFoundError, EmptyConversationError } from '../engine/errors.ts';

/** The branch left, and the active one now; the same if the user did not move. */
export interface Move {
  readonly chatId: string;
  readonly from: string;
  readonly to: BranchInfo;
}

export type MoveParts = Pick<ConversationParts, 'store' | 'userId' | 'current' | 'runs' | 'queue'>;

/** A branch that was made by a click and is still empty is dropped when it is left. */
export const byClick = { provisional: true } as const;

/** In the open chat by default; another one is then opened. */
export async function move(
  parts: MoveParts,
  step: (engine: ContextEngine, active: BranchData) => Promise<BranchInfo>,
  inChat?: string,
): Promise<Move> {
  const { store, userId, current } = parts;
  const chatId = inChat ?? (await current.chatId());
  const active = await activeBranch(store, chatId, { userId });
  await keepIfHeld(parts, active);
  const to = await withEngine(parts, chatId, (engine) => step(engine, active));
  await current.open(chatId);
  return { chatId, from: active.name, to };
}

/** Call this before leaving a branch: a run or a queued question requires it, but is not part of the branch. */
export async function keepIfHeld(
  { store, userId, runs, queue }: Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'queue'>,
  branch: BranchData,
): Promise<void> {
  const { chatId, id, name } = branch;
  const isInUse = runs.get(chatId, name) !== undefined;
  if (isInUse || (await queue.list(chatId, id)).length > 0) await keepBranch(store, branch, userId);
}

/** A dropped branch is made again; another chat is opened. @throws BranchNotFoundError */
export function switchBranch(parts: MoveParts, name: string, chatId?: string): Promise<Move> {
  return move(
    parts,
    async (engine, active) => (active.name === name ? active : engine.switchBranch(name)),
    chatId,
  );
}

/** By default at the last message of the open chat. @throws EmptyConversationError */
export async function createCheckpoint(
  parts: MoveParts,
  name: string,
  messageId: string | undefined,
): Promise<CheckpointData> {
  const chatId = await parts.current.chatId();
  // The engine would otherwise make the chat.
  if (!(await parts.store.getChat(chatId))) throw new EmptyConversationError('checkpoint');
  return withEngine(parts, chatId, (engine) =>
    engine.checkpoint(name, messageId === undefined ? {} : { messageId }),
  );
}

/** In the open chat by default; another one is then opened. @throws CheckpointNotFoundError */
export async function restoreCheckpoint(parts: MoveParts, name: string, chatId?: string): Promise<Move> {
  const checkpoint = await parts.store.getCheckpoint(chatId ?? (await parts.current.chatId()), name);
  if (!checkpoint) throw new CheckpointNotFoundError(name);
  return move(parts, (engine) => engine.restore(name, byClick), chatId);
}
