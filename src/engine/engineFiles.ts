import { fileChange, type FileChange } from './effects.ts';
import { NotStorableError } from './errors.ts';
import { Layers } from './layers.ts';

/**
 * File changes made by the tools of this conversation. They are already on disk; here they wait to be stored with the
 * next saved message, so that going back over it can revert them. Rewinding does not drop them as it drops messages:
 * the files stay changed.
 */
export class EngineFiles {
  private readonly changes = new Layers<FileChange[]>(
    () => [],
    (earlier, later) => [...earlier, ...later],
  );

  /**
   * Adds a change that was just made on disk.
   * @throws NotStorableError for one that could not be read again
   */
  add(change: FileChange): void {
    const read = fileChange.safeParse(change);
    if (read.success) {
      this.changes.open.push(read.data);
      return;
    }
    const { path = [], message = 'it cannot be read' } = read.error.issues[0] ?? {};
    const place = ['file change', ...path.map(String)].join('.');
    throw new NotStorableError(place, message, { cause: read.error });
  }

  /** What the next save stores with its message. */
  pending(): readonly FileChange[] {
    return this.changes.all;
  }

  /** The changes being saved. */
  leaving(): readonly FileChange[] {
    return this.changes.onItsWay;
  }

  /** Pending changes are now being saved. */
  begin(): void {
    this.changes.begin();
  }

  /** The save failed: the changes are pending again. */
  rollBack(): void {
    this.changes.rollBack();
  }

  /** Forgets the changes that were being saved. */
  commit(): void {
    this.changes.commit();
  }
}
