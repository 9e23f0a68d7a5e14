import type { WalkedFiles } from '../../agent/tools/workspace/walkedSearch.ts';
import { FileTooLargeError } from '../../host/files.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import { locationOf } from '../../host/virtual/virtualPaths.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';
import { withToken } from './editorWorkspace.ts';
import { foundFiles } from './folderSearch.ts';
import { globTest } from './globs.ts';

/** The files of the open folders, for searching without programs. */
export function filesToSearch(guarded: GuardedFiles, texts: FileTexts): WalkedFiles {
  return {
    texts,
    find: (folder, include, limit, signal) =>
      withToken(signal, async (token) => {
        const isLeftOut = include?.startsWith('!') === true;
        const glob = anywhere(include?.replace(/^!/u, '') ?? '**/*');
        const found = await foundFiles(isLeftOut ? '**/*' : glob, limit + 1, { folder, token });
        const matches = globTest(folder, glob);
        return found.flatMap((uri) => {
          if (isLeftOut && matches(uri)) return [];
          const path = locationOf(guarded.folders(), uri.toString())?.path;
          return path === undefined ? [] : [{ uri: uri.toString(), path }];
        });
      }),
    read: async (uri, limit) => {
      try {
        return await guarded.read(await guarded.resolve({ uri }), limit);
      } catch (error) {
        if (error instanceof WorkspaceFileError || error instanceof FileTooLargeError) return undefined;
        throw error;
      }
    },
  };
}

/** A glob without a slash matches files of that name in any folder, as in `.gitignore`. */
function anywhere(glob: string): string {
  return glob.replace(/\/$/u, '').includes('/') ? glob.replace(/^\//u, '') : `**/${glob}`;
}
