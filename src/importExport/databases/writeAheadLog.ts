// The log that SQLite writes next to a database in WAL mode (`-wal`), as https://sqlite.org/fileformat2.html#walformat
// describes it: a header, and frames of one page each. The pages of a transaction count once a frame of it says so.

const HEADER = 32;
const FRAME_HEADER = 24;

/** The last bit says that checksums are of big-endian words. */
const MAGIC = 0x37_7f_06_82;

/** What of a log is committed. */
export interface CommittedLog {
  /** Changes whenever the log is started again. */
  readonly header: string;
  readonly pageSize: number;
  readonly frames: number;
  /** The size of the database after the last transaction, in pages. */
  readonly pages: number;
}

type Chunks = AsyncIterable<Uint8Array>;

/** @returns undefined for a log without a committed transaction; what follows a cut or foreign frame doesn't count */
export async function committedLog(chunks: Chunks): Promise<CommittedLog | undefined> {
  let found: CommittedLog | undefined;
  for await (const { log, number, size } of validFrames(chunks))
    if (size > 0) found = { ...log, frames: number, pages: size };
  return found;
}

/**
 * Writes the committed pages into the image of the database file.
 * @param image has room for all pages of the log
 * @returns false when the log was started again since
 */
export async function applyLog(
  chunks: Chunks,
  committed: CommittedLog,
  image: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  let applied = 0;
  for await (const { log, number, page, content } of validFrames(chunks)) {
    if (log.header !== committed.header) return false;
    const at = (page - 1) * log.pageSize;
    // A page behind the end was given up by a later transaction.
    if (at + log.pageSize <= image.byteLength) image.set(content, at);
    applied = number;
    if (applied === committed.frames) break;
  }
  return applied === committed.frames;
}

interface Frame {
  readonly log: Pick<CommittedLog, 'header' | 'pageSize'>;
  /** Counts from 1. */
  readonly number: number;
  readonly page: number;
  /** The size of the database in pages after the transaction that this frame ends; 0: it ends none. */
  readonly size: number;
  readonly content: Uint8Array;
}

async function* validFrames(chunks: Chunks): AsyncGenerator<Frame> {
  const pieces = new Pieces(chunks);
  try {
    const header = viewOf(await pieces.next(HEADER));
    if (!header) return;
    const magic = header.getUint32(0);
    const isLittle = magic === MAGIC;
    const pageSize = header.getUint32(8);
    if ((!isLittle && magic !== MAGIC + 1) || !isPageSize(pageSize)) return;
    const sum = new Checksum(isLittle);
    sum.add(header, 0, 24);
    if (!sum.is(header, 24)) return;
    const log = { header: hexOf(header), pageSize };
    const salt = header.getBigUint64(16);
    for (let number = 1; ; number++) {
      const frame = viewOf(await pieces.next(FRAME_HEADER + pageSize));
      if (!frame || frame.getBigUint64(8) !== salt) return;
      sum.add(frame, 0, 8);
      sum.add(frame, FRAME_HEADER, pageSize);
      const page = frame.getUint32(0);
      if (!sum.is(frame, 16) || page === 0) return;
      const content = new Uint8Array(frame.buffer, frame.byteOffset + FRAME_HEADER, pageSize);
      yield { log, number, page, size: frame.getUint32(4), content };
    }
  } finally {
    await pieces.close();
  }
}

export function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;
}

class Checksum {
  private one = 0;
  private two = 0;

  constructor(private readonly isLittle: boolean) {}

  add(view: DataView, from: number, length: number): void {
    let { one, two } = this;
    for (let at = from; at < from + length; at += 8) {
      one = (one + view.getUint32(at, this.isLittle) + two) >>> 0;
      two = (two + view.getUint32(at + 4, this.isLittle) + one) >>> 0;
    }
    this.one = one;
    this.two = two;
  }

  is(view: DataView, at: number): boolean {
    return view.getUint32(at) === this.one && view.getUint32(at + 4) === this.two;
  }
}

/** Pieces of a given length from chunks of any. */
class Pieces {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private rest: Uint8Array = new Uint8Array();

  constructor(chunks: Chunks) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** @returns undefined at the end; a shorter last piece is none */
  async next(length: number): Promise<Uint8Array | undefined> {
    const piece = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      if (this.rest.byteLength === 0) {
        const next = await this.chunks.next();
        if (next.done === true) return undefined;
        this.rest = next.value;
      }
      const taken = this.rest.subarray(0, length - filled);
      piece.set(taken, filled);
      filled += taken.byteLength;
      this.rest = this.rest.subarray(taken.byteLength);
    }
    return piece;
  }

  async close(): Promise<void> {
    await this.chunks.return?.();
  }
}

function viewOf(piece: Uint8Array | undefined): DataView | undefined {
  return piece && new DataView(piece.buffer, piece.byteOffset, piece.byteLength);
}

function hexOf(view: DataView): string {
  return Array.from({ length: view.byteLength }, (_, at) =>
    view.getUint8(at).toString(16).padStart(2, '0'),
  ).join('');
}
