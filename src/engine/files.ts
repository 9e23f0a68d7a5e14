import type { FileChange } from './effects.ts';

/**
 * Changes of files by the tools of this conversation. They have happened already; here they wait to be stored with the
 * next saved message, so that whoever goes back over it can take them back. Rewinding does not drop them as it
 * drops messages: the files stay changed.
 */
export class EngineFiles {
  private changes: FileChange[] = [];

  /** Adds a change that has just been made on the disk. */
  add(change: FileChange): void {
    this.changes.push(change);
  }

  /** What the next save stores on its message. */
  pending(): readonly FileChange[] {
    return [...this.changes];
  }

  /** Forgets these, which were saved; others may have come meanwhile. */
  saved(changes: readonly FileChange[]): void {
    this.changes = this.changes.filter((change) => !changes.includes(change));
  }
}
