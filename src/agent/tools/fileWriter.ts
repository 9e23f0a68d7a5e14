import type { FileIdentity, FileLocation } from '../../platform/workspaceFiles.ts';

/** The one way a tool changes a file. */
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
}
