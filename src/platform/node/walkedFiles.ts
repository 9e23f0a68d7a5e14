import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { usuallyIgnored } from '../ignoredFolders.ts';

/** The files below a folder, except usually ignored ones; at most one more than `limit`. Links are not followed. */
export async function walkedFiles(root: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined && found.length <= limit; folder = folders.pop()) {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) found.push(file);
      else if (entry.isDirectory() && !usuallyIgnored.has(entry.name)) folders.push(file);
      if (found.length > limit) break;
    }
  }
  return found;
}
