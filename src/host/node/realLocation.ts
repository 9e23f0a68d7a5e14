import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { hasCode } from './openFolder.ts';

/** More links than this form a loop. */
const MAX_LINKS = 40;

/** The location of a file with every link resolved, whether or not it exists yet. */
export function realLocation(file: string): string {
  let location = path.resolve(file);
  for (let links = 0; links < MAX_LINKS; links++) {
    const existing = existingLocation(location);
    if (existing !== undefined) return existing;
    const folder = path.dirname(location);
    if (folder === location) return location;
    // A link to a missing target still points there.
    const target = linkTarget(location);
    if (target === undefined) return path.join(realLocation(folder), path.basename(location));
    location = path.resolve(realLocation(folder), target);
  }
  throw new Error(`${file} leads in a circle of links.`);
}

function existingLocation(location: string): string | undefined {
  try {
    return realpathSync.native(location);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

function linkTarget(location: string): string | undefined {
  try {
    return readlinkSync(location);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EINVAL', 'ENOTDIR', 'UNKNOWN')) return undefined;
    throw error;
  }
}
