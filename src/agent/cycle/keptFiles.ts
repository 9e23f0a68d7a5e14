import type { FileChange, MessageEffects } from '../../engine/effects.ts';

/**
 * What an exploration that is left behind did to files, which stay as they are: one change for each file, from what it
 * held at the checkpoint to what it holds now. The report stores them, so that they belong to the branch that goes on,
 * too: going back to the report or later leaves these files alone, going back before it takes them along.
 */
export function keptFileChanges(
  left: readonly Readonly<{ effects: MessageEffects | undefined }>[],
): FileChange[] {
  const changes = new Map<string, FileChange>();
  for (const change of left.flatMap(({ effects }) => effects?.files ?? [])) {
    const key = JSON.stringify([change.folder, change.path]);
    const first = changes.get(key);
    changes.set(key, first ? joined(first, change) : change);
  }
  return [...changes.values()];
}

function joined(first: FileChange, { after, at, madeFolders = [] }: FileChange): FileChange {
  const made = [...new Set([...(first.madeFolders ?? []), ...madeFolders])];
  return { ...first, after, at, ...(made.length === 0 ? {} : { madeFolders: made }) };
}
