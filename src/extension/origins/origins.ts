import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { loadOnce } from '../../base/loadOnce.ts';
import type { DocumentOrigins } from './documentOrigins.ts';

/** Who wrote the lines of open files: read once it is asked for. */
export class Origins implements Disposable {
  private readonly made = new DisposableStore();
  readonly get: () => Promise<DocumentOrigins>;

  constructor(deps: ConstructorParameters<typeof DocumentOrigins>[0]) {
    this.get = loadOnce(async () => {
      const { DocumentOrigins } = await import('./documentOrigins.ts');
      return this.made.add(new DocumentOrigins(deps));
    });
  }

  dispose(): void {
    this.made.dispose();
  }
}
