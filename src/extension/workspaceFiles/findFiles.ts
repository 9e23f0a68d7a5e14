import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import type { FileView } from '../../protocol/views.ts';
import { readReference } from './fileReference.ts';
import { trueName } from './trueName.ts';
import { findWorkspaceFile, type WorkspaceFile } from './workspaceFile.ts';

/** Which of the names in an answer are files of the workspace, and what those are really called. */
export async function findFiles(files: GuardedFiles, names: readonly string[]): Promise<FileView[]> {
  const found = await Promise.all(
    names.map(async (name): Promise<FileView[]> => {
      const file = await findReferenced(files, name);
      return file ? [{ name, path: file.path, trueName: trueName(file.path) }] : [];
    }),
  );
  return found.flat();
}

/** The file a text names, with or without a place in it. */
export async function findReferenced(files: GuardedFiles, text: string): Promise<WorkspaceFile | undefined> {
  for (const name of spellings(text)) {
    // A name may itself end like a place: the file that exists is meant.
    const file =
      (await findWorkspaceFile(files, readReference(name).path)) ?? (await findWorkspaceFile(files, name));
    if (file) return file;
  }
  return undefined;
}

/** As it stands there; and as it is meant in a link, where some letters are written as codes. */
export function spellings(text: string): string[] {
  const name = text.replace(/^file:\/\/(?=\/)/i, '');
  try {
    const decoded = decodeURIComponent(name);
    return decoded === name ? [name] : [name, decoded];
  } catch {
    // No code: a percent sign.
    return [name];
  }
}
