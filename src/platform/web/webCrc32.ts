import crc from 'crc-32';
import type { Crc32 } from '../checksum.ts';

/** A browser has no built-in one. */
export const webCrc32: Crc32 = (bytes, start) => crc.buf(bytes, start) >>> 0;
