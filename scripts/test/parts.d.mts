/** The words that select a part of the tests: `npm test -- <part>`. */
export const partNames: readonly string[];

/** What `npm test` runs when no part is named. */
export function partsHere(isHostSupported: boolean): string[];

/** The ui tests that run alone, each as folders and a file below `out/test`. */
export const timedUi: readonly (readonly string[])[];

/** Unit tests that start programs again and again: sources, and folders with a slash at the end. */
export const startingPrograms: readonly string[];

/** Whether a unit test starts programs again and again, by its source. */
export function startsPrograms(file: string): boolean;
