import * as vscode from 'vscode';
import { z } from 'zod';
import type { OpenedWorkspace } from '../../store/projects/projects.ts';

const workspaceFile = z.object({
  folders: z.array(
    z.object({
      path: z.string().optional(),
      uri: z.string().optional(),
      name: z.string().optional(),
    }),
  ),
});

/** The folders that the file of a workspace names: none if it can't be read, or is damaged. */
export async function foldersOfFile(file: vscode.Uri): Promise<OpenedWorkspace['folders']> {
  try {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    const { jsonc } = await import('../pages/themeFile.ts');
    const { folders } = workspaceFile.parse(jsonc.parse(text, [], { allowTrailingComma: true }));
    return folders.flatMap(({ path, uri, name }) => {
      if (path === undefined && uri === undefined) return [];
      const at = path === undefined ? vscode.Uri.parse(uri ?? '', true) : folderAt(file, path);
      return [{ uri: at.toString(), name: name ?? at.path.split('/').at(-1) ?? '' }];
    });
  } catch {
    // It is the user's, and may be gone or anything.
    return [];
  }
}

/** @param path absolute, or from the folder of the file */
function folderAt(file: vscode.Uri, path: string): vscode.Uri {
  const isAbsolute = /^(?:\/|\\\\|[a-z]:[\\/])/iu.test(path);
  const at = isAbsolute
    ? file.with({ path: vscode.Uri.file(path).path })
    : vscode.Uri.joinPath(file, '..', path);
  return at.with({ path: at.path.replace(/(?<=.)\/$/u, '') });
}
