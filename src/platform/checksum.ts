/** CRC-32 as in zlib, of `bytes` that continue the data with checksum `start` (0 for none); from 0 to 2^32 - 1. */
export type Crc32 = (bytes: Uint8Array, start: number) => number;
