import { z } from 'zod';
import type { Crc32 } from '../../host/platform.ts';
import type { Group, WrittenStatement } from '../sqlite/connection.ts';
import type { SqlParameter } from '../sqlite/database.ts';
import { readLine, writeLine, type Unreadable } from './lines.ts';
import type { SnapshotFooter } from './snapshot.ts';

// A journal is a header followed by one line for each group of transactions written together.

const VERSION = 1;

const headerSchema = z.object({
  format: z.literal('offshoot-journal'),
  version: z.number().int().positive(),
  /** The schema version its statements are for. */
  schema: z.number().int().nonnegative(),
  generation: z.number().int().nonnegative(),
  /** The identity of its store; earlier versions wrote none. */
  store: z.string().optional(),
  /** Its own identity, which the snapshot of its generation names; earlier versions wrote none. */
  id: z.string().optional(),
});
export type JournalHeader = Omit<z.infer<typeof headerSchema>, 'format' | 'version'>;

/** A header is shorter than this. */
export const HEADER_BYTES = 1_000;

/** The header of the journal that follows a snapshot. */
export function headerAfter({ generation, store, journal }: SnapshotFooter): Omit<JournalHeader, 'schema'> {
  return { generation, store, id: journal };
}

// A statement's text is written once in each journal; each run begins with its number: { "define": ["INSERT …"],
// "run": [[0, "a", 1], …] } Checked by hand: for 10 MB, a schema would take a good part of the time needed to repeat
// them.

function isParameter(value: unknown): value is SqlParameter {
  // JSON has no other numbers, but numbers that are too large are read as infinite.
  return typeof value === 'string' || value === null || (typeof value === 'number' && Number.isFinite(value));
}

/** The point up to which the files have been read or written: `size` bytes of the journal of this generation. */
export interface JournalPoint {
  readonly generation: number;
  readonly size: number;
}

export function hasReached(at: JournalPoint, wanted: JournalPoint): boolean {
  return at.generation > wanted.generation || (at.generation === wanted.generation && at.size >= wanted.size);
}

export interface JournalPart {
  readonly groups: readonly Group[];
  readonly end: 'clean' | Unreadable;
  /** The size at which the previous journal ended; only its first line may say so. */
  readonly after?: number;
}

/** The position up to which a journal has been read or written, with the state needed to continue. */
export class JournalPosition {
  private readonly numbers = new Map<string, number>();
  private readonly statements: string[] = [];

  private constructor(
    readonly header: JournalHeader,
    private readonly crc32: Crc32,
    private check: number,
    private end: number,
    private readonly headerSize = end,
  ) {}

  static begin(header: JournalHeader, crc32: Crc32): { position: JournalPosition; bytes: Uint8Array } {
    const { bytes, check } = writeLine({ format: 'offshoot-journal', version: VERSION, ...header }, 0, crc32);
    return { position: new JournalPosition(header, crc32, check, bytes.byteLength), bytes };
  }

  /** @param bytes the whole file */
  static after(bytes: Uint8Array, crc32: Crc32): JournalPosition | 'damaged' | 'newer' {
    const line = bytes.byteLength > 0 ? readLine(bytes, 0, 0, crc32) : 'damaged';
    // A journal gets its name once its header is on disk, so a header is never torn.
    if (typeof line === 'string') return 'damaged';
    const header = headerSchema.safeParse(line.value);
    // The checksum is valid, so this is what was written.
    if (!header.success || header.data.version > VERSION) return 'newer';
    return new JournalPosition(header.data, crc32, line.check, line.end);
  }

  /** In bytes. */
  get size(): number {
    return this.end;
  }

  /** True when nothing follows its header. */
  get isEmpty(): boolean {
    return this.end === this.headerSize;
  }

  /**
   * The next line. If it cannot be written, this position must not be used any more.
   * @param after the size of the previous journal: in a copy made while it grew, it may be shorter
   */
  encode(group: Group, after?: number): Uint8Array {
    const define: string[] = [];
    const run = group.map(({ sql, parameters }) => {
      let number = this.numbers.get(sql);
      if (number === undefined) {
        number = this.define(sql);
        define.push(sql);
      }
      return [number, ...parameters];
    });
    const { bytes, check } = writeLine({ define, run, after }, this.check, this.crc32);
    this.check = check;
    this.end += bytes.byteLength;
    return bytes;
  }

  /** Reads as far as possible. @param bytes the file from `size` on */
  read(bytes: Uint8Array): JournalPart {
    const groups: Group[] = [];
    const offset = this.end;
    let after: number | undefined;
    const part = (end: JournalPart['end']): JournalPart => ({
      groups,
      end,
      ...(after === undefined ? {} : { after }),
    });
    let position = 0;
    while (position < bytes.byteLength) {
      const line = readLine(bytes, position, this.check, this.crc32, offset);
      if (typeof line === 'string') return part(line);
      const group = this.decode(line.value);
      if (!group) return part('damaged');
      after ??= afterOf(line.value);
      groups.push(group);
      position = line.end;
      this.end = offset + position;
      this.check = line.check;
    }
    return part('clean');
  }

  private decode(value: unknown): Group | undefined {
    if (typeof value !== 'object' || value === null || !('define' in value) || !('run' in value))
      return undefined;
    const { define, run } = value;
    if (!Array.isArray(define) || !Array.isArray(run)) return undefined;
    for (const sql of define) {
      if (typeof sql !== 'string') return undefined;
      this.define(sql);
    }
    const group: WrittenStatement[] = [];
    for (const each of run) {
      const statement = Array.isArray(each) ? this.decodeRun(each) : undefined;
      if (!statement) return undefined;
      group.push(statement);
    }
    return group;
  }

  private decodeRun(run: readonly unknown[]): WrittenStatement | undefined {
    const [number] = run;
    const sql = typeof number === 'number' ? this.statements[number] : undefined;
    const parameters = run.slice(1);
    return sql !== undefined && parameters.every(isParameter) ? { sql, parameters } : undefined;
  }

  private define(sql: string): number {
    const number = this.statements.push(sql) - 1;
    this.numbers.set(sql, number);
    return number;
  }
}

function afterOf(value: unknown): number | undefined {
  const isNamed = typeof value === 'object' && value !== null && 'after' in value;
  return isNamed && typeof value.after === 'number' ? value.after : undefined;
}
