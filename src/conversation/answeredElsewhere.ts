import type { Draft } from '../engine/store.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';

/** The received part of the answer that another window writes on a branch; undefined when there is none. */
export async function answeredElsewhere(
  store: Pick<ReadonlyStore, 'listDrafts'>,
  chatId: string,
  branch: string,
): Promise<Draft | undefined> {
  return beingWrittenOn(await store.listDrafts(chatId), branch);
}

/** The draft that another window is currently writing on a branch. */
export function beingWrittenOn(drafts: readonly Draft[], branch: string): Draft | undefined {
  return drafts.find((draft) => draft.branch === branch && draft.isBeingWritten);
}
