import { diffArrays } from 'diff';
import { hasWords, matchLines, NONE, type LineMatches } from './lineMatches.ts';

/** A line through all texts in which it stood as it is; one that was changed is another one, and says what it was. */
export interface LineId {
  readonly from: readonly LineId[];
}

/** A line of a text, with who wrote it. White space is nobody's: formatters change it. */
export interface TrackedLine {
  readonly id: LineId;
  /** With its end. */
  readonly text: string;
  /** Its text without white space. */
  readonly key: string;
  /** Who wrote the characters of the key: one writer for all, or one for each. */
  readonly by: number | readonly number[];
  /** Who deleted something in it. */
  readonly cutBy: readonly number[];
}

/** Lines that replaced others in one change. */
export interface LineHunk {
  readonly by: number;
  readonly removed: readonly LineId[];
  readonly added: readonly LineId[];
  /** What stood above and below; undefined at the ends of the text. */
  readonly above: LineId | undefined;
  readonly below: LineId | undefined;
}

/** What a change made of the lines, and where. */
export interface ChangedLines {
  readonly lines: TrackedLine[];
  readonly hunks: readonly LineHunk[];
}

/** The lines of a text with their ends, so that joining them gives the text. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

export function lineBy(text: string, by: number, from: readonly LineId[] = []): TrackedLine {
  return { id: { from }, text, key: text.replaceAll(/\s+/gu, ''), by, cutBy: [] };
}

/**
 * The lines after a change: those that stayed or moved are the same ones, changed ones keep the writers of what is left
 * of them, and the rest is written by the one who made the change.
 */
export function changeLines(
  before: readonly TrackedLine[],
  texts: readonly string[],
  by: number,
): ChangedLines {
  const lines = texts.map((text) => lineBy(text, by));
  const matches = matchLines(
    before.map(({ key }) => key),
    lines.map(({ key }) => key),
  );
  for (const [index, line] of lines.entries()) {
    const same = before[matches.all[index] ?? NONE];
    if (same) lines[index] = same.text === line.text ? same : { ...same, text: line.text };
  }
  continueChanged(before, lines, matches, by);
  return { lines, hunks: hunksOf(before, lines, matches, by) };
}

/** A word, or a sign, of a line's key. */
interface Token {
  readonly text: string;
  readonly start: number;
}

/** A line that is gone, and which of its tokens are in a new one. */
interface GoneLine {
  readonly index: number;
  readonly tokens: readonly Token[];
  /** By token, the line it is in now. */
  readonly nowIn: Int32Array;
}

/** A word that stands in more lines than this says nothing about which one it is from. */
const MOST_LINES = 40;

/** From how many lines that are gone one new line is put together. */
const MOST_SOURCES = 8;

/** How many tokens of two lines may differ. */
const MOST_DIFFERENCES = 400;

/** Finds the lines that were changed, split or joined, by the words that are left of them. */
function continueChanged(
  before: readonly TrackedLine[],
  lines: TrackedLine[],
  matches: LineMatches,
  by: number,
): void {
  const taken = new Set(matches.all);
  const gone: GoneLine[] = [];
  for (const [index, { text }] of before.entries()) {
    if (taken.has(index) || !hasWords(text)) continue;
    const tokens = tokensOf(text);
    gone.push({ index, tokens, nowIn: new Int32Array(tokens.length).fill(NONE) });
  }
  if (gone.length === 0) return;
  const byWord = new Map<string, GoneLine[]>();
  for (const line of gone) {
    for (const word of new Set(line.tokens.map(({ text }) => text).filter(hasWords))) {
      const known = byWord.get(word);
      if (known) known.push(line);
      else byWord.set(word, [line]);
    }
  }
  const between = placesBetween(matches.stayed, before.length);
  for (const [index, line] of lines.entries()) {
    if (matches.all[index] !== NONE || !hasWords(line.key)) continue;
    const place = { index, isBetween: between(index) };
    const continued = continuedLine(line, place, { before, byWord, by });
    if (continued) lines[index] = continued;
  }
  for (const each of gone) markCuts(each, lines, by);
}

function continuedLine(
  line: TrackedLine,
  place: { readonly index: number; readonly isBetween: (beforeIndex: number) => boolean },
  all: {
    readonly before: readonly TrackedLine[];
    readonly byWord: ReadonlyMap<string, readonly GoneLine[]>;
    readonly by: number;
  },
): TrackedLine | undefined {
  const tokens = tokensOf(line.text);
  const writers = new Array<number>(line.key.length).fill(all.by);
  const cuts = new Set<number>();
  const from: LineId[] = [];
  let open = tokens;
  const tried = new Set<GoneLine>();
  while (open.length > 0 && from.length < MOST_SOURCES) {
    const source = bestSource(open, all.byWord, place, tried);
    if (!source) break;
    tried.add(source);
    const old = all.before[source.index];
    const pairs = commonTokens(source, open);
    const kept = pairs.reduce((sum, [, token]) => sum + token.text.length, 0);
    if (!old || !isContinued(kept, line.key.length, old.key.length, place.isBetween(source.index))) continue;
    for (const [position, { start, text }] of pairs) {
      source.nowIn[position] = place.index;
      const oldStart = source.tokens[position]?.start ?? 0;
      for (let i = 0; i < text.length; i++) writers[start + i] = writerAt(old, oldStart + i);
    }
    for (const cutBy of old.cutBy) cuts.add(cutBy);
    from.push(old.id);
    const used = new Set(pairs.map(([, token]) => token));
    open = open.filter((token) => !used.has(token));
  }
  return from.length === 0 ? undefined : { ...line, id: { from }, by: writers, cutBy: [...cuts] };
}

/** Half of the one or of the other has to be left, and of both where the line stands elsewhere. */
function isContinued(kept: number, length: number, oldLength: number, isBetween: boolean): boolean {
  const [isOfNew, isOfOld] = [kept * 2 >= length, kept * 2 >= oldLength];
  return kept > 0 && (isBetween ? isOfNew || isOfOld : isOfNew && isOfOld);
}

/** The line that shares most with these tokens; of several, the one that stood there. */
function bestSource(
  tokens: readonly Token[],
  byWord: ReadonlyMap<string, readonly GoneLine[]>,
  { isBetween }: { readonly isBetween: (beforeIndex: number) => boolean },
  tried: ReadonlySet<GoneLine>,
): GoneLine | undefined {
  const scores = new Map<GoneLine, number>();
  for (const { text } of tokens) {
    const lines = hasWords(text) ? (byWord.get(text) ?? []) : [];
    const isCommon = lines.length > MOST_LINES;
    for (const line of lines) {
      if (tried.has(line) || (isCommon && !isBetween(line.index))) continue;
      scores.set(line, (scores.get(line) ?? 0) + text.length);
    }
  }
  let best: GoneLine | undefined;
  let most = 0;
  for (const [line, score] of scores) {
    // A line that stood there counts for a little more.
    const weighed = score + (isBetween(line.index) ? 0.5 : 0);
    if (weighed <= most) continue;
    [best, most] = [line, weighed];
  }
  return best;
}

/** The tokens of a new line that were in one that is gone, with their positions there. */
function commonTokens(source: GoneLine, tokens: readonly Token[]): readonly (readonly [number, Token])[] {
  const open = [...source.tokens.keys()].filter((position) => source.nowIn[position] === NONE);
  const parts = diffArrays(
    open.map((position) => source.tokens[position]?.text ?? ''),
    tokens.map(({ text }) => text),
    { maxEditLength: MOST_DIFFERENCES },
  );
  const pairs: (readonly [number, Token])[] = [];
  let [old, now] = [0, 0];
  for (const { value, added, removed } of parts ?? []) {
    for (let i = 0; !added && !removed && i < value.length; i++) {
      const [position, token] = [open[old + i], tokens[now + i]];
      if (position !== undefined && token) pairs.push([position, token]);
    }
    if (!added) old += value.length;
    if (!removed) now += value.length;
  }
  return pairs;
}

/** Where something of a line is gone, what is left next to it was cut. */
function markCuts({ nowIn }: GoneLine, lines: TrackedLine[], by: number): void {
  for (const [position, line] of nowIn.entries()) {
    if (line !== NONE) continue;
    const left = nowIn.subarray(0, position).findLast((each) => each !== NONE);
    const right = nowIn.subarray(position + 1).find((each) => each !== NONE);
    for (const index of new Set([left, right])) {
      const cut = index === undefined ? undefined : lines[index];
      if (index !== undefined && cut && !cut.cutBy.includes(by))
        lines[index] = { ...cut, cutBy: [...cut.cutBy, by] };
    }
  }
}

/** For a line without a counterpart: whether an earlier line stood where it is now. */
function placesBetween(
  matches: Int32Array,
  beforeLength: number,
): (index: number) => (beforeIndex: number) => boolean {
  const above = new Int32Array(matches.length).fill(NONE);
  const below = new Int32Array(matches.length).fill(beforeLength);
  for (let i = 1; i < matches.length; i++) {
    const match = matches[i - 1] ?? NONE;
    above[i] = match === NONE ? (above[i - 1] ?? NONE) : match;
  }
  for (let i = matches.length - 2; i >= 0; i--) {
    const match = matches[i + 1] ?? NONE;
    below[i] = match === NONE ? (below[i + 1] ?? beforeLength) : match;
  }
  return (index) => (beforeIndex) =>
    beforeIndex > (above[index] ?? NONE) && beforeIndex < (below[index] ?? beforeLength);
}

function writerAt({ by }: TrackedLine, position: number): number {
  return typeof by === 'number' ? by : (by[position] ?? NONE);
}

/** Words and signs, with their positions in the key. */
function tokensOf(text: string): readonly Token[] {
  let start = 0;
  return [...text.matchAll(/[\p{L}\p{N}\p{M}_]+|[^\s]/gu)].map(([token]) => {
    const at = start;
    start += token.length;
    return { text: token, start: at };
  });
}

/** What replaced what, between lines that stayed in their order. */
function hunksOf(
  before: readonly TrackedLine[],
  lines: readonly TrackedLine[],
  matches: LineMatches,
  by: number,
): LineHunk[] {
  const known = new Set(matches.all);
  const hunks: LineHunk[] = [];
  let [beforeStart, afterStart] = [0, 0];
  const close = (beforeEnd: number, afterEnd: number): void => {
    const removed = before.slice(beforeStart, beforeEnd).filter((_, i) => !known.has(beforeStart + i));
    const added = lines.slice(afterStart, afterEnd).filter((_, i) => matches.all[afterStart + i] === NONE);
    if (removed.length === 0 && added.length === 0) return;
    const ids = (of: readonly TrackedLine[]): LineId[] => of.map(({ id }) => id);
    const [above, below] = [before[beforeStart - 1]?.id, before[beforeEnd]?.id];
    hunks.push({ by, removed: ids(removed), added: ids(added), above, below });
  };
  for (const [index, match] of matches.stayed.entries()) {
    if (match === NONE) continue;
    close(match, index);
    [beforeStart, afterStart] = [match + 1, index + 1];
  }
  close(before.length, lines.length);
  return hunks;
}
