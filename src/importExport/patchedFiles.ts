/** Longer texts are not searched, in UTF-16 units: a patch of a model is shorter. */
const MAX_PATCH = 2_000_000;

/** How deep the input of a call is searched: a command may be a list of words in an object. */
const MAX_DEPTH = 3;

/** Lines that name a file in a patch as Codex, opencode and others give it to models: `*** Update File: a.ts`. */
export const patchHeading = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/u;

/** The texts with patches in the input of a call, whether one is all of the input or part of a command. */
export function patchesIn(input: unknown, depth = MAX_DEPTH): string[] {
  if (typeof input === 'string')
    return input.length <= MAX_PATCH && input.includes('*** Begin Patch') ? [input] : [];
  if (typeof input !== 'object' || input === null || depth === 0) return [];
  return Object.values(input).flatMap((each) => patchesIn(each, depth - 1));
}

/** The files that the patches in the input of a call change. */
export function patchedFiles(input: unknown): string[] {
  return patchesIn(input).flatMap((patch) =>
    patch.split('\n').flatMap((line) => patchHeading.exec(line)?.[2]?.trim() ?? []),
  );
}
