import { crc32, deflateSync } from 'node:zlib';

const SIZE = 24;

/** A small picture in PNG, of squares in two colors. */
export function heronPng(): Buffer {
  const rows = Array.from({ length: SIZE }, (_row, y) => [
    0,
    ...Array.from({ length: SIZE }, (_pixel, x) => ((x >> 3) + (y >> 3)) % 2).flatMap((is) =>
      is === 1 ? [90, 120, 150] : [230, 235, 240],
    ),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
