import type * as RareUseCases from './onDemand.ts';

/** Loads the use cases that nothing shown at first needs, with other code of that kind. */
export type LoadRare = () => Promise<typeof RareUseCases>;
