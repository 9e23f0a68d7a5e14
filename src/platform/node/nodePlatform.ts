import type { Platform } from '../platform.ts';
import { crc32 } from './crc32.ts';
import { nodeParts } from './nodeParts.ts';

/**
 * What every Node from version 20 on can give.
 * @param dist the folder with the built files: SQLite and the worker that makes snapshots
 */
export function nodePlatform(dist: string): Platform {
  return { ...nodeParts(dist), crc32 };
}
