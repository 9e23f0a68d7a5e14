/** The words that select a part of the tests: `npm test -- <part>`. */
export const partNames: readonly string[];

/** What `npm test` runs when no part is named. */
export function partsHere(isHostSupported: boolean): string[];

/** The ui tests that run alone, each as folders and a file below `out/test`. */
export const timedUi: readonly (readonly string[])[];
