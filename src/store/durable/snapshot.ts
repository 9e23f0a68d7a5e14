import { z } from 'zod';
import type { Crc32 } from '../../host/platform.ts';
import { delay } from '../../host/timers.ts';
import { readLine, writeLine } from './lines.ts';

// A snapshot is an SQLite file with a line after it. SQLite relies on the size in its own header and ignores the
// rest, so every SQLite tool opens it; and because it is one file, a crash cannot separate it from its checksum.

const VERSION = 1;
const NEWLINE = 0x0a;

const footerSchema = z.object({
  format: z.literal('offshoot-snapshot'),
  version: z.number().int().positive(),
  generation: z.number().int().nonnegative(),
  store: z.string().optional(),
  journal: z.string().optional(),
});

/** What a snapshot says about itself. Earlier versions wrote only the generation. */
export interface SnapshotFooter {
  /** The generation of the journal that follows it. */
  readonly generation: number;
  /** The identity of its store: a random id. */
  readonly store?: string | undefined;
  /** The identity of that journal: another copy of this store may have another journal of the same generation. */
  readonly journal?: string | undefined;
}

/**
 * The contents of a snapshot file. `generation` is undefined when only a newer version of this program understands
 * it.
 */
export interface Snapshot extends Omit<SnapshotFooter, 'generation'> {
  readonly database: Uint8Array<ArrayBuffer>;
  readonly generation: number | undefined;
}

/** The parts of a snapshot file, in order. */
export function writeSnapshot(database: Uint8Array, footer: SnapshotFooter, crc32: Crc32): Uint8Array[] {
  return withFooter(database, footer, crc32(database, 0), crc32);
}

/** The bytes summed in one step by a thread that has other work: some milliseconds. */
const STEP_BYTES = 4_000_000;

/** As `writeSnapshot`, but yields between steps for a thread that has other work. */
export async function writeSnapshotInSteps(
  database: Uint8Array,
  footer: SnapshotFooter,
  crc32: Crc32,
): Promise<Uint8Array[]> {
  let sum = 0;
  for (let start = 0; start < database.byteLength; start += STEP_BYTES) {
    if (start > 0) await delay(0);
    sum = crc32(database.subarray(start, start + STEP_BYTES), sum);
  }
  return withFooter(database, footer, sum, crc32);
}

function withFooter(
  database: Uint8Array,
  { generation, store, journal }: SnapshotFooter,
  sum: number,
  crc32: Crc32,
): Uint8Array[] {
  const newline = new Uint8Array([NEWLINE]);
  const check = crc32(newline, sum);
  const footer = { format: 'offshoot-snapshot', version: VERSION, generation, store, journal };
  return [database, newline, writeLine(footer, check, crc32).bytes];
}

/** In bytes. */
export function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((size, { byteLength }) => size + byteLength, 0);
}

/** A footer is shorter than this. */
const FOOTER_BYTES = 1_000;

/** It takes as long as reading the file, so it is computed while the file is being read. */
export class SnapshotSum {
  private sum = 0;
  private end = 0;

  constructor(readonly crc32: Crc32) {}

  /** @param sofar the part of the file read so far, without its end */
  goOn(sofar: Uint8Array): void {
    this.to(sofar, Math.max(this.end, sofar.byteLength - FOOTER_BYTES));
  }

  to(bytes: Uint8Array, end: number): number {
    if (end < this.end) return this.crc32(bytes.subarray(0, end), 0);
    this.sum = this.crc32(bytes.subarray(this.end, end), this.sum);
    this.end = end;
    return this.sum;
  }
}

/** @returns undefined when it is damaged */
export function readSnapshot(bytes: Uint8Array<ArrayBuffer>, sum: SnapshotSum): Snapshot | undefined {
  const start = bytes.lastIndexOf(NEWLINE, -2) + 1;
  if (start === 0) return undefined;
  const line = readLine(bytes, start, sum.to(bytes, start), sum.crc32);
  if (typeof line === 'string' || line.end !== bytes.byteLength) return undefined;
  const footer = footerSchema.safeParse(line.value);
  const database = bytes.subarray(0, start - 1);
  if (!footer.success || footer.data.version > VERSION) return { database, generation: undefined };
  const { generation, store, journal } = footer.data;
  return { database, generation, store, journal };
}
