import type { FoundChange } from '../../platform/workspaceChanges.ts';
import type { FileIdentity, FileLocation } from '../../platform/workspaceFiles.ts';

/** The only way for a tool to change files; records the changes. */
export interface FileWriter {
  /**
   * Sets a file's content to `after` (null: deletes it), atomically, and records the change with the conversation.
   * @param file with what was found there, if it must still be that; it is not resolved again
   * @param before what the user was shown (null: no file); refuses when the disk now holds something else
   */
  write(
    file: FileLocation & { readonly identity?: FileIdentity },
    before: Uint8Array | null,
    after: Uint8Array | null,
  ): Promise<void>;
  /**
   * Moves a file to a path where nothing exists; keeps its execute permission. The copy exists before the original is
   * removed, so that an interruption loses nothing.
   * @param content what the user was shown
   */
  move(
    from: FileLocation & { readonly identity?: FileIdentity },
    to: FileLocation & { readonly identity?: FileIdentity },
    content: Uint8Array,
  ): Promise<void>;
  /** Creates a folder and its parents. An empty folder is not recorded, and stays on a rewind. */
  makeFolder(folder: FileLocation): Promise<void>;
  /**
   * Records an edit made in the editor to text that was not saved to disk.
   * @param before what the user was shown
   */
  recordEdit(file: FileLocation, before: Uint8Array, edit: () => Promise<void>): Promise<void>;
  /**
   * Records file changes by others while a tool worked, if the earlier content is known.
   * @returns those that were not recorded
   */
  recordFound(changes: readonly FoundChange[]): Promise<readonly FoundChange[]>;
  /** The files that tools of this conversation changed, on any branch. */
  changed(): Promise<readonly FileLocation[]>;
}
