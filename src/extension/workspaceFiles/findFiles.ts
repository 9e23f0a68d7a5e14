import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import type { FileView } from '../../protocol/views.ts';
import { readReference } from './fileReference.ts';
import { trueName } from './trueName.ts';
import { findWorkspaceFile, type WorkspaceFile } from './workspaceFile.ts';

/** Which names in an answer are files of the workspace, with their real paths. */
export async function findFiles(files: GuardedFiles, names: readonly string[]): Promise<FileView[]> {
  const found = await Promise.all(
    names.map(async (name): Promise<FileView[]> => {
      const file = await findReferenced(files, name);
      return file ? [{ name, path: file.path, trueName: trueName(file.path) }] : [];
    }),
  );
  return found.flat();
}

/** The file that a text names, with or without a position. */
export async function findReferenced(files: GuardedFiles, text: string): Promise<WorkspaceFile | undefined> {
  for (const name of spellings(text)) {
    // A file name may end like a position: an existing file takes precedence.
    const file =
      (await findWorkspaceFile(files, readReference(name).path)) ?? (await findWorkspaceFile(files, name));
    if (file) return file;
  }
  return undefined;
}

/** The text itself, and decoded as in a link, where some letters are percent-encoded. */
export function spellings(text: string): string[] {
  const name = text.replace(/^file:\/\/(?=\/)/i, '');
  try {
    const decoded = decodeURIComponent(name);
    return decoded === name ? [name] : [name, decoded];
  } catch {
    // Not an escape: a percent sign.
    return [name];
  }
}
