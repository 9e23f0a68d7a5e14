import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Unzstd } from '../../base/foreignDatabase.ts';

/** Node has it since 22.15: editors may come with an older one, whatever the types say. */
export const unzstd: Unzstd | undefined =
  'zstdDecompress' in zlib
    ? (bytes, limit) =>
        promisify<Uint8Array, zlib.ZstdOptions, Uint8Array>(zlib.zstdDecompress)(bytes, {
          maxOutputLength: limit,
        })
    : undefined;
