import type { FileVersion } from '../../engine/effects.ts';
import { isSameVersion, keyOf, versionOf } from '../../files/contentVersion.ts';
import {
  canBeChosen,
  isChosenOnly,
  type InspectedFile,
  type InspectedPlan,
} from '../../files/inspectFiles.ts';
import type { BranchFileChange, BranchFiles } from '../../host/branchFiles.ts';
import { isSameContent, mergeChanges, type MergedFile } from '../../host/branchMerge.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';
import type { ChangedFiles } from './changedFiles.ts';

/** A change of a branch, merged with what the workspace has become. */
export interface MergedChange {
  readonly change: BranchFileChange;
  /** What becomes of its file; two where it was renamed. */
  readonly files: readonly (MergedFile & { readonly result: NonNullable<MergedFile['result']> | null })[];
  /** Both changed it in the same places: both versions are in it, with marks. */
  readonly isMarked: boolean;
}

/** Why a file stays as it is in the workspace. */
export type LeftReason = 'protected' | 'binary' | 'deleted' | 'there' | 'unsaved' | 'other' | 'conflict';

export interface LeftFile {
  readonly path: string;
  readonly why: LeftReason;
}

/** What keeping the changes of a branch does to the workspace. */
export interface KeepPlan {
  readonly plan: InspectedPlan;
  /** Those that can be written without a loss. */
  readonly changes: readonly MergedChange[];
  readonly left: readonly LeftFile[];
}

/** Merges the changes of a branch with what the workspace has become; writes nothing there. */
export async function planKeep(
  host: BranchFiles,
  changed: Pick<ChangedFiles, 'workspace' | 'keeper' | 'restorer'>,
  chatId: string,
  id: string,
): Promise<KeepPlan> {
  const { workspace } = changed;
  const left: LeftFile[] = [];
  const found: MergedChange[] = [];
  for (const change of await host.changes(id)) {
    const { folder, path, oldPath } = change;
    try {
      for (const each of [path, ...(oldPath === undefined ? [] : [oldPath])]) {
        await workspace.checkWrite({ folder, path: each });
      }
    } catch (error) {
      if (!(error instanceof WorkspaceFileError)) throw error;
      left.push({ path, why: 'protected' });
      continue;
    }
    const merged = await mergeChanges([change], {
      contentAt: async (file) => (await workspace.readEntry(file)) ?? null,
      mergeText: (...texts) => host.mergeText(...texts),
    });
    const files = merged.flatMap(({ result, ...file }) =>
      result === undefined ? [] : [{ ...file, result }],
    );
    if (files.length < merged.length) left.push({ path, why: whyUnmerged(change, merged) });
    else if (files.some(({ how }) => how !== 'same')) {
      found.push({ change, files, isMarked: files.some(({ how }) => how === 'conflict') });
    }
  }
  const planned = await planChanges(changed, chatId, found);
  return { ...planned, left: [...left, ...planned.left] };
}

/** The same for changes that are merged already, or of which only a part is wanted. */
export async function planChanges(
  { keeper, restorer }: Pick<ChangedFiles, 'keeper' | 'restorer'>,
  chatId: string,
  changes: readonly MergedChange[],
): Promise<KeepPlan> {
  const known = new Map<string, FileVersion | null>();
  const wanted = [];
  for (const { folder, path, now, result, how } of changes.flatMap(({ files }) => files)) {
    if (how === 'same') continue;
    const location = { folder, path };
    const before = await versionOf(now ?? undefined);
    known.set(keyOf(location), before);
    const version = await keeper.keep(path, result ?? undefined);
    wanted.push({ location, now: before, version, baseline: version });
  }
  const plan = await restorer.previewDecision(chatId, wanted);
  const isUsable = (file: InspectedFile): boolean =>
    canBeChosen(file) &&
    file.state !== 'unsaved' &&
    !isChosenOnly(file) &&
    isSameVersion(file.current, known.get(keyOf(file.planned.location)) ?? null);
  const unusable = new Map(
    plan.files.flatMap((file) => (isUsable(file) ? [] : [[keyOf(file.planned.location), file] as const])),
  );
  const left: LeftFile[] = [];
  const usable: MergedChange[] = [];
  for (const each of changes) {
    const [problem] = each.files.flatMap((file) => unusable.get(keyOf(file)) ?? []);
    if (problem) left.push({ path: each.change.path, why: whyUnusable(problem) });
    else usable.push(each);
  }
  const isWanted = new Set(usable.flatMap(({ files }) => files.map((file) => keyOf(file))));
  const files = plan.files.filter(({ planned }) => isWanted.has(keyOf(planned.location)));
  return { plan: { ...plan, files }, changes: usable, left };
}

/** Whether neither the branch nor the workspace changed the file since it was merged. */
export function isSameChange(a: MergedChange, b: MergedChange): boolean {
  return (
    isSameContent(a.change.before, b.change.before) &&
    isSameContent(a.change.after, b.change.after) &&
    a.files.length === b.files.length &&
    a.files.every(({ path, now }, index) => {
      const other = b.files[index];
      return other?.path === path && isSameContent(other.now, now);
    })
  );
}

function whyUnmerged({ after, oldPath, path }: BranchFileChange, merged: readonly MergedFile[]): LeftReason {
  const now = merged.find((file) => file.path === path)?.now ?? null;
  if (oldPath !== undefined) return now === null ? 'deleted' : 'there';
  return now === null || after === null ? 'deleted' : 'binary';
}

function whyUnusable({ state, protection, isReadOnly }: InspectedFile): LeftReason {
  if (state === 'unsaved') return 'unsaved';
  return protection !== undefined || isReadOnly === true ? 'protected' : 'other';
}
