import type { FileVersion } from '../../engine/effects.ts';
import { isSameVersion, keyOf, versionOf } from '../../files/contentVersion.ts';
import {
  canBeChosen,
  isChosenOnly,
  type InspectedFile,
  type InspectedPlan,
} from '../../files/inspectFiles.ts';
import type { BranchFileChange, BranchFiles } from '../../host/branchFiles.ts';
import { mergeChanges } from '../../host/branchMerge.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';
import type { ChangedFiles } from './changedFiles.ts';

/** What keeping the changes of a branch does to the workspace. */
export interface KeepPlan {
  readonly plan: InspectedPlan;
  /** Those that can be written without a loss. */
  readonly clean: readonly InspectedFile[];
  /** Texts that both changed in the same places: both versions are in them, with marks. */
  readonly marked: readonly InspectedFile[];
  /** Left as they are in the workspace: both changed them, or they are protected, open with unsaved changes, or too large. */
  readonly left: readonly string[];
}

/** Merges the changes of a branch with what the workspace has become; writes nothing. */
export async function planKeep(
  host: BranchFiles,
  { workspace, keeper, restorer }: Pick<ChangedFiles, 'workspace' | 'keeper' | 'restorer'>,
  chatId: string,
  id: string,
): Promise<KeepPlan> {
  const blocked: string[] = [];
  const changes: BranchFileChange[] = [];
  for (const change of await host.changes(id)) {
    const paths = [change.path, ...(change.oldPath === undefined ? [] : [change.oldPath])];
    try {
      for (const path of paths) await workspace.checkWrite({ folder: change.folder, path });
      changes.push(change);
    } catch (error) {
      if (!(error instanceof WorkspaceFileError)) throw error;
      blocked.push(change.path);
    }
  }
  const merged = await mergeChanges(changes, {
    contentAt: async (file) => (await workspace.readEntry(file)) ?? null,
    mergeText: (...texts) => host.mergeText(...texts),
  });
  const known = new Map<string, FileVersion | null>();
  const marks = new Set<string>();
  const wanted = [];
  for (const { folder, path, now, result, how } of merged) {
    const location = { folder, path };
    if (how === 'same') continue;
    if (result === undefined) {
      blocked.push(path);
      continue;
    }
    const before = await versionOf(now ?? undefined);
    known.set(keyOf(location), before);
    if (how === 'conflict') marks.add(keyOf(location));
    const version = await keeper.keep(path, result ?? undefined);
    wanted.push({ location, now: before, version, baseline: version });
  }
  const plan = await restorer.previewDecision(chatId, wanted);
  const isUsable = (file: InspectedFile): boolean =>
    canBeChosen(file) &&
    file.state !== 'unsaved' &&
    !isChosenOnly(file) &&
    isSameVersion(file.current, known.get(keyOf(file.planned.location)) ?? null);
  const isMarked = ({ planned }: InspectedFile): boolean => marks.has(keyOf(planned.location));
  const usable = plan.files.filter(isUsable);
  return {
    plan,
    clean: usable.filter((file) => !isMarked(file)),
    marked: usable.filter(isMarked),
    left: [
      ...blocked,
      ...plan.files.filter((file) => !isUsable(file)).map(({ planned }) => planned.location.path),
    ],
  };
}
