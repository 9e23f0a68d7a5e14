import type { FileVersion } from '../engine/effects.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import { FileHistory, type FileHistoryStore } from './fileHistory.ts';
import { eventsOnPath } from './restorePlan.ts';

/** The last decision of the user about the edits of a file. */
export interface DecidedFile {
  readonly location: FileLocation;
  /** What it left; null: no file. */
  readonly version: FileVersion | null;
  readonly at: number;
}

/** The files of which the user kept or undid edits on the path to a message, each with what the last decision left. */
export async function readDecidedFiles(
  store: FileHistoryStore & Pick<ReadonlyStore, 'getPath'>,
  chatId: string,
  headId: string,
): Promise<DecidedFile[]> {
  const history = await FileHistory.read(store, chatId);
  // A path may be long.
  if (!history.hasDecisions) return [];
  return eventsOnPath(history, await store.getPath(chatId, headId)).flatMap(({ location, events }) => {
    const last = events.findLast(({ baseline }) => baseline !== undefined);
    return last ? [{ location, version: last.after, at: last.at }] : [];
  });
}
