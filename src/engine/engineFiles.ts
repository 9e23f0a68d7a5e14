import type { FileChange } from './effects.ts';
import { Layers } from './layers.ts';

/**
 * Changes of files by the tools of this conversation. They have happened already; here they wait to be stored with the
 * next saved message, so that whoever goes back over it can take them back. Rewinding does not drop them as it
 * drops messages: the files stay changed.
 */
export class EngineFiles {
  private readonly changes = new Layers<FileChange[]>(
    () => [],
    (earlier, later) => [...earlier, ...later],
  );

  /** Adds a change that has just been made on the disk. */
  add(change: FileChange): void {
    this.changes.open.push(change);
  }

  /** What the next save stores on its message. */
  pending(): readonly FileChange[] {
    return this.changes.all;
  }

  /** What is being saved. */
  leaving(): readonly FileChange[] {
    return this.changes.onItsWay;
  }

  /** What waits is on its way now. */
  begin(): void {
    this.changes.begin();
  }

  /** Nothing came of it: it waits as before. */
  rollBack(): void {
    this.changes.rollBack();
  }

  /** Forgets what was on its way: it was saved. */
  commit(): void {
    this.changes.commit();
  }
}
