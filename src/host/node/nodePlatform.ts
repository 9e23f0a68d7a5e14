import { nodeParts, type NodePlatform } from './nodeParts.ts';
import zlib from 'node:zlib';
import crc from 'crc-32';
import type { Crc32 } from '../platform.ts';

/**
 * The platform that every Node from version 20 on provides.
 * @param dist the folder with the built files: SQLite and the worker that makes snapshots
 */
export function nodePlatform(dist: string): NodePlatform {
  return { ...nodeParts(dist), crc32 };
}

/** Node's own, from 22.2 on, is four times as fast, which matters for 100 MB; the engine also runs on 20. */
export const crc32: Crc32 = 'crc32' in zlib ? zlib.crc32 : (bytes, start) => crc.buf(bytes, start) >>> 0;
