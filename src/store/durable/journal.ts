import { z } from 'zod';
import { buf as crc32 } from 'crc-32';
import type { WrittenStatement } from '../connection.ts';

// A journal is a header frame and then one frame for each committed transaction. A frame is
//   length of the payload, CRC-32 of the payload, CRC-32 of these eight bytes (each 4 bytes, little endian), payload.
// The payload is JSON in UTF-8. The second checksum tells a frame that was cut short from one whose length was damaged.

const FRAME_HEADER = 12;
const FORMAT = 'offshoot-journal-1';

const headerSchema = z.object({ format: z.literal(FORMAT), generation: z.number().int().nonnegative() });

/** A statement's text is written once in each journal; later frames refer to it by number. */
const frameSchema = z.object({
  sequence: z.number().int().positive(),
  define: z.array(z.string()),
  run: z.array(z.tuple([z.number().int().nonnegative()], z.union([z.string(), z.number(), z.null()]))),
});

/** What a journal file holds. */
export interface JournalContent {
  /** Which snapshot it follows: the one of the same generation. Undefined when not even the header can be read. */
  readonly generation: number | undefined;
  readonly transactions: readonly (readonly WrittenStatement[])[];
  /** How far it can be read, in bytes. */
  readonly validSize: number;
  /**
   * What follows: nothing; the beginning of a frame that was being written when the power went (never acknowledged);
   * or something that was changed after it was written.
   */
  readonly end: 'clean' | 'torn' | 'damaged';
}

/** Turns transactions into frames; one for each journal file. */
export class JournalEncoder {
  private readonly numbers = new Map<string, number>();
  private sequence = 0;

  /** Goes on after what a journal holds already. */
  static after(transactions: JournalContent['transactions']): JournalEncoder {
    const encoder = new JournalEncoder();
    for (const transaction of transactions) encoder.encode(transaction);
    return encoder;
  }

  static header(generation: number): Uint8Array {
    return frame({ format: FORMAT, generation });
  }

  encode(written: readonly WrittenStatement[]): Uint8Array {
    const define: string[] = [];
    const run = written.map(({ sql, parameters }) => {
      let number = this.numbers.get(sql);
      if (number === undefined) {
        number = this.numbers.size;
        this.numbers.set(sql, number);
        define.push(sql);
      }
      return [number, ...parameters];
    });
    this.sequence += 1;
    return frame({ sequence: this.sequence, define, run });
  }
}

/** Reads a journal as far as it can be read. */
export function readJournal(bytes: Uint8Array): JournalContent {
  const transactions: WrittenStatement[][] = [];
  const statements: string[] = [];
  let generation: number | undefined;
  let position = 0;
  const stop = (end: JournalContent['end']): JournalContent => ({
    generation,
    transactions,
    validSize: position,
    end,
  });
  while (position < bytes.byteLength) {
    const next = readFrame(bytes, position);
    if (typeof next === 'string') return stop(next);
    if (generation === undefined) {
      const header = headerSchema.safeParse(next.payload);
      if (!header.success) return stop('damaged');
      ({ generation } = header.data);
    } else {
      const read = frameSchema.safeParse(next.payload);
      if (!read.success || read.data.sequence !== transactions.length + 1) return stop('damaged');
      statements.push(...read.data.define);
      const transaction: WrittenStatement[] = [];
      for (const [number, ...parameters] of read.data.run) {
        const sql = statements[number];
        if (sql === undefined) return stop('damaged');
        transaction.push({ sql, parameters });
      }
      transactions.push(transaction);
    }
    position = next.end;
  }
  return stop('clean');
}

function frame(payload: unknown): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(payload));
  const bytes = new Uint8Array(FRAME_HEADER + body.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.byteLength, true);
  view.setInt32(4, crc32(body), true);
  view.setInt32(8, crc32(bytes.subarray(0, 8)), true);
  bytes.set(body, FRAME_HEADER);
  return bytes;
}

function readFrame(bytes: Uint8Array, start: number): { payload: unknown; end: number } | 'torn' | 'damaged' {
  const bodyStart = start + FRAME_HEADER;
  if (bodyStart > bytes.byteLength) return 'torn';
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, FRAME_HEADER);
  if (view.getInt32(8, true) !== crc32(bytes.subarray(start, start + 8))) return 'damaged';
  const end = bodyStart + view.getUint32(0, true);
  if (end > bytes.byteLength) return 'torn';
  const body = bytes.subarray(bodyStart, end);
  if (view.getInt32(4, true) !== crc32(body)) return 'damaged';
  try {
    const payload: unknown = JSON.parse(new TextDecoder().decode(body));
    return { payload, end };
  } catch {
    // The checksum is right, so this was written wrongly; it is reported like any other damage.
    return 'damaged';
  }
}
