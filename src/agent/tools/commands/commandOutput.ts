import { boundedSize, usualSize, type TerminalSize } from './alternateScreen.ts';
import { drawn } from './drawnText.ts';

/** How much of the beginning and of the end of a command's output is kept, in UTF-16 units. */
const MAX_HEAD = 500_000;
const MAX_TAIL = 500_000;

/** How many pieces are searched for the last lines. */
const LAST_PIECES = 50;

/** A command's output from a terminal. Only its beginning and its end are kept, however long it is. */
export class CommandOutput {
  private head = '';
  /** In pieces: joining them at each new one would take time that grows with the kept text. */
  private tail: string[] = [];
  private tailLength = 0;
  private droppedLength = 0;

  add(text: string): void {
    const room = MAX_HEAD - this.head.length;
    if (room > 0) this.head += text.slice(0, room);
    const rest = text.slice(Math.max(0, room));
    if (rest === '') return;
    this.tail.push(rest);
    this.tailLength += rest.length;
    if (this.tailLength <= 2 * MAX_TAIL) return;
    const joined = this.tail.join('');
    this.tail = [joined.slice(-MAX_TAIL)];
    this.droppedLength += joined.length - MAX_TAIL;
    this.tailLength = MAX_TAIL;
  }

  /** The kept output as a terminal shows it. */
  whole(): string {
    const [head, tail] = this.ends();
    return this.droppedLength === 0 ? head + tail : joined(head, this.droppedLength, tail);
  }

  /** Roughly the last `limit` UTF-16 units, in whole lines if possible; the screen of a program that fills the terminal. */
  end(limit: number): string {
    const kept = this.lastKept();
    const screen = screenOf(kept);
    if (screen !== undefined) return drawn(screen, this.size).slice(-limit);
    const last = kept.slice(-2 * limit);
    const text = drawn(last, this.size).slice(-limit);
    return this.head.length + this.tailLength > last.length ? text.slice(text.indexOf('\n') + 1) : text;
  }

  /** Whether a program fills the terminal now, such as an editor or a pager. */
  fillsTerminal(): boolean {
    return screenOf(this.lastKept()) !== undefined;
  }

  /** The beginning and the end, in whole lines if possible, with at most `limit` UTF-16 units each. */
  cut(limit: number): string {
    const [head, tail] = this.ends();
    const length = head.length + tail.length;
    if (this.droppedLength === 0 && length <= 2 * limit) return head + tail;
    const text = head + tail;
    const start = text.slice(0, limit);
    const end = text.slice(-limit);
    const first = start.slice(0, start.lastIndexOf('\n') + 1) || start;
    const last = end.slice(end.indexOf('\n') + 1) || end;
    return joined(first.trimEnd(), length + this.droppedLength - first.length - last.length, last);
  }

  /** The kept beginning and end; one text split in two when nothing is missing between them. */
  private ends(): readonly [string, string] {
    const tail = this.tail.join('');
    const { size } = this;
    return this.droppedLength === 0
      ? [drawn(this.head + tail, size), '']
      : [drawn(this.head, size), drawn(tail, size)];
  }

  private lastKept(): string {
    return this.tailLength > 0 ? this.tail.slice(-LAST_PIECES).join('') : this.head;
  }

  /** As the terminal told it before the command began. */
  private get size(): TerminalSize {
    const [, rows, columns] = toldSize.exec(this.head.slice(0, TOLD_WITHIN)) ?? [];
    return rows === undefined ? usualSize : boundedSize(Number(rows), Number(columns));
  }
}

/** The mark that the terminal's own program writes: see src/host/node/fileTerminalShell.ts. */
const toldSize = /\]633;P;OffshootSize=(\d+) (\d+)/;
const TOLD_WITHIN = 200;

/** What programs write before and after they fill the terminal. */
const entries = ['\u001b[?1049h', '\u001b[?1047h', '\u001b[?47h'];
const exits = ['\u001b[?1049l', '\u001b[?1047l', '\u001b[?47l'];

/** How much of what such a program wrote is drawn at once, in UTF-16 units: it is drawn several times a second. */
const MAX_SCREEN = 100_000;

/** What was written since a program began to fill the terminal, as far as it is seen; undefined: none fills it. */
function screenOf(text: string): string | undefined {
  const last = (codes: readonly string[]): number => Math.max(...codes.map((code) => text.lastIndexOf(code)));
  const entry = last(entries);
  if (entry === -1 || last(exits) > entry) return undefined;
  const written = text.slice(entry);
  if (written.length <= MAX_SCREEN) return written;
  return written.slice(0, written.indexOf('h') + 1) + written.slice(-MAX_SCREEN);
}

function joined(head: string, left: number, tail: string): string {
  return `${head.toWellFormed()}\n… [${left} characters left out] …\n${tail.toWellFormed()}`;
}
