import type { Draft } from '../engine/store.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';

/** What has arrived of the answer that another window writes on a branch; undefined when none does. */
export async function answeredElsewhere(
  store: Pick<ReadonlyStore, 'listDrafts'>,
  chatId: string,
  branch: string,
): Promise<Draft | undefined> {
  return beingWrittenOn(await store.listDrafts(chatId), branch);
}

/** The one of these drafts that a window writes on a branch now. */
export function beingWrittenOn(drafts: readonly Draft[], branch: string): Draft | undefined {
  return drafts.find((draft) => draft.branch === branch && draft.isBeingWritten);
}
