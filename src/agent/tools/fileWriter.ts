import type { WorkspacePath } from './files/workspacePaths.ts';

/** The one way a tool changes a file. */
export interface FileWriter {
  /**
   * Makes the file be `after` (null: it is gone), all of it or nothing, and records the change with the conversation.
   * @param before what the person was shown (null: there was none); it refuses when the disk holds something else by now
   */
  write(
    file: Pick<WorkspacePath, 'folder' | 'path' | 'fsPath'>,
    before: Uint8Array | null,
    after: Uint8Array | null,
  ): Promise<void>;
}
