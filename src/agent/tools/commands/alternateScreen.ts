import { cursorAfter } from './terminalCodes.ts';

export interface TerminalSize {
  readonly rows: number;
  readonly columns: number;
}

/** Where a terminal has told no size. */
export const usualSize: TerminalSize = { rows: 30, columns: 80 };

/** The largest size that is believed. */
const LARGEST: TerminalSize = { rows: 300, columns: 600 };

/** A size that a terminal told, within bounds; the usual one where it is none. */
export function boundedSize(rows: number, columns: number): TerminalSize {
  if (!(rows > 0 && columns > 1)) return usualSize;
  return { rows: Math.min(rows, LARGEST.rows), columns: Math.min(columns, LARGEST.columns) };
}

/** How many characters a cell keeps, in UTF-16 units: a letter and what stands on it. */
const MAX_CELL = 16;

const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const doubleWidth =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}])$/u;

/** How many cells a character takes. */
function widthOf(char: string): number {
  if (char < '\u0300') return 1;
  if (zeroWidth.test(char)) return 0;
  return doubleWidth.test(char) ? 2 : 1;
}

/** Other codes that move the cursor down, and to the right. */
const synonyms: Readonly<Record<string, string>> = { e: 'B', a: 'C' };

/** The screen of programs that fill the terminal, such as editors and pagers. Nothing scrolls out of it that is kept. */
export class AlternateScreen {
  private readonly rows: number;
  private readonly columns: number;
  /** A character of two cells has an empty text in the second. */
  private readonly cells: string[][];
  private row = 0;
  /** May be one beyond the last column, where the next character begins a new line. */
  private column = 0;
  private saved = { row: 0, column: 0 };
  /** The lines that scroll, both included. */
  private top = 0;
  private bottom: number;
  private last = ' ';

  constructor({ rows, columns }: TerminalSize) {
    this.rows = rows;
    this.columns = columns;
    this.bottom = this.rows - 1;
    this.cells = Array.from({ length: this.rows }, () => this.blanks(this.columns));
  }

  /** What it shows, without empty lines at the end. */
  lines(): string[] {
    const lines = this.cells.map((cells) => cells.join('').trimEnd());
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }

  put(text: string): void {
    for (const char of text) this.putOne(char, widthOf(char));
  }

  control(char: string): void {
    switch (char) {
      case '\n':
      case '\v':
      case '\f':
        this.lineFeed();
        return;
      case '\u0085':
        this.column = 0;
        this.lineFeed();
        return;
      case '\r':
        this.column = 0;
        return;
      case '\b':
        this.moveTo(this.row, Math.min(this.column, this.columns - 1) - 1);
        return;
      case '\t':
        this.moveTo(this.row, (Math.floor(this.column / 8) + 1) * 8);
        return;
    }
  }

  csi(final: string, numbers: readonly number[]): void {
    const lines = { top: 0, bottom: this.rows - 1 };
    const { row, column } = this;
    const cursor = cursorAfter(synonyms[final] ?? final, numbers, { row, column }, lines);
    if (cursor) {
      this.moveTo(cursor.row, cursor.column);
      return;
    }
    const [first = 0, second = 0] = numbers;
    const by = Math.max(1, first);
    switch (final) {
      case 'J':
        this.clear(first);
        return;
      case 'K':
        this.clearLine(this.row, first);
        return;
      case 'L':
        this.scroll(this.row, -by);
        return;
      case 'M':
        this.scroll(this.row, by);
        return;
      case 'S':
        this.scroll(this.top, by);
        return;
      case 'T':
        this.scroll(this.top, -by);
        return;
      case 'P':
        this.replaceCells(Math.min(by, this.columns - this.column), 0);
        return;
      case '@':
        this.replaceCells(0, Math.min(by, this.columns - this.column));
        return;
      case 'X':
        this.clearCells(this.row, this.column, this.column + by);
        return;
      case 'b':
        this.put(this.last.repeat(Math.min(by, this.columns * this.rows)));
        return;
      case 'r':
        this.setMargins(by - 1, second === 0 ? this.rows - 1 : second - 1);
        return;
      case 's':
        this.save();
        return;
      case 'u':
        this.moveTo(this.saved.row, this.saved.column);
        return;
    }
  }

  escape(final: string): void {
    switch (final) {
      case '7':
        this.save();
        return;
      case '8':
        this.moveTo(this.saved.row, this.saved.column);
        return;
      case 'D':
        this.lineFeed();
        return;
      case 'E':
        this.column = 0;
        this.lineFeed();
        return;
      case 'M':
        if (this.row === this.top) this.scroll(this.top, -1);
        else this.moveTo(this.row - 1, this.column);
        return;
      case 'c':
        this.clear(2);
        this.setMargins(0, this.rows - 1);
        return;
    }
  }

  private putOne(char: string, width: number): void {
    if (width === 0) {
      const at = Math.max(0, this.column - 1);
      this.set(this.row, at, (this.get(this.row, at) + char).slice(0, MAX_CELL));
      return;
    }
    if (this.column + width > this.columns) {
      this.column = 0;
      this.lineFeed();
    }
    this.clearCells(this.row, this.column, this.column + width);
    this.set(this.row, this.column, char);
    if (width === 2) this.set(this.row, this.column + 1, '');
    this.column += width;
    this.last = char;
  }

  private moveTo(row: number, column: number): void {
    this.row = Math.min(Math.max(row, 0), this.rows - 1);
    this.column = Math.min(Math.max(column, 0), this.columns - 1);
  }

  private lineFeed(): void {
    if (this.row === this.bottom) this.scroll(this.top, 1);
    else this.row = Math.min(this.row + 1, this.rows - 1);
  }

  /** Moves the lines from this one to the end of those that scroll: up, or down where it is negative. */
  private scroll(from: number, by: number): void {
    if (from < this.top || from > this.bottom) return;
    const count = this.bottom - from + 1;
    const moved = Math.min(Math.abs(by), count);
    const blank = Array.from({ length: moved }, () => this.blanks(this.columns));
    if (by > 0) {
      this.cells.splice(from, moved);
      this.cells.splice(from + count - moved, 0, ...blank);
    } else {
      this.cells.splice(from + count - moved, moved);
      this.cells.splice(from, 0, ...blank);
    }
  }

  private setMargins(top: number, bottom: number): void {
    const last = Math.min(bottom, this.rows - 1);
    if (top >= last) return;
    this.top = top;
    this.bottom = last;
    this.moveTo(0, 0);
  }

  private save(): void {
    this.saved = { row: this.row, column: this.column };
  }

  private clear(which: number): void {
    this.clearLine(this.row, which);
    const [from, to] = which === 0 ? [this.row + 1, this.rows] : which === 1 ? [0, this.row] : [0, this.rows];
    for (let row = from; row < to; row += 1) this.clearCells(row, 0, this.columns);
  }

  private clearLine(row: number, which: number): void {
    this.clearCells(row, which === 0 ? this.column : 0, which === 1 ? this.column + 1 : this.columns);
  }

  /** A character that loses one of its two cells loses the other as well. */
  private clearCells(row: number, from: number, to: number): void {
    const end = Math.min(to, this.columns);
    if (from > 0 && this.get(row, from) === '') this.set(row, from - 1, ' ');
    if (this.get(row, end) === '') this.set(row, end, ' ');
    for (let column = from; column < end; column += 1) this.set(row, column, ' ');
  }

  /** Takes cells out at the cursor, and puts blanks in: the rest of the line moves. */
  private replaceCells(taken: number, blanks: number): void {
    const line = this.cells[this.row] ?? [];
    line.splice(this.column, taken, ...this.blanks(blanks));
    line.push(...this.blanks(this.columns));
    line.length = this.columns;
  }

  /** Beyond the last column: a blank. */
  private get(row: number, column: number): string {
    return this.cells[row]?.[column] ?? ' ';
  }

  private set(row: number, column: number, char: string): void {
    const line = this.cells[row];
    if (line && column < this.columns) line[column] = char;
  }

  private blanks(count: number): string[] {
    return Array.from({ length: count }, () => ' ');
  }
}
