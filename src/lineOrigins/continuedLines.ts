import { hasWords, NONE, type LineMatches, type LineRange } from './lineMatches.ts';
import { TrackedLine } from './trackedLines.ts';

/** A word that is left in more lines than this says nothing about which one it is from; so many near ones are looked at. */
const MOST_LINES = 40;

/** From how many lines that are gone one new line is put together. */
const MOST_SOURCES = 8;

/** How many pairs of tokens of two lines are compared; longer lines, as of generated files, have nothing in common. */
const MOST_COMPARED = 250_000;

/** How many lines are looked at as the source of one. */
const MOST_TRIED = 12;

/** A word, or a sign, of lines that are gone. */
interface Word {
  /** The lines of which it is in no new one yet; undefined for a sign. */
  readonly openIn: Set<GoneLine> | undefined;
}

/** A word, or a sign, at its place in a line's key. */
interface Token {
  /** Undefined: it stood in no line that is gone. */
  readonly word: Word | undefined;
  readonly start: number;
  readonly length: number;
  /** The new line that has it from one that is gone, or {@link NONE}. */
  keptIn: number;
}

/** A place between lines that stayed, with the lines that are gone there. */
interface Gap extends LineRange {
  readonly gone: GoneLine[];
  /** Behind the one that a new line was from last. */
  next: number;
}

interface GoneLine {
  readonly line: TrackedLine;
  readonly gap: Gap;
  /** Its number there. */
  readonly number: number;
  readonly tokens: readonly Token[];
  /** Those that are in no new line yet. */
  open: readonly Token[];
}

/** What a new line has of one that is gone: the tokens there and here. */
interface Source {
  readonly from: GoneLine;
  readonly pairs: readonly (readonly [Token, Token])[];
}

/** Finds the lines that were changed, split or joined, by the words that are left of them. */
export function continueChanged({
  before,
  lines,
  matches,
  gaps: ranges,
  by,
}: {
  readonly before: readonly TrackedLine[];
  readonly lines: TrackedLine[];
  readonly matches: LineMatches;
  /** Between lines that stayed. */
  readonly gaps: readonly LineRange[];
  readonly by: number;
}): void {
  const words = new Map<string, Word>();
  const gaps = ranges.map((range) => gapOf(range, before, matches, words));
  const gone = gaps.flatMap((gap) => gap.gone);
  if (gone.length === 0) return;
  const continued = new Map<number, readonly Source[]>();
  for (const gap of gaps) {
    for (let index = gap.afterStart; index < gap.afterEnd; index++) {
      const text = lines[index]?.text ?? '';
      if (matches.all[index] !== NONE || !hasWords(text)) continue;
      const tokens = tokensOf(text, (word) => words.get(word));
      const sources = sourcesOf(index, tokens, gap);
      if (sources.length > 0) continued.set(index, sources);
    }
  }
  const cut = new Set(gone.flatMap(({ tokens }) => cutLines(tokens)));
  for (const [index, sources] of continued) {
    const line = lines[index];
    if (line) lines[index] = continuedLine(line, sources, by, cut.has(index));
  }
}

function gapOf(
  range: LineRange,
  before: readonly TrackedLine[],
  { isTaken }: LineMatches,
  words: Map<string, Word>,
): Gap {
  const gap: Gap = { ...range, gone: [], next: 0 };
  for (let index = range.beforeStart; index < range.beforeEnd; index++) {
    const line = before[index];
    if (!line || isTaken[index] !== 0 || !hasWords(line.text)) continue;
    const tokens = tokensOf(line.text, (text) => {
      const known = words.get(text);
      if (known) return known;
      const word = { openIn: hasWords(text) ? new Set<GoneLine>() : undefined };
      words.set(text, word);
      return word;
    });
    const own = { line, gap, number: gap.gone.length, tokens, open: tokens };
    gap.gone.push(own);
    for (const { word } of tokens) word?.openIn?.add(own);
  }
  return gap;
}

/** Words and signs. */
function tokensOf(text: string, wordOf: (text: string) => Word | undefined): Token[] {
  let end = 0;
  return (text.match(/[\p{L}\p{N}\p{M}_]+|[^\s]/gu) ?? []).map((token) => {
    const start = end;
    end += token.length;
    return { word: wordOf(token), start, length: token.length, keptIn: NONE };
  });
}

/** The lines that a new one is put together from, the one that it has most of first. */
function sourcesOf(index: number, tokens: readonly Token[], gap: Gap): readonly Source[] {
  const sources: Source[] = [];
  const tried = new Set<GoneLine>();
  let open = tokens;
  while (open.length > 0 && sources.length < MOST_SOURCES && tried.size < MOST_TRIED) {
    const from = bestSource(open, gap, tried);
    if (!from) break;
    tried.add(from);
    const pairs = commonTokens(from.open, open);
    if (!isContinued(pairs, tokens, from, gap)) continue;
    for (const [old, now] of pairs) old.keptIn = now.keptIn = index;
    sources.push({ from, pairs });
    open = open.filter(isOpen);
    from.open = from.open.filter(isOpen);
    for (const [{ word }] of pairs)
      if (word?.openIn && !from.open.some((left) => left.word === word)) word.openIn.delete(from);
    if (from.gap === gap) gap.next = from.number + 1;
  }
  return sources;
}

function isOpen({ keptIn }: Token): boolean {
  return keptIn === NONE;
}

/** Half of the one or of the other has to be left, and of both where the line stands elsewhere. */
function isContinued(pairs: Source['pairs'], tokens: readonly Token[], from: GoneLine, gap: Gap): boolean {
  const kept = lengthOf(pairs.map(([, now]) => now));
  const [isOfNew, isOfOld] = [kept * 2 >= lengthOf(tokens), kept * 2 >= lengthOf(from.tokens)];
  return kept > 0 && (from.gap === gap ? isOfNew || isOfOld : isOfNew && isOfOld);
}

function lengthOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { length }) => sum + length, 0);
}

/** The line that shares most with these tokens; of several, the one that stood there. */
function bestSource(tokens: readonly Token[], gap: Gap, tried: ReadonlySet<GoneLine>): GoneLine | undefined {
  const words: { readonly openIn: ReadonlySet<GoneLine>; readonly length: number }[] = [];
  for (const { word, length } of tokens) if (word?.openIn?.size) words.push({ openIn: word.openIn, length });
  if (words.length === 0) return undefined;
  const near = Math.max(0, Math.min(gap.next - MOST_LINES / 2, gap.gone.length - MOST_LINES));
  const candidates = new Set(gap.gone.slice(near, near + MOST_LINES));
  for (const { openIn } of words)
    if (openIn.size <= MOST_LINES) for (const line of openIn) candidates.add(line);
  let best: GoneLine | undefined;
  let most = 0;
  for (const line of candidates) {
    if (tried.has(line)) continue;
    let shared = 0;
    for (const { openIn, length } of words) if (openIn.has(line)) shared += length;
    // A line that stood there counts for a little more.
    if (shared > 0 && line.gap === gap) shared += 0.5;
    if (shared > most) [best, most] = [line, shared];
  }
  return best;
}

/** What two lists have in common, in both in the same order. */
function commonTokens(old: readonly Token[], now: readonly Token[]): Source['pairs'] {
  const width = now.length + 1;
  if (old.length * width > MOST_COMPARED) return [];
  // How many are common from here to the ends.
  const counts = new Array<number>((old.length + 1) * width).fill(0);
  for (let i = old.length - 1; i >= 0; i--) {
    const word = old[i]?.word;
    for (let j = now.length - 1; j >= 0; j--) {
      const at = i * width + j;
      counts[at] =
        word === now[j]?.word
          ? (counts[at + width + 1] ?? 0) + 1
          : Math.max(counts[at + width] ?? 0, counts[at + 1] ?? 0);
    }
  }
  const pairs: (readonly [Token, Token])[] = [];
  for (let i = 0, j = 0; ;) {
    const [a, b] = [old[i], now[j]];
    if (!a || !b) return pairs;
    const at = i * width + j;
    if (a.word === b.word) {
      pairs.push([a, b]);
      i += 1;
      j += 1;
    } else if ((counts[at + width] ?? 0) >= (counts[at + 1] ?? 0)) i += 1;
    else j += 1;
  }
}

/** Where something of a line is gone, what is left next to it was cut: the new lines that have it. */
function cutLines(tokens: readonly Token[]): readonly number[] {
  const cut: number[] = [];
  let isGap = false;
  let last = NONE;
  for (const { keptIn } of tokens) {
    if (keptIn === NONE) isGap = true;
    else {
      if (isGap) cut.push(last, keptIn);
      isGap = false;
      last = keptIn;
    }
  }
  return isGap ? [...cut, last] : cut;
}

function continuedLine(
  line: TrackedLine,
  sources: readonly Source[],
  by: number,
  isCut: boolean,
): TrackedLine {
  const writers = new Array<number>(line.key.length).fill(by);
  const cutBy = new Set<number>();
  for (const { from, pairs } of sources) {
    for (const earlier of from.line.cutBy) cutBy.add(earlier);
    for (const [old, now] of pairs) {
      for (let i = 0; i < now.length; i++) writers[now.start + i] = writerAt(from.line, old.start + i);
    }
  }
  if (isCut) cutBy.add(by);
  return new TrackedLine(line.text, writers, { from: sources.map(({ from }) => from.line.id) }, [...cutBy]);
}

function writerAt({ by }: TrackedLine, position: number): number {
  return typeof by === 'number' ? by : (by[position] ?? NONE);
}
