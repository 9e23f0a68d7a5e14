import type { OpenedFolder } from '../workspaceFiles.ts';
import type { FoundChange, WorkspaceMoment, WorkspaceWatch } from '../workspaceChanges.ts';
import { pathOf } from './fileUris.ts';
import { FolderMoment, type Room } from './folderMoment.ts';

/** The maximum number of files examined, in all folders. */
const MAX_FILES = 50_000;

/** The maximum size of copies of files that git does not have, in bytes. */
const MAX_COPIED = 50_000_000;

/** Finds changes by the times and sizes of files, and keeps their previous contents. */
export class WorkspaceMoments implements WorkspaceWatch {
  async now(folders: readonly OpenedFolder[]): Promise<WorkspaceMoment> {
    const room: Room = { files: MAX_FILES, bytes: MAX_COPIED };
    const moments: FolderMoment[] = [];
    // One after the other, because they share the limits.
    for (const { uri } of folders) {
      const moment = await FolderMoment.now(uri, pathOf(uri), room);
      if (!moment) return { changes: () => Promise.resolve(undefined) };
      moments.push(moment);
    }
    return {
      changes: async () => {
        const found: FoundChange[] = [];
        for (const moment of moments) {
          const changes = await moment.changes();
          if (!changes) return undefined;
          found.push(...changes);
        }
        return found;
      },
    };
  }
}
