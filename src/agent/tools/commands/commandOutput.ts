import ansiRegex from 'ansi-regex';

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

  /** The kept output as a reader sees it: without terminal codes, and overwritten lines in their final state. */
  whole(): string {
    const [head, tail] = this.ends();
    return this.droppedLength === 0 ? head + tail : joined(head, this.droppedLength, tail);
  }

  /** Roughly the last `limit` UTF-16 units, in whole lines if possible. */
  end(limit: number): string {
    const last = (this.tailLength > 0 ? this.tail.slice(-LAST_PIECES).join('') : this.head).slice(-2 * limit);
    const text = readable(last).slice(-limit);
    return this.head.length + this.tailLength > last.length ? text.slice(text.indexOf('\n') + 1) : text;
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
    return this.droppedLength === 0
      ? [readable(this.head + tail), '']
      : [readable(this.head), readable(tail)];
  }
}

function joined(head: string, left: number, tail: string): string {
  return `${head.toWellFormed()}\n… [${left} characters left out] …\n${tail.toWellFormed()}`;
}

const codes = ansiRegex();

/** Codes that return to the start of a line, and clear it. */
const toLineStart = '\u001b[1G';
const emptyLine = ['\u001b[K', '\u001b[0K', '\u001b[2K'];

function readable(text: string): string {
  return text
    .split('\n')
    .map((line) => writtenOver(line.endsWith('\r') ? line.slice(0, -1) : line))
    .join('\n');
}

/** The final state of a line that was overwritten several times, as progress bars do. */
function writtenOver(line: string): string {
  let shown = '';
  for (const written of line.replaceAll(toLineStart, '\r').split('\r')) {
    const isEmptied = emptyLine.some((code) => written.includes(code));
    const text = written.replace(codes, '');
    shown = isEmptied ? text : text + shown.slice(text.length);
  }
  return shown;
}
