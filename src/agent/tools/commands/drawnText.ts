import { AlternateScreen, usualSize, type TerminalSize } from './alternateScreen.ts';
import { cursorAfter, readSequence, sequences, type Sequence } from './terminalCodes.ts';

/**
 * What a terminal shows of a text that was written to it, as lines of any length: without codes, with what was written over
 * in its last state, and with the last screen of each program that fills the terminal. Tabs and spaces stay as they are.
 */
export function drawn(text: string, size: TerminalSize = usualSize): string {
  const drawing = new Drawing(size);
  for (const [written] of text.matchAll(sequences)) drawing.take(readSequence(written));
  return drawing.text().toWellFormed();
}

/** Codes that switch to the alternate screen, and back. */
const switches = new Set([47, 1047, 1049]);

class Drawing {
  private readonly page: Page;
  private screen: AlternateScreen | undefined;

  constructor(private readonly size: TerminalSize) {
    this.page = new Page(size);
  }

  take(sequence: Sequence): void {
    const where = this.screen ?? this.page;
    switch (sequence.kind) {
      case 'text':
        where.put(sequence.text);
        return;
      case 'control':
        where.control(sequence.char);
        return;
      case 'csi':
        where.csi(sequence.final, sequence.numbers);
        return;
      case 'escape':
        where.escape(sequence.final);
        return;
      case 'private':
        if (sequence.numbers.some((each) => switches.has(each))) this.switchScreen(sequence.final);
        return;
      case 'string':
        return;
    }
  }

  text(): string {
    this.leaveScreen();
    return this.page.text();
  }

  private switchScreen(final: string): void {
    if (final === 'h') this.screen ??= new AlternateScreen(this.size);
    else if (final !== 'l') return;
    else if (this.screen) this.leaveScreen();
    // It was entered before the text begins.
    else this.page.startLine();
  }

  private leaveScreen(): void {
    if (this.screen) this.page.addLines(this.screen.lines());
    this.screen = undefined;
  }
}

/** A longer line is not written over: each time would take as long as the line is. */
const MAX_WRITTEN_OVER = 2_000;

/** The normal screen, with all that scrolled out of it. */
class Page {
  private readonly written: string[] = [''];
  private row = 0;
  private column = 0;
  private saved = { row: 0, column: 0 };
  /** The first line since the terminal was cleared. What was there before stays: nothing that a command wrote is lost. */
  private cleared: number | undefined;

  /** @param size how far a code can reach: what follows would otherwise be filled with blanks */
  constructor(private readonly size: TerminalSize) {}

  put(text: string): void {
    const line = this.line();
    if (this.column < line.length && line.length > MAX_WRITTEN_OVER) {
      this.row = this.written.length - 1;
      this.nextLine();
      this.put(text);
      return;
    }
    const before = line.slice(0, this.column).padEnd(this.column);
    this.written[this.row] = before + text + line.slice(this.column + text.length);
    this.column += text.length;
  }

  control(char: string): void {
    switch (char) {
      case '\n':
      case '\v':
      case '\f':
      case '\u0085':
        this.nextLine();
        return;
      case '\r':
        this.column = 0;
        return;
      case '\b':
        this.column = Math.max(0, this.column - 1);
        return;
      case '\t':
        this.put('\t');
        return;
    }
  }

  csi(final: string, numbers: readonly number[]): void {
    const lines = { top: this.top(), bottom: this.written.length - 1 };
    const { row, column } = this;
    const cursor = cursorAfter(final, numbers, { row, column }, lines);
    if (cursor) {
      this.moveTo(cursor.row, cursor.column);
      return;
    }
    const [first = 0] = numbers;
    switch (final) {
      case 'J':
        this.clear(first);
        return;
      case 'K':
        this.clearLine(first);
        return;
    }
  }

  escape(final: string): void {
    switch (final) {
      case '7':
        this.saved = { row: this.row, column: this.column };
        return;
      case '8':
        this.moveTo(this.saved.row, this.saved.column);
        return;
      case 'D':
      case 'E':
        this.nextLine();
        return;
      case 'M':
        this.moveTo(this.row - 1, this.column);
        return;
      case 'c':
        this.clear(2);
        return;
    }
  }

  addLines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.startLine();
    for (const line of lines) {
      this.put(line);
      this.nextLine();
    }
  }

  /** Goes to a new line, unless the last one is empty. */
  startLine(): void {
    this.row = this.written.length - 1;
    if (this.line() !== '') this.nextLine();
    this.column = 0;
  }

  text(): string {
    return this.written.join('\n');
  }

  private line(): string {
    return this.written[this.row] ?? '';
  }

  private nextLine(): void {
    this.row += 1;
    this.column = 0;
    if (this.row === this.written.length) this.written.push('');
  }

  /** The line that codes take for the first one. */
  private top(): number {
    return Math.max(this.cleared ?? 0, this.written.length - this.size.rows);
  }

  private moveTo(row: number, column: number): void {
    const { rows, columns } = this.size;
    this.row = Math.min(Math.max(row, this.cleared ?? 0), this.top() + rows - 1);
    this.column = Math.min(Math.max(column, 0), Math.max(columns - 1, this.line().length));
    while (this.written.length <= this.row) this.written.push('');
  }

  private clear(which: number): void {
    if (which === 0) {
      this.written.length = this.row + 1;
      this.clearLine(0);
    } else if (which === 1) {
      for (let row = this.top(); row < this.row; row += 1) this.written[row] = '';
      this.clearLine(1);
    } else this.clearAll();
  }

  private clearAll(): void {
    this.cleared ??= this.written.at(-1) === '' ? this.written.length - 1 : this.written.length;
    this.written.length = this.cleared;
    this.written.push('');
    this.moveTo(this.cleared, 0);
  }

  private clearLine(which: number): void {
    const line = this.line();
    const end = this.column + 1;
    this.written[this.row] =
      which === 0
        ? line.slice(0, this.column)
        : which === 1
          ? ' '.repeat(Math.min(end, line.length)) + line.slice(end)
          : '';
  }
}
