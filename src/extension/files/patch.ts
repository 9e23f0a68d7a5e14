import { applyPatch, parsePatch } from 'diff';
import { OffshootError } from '../../engine/errors.ts';

/** How many lines around a change may differ from the file: models seldom write it exactly. */
const FUZZ = 2;

/** How many lines are compared to find where a change belongs: lines that repeat fit nearly everywhere. */
const MAX_COMPARED = 10_000_000;

export function isPatch(code: string, language: string): boolean {
  return /^(?:diff|patch|udiff)$/i.test(language) && /^@@ /m.test(code);
}

export function fileOfPatch(code: string): string | undefined {
  const [, name] = /^\+\+\+ (?:b\/)?([^\t\n]+)/m.exec(code) ?? [];
  return name === '/dev/null' ? undefined : name?.trim();
}

/** @throws OffshootError when it does not fit */
export function patched(before: string, code: string, messages: PatchMessages): string {
  const patches = read(code, messages);
  const [patch] = patches;
  if (!patch || patches.length > 1) throw new OffshootError('several-files', messages.severalFiles);
  // The search goes line by line from the line that the patch names, which may be any number.
  const end = before.split('\n').length + (before.endsWith('\n') ? 0 : 1);
  for (const hunk of patch.hunks) hunk.oldStart = Math.min(hunk.oldStart, end);
  let compared = 0;
  const compareLine = (
    _number: number,
    line: string | undefined,
    _operation: string,
    wanted: string,
  ): boolean => {
    compared += 1;
    if (compared > MAX_COMPARED) throw new OffshootError('too-large', messages.tooLarge);
    return line === wanted;
  };
  const after = applyPatch(before, patch, { fuzzFactor: FUZZ, autoConvertLineEndings: true, compareLine });
  if (after === false) throw new OffshootError('does-not-fit', messages.doesNotFit);
  return after;
}

/** Messages for the user, in their language. */
export interface PatchMessages {
  readonly severalFiles: string;
  readonly doesNotFit: string;
  /** Finding where it belongs would take too long. */
  readonly tooLarge: string;
}

function read(code: string, { doesNotFit }: PatchMessages): ReturnType<typeof parsePatch> {
  try {
    return parsePatch(code.endsWith('\n') ? code : `${code}\n`);
  } catch (error) {
    throw new OffshootError('does-not-fit', doesNotFit, { cause: error });
  }
}
