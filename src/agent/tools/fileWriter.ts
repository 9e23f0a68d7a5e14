import type { FoundChange } from '../../platform/workspaceChanges.ts';
import type { FileIdentity, FileLocation } from '../../platform/workspaceFiles.ts';

/** The one way a tool changes files, and records that they were changed. */
export interface FileWriter {
  /**
   * Makes the file be `after` (null: it is gone), all of it or nothing, and records the change with the conversation.
   * @param file with what was found there, if it has to be that still; it is not resolved again
   * @param before what the user was shown (null: there was none); it refuses when the disk holds something else by now
   */
  write(
    file: FileLocation & { readonly identity?: FileIdentity },
    before: Uint8Array | null,
    after: Uint8Array | null,
  ): Promise<void>;
  /**
   * Gives a file another place, where there is nothing yet; who may run it stays. It is there twice before it is gone
   * from the first: whatever ends it halfway loses nothing.
   * @param content what the user was shown
   */
  move(
    from: FileLocation & { readonly identity?: FileIdentity },
    to: FileLocation & { readonly identity?: FileIdentity },
    content: Uint8Array,
  ): Promise<void>;
  /** Makes a folder and those on the way to it. An empty folder is not recorded, and stays on a rewind. */
  makeFolder(folder: FileLocation): Promise<void>;
  /**
   * Records what the editor does to a file, which is not on the disk before.
   * @param before what the user was shown
   */
  recordEdit(file: FileLocation, before: Uint8Array, edit: () => Promise<void>): Promise<void>;
  /**
   * Records what others did to files while a tool worked, as far as it is known how they were.
   * @returns those that were not recorded
   */
  recordFound(changes: readonly FoundChange[]): Promise<readonly FoundChange[]>;
  /** The files that tools of this conversation changed, on whichever branch. */
  changed(): Promise<readonly FileLocation[]>;
}
