import type * as LaterUseCases from './later.ts';

/** Loads the use cases that the initial view does not need, in one file. */
export type LoadLater = () => Promise<typeof LaterUseCases>;
