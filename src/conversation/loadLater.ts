import type * as LaterUseCases from './later.ts';

export type LoadLater = () => Promise<typeof LaterUseCases>;
