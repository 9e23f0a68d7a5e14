import { loadOnce } from '../../base/loadOnce.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { EditsReview } from '../files/editsReview.ts';
import type { DocumentOrigins } from './documentOrigins.ts';

/** Who wrote the lines of open files: read once it is asked for. */
export class Origins implements Disposable {
  private loaded: DocumentOrigins | undefined;
  private isDisposed = false;
  readonly get: () => Promise<DocumentOrigins>;

  constructor(deps: {
    readonly store: ReadonlyStore;
    readonly userId: string;
    readonly review: Pick<EditsReview, 'onDidDecide'>;
  }) {
    this.get = loadOnce(async () => {
      const { DocumentOrigins } = await import('./documentOrigins.ts');
      const made = new DocumentOrigins(deps);
      if (this.isDisposed) made.dispose();
      return (this.loaded = made);
    });
  }

  dispose(): void {
    this.isDisposed = true;
    this.loaded?.dispose();
  }
}
