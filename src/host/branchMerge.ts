import { isSameBytes } from '../base/sameBytes.ts';
import type { BranchFileChange, MergedText } from './branchFiles.ts';
import type { FileContent, FileLocation } from './workspaceFiles.ts';

/** Whether its owner may execute it. */
const EXECUTABLE = 0o100;

/** A file of the target, as it is to be once it has the change of a branch. */
export interface MergedFile extends FileLocation {
  /** What is there now; null: nothing. */
  readonly now: FileContent | null;
  /** Null: it goes. Undefined: both changed it, and the two can't be merged. */
  readonly result: FileContent | null | undefined;
  /** `taken`: only the branch changed it; `merged`: both did, in different places; `same`: it is so already. */
  readonly how: 'taken' | 'merged' | 'same' | 'conflict';
  /** The other name of a file that the branch renamed. */
  readonly renamed?: string | undefined;
}

export interface MergeTarget {
  contentAt(file: FileLocation): Promise<FileContent | null>;
  mergeText(base: Uint8Array, target: Uint8Array, branch: Uint8Array): Promise<MergedText>;
}

/** Merges the changes of a branch into files that may have changed since the branch began, and writes nothing. */
export async function mergeChanges(
  changes: readonly BranchFileChange[],
  target: MergeTarget,
): Promise<MergedFile[]> {
  const merged: MergedFile[] = [];
  for (const change of changes) merged.push(...(await mergeChange(change, target)));
  return merged;
}

async function mergeChange(change: BranchFileChange, target: MergeTarget): Promise<MergedFile[]> {
  const { folder, path, oldPath, before, after } = change;
  const now = await target.contentAt({ folder, path });
  if (oldPath === undefined) {
    return [{ folder, path, now, ...(await mergeContents(before, now, after, target)) }];
  }
  const old = await target.contentAt({ folder, path: oldPath });
  const made = { folder, path, now, renamed: oldPath };
  const gone = { folder, path: oldPath, now: old, renamed: path, result: null, how: 'taken' as const };
  if (now !== null) {
    if (!isSameContent(now, after)) return [{ ...made, ...conflict() }];
    return [{ ...made, how: 'same', result: now }, ...(isSameContent(old, before) ? [gone] : [])];
  }
  if (old === null) return [{ ...made, ...conflict() }];
  const { how, result } = await mergeContents(before, old, after, target);
  // What only moved is the same under its old name.
  const outcome = { how: how === 'same' ? ('taken' as const) : how, result };
  return [{ ...made, ...outcome }, ...(result === undefined ? [] : [gone])];
}

type Outcome = Pick<MergedFile, 'result' | 'how'>;

async function mergeContents(
  before: FileContent | null,
  now: FileContent | null,
  after: FileContent | null,
  { mergeText }: Pick<MergeTarget, 'mergeText'>,
): Promise<Outcome> {
  if (isSameContent(now, after)) return { how: 'same', result: now };
  if (isSameContent(now, before)) return { how: 'taken', result: after };
  if (now === null || after === null || ![now, after, ...(before ? [before] : [])].every(isText))
    return conflict();
  const bytesBefore = before?.bytes ?? new Uint8Array();
  const { bytes, conflicts } = await mergeText(bytesBefore, now.bytes, after.bytes);
  const isModeOfBranch = before !== null && isExecutable(before) !== isExecutable(after);
  const result = { bytes, mode: isModeOfBranch ? after.mode : now.mode };
  return { how: conflicts > 0 ? 'conflict' : 'merged', result };
}

function conflict(): Outcome {
  return { how: 'conflict', result: undefined };
}

/** The same kind with the same bytes, which its owner may execute or not. */
export function isSameContent(a: FileContent | null, b: FileContent | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && isExecutable(a) === isExecutable(b) && isSameBytes(a.bytes, b.bytes);
}

/** Git takes a file with a zero byte for none. */
function isText({ bytes, kind }: FileContent): boolean {
  return kind === undefined && !bytes.includes(0);
}

function isExecutable({ mode = 0 }: FileContent): boolean {
  return (mode & EXECUTABLE) !== 0;
}
