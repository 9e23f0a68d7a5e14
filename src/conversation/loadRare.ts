import type * as RareUseCases from './rareUseCases.ts';

/** Loads the use cases that the initial view does not need, in one file. */
export type LoadRare = () => Promise<typeof RareUseCases>;
