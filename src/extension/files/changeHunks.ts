import { hunksOf, withHunkKept, type Hunk } from '../../files/textHunks.ts';
import type { MergedChange } from './keepBranchFiles.ts';

/** The places of a text that both the workspace and the branch have, under one name; none of any other file. */
export function hunksOfChange({ files, isMarked }: MergedChange): Hunk[] {
  const [file, ...others] = files;
  const texts = file && others.length === 0 && !isMarked ? textsOf(file) : undefined;
  return texts ? hunksOf(texts.now, texts.result) : [];
}

/** A text of which only the places that begin at these lines are taken; with all of them, the change as it is. */
export function withHunks(merged: MergedChange, starts: ReadonlySet<number>): MergedChange {
  const hunks = hunksOfChange(merged);
  if (hunks.every(({ beforeStart }) => starts.has(beforeStart))) return merged;
  const files = merged.files.map((file) => {
    const texts = textsOf(file);
    if (!texts || !file.result) return file;
    // From the end: a hunk moves the lines below it.
    const text = hunks
      .filter(({ beforeStart }) => starts.has(beforeStart))
      .toReversed()
      .reduce((before, hunk) => withHunkKept(before, hunk), texts.now);
    return { ...file, result: { ...file.result, bytes: new TextEncoder().encode(text) } };
  });
  return { ...merged, files };
}

/** Whether a merged text is as the base still where both changed it: a merge editor begins so, and may be closed so. */
export function hasOpenConflict(base: string, sides: readonly [string, string], merged: string): boolean {
  const [ours, theirs] = sides.map((side) => hunksOf(base, side));
  const done = hunksOf(base, merged);
  return (ours ?? []).some((one) =>
    (theirs ?? []).some(
      (other) => touches(one, other) && !done.some((each) => touches(each, one) || touches(each, other)),
    ),
  );
}

function touches(a: Hunk, b: Hunk): boolean {
  return (
    a.beforeStart <= b.beforeStart + b.removed.length && b.beforeStart <= a.beforeStart + a.removed.length
  );
}

function textsOf({
  now,
  result,
}: MergedChange['files'][number]): { now: string; result: string } | undefined {
  if (!now || !result || now.kind !== undefined || result.kind !== undefined) return undefined;
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { now: decoder.decode(now.bytes), result: decoder.decode(result.bytes) };
  } catch {
    // In another encoding, or no text: it is taken whole or not at all.
    return undefined;
  }
}
