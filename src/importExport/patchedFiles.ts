/** Longer texts are not searched, in UTF-16 units: a patch of a model is shorter. */
const MAX_PATCH = 2_000_000;

/** How deep the input of a call is searched: a command may be a list of words in an object. */
const MAX_DEPTH = 3;

/** Lines that name a file in a patch as Codex, opencode and others give it to models: `*** Update File: a.ts`. */
const heading = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gmu;

/** The files that a patch in the input of a call changes, whether it is all of the input or part of a command. */
export function patchedFiles(input: unknown, depth = MAX_DEPTH): string[] {
  if (typeof input === 'string') {
    if (input.length > MAX_PATCH || !input.includes('*** Begin Patch')) return [];
    return [...input.matchAll(heading)].flatMap(([, file]) => file?.trim() ?? []);
  }
  if (typeof input !== 'object' || input === null || depth === 0) return [];
  return Object.values(input).flatMap((each) => patchedFiles(each, depth - 1));
}
