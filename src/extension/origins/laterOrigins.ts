import type { DisposableStore } from '../../base/disposable.ts';
import { loadOnce } from '../../base/loadOnce.ts';
import type { FindAboutLines } from '../tree/chatSearch.ts';
import type { DocumentOrigins } from './documentOrigins.ts';

/** What tells who wrote lines, and what is about them: loaded once it is asked for. */
export interface LaterOrigins {
  readonly origins: () => Promise<DocumentOrigins>;
  readonly findAboutLines: FindAboutLines;
}

/** @param made has what is loaded, so that it ends with the rest */
export function laterOrigins(
  deps: ConstructorParameters<typeof DocumentOrigins>[0],
  made: Pick<DisposableStore, 'add'>,
): LaterOrigins {
  const origins = loadOnce(async () => {
    const { DocumentOrigins } = await import('./documentOrigins.ts');
    return made.add(new DocumentOrigins(deps));
  });
  return {
    origins,
    findAboutLines: async (query) => {
      // Lines of a file end with a number.
      if (!/\d"?\s*$/u.test(query)) return undefined;
      const { findAboutLines } = await import('./lineSearch.ts');
      return findAboutLines({ ...deps, origins }, query);
    },
  };
}
