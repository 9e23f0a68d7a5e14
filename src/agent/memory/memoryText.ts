import { textLines } from '../../base/textLines.ts';
import { asFact, type MemoryChange } from './memoryChange.ts';
import { KnownFactError, NoPlaceForFactError, UnknownFactError } from './memoryErrors.ts';

/** A list item of a Markdown file, and where its lines are. */
interface PlacedFact {
  readonly fact: string;
  readonly start: number;
  /** After its last line, with the end of that. */
  readonly end: number;
}

/** What a new file begins with. */
const HEADING = '# Memory\n\n';

const FRONT_MATTER = /^---[ \t]*\r?\n(?:[^]*?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/u;
const ITEM = /^[ \t]*[-*+][ \t]+(\S[^\n]*)/u;
const BREAK = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})\s*$/u;
const FENCE = /^[ \t]*(`{3,}|~{3,})/u;
const COMMENT = /^ {0,3}<!--/u;
const CONTINUED = /^(?: {2}|\t)[ \t]*\S/u;

/** The facts of a memory file, in their order: the items of its lists, outside of code, comments and front matter. */
export function factsIn(text: string): string[] {
  return placedFacts(text).map(({ fact }) => fact);
}

/**
 * The text with one change, and all other lines as they are. A fact goes behind the last one, with the line end that
 * the file has; `undefined` stands for a file that is not there.
 * @throws KnownFactError, UnknownFactError, NoPlaceForFactError
 */
export function changedText(text: string | undefined, { add, remove }: MemoryChange): string {
  const before = text ?? '';
  const placed = placedFacts(before);
  if (add !== undefined && placed.some(({ fact }) => fact === add)) throw new KnownFactError(add);
  const old = remove === undefined ? undefined : placed.find(({ fact }) => fact === remove);
  if (remove !== undefined && !old) throw new UnknownFactError(remove);
  if (add === undefined) return old ? without(before, old) : before;
  const after =
    text === undefined
      ? `${HEADING}- ${add}\n`
      : old
        ? inPlace(before, old, add)
        : behind(before, placed.at(-1), add);
  const count = placed.length + (old ? 0 : 1);
  const now = factsIn(after);
  if (now.length !== count || !now.includes(add)) throw new NoPlaceForFactError();
  return after;
}

function behind(text: string, last: PlacedFact | undefined, fact: string): string {
  const at = last?.end ?? text.length;
  const end = lineEndOf(text);
  const before = text.slice(0, at);
  // A last line without an end gets one, and the new line has none.
  const line = before === '' || before.endsWith('\n') ? `- ${fact}${end}` : `${end}- ${fact}`;
  return before + line + text.slice(at);
}

function inPlace(text: string, { start, end }: PlacedFact, fact: string): string {
  const lines = text.slice(start, end);
  const marker = /^[ \t]*[-*+][ \t]+/u.exec(lines)?.[0] ?? '- ';
  return text.slice(0, start) + marker + fact + (/\r?\n$/u.exec(lines)?.[0] ?? '') + text.slice(end);
}

function without(text: string, { start, end }: PlacedFact): string {
  const isLast = !text.slice(start, end).endsWith('\n');
  const before = text.slice(0, start);
  return (isLast ? before.replace(/\r?\n$/u, '') : before) + text.slice(end);
}

function lineEndOf(text: string): string {
  // A return at the end alone would become a part of the new line end, and go with it.
  return text.includes('\r\n') || text.endsWith('\r') ? '\r\n' : '\n';
}

function placedFacts(text: string): PlacedFact[] {
  const facts: PlacedFact[] = [];
  let at = FRONT_MATTER.exec(text)?.[0].length ?? 0;
  /** Whether a line ends the block that holds no facts. */
  let isEnd: ((line: string) => boolean) | undefined;
  let open: { parts: string[]; start: number; end: number } | undefined;
  const close = (): void => {
    if (open) facts.push({ fact: asFact(open.parts.join(' ')), start: open.start, end: open.end });
    open = undefined;
  };
  for (const line of textLines(text.slice(at))) {
    const start = at;
    at += line.length;
    if (isEnd) {
      if (isEnd(line)) isEnd = undefined;
      continue;
    }
    const item = BREAK.test(line) ? undefined : ITEM.exec(line)?.[1];
    const fence = FENCE.exec(line)?.[1];
    if (item === undefined && fence === undefined && !COMMENT.test(line) && open && CONTINUED.test(line)) {
      open.parts.push(line);
      open.end = at;
      continue;
    }
    close();
    if (item !== undefined) open = { parts: [item], start, end: at };
    else if (fence !== undefined) isEnd = closes(fence);
    else if (COMMENT.test(line) && !line.includes('-->')) isEnd = (each) => each.includes('-->');
  }
  close();
  return facts;
}

/** A fence is closed by a line of the same characters, at least as many. */
function closes(fence: string): (line: string) => boolean {
  return (line) => {
    const shown = line.trim();
    return shown.length >= fence.length && shown === fence.charAt(0).repeat(shown.length);
  };
}
