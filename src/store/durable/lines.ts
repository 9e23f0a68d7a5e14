import { tryParseJson } from '../../base/tryParseJson.ts';
import type { Crc32 } from '../../host/platform.ts';

// The files are made of lines: CRC-32 in eight hexadecimal digits, a space, JSON, a newline. Each checksum continues
// the previous one, so that lost, swapped or foreign lines are detected. JSON contains neither a raw newline nor a
// zero byte, so both reveal a line that was not written completely.

const SPACE = 0x20;
const NEWLINE = 0x0a;
const SUM_LENGTH = 8;
const PREFIX_LENGTH = SUM_LENGTH + 1;

/** The smallest unit that a disk writes atomically. */
const SECTOR = 512;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A line that was read. The next checksum continues from `check`. */
export interface Line {
  /** Its parsed JSON; undefined where it is not JSON, which never happens for lines of this program. */
  readonly value: unknown;
  readonly end: number;
  readonly check: number;
}

/** `torn`: being written when power was lost, so never acknowledged; `damaged`: changed after it was written. */
export type Unreadable = 'torn' | 'damaged';

/** @param check the checksum of the line before; 0 for the first */
export function writeLine(
  value: unknown,
  check: number,
  crc32: Crc32,
): { readonly bytes: Uint8Array; readonly check: number } {
  const body = encoder.encode(JSON.stringify(value));
  const sum = crc32(body, check);
  const bytes = new Uint8Array(PREFIX_LENGTH + body.byteLength + 1);
  bytes.set(encoder.encode(`${digits(sum)} `));
  bytes.set(body, PREFIX_LENGTH);
  bytes[bytes.byteLength - 1] = NEWLINE;
  return { bytes, check: sum };
}

/** @param start must be before the end of `bytes` @param offset the position of `bytes` in the file */
export function readLine(
  bytes: Uint8Array,
  start: number,
  check: number,
  crc32: Crc32,
  offset = 0,
): Line | Unreadable {
  const end = bytes.indexOf(NEWLINE, start);
  if (end === -1) {
    // Its newline is missing. If the newline was changed rather than never written, the rest is valid.
    const isWhole = sumOf(bytes, start, bytes.byteLength - 1, check, crc32) !== undefined;
    return isWhole ? 'damaged' : 'torn';
  }
  const sum = sumOf(bytes, start, end, check, crc32);
  if (sum === undefined) {
    const isLast = end + 1 === bytes.byteLength;
    return isLast && hasUnwrittenSector(bytes, start, offset) ? 'torn' : 'damaged';
  }
  const text = decoder.decode(bytes.subarray(start + PREFIX_LENGTH, end));
  return { value: tryParseJson(text), end: end + 1, check: sum };
}

/** Undefined if it does not match the one in the line. */
function sumOf(
  bytes: Uint8Array,
  start: number,
  end: number,
  check: number,
  crc32: Crc32,
): number | undefined {
  const bodyStart = start + PREFIX_LENGTH;
  if (bodyStart > end || bytes[bodyStart - 1] !== SPACE) return undefined;
  const sum = crc32(bytes.subarray(bodyStart, end), check);
  return sum === writtenSum(bytes, start) ? sum : undefined;
}

/** In exactly the written format; undefined for anything else. */
function writtenSum(bytes: Uint8Array, start: number): number | undefined {
  let sum = 0;
  for (let at = start; at < start + SUM_LENGTH; at++) {
    const sign = bytes[at] ?? 0;
    const digit = sign >= 0x30 && sign <= 0x39 ? sign - 0x30 : sign - 0x57;
    if (digit < 0 || digit > 15 || (sign > 0x39 && sign < 0x61)) return undefined;
    sum = sum * 16 + digit;
  }
  return sum;
}

/** A file may grow before its sectors are written, and in any order; unwritten sectors are zeros. */
function hasUnwrittenSector(bytes: Uint8Array, start: number, offset: number): boolean {
  let from = start;
  while (from < bytes.byteLength) {
    const to = Math.min(bytes.byteLength, from + SECTOR - ((offset + from) % SECTOR));
    if (bytes.subarray(from, to).every((byte) => byte === 0)) return true;
    from = to;
  }
  return false;
}

function digits(sum: number): string {
  return sum.toString(16).padStart(SUM_LENGTH, '0');
}
