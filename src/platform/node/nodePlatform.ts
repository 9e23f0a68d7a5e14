import { crc32 } from './crc32.ts';
import { nodeParts, type NodePlatform } from './nodeParts.ts';

/**
 * The platform that every Node from version 20 on provides.
 * @param dist the folder with the built files: SQLite and the worker that makes snapshots
 */
export function nodePlatform(dist: string): NodePlatform {
  return { ...nodeParts(dist), crc32 };
}
