import type { BranchData } from '../engine/graph.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { ViewedBy } from '../engine/users.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import type { FileHistory, PointTime } from './fileHistory.ts';
import type { RecordedState } from './fileRecords.ts';
import type { PlannedFile } from './restorePlan.ts';

/** The place of a new decision of the user, at the head of the active branch. */
export interface NewDecision {
  readonly branch: string | undefined;
  readonly pointOf: (location: FileLocation) => NewPoint;
}

export interface NewPoint {
  readonly messageId: string | null;
  readonly decision: string;
  readonly after: string | null;
}

export async function newDecision(
  store: ReadonlyStore,
  chatId: string,
  history: FileHistory,
  by: ViewedBy,
): Promise<NewDecision> {
  const active = await store.getActiveBranch(chatId, by);
  const messageId = active?.headMessageId ?? null;
  const when: PointTime = active ? await endOf(store, active) : { before: Number.POSITIVE_INFINITY };
  const decision = crypto.randomUUID();
  return {
    branch: active?.name,
    pointOf: (location) => ({
      messageId,
      decision,
      after: history.decisionAt(location, messageId, when) ?? null,
    }),
  };
}

/** The decisions at the head of a branch. One that is empty may have been dropped and made again. */
export async function endOf(
  store: ReadonlyStore,
  { chatId, name, createdAt }: Pick<BranchData, 'chatId' | 'name' | 'createdAt'>,
): Promise<PointTime> {
  const made = await store.listEvents(chatId, { kinds: ['rewound', 'restored', 'branch-created'] });
  const first = made.find(({ branch }) => branch === name)?.createdAt;
  return { branch: name, madeAt: Math.min(createdAt, first ?? createdAt) };
}

/** A new decision follows the state at its message, wherever the file was left. */
export function stateBefore({
  stand: { messageId, decision, version, baseline },
  point,
}: Pick<PlannedFile, 'stand' | 'point'>): RecordedState {
  const isNew = point.after !== undefined;
  const known = isNew ? (point.after ?? undefined) : decision;
  return {
    messageId: isNew ? point.messageId : messageId,
    ...(known === undefined ? {} : { decision: known }),
    version,
    baseline,
  };
}
