import { MAX_NAME_LENGTH } from './limits.ts';

export const FIRST_BRANCH = 'main';

/**
 * How unnamed branches are called: `nested` after the branch they were made from (`main-v2-v2`), or `flat`, where all
 * branches of a chat share one sequence of numbers (`main-v12`) and no number is reused, even after its branch is
 * gone. Where a nested name would be too long, it is a flat one.
 */
export type BranchNaming = 'nested' | 'flat';

/**
 * The name of the next branch made from `base`: `base-vN`, N one above the highest number among names that are exactly
 * `base-v<number>`, at least 2 (seed 004, "Auto-Naming Convention"; `main-vacation` is no version of main). If that is
 * longer than a name may be, it is the next version of the first branch: names that grew with every branch could not
 * be imported, and the log, which repeats them, would grow by the square of their number.
 * @param taken the names in use
 * @param flatTaken the names that a version of the first branch must not have; default: those in use
 */
export function nextBranchName(
  base: string,
  taken: readonly string[],
  flatTaken: () => readonly string[] = () => taken,
): string {
  const name = nextVersion(base, taken);
  return name.length > MAX_NAME_LENGTH ? nextVersion(FIRST_BRANCH, flatTaken()) : name;
}

function nextVersion(base: string, taken: readonly string[]): string {
  const prefix = `${base}-v`;
  let highest = 1;
  for (const name of taken) {
    if (!name.startsWith(prefix)) continue;
    const number = versionNumber(name.slice(prefix.length));
    if (number !== undefined) highest = Math.max(highest, number);
  }
  let next = highest + 1;
  // The number of a taken name may be too large to count.
  while (taken.includes(`${prefix}${next}`)) next += 1;
  return `${prefix}${next}`;
}

/** Whether a name ends like a generated one, which does not describe the branch. */
export function isNextBranchName(name: string): boolean {
  return versionNumber(/.-v(\d+)$/.exec(name)?.[1] ?? '') !== undefined;
}

function versionNumber(digits: string): number | undefined {
  // Larger numbers are not exact, so the next name might already be taken.
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined;
}

/** Whether the name was chosen: other names are generated, or the initial name of every chat. */
export function isGivenName(name: string): boolean {
  return name !== FIRST_BRANCH && !isNextBranchName(name);
}
