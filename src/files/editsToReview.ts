import type { FileVersion } from '../engine/effects.ts';
import type { JsonObject } from '../engine/json.ts';
import { isOnNamedMachine } from '../engine/machineFolder.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { ViewedBy } from '../engine/users.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import { isFolder, isSameVersion } from './contentVersion.ts';
import { FileHistory } from './fileHistory.ts';
import { recordDetails } from './fileRecords.ts';
import { newDecision, stateBefore } from './fileDecision.ts';

export interface ReviewedFile {
  readonly location: FileLocation;
  /** The new baseline for its edits; `kept`: all of them stay. */
  readonly baseline: FileVersion | null | 'kept';
}

/** A file that tools changed after the user's last decision about it. */
export interface FileToReview {
  readonly location: FileLocation;
  /** Its earlier content; null: it did not exist. */
  readonly baseline: FileVersion | null;
  /** The last content from a tool or a restore; null: no file. */
  readonly left: FileVersion | null;
}

/** In the order of their first change. An edit needs review until it is kept or undone. */
export async function readEditsToReview(store: ReadonlyStore, chatId: string): Promise<FileToReview[]> {
  return (await FileHistory.read(store, chatId)).stands
    .map(({ location, baseline, version }) => ({
      location,
      baseline: withoutFolder(baseline),
      left: withoutFolder(version),
    }))
    .filter(({ location, baseline, left }) => {
      // Files on another machine are for its own user.
      return !isOnNamedMachine(location.folder) && !isSameVersion(baseline, left);
    });
}

/** The details of the log event for edits that were kept. */
export async function reviewedDetails(
  store: ReadonlyStore,
  chatId: string,
  files: readonly ReviewedFile[],
  now: number,
  by: ViewedBy = {},
): Promise<JsonObject> {
  const history = await FileHistory.read(store, chatId);
  const decision = await newDecision(store, chatId, history, by);
  return recordDetails({
    at: history.nextMoment(now),
    branch: decision.branch,
    files: files.flatMap(({ location, baseline }) => {
      const stand = history.standOf(location);
      if (!stand) return [];
      const { version } = stand;
      const point = decision.pointOf(location);
      const state = { version, baseline: baseline === 'kept' ? version : baseline };
      return [{ ...location, ...point, ...state, from: stateBefore({ stand, point }) }];
    }),
  });
}

/** A folder is no edit to look at: what is in it is. */
function withoutFolder(version: FileVersion | null): FileVersion | null {
  return isFolder(version) ? null : version;
}
