import type { TrackedLine } from './trackedLines.ts';

/** How many lines a chunk has at most: a change copies those of one, and counts the chunks before it. */
const MOST_IN_CHUNK = 64;

/** Lines that stand below each other. */
interface Chunk {
  readonly lines: readonly TrackedLine[];
  /** Where they begin, from the beginning of the chunk. */
  readonly starts: readonly number[];
  /** Of their text. */
  readonly length: number;
}

/** The lines of a text, by their numbers from 0. A change makes another list, which shares most of its chunks with this. */
export class LineList {
  private constructor(private readonly chunks: readonly Chunk[]) {}

  static of(lines: readonly TrackedLine[]): LineList {
    return new LineList(chunksOf(lines));
  }

  /** The number of the line that begins at this place of the text; at its end, the number of lines. */
  lineAt(offset: number): number {
    let [line, left] = [0, offset];
    for (const { lines, starts, length } of this.chunks) {
      if (left < length) return line + starts.indexOf(left);
      line += lines.length;
      left -= length;
    }
    return line;
  }

  slice(start: number, end: number): TrackedLine[] {
    const found: TrackedLine[] = [];
    let first = 0;
    for (const { lines } of this.chunks) {
      if (first >= end) break;
      if (first + lines.length > start)
        found.push(...lines.slice(Math.max(0, start - first), Math.max(0, end - first)));
      first += lines.length;
    }
    return found;
  }

  all(): TrackedLine[] {
    const all: TrackedLine[] = [];
    for (const { lines } of this.chunks) all.push(...lines);
    return all;
  }

  with(start: number, end: number, lines: readonly TrackedLine[]): LineList {
    const [above, below] = [this.chunkAt(start), this.chunkAt(end)];
    const head = this.chunks[above.index]?.lines.slice(0, start - above.line) ?? [];
    const tail = this.chunks[below.index]?.lines.slice(end - below.line) ?? [];
    const middle = chunksOf(head.concat(lines, tail));
    return new LineList(this.chunks.slice(0, above.index).concat(middle, this.chunks.slice(below.index + 1)));
  }

  /** The first chunk that has a line or ends above it, and the number of its first one. */
  private chunkAt(line: number): { readonly index: number; readonly line: number } {
    let [index, first] = [0, 0];
    for (const { lines } of this.chunks) {
      if (line <= first + lines.length) break;
      first += lines.length;
      index += 1;
    }
    return { index, line: first };
  }
}

function chunksOf(lines: readonly TrackedLine[]): Chunk[] {
  const size = Math.ceil(lines.length / Math.ceil(lines.length / MOST_IN_CHUNK));
  const chunks: Chunk[] = [];
  for (let start = 0; start < lines.length; start += size) {
    const own = lines.slice(start, start + size);
    let length = 0;
    const starts = own.map(({ text }) => (length += text.length) - text.length);
    chunks.push({ lines: own, starts, length });
  }
  return chunks;
}
