import type { FileChange, FileVersion } from '../../engine/effects.ts';
import { isSameVersion, keyOf } from '../../files/contentVersion.ts';
import type { DecidedFile } from '../../files/decidedFiles.ts';
import type { FileLocation } from '../../host/workspaceFiles.ts';

/** What became of a file on a path. */
export interface ChangedFile {
  readonly location: FileLocation;
  readonly state: 'created' | 'changed' | 'deleted';
  /** How much of it the user undid afterwards. */
  readonly undone: 'whole' | 'part' | undefined;
}

/**
 * The state of each file at the end, the one that was changed last at the end. One that the agent itself brought back is
 * left out.
 */
export function changedFiles(
  all: readonly FileChange[],
  decided: readonly DecidedFile[],
): readonly ChangedFile[] {
  const changes = new Map<string, { readonly first: FileChange; readonly last: FileChange }>();
  for (const change of all) {
    const key = keyOf(change);
    const first = changes.get(key)?.first ?? change;
    changes.delete(key);
    changes.set(key, { first, last: change });
  }
  const decisions = new Map(decided.map((each) => [keyOf(each.location), each]));
  return [...changes].flatMap(([key, { first, last }]) => {
    const { before } = first;
    const { after, folder, path } = last;
    if (isSameVersion(before, after)) return [];
    const state = before === null ? 'created' : after === null ? 'deleted' : 'changed';
    return [{ location: { folder, path }, state, undone: undoneOf(before, last, decisions.get(key)) }];
  });
}

function undoneOf(
  before: FileVersion | null,
  { after, at }: FileChange,
  decision: DecidedFile | undefined,
): ChangedFile['undone'] {
  if (!decision || decision.at < at || isSameVersion(decision.version, after)) return undefined;
  return isSameVersion(decision.version, before) ? 'whole' : 'part';
}
