import { chmod, lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileContent } from '../../workspaceFiles.ts';
import { permissionsOf } from '../fileModes.ts';
import { hasCode } from '../openFolder.ts';
import { git, type GitCommand } from './gitCommand.ts';

/** A link is not followed. Null: there is none, or a folder. */
export async function contentAt(file: string): Promise<FileContent | null> {
  try {
    const found = await lstat(file, { bigint: true });
    if (found.isSymbolicLink()) {
      return { bytes: new TextEncoder().encode(await readlink(file)), mode: undefined, kind: 'link' };
    }
    if (!found.isFile()) return null;
    return { bytes: Uint8Array.from(await readFile(file)), mode: permissionsOf(found) };
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

/** Of an object of git, as it would be in the work tree. @param name its path there */
export async function objectContent(
  command: Pick<GitCommand, 'cwd' | 'env'>,
  { name, mode, id }: { readonly name: string; readonly mode: string; readonly id: string },
): Promise<FileContent> {
  const isLink = mode === '120000';
  const how = isLink ? ['blob', id] : ['--filters', `--path=${name}`, id];
  const { bytes } = await git(['cat-file', ...how], command);
  return isLink
    ? { bytes, mode: undefined, kind: 'link' }
    : { bytes, mode: mode === '100755' ? 0o755 : 0o644 };
}

/** Of a folder that only a branch has: nobody else writes there. */
export async function putContent(file: string, content: FileContent | null): Promise<void> {
  await rm(file, { recursive: true, force: true });
  if (!content) return;
  await mkdir(path.dirname(file), { recursive: true });
  if (content.kind === 'link') await symlink(new TextDecoder().decode(content.bytes), file);
  else await writeFile(file, content.bytes);
  if (content.kind === undefined && content.mode !== undefined) await chmod(file, content.mode);
}
