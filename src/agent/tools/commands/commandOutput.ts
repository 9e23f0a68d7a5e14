import ansiRegex from 'ansi-regex';

/** How much of the beginning and of the end of what a command writes is kept, in UTF-16 units. */
const MAX_HEAD = 500_000;
const MAX_TAIL = 500_000;

/** Pieces that are looked at for the last lines. */
const LAST_PIECES = 50;

/**
 * What a command writes, as it comes from a terminal. However much that is, only its beginning and its end are kept.
 */
export class CommandOutput {
  private head = '';
  /** Piece by piece: to join them at each new one would take time that grows with what is kept. */
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

  /** All that is kept, as a reader sees it: without codes for terminals, and of lines written over what is left. */
  whole(): string {
    const [head, tail] = this.ends();
    return this.droppedLength === 0 ? head + tail : joined(head, this.droppedLength, tail);
  }

  /** About the last so many UTF-16 units, whole lines where there are any. */
  end(limit: number): string {
    const last = (this.tailLength > 0 ? this.tail.slice(-LAST_PIECES).join('') : this.head).slice(-2 * limit);
    const text = readable(last).slice(-limit);
    return this.head.length + this.tailLength > last.length ? text.slice(text.indexOf('\n') + 1) : text;
  }

  /** The beginning and the end, whole lines where there are any, at most so many UTF-16 units of each. */
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

  /** The beginning and the end that are kept; one text in two when nothing is missing between them. */
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

/** Codes by which a line is begun anew, and emptied. */
const toLineStart = '\u001b[1G';
const emptyLine = ['\u001b[K', '\u001b[0K', '\u001b[2K'];

/** Without what only a terminal understands. */
function readable(text: string): string {
  return text
    .split('\n')
    .map((line) => writtenOver(line.endsWith('\r') ? line.slice(0, -1) : line))
    .join('\n');
}

/** A line as it is left when it was begun anew several times, as bars of progress do. */
function writtenOver(line: string): string {
  let shown = '';
  for (const written of line.replaceAll(toLineStart, '\r').split('\r')) {
    const isEmptied = emptyLine.some((code) => written.includes(code));
    const text = written.replace(codes, '');
    shown = isEmptied ? text : text + shown.slice(text.length);
  }
  return shown;
}
