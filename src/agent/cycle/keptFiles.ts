import type { FileChange, MessageEffects } from '../../engine/effects.ts';

/**
 * The file changes of an exploration that is left behind; the files stay as they are. One change per file, from its
 * content at the checkpoint to its content now. The report stores them, so that they also belong to the continuing
 * branch: going back to the report or later leaves these files alone, going back before it includes them.
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
