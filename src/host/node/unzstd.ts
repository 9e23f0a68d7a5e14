import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Unzstd } from '../../base/foreignDatabase.ts';

/** Node has it since 22.15: editors may come with an older one, whatever the types say. */
const { zstdDecompress }: Partial<typeof zlib> = zlib;

export const unzstd: Unzstd | undefined =
  zstdDecompress &&
  ((bytes, limit) =>
    promisify<Uint8Array, zlib.ZstdOptions, Uint8Array>(zstdDecompress)(bytes, { maxOutputLength: limit }));
