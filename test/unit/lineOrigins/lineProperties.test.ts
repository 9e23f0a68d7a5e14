import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FileVersion } from '../../../src/engine/effects.ts';
import { FileTrack } from '../../../src/lineOrigins/fileTrack.ts';
import { originsIn } from '../../../src/lineOrigins/lineOrigin.ts';
import type { FileMoment } from '../../../src/lineOrigins/recordedFiles.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const location = { folder: 'file:///work', path: 'a.ts' };

/** Who wrote something: the number of the change, and whether a step of a run made it. */
interface Writer {
  readonly change: number;
  readonly isStep: boolean;
}

/** Characters next to each other that stay together: a word is changed as a whole. */
interface Word {
  readonly text: string;
  readonly by: Writer;
}

/** A line of the model, and the line before the change that each word is from. */
interface ModelLine {
  readonly words: readonly Word[];
  readonly cutBy: readonly Writer[];
  readonly indent: string;
}

/** What a change does to lines; each is only touched once. */
const op = fc.record({
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
const round = fc.record({
  who: fc.constantFrom('step' as const, 'step' as const, 'user' as const, 'restore' as const),
  ops: fc.array(op, { minLength: 1, maxLength: 6 }),
  back: fc.nat(10),
  isUnended: fc.boolean(),
});
type Op = (typeof op)['generate'] extends (...given: never[]) => fc.Value<infer T> ? T : never;

/** Tracks every word of the text through the operations themselves. */
class Model {
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
function expected({ lines }: Model): string[] {
  return lines.map(({ words, cutBy }) => {
    const writers = [...words.map(({ by }) => by), ...cutBy].sort((a, b) => b.change - a.change);
    const steps = [...new Set(writers.filter(({ isStep }) => isStep).map(({ change }) => change))];
    const isChanged = writers.some(({ change }) => change > (steps[0] ?? Infinity));
    return `${steps.join(' ')}${isChanged ? ' changed' : ''}`;
  });
}

describe('lines and who wrote them, for any edits', () => {
  it('are known as by one who watched every word', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 10 }), async (rounds) => {
        const model = new Model();
        model.lines = Array.from({ length: 8 }, () => model.newLine({ change: -1, isStep: false }, 4));
        const texts = new Map<string, string>();
        let isLastUnended = false;
        const textNow = (): string => (isLastUnended ? model.text().slice(0, -1) : model.text());
        const version = (): FileVersion => {
          const text = textNow();
          texts.set(text, text);
          return { hash: text, size: text.length };
        };
        const moments: FileMoment[] = [];
        const known: { readonly version: FileVersion; readonly lines: readonly ModelLine[] }[] = [];
        for (const [change, { who, ops, back, isUnended }] of rounds.entries()) {
          const before = version();
          const to = known[back % Math.max(known.length, 1)];
          if (who === 'restore' && to) {
            model.lines = to.lines;
            isLastUnended = !to.version.hash.endsWith('\n');
            moments.push({ location, at: change, before: undefined, after: to.version, edit: undefined });
          } else if (who === 'step' || rounds[change - 1]?.who === 'step') {
            // What a user does is seen at the next step: two changes are one.
            model.change(ops, { change, isStep: who === 'step' });
            isLastUnended = isUnended;
          }
          if (who !== 'step') continue;
          const after = version();
          const edit = { chatId: 'c', messageId: String(change), location, before, after, at: change };
          moments.push({ ...{ location, at: change, before, after }, edit });
          known.push({ version: after, lines: model.lines });
        }
        const text = textNow();
        const track = await FileTrack.of(moments, ({ hash }) => Promise.resolve(texts.get(hash)), text);
        const found = model.lines.map(() => '');
        for (const origin of originsIn(track.now(location, text, text), track.writers)) {
          const steps = [origin.edit, ...origin.earlier].map(({ messageId }) => messageId);
          found[origin.line] = `${steps.join(' ')}${origin.isChangedSince ? ' changed' : ''}`;
        }
        assert.deepEqual(found, expected(model));
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});
