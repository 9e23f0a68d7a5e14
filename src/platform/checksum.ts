/** CRC-32 as zlib has it, of `bytes` that follow what gave `start` (0 for nothing); from 0 to 2^32 - 1. */
export type Crc32 = (bytes: Uint8Array, start: number) => number;
