import fc from 'fast-check';

/** Who wrote something: the number of the change, and whether a step of a run made it. */
export interface Writer {
  readonly change: number;
  readonly isStep: boolean;
}

/** Characters next to each other that stay together: a word is changed as a whole. */
export interface Word {
  readonly text: string;
  readonly by: Writer;
}

/** A line of the model, and the line before the change that each word is from. */
export interface ModelLine {
  readonly words: readonly Word[];
  readonly cutBy: readonly Writer[];
  readonly indent: string;
}

/** What a change does to lines; each is only touched once. */
export const op = fc.record({
  kind: fc.constantFrom(
    'insert',
    'delete',
    'edit',
    'cut',
    'grow',
    'rewrite',
    'split',
    'join',
    'move',
    'indent',
  ),
  at: fc.nat(40),
  to: fc.nat(40),
  size: fc.integer({ min: 1, max: 4 }),
});
export type Op = (typeof op)['generate'] extends (...given: never[]) => fc.Value<infer T> ? T : never;

/** Tracks every word of the text through the operations themselves. */
export class Model {
  lines: readonly ModelLine[] = [];
  private words = 0;

  text(): string {
    return this.lines
      .map(({ words, indent }) => `${indent}${words.map(({ text }) => text).join(' ')}\n`)
      .join('');
  }

  newWord(by: Writer): Word {
    const text = `w${(this.words++).toString(36)}`;
    return { text: text.padEnd(3 + (this.words % 5), 'x'), by };
  }

  newLine(by: Writer, size: number): ModelLine {
    return { words: Array.from({ length: size }, () => this.newWord(by)), cutBy: [], indent: '' };
  }

  change(ops: readonly Op[], by: Writer): void {
    const before = this.lines;
    const touched = new Set<ModelLine>();
    const lines = [...before];
    // Next to a line that was moved it cannot be known which one moved: what is then split or joined is another matter.
    const whole = ['insert', 'delete', 'indent', 'move'];
    const isMoving = ops.some(({ kind }) => kind === 'move');
    const done = isMoving ? ops.filter(({ kind }) => whole.includes(kind)) : ops;
    for (const each of done) this.apply(each, by, lines, touched);
    this.lines = settled(before, lines, by);
  }

  private apply({ kind, at, to, size }: Op, by: Writer, lines: ModelLine[], touched: Set<ModelLine>): void {
    const index = lines.length === 0 ? 0 : at % lines.length;
    const line = lines[index];
    if (kind === 'insert' || !line) {
      const made = Array.from({ length: size }, () => this.newLine(by, size + 1));
      for (const each of made) touched.add(each);
      lines.splice(index, 0, ...made);
      return;
    }
    if (touched.has(line)) return;
    if (kind === 'move') {
      touched.add(line);
      lines.splice(index, 1);
      lines.splice(to % (lines.length + 1), 0, line);
      return;
    }
    const next = lines[index + 1];
    if (kind === 'join' && (!next || touched.has(next))) return;
    const replaced = kind === 'join' && next ? [line, next] : [line];
    const made = this.changed(line, next, { kind, to, size }, by);
    for (const each of [...replaced, ...made]) touched.add(each);
    lines.splice(index, replaced.length, ...made);
  }

  /** What becomes of a line. */
  private changed(
    line: ModelLine,
    next: ModelLine | undefined,
    { kind, to, size }: Pick<Op, 'kind' | 'to' | 'size'>,
    by: Writer,
  ): ModelLine[] {
    const { words } = line;
    const position = to % words.length;
    switch (kind) {
      case 'delete':
        return [];
      case 'edit':
        return [{ ...line, words: words.with(position, this.newWord(by)) }];
      case 'cut':
        return words.length < 2 ? [line] : [{ ...line, words: words.toSpliced(position, 1) }];
      case 'grow': {
        const grown = Array.from({ length: size }, () => this.newWord(by));
        return [{ ...line, words: words.toSpliced(position, 0, ...grown) }];
      }
      case 'rewrite': {
        const others = Array.from({ length: size }, () => this.newWord(by));
        return [{ ...line, words: [...words.slice(0, 1), ...others] }];
      }
      case 'split':
        return [words.slice(0, position), words.slice(position)]
          .filter(({ length }) => length > 0)
          .map((part) => ({ ...line, words: part }));
      case 'join':
        return [{ ...line, words: [...words, ...(next?.words ?? [])] }];
      case 'indent':
        return [{ ...line, indent: ' '.repeat(size) }];
      default:
        return [line];
    }
  }
}

/**
 * What is known of the lines after a change: a line that keeps half of an earlier one, or half of which is from one, is
 * that line, changed; anything else is new.
 */
function settled(before: readonly ModelLine[], lines: readonly ModelLine[], by: Writer): ModelLine[] {
  const lineOf = new Map(before.flatMap((line) => line.words.map(({ text }) => [text, line] as const)));
  const isSame = (a: ModelLine, b: ModelLine): boolean =>
    a.words.length === b.words.length && a.words.every(({ text }, i) => text === b.words[i]?.text);
  const nowIn = new Map<string, ModelLine>();
  const after = lines.map((line): ModelLine => {
    const sources = new Set(line.words.flatMap(({ text }) => lineOf.get(text) ?? []));
    const accepted = [...sources].filter((source) => {
      const kept = lengthOf(line.words.filter(({ text }) => lineOf.get(text) === source));
      return kept * 2 >= lengthOf(line.words) || kept * 2 >= lengthOf(source.words);
    });
    const words = line.words.map((word) => {
      const source = lineOf.get(word.text);
      return source && accepted.includes(source) ? word : { ...word, by };
    });
    const cutBy = [...new Set(accepted.flatMap((source) => source.cutBy))];
    const made = { words, cutBy, indent: line.indent };
    for (const { text } of words) {
      const source = lineOf.get(text);
      if (source && accepted.includes(source)) nowIn.set(text, made);
    }
    return made;
  });
  const cut = new Set<ModelLine>();
  for (const source of before) {
    if (after.some((line) => isSame(line, source))) continue;
    for (const [position, { text }] of source.words.entries()) {
      if (nowIn.has(text)) continue;
      const find = (words: readonly Word[]): ModelLine | undefined =>
        words.map((word) => nowIn.get(word.text)).find((line) => line !== undefined);
      for (const line of [
        find(source.words.slice(0, position).reverse()),
        find(source.words.slice(position + 1)),
      ]) {
        if (line) cut.add(line);
      }
    }
  }
  return after.map((line) => (cut.has(line) ? { ...line, cutBy: [...line.cutBy, by] } : line));
}

function lengthOf(words: readonly Word[]): number {
  return words.reduce((sum, { text }) => sum + text.length, 0);
}

/** For each line: the steps that it is from, the latest first, and whether it was changed since. */
export function expected({ lines }: Model): string[] {
  return lines.map(({ words, cutBy }) => {
    const writers = [...words.map(({ by }) => by), ...cutBy].sort((a, b) => b.change - a.change);
    const steps = [...new Set(writers.filter(({ isStep }) => isStep).map(({ change }) => change))];
    const isChanged = writers.some(({ change }) => change > (steps[0] ?? Infinity));
    return `${steps.join(' ')}${isChanged ? ' changed' : ''}`;
  });
}
