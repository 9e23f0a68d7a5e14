/** The branch that a chat begins with. */
export const FIRST_BRANCH = 'main';

/**
 * What a branch is called that nobody named: `nested` after the branch it was made from (`main-v2-v2`), or `flat`, where
 * all branches of a chat share one row of numbers (`main-v12`) and none is given twice, whatever became of the first.
 */
export type BranchNaming = 'nested' | 'flat';

/**
 * The name of the next branch made from `base`: `base-vN`, N one above the highest number among names that are exactly
 * `base-v<number>`, at least 2 (seed 004, "Auto-Naming Convention"; `main-vacation` is no version of main).
 */
export function nextBranchName(base: string, taken: Iterable<string>): string {
  const prefix = `${base}-v`;
  let highest = 1;
  for (const name of taken) {
    if (!name.startsWith(prefix)) continue;
    const number = versionNumber(name.slice(prefix.length));
    if (number !== undefined) highest = Math.max(highest, number);
  }
  return `${prefix}${highest + 1}`;
}

/** Whether a name ends as those do that nobody chose: such a name says nothing of what the branch is about. */
export function isNextBranchName(name: string): boolean {
  return versionNumber(/.-v(\d+)$/.exec(name)?.[1] ?? '') !== undefined;
}

function versionNumber(digits: string): number | undefined {
  // Beyond this, numbers stop being exact and the next name could be one that is taken.
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined;
}

/** Whether somebody chose a name: the others are numbers, and the name that each chat begins with. */
export function isGivenName(name: string): boolean {
  return name !== FIRST_BRANCH && !isNextBranchName(name);
}
