import { hasWords, matchLines, NONE, type LineMatches, type LineRange } from './lineMatches.ts';

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

/** The lines of a text with their ends, so that joining them gives the text. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

export function lineBy(text: string, by: number, from: readonly LineId[] = []): TrackedLine {
  return { id: { from }, text, key: text.replaceAll(/\s+/gu, ''), by, cutBy: [] };
}

/** Lines that take the place of others. */
export interface ReplacedLines {
  readonly before: readonly TrackedLine[];
  readonly texts: readonly string[];
  /** What stands above and below both. */
  readonly above: LineId | undefined;
  readonly below: LineId | undefined;
}

/** What became of all that was replaced in one change: the new lines of each part. */
export interface ChangedLines {
  readonly parts: readonly (readonly TrackedLine[])[];
  readonly hunks: readonly LineHunk[];
}

/**
 * The lines after a change: those that stayed or moved are the same ones, changed ones keep the writers of what is left
 * of them, and the rest is written by the one who made the change.
 */
export function changeLines(replaced: readonly ReplacedLines[], by: number): ChangedLines {
  const before = replaced.flatMap((each) => each.before);
  const lines = replaced.flatMap(({ texts }) => texts.map((text) => lineBy(text, by)));
  const ranges = rangesOf(replaced);
  const matches = matchLines(
    before.map(({ key }) => key),
    lines.map(({ key }) => key),
    ranges,
  );
  for (const [index, line] of lines.entries()) {
    const same = before[matches.all[index] ?? NONE];
    if (same) lines[index] = same.text === line.text ? same : { ...same, text: line.text };
  }
  continueChanged({ before, lines, matches, ranges, by });
  return {
    parts: ranges.map(({ afterStart, afterEnd }) => lines.slice(afterStart, afterEnd)),
    hunks: replaced.flatMap((each, index) => {
      const range = ranges[index];
      return range ? hunksOf(each, { before, lines, matches, range, by }) : [];
    }),
  };
}

/** Where each part is, when they stand behind each other. */
function rangesOf(replaced: readonly ReplacedLines[]): LineRange[] {
  let [beforeEnd, afterEnd] = [0, 0];
  return replaced.map(({ before, texts }) => {
    const [beforeStart, afterStart] = [beforeEnd, afterEnd];
    beforeEnd += before.length;
    afterEnd += texts.length;
    return { beforeStart, beforeEnd, afterStart, afterEnd };
  });
}

/** A word, or a sign, of a line's key. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly isWord: boolean;
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

/** How many pairs of tokens of two lines are compared; longer lines, as of generated files, have nothing in common. */
const MOST_COMPARED = 250_000;

/** How many lines are looked at as the source of one. */
const MOST_TRIED = 12;

/** Finds the lines that were changed, split or joined, by the words that are left of them. */
function continueChanged({
  before,
  lines,
  matches,
  ranges,
  by,
}: {
  readonly before: readonly TrackedLine[];
  readonly lines: TrackedLine[];
  readonly matches: LineMatches;
  readonly ranges: readonly LineRange[];
  readonly by: number;
}): void {
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
    for (const word of new Set(line.tokens.filter(({ isWord }) => isWord).map(({ text }) => text))) {
      const known = byWord.get(word);
      if (known) known.push(line);
      else byWord.set(word, [line]);
    }
  }
  const between = placesBetween(matches.stayed, ranges);
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
  while (open.length > 0 && from.length < MOST_SOURCES && tried.size < MOST_TRIED) {
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
  for (const { text, isWord } of tokens) {
    const lines = isWord ? (byWord.get(text) ?? []) : [];
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

/** The tokens of a new line that were in one that is gone, with their positions there, in both in the same order. */
function commonTokens(source: GoneLine, tokens: readonly Token[]): readonly (readonly [number, Token])[] {
  const open = [...source.tokens.keys()].filter((position) => source.nowIn[position] === NONE);
  const isSame = (old: number, now: number): boolean =>
    source.tokens[open[old] ?? NONE]?.text === tokens[now]?.text;
  const width = tokens.length + 1;
  if (open.length * width > MOST_COMPARED) return [];
  // How many are common from here to the ends.
  const counts = new Uint16Array((open.length + 1) * width);
  for (let old = open.length - 1; old >= 0; old--) {
    for (let now = tokens.length - 1; now >= 0; now--) {
      const at = old * width + now;
      counts[at] = isSame(old, now)
        ? (counts[at + width + 1] ?? 0) + 1
        : Math.max(counts[at + width] ?? 0, counts[at + 1] ?? 0);
    }
  }
  const pairs: (readonly [number, Token])[] = [];
  for (let old = 0, now = 0; old < open.length && now < tokens.length;) {
    const at = old * width + now;
    const [position, token] = [open[old], tokens[now]];
    if (isSame(old, now) && position !== undefined && token) {
      pairs.push([position, token]);
      old += 1;
      now += 1;
    } else if ((counts[at + width] ?? 0) >= (counts[at + 1] ?? 0)) old += 1;
    else now += 1;
  }
  return pairs;
}

/** Where something of a line is gone, what is left next to it was cut. */
function markCuts({ nowIn }: GoneLine, lines: TrackedLine[], by: number): void {
  if (nowIn.every((line) => line === NONE)) return;
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
  stayed: Int32Array,
  ranges: readonly LineRange[],
): (index: number) => (beforeIndex: number) => boolean {
  const above = new Int32Array(stayed.length);
  const below = new Int32Array(stayed.length);
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of ranges) {
    let last = beforeStart - 1;
    for (let i = afterStart; i < afterEnd; i++) {
      above[i] = last;
      last = Math.max(last, stayed[i] ?? NONE);
    }
    let next = beforeEnd;
    for (let i = afterEnd - 1; i >= afterStart; i--) {
      below[i] = next;
      const match = stayed[i] ?? NONE;
      if (match !== NONE) next = match;
    }
  }
  return (index) => (beforeIndex) =>
    beforeIndex > (above[index] ?? NONE) && beforeIndex < (below[index] ?? NONE);
}

function writerAt({ by }: TrackedLine, position: number): number {
  return typeof by === 'number' ? by : (by[position] ?? NONE);
}

/** Words and signs, with their positions in the key. */
function tokensOf(text: string): readonly Token[] {
  let start = 0;
  return (text.match(/[\p{L}\p{N}\p{M}_]+|[^\s]/gu) ?? []).map((token) => {
    const at = start;
    start += token.length;
    return { text: token, start: at, isWord: hasWords(token) };
  });
}

/** What replaced what in one part, between lines that stayed in their order. */
function hunksOf(
  { above: topmost, below: lowest }: ReplacedLines,
  {
    before,
    lines,
    matches,
    range,
    by,
  }: {
    readonly before: readonly TrackedLine[];
    readonly lines: readonly TrackedLine[];
    readonly matches: LineMatches;
    readonly range: LineRange;
    readonly by: number;
  },
): LineHunk[] {
  const known = new Set(matches.all);
  const hunks: LineHunk[] = [];
  let { beforeStart, afterStart } = range;
  let above = topmost;
  const close = (beforeEnd: number, afterEnd: number, below: LineId | undefined): void => {
    const removed = before.slice(beforeStart, beforeEnd).filter((_, i) => !known.has(beforeStart + i));
    const added = lines.slice(afterStart, afterEnd).filter((_, i) => matches.all[afterStart + i] === NONE);
    if (removed.length === 0 && added.length === 0) return;
    const ids = (of: readonly TrackedLine[]): LineId[] => of.map(({ id }) => id);
    hunks.push({ by, removed: ids(removed), added: ids(added), above, below });
  };
  for (let index = range.afterStart; index < range.afterEnd; index++) {
    const match = matches.stayed[index] ?? NONE;
    if (match === NONE) continue;
    const id = before[match]?.id;
    close(match, index, id);
    [beforeStart, afterStart, above] = [match + 1, index + 1, id];
  }
  close(range.beforeEnd, range.afterEnd, lowest);
  return hunks;
}
