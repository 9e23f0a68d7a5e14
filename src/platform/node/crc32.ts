import zlib from 'node:zlib';
import crc from 'crc-32';
import type { Crc32 } from '../checksum.ts';

/**
 * Node's own is four times as fast, which matters for 100 MB; Node has it from 22.2 on, and the engine also runs on
 * 20.
 */
export const crc32: Crc32 = 'crc32' in zlib ? zlib.crc32 : (bytes, start) => crc.buf(bytes, start) >>> 0;
