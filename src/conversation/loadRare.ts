import type * as RareUseCases from './rareUseCases.ts';

/** Loads the use cases that nothing shown at first needs, with other code of that kind. */
export type LoadRare = () => Promise<typeof RareUseCases>;
