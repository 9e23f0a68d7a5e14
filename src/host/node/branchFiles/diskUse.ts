import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import type { DiskUse } from '../../branchFiles.ts';

/** One entry at a time, so that the machine has room for other work. What is removed before it is looked at is not counted. */
export async function diskUseOf(folder: string): Promise<DiskUse> {
  let files = 0;
  let bytes = 0;
  const left = [folder];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const entries = await opendir(next).catch(() => undefined);
    if (!entries) continue;
    for await (const entry of entries) {
      const file = path.join(next, entry.name);
      if (entry.isDirectory()) left.push(file);
      else if (entry.isFile()) {
        files += 1;
        bytes += (await lstat(file).catch(() => undefined))?.size ?? 0;
      }
    }
  }
  return { files, bytes };
}
