import type { Draft } from '../engine/store.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';

/** Undefined when no other window writes an answer on the branch. */
export async function answeredElsewhere(
  store: Pick<ReadonlyStore, 'listDrafts'>,
  chatId: string,
  branch: string,
): Promise<Draft | undefined> {
  return beingWrittenOn(await store.listDrafts(chatId), branch);
}

export function beingWrittenOn(drafts: readonly Draft[], branch: string): Draft | undefined {
  return drafts.find((draft) => draft.branch === branch && draft.isBeingWritten);
}
