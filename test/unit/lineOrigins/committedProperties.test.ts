import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { FileVersion } from '../../../src/engine/effects.ts';
import type { CommittedRename, CommittedVersion } from '../../../src/host/committedHistory.ts';
import { CommittedTexts } from '../../../src/lineOrigins/committedTexts.ts';
import { FileTrack } from '../../../src/lineOrigins/fileTrack.ts';
import { originsIn } from '../../../src/lineOrigins/lineOrigin.ts';
import type { FileMoment } from '../../../src/lineOrigins/recordedFiles.ts';
import { utf8TextOf } from '../../../src/lineOrigins/utf8Text.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { expected, Model, op, type ModelLine } from '../../worlds/lineModel.ts';

const folder = 'file:///work';

const round = fc.record({
  who: fc.constantFrom('step' as const, 'user' as const, 'user' as const, 'restore' as const),
  ops: fc.array(op, { minLength: 1, maxLength: 6 }),
  back: fc.nat(10),
  isCommitted: fc.boolean(),
  /** The user gives the file another name, and commits it. */
  isRenamed: fc.constantFrom(false, false, false, true),
  /** A commit that holds what there was at some other time, as those of another line of history. */
  isStray: fc.boolean(),
  /** The recorded version is not kept. */
  isLost: fc.constantFrom(false, false, false, true),
});
type Round = (typeof round)['generate'] extends (...given: never[]) => fc.Value<infer T> ? T : never;

/** What was recorded and committed of a file, and what a model knows of it that watched every word. */
class Past {
  readonly model = new Model();
  readonly moments: FileMoment[] = [];
  readonly versions: CommittedVersion[] = [];
  readonly renames: CommittedRename[] = [];
  /** By hash, all that there was. */
  readonly texts = new Map<string, string>();
  readonly lost = new Set<string>();
  path = 'a.ts';
  /** By word, the step that wrote it, if it was one. */
  private readonly writers = new Map<string, readonly string[]>();
  /** By word, the steps that deleted others in any line that it, or one next to it, was in. */
  private readonly cutters = new Map<string, ReadonlySet<string>>();

  constructor() {
    this.model.lines = Array.from({ length: 8 }, () => this.model.newLine({ change: -1, isStep: false }, 4));
    for (const word of this.model.lines.flatMap(modelWords)) this.writers.set(word, []);
  }

  follow(rounds: readonly Round[]): void {
    const known: { readonly version: FileVersion; readonly lines: readonly ModelLine[] }[] = [];
    for (const [change, { who, ops, back, isCommitted, isRenamed, isStray, isLost }] of rounds.entries()) {
      const at = change * 10_000;
      const before = this.version();
      const { path } = this;
      const location = { folder, path };
      const to = known[back % Math.max(known.length, 1)];
      if (who === 'restore' && to) {
        this.model.lines = to.lines;
        this.moments.push({ location, at, before: undefined, after: to.version, edit: undefined });
      } else this.change(ops, change, who === 'step');
      const after = this.version();
      if (who === 'step') {
        const edit = { chatId: 'c', messageId: String(change), location, before, after, at };
        this.moments.push({ ...{ location, at, before, after }, edit });
        known.push({ version: after, lines: this.model.lines });
        if (isLost && isCommitted) this.lost.add(after.hash);
      }
      if (isRenamed && who === 'user') {
        this.path = `${change}.ts`;
        this.renames.unshift({ from: path, to: this.path, after: -Infinity, at: at + 2_000 });
      }
      const other = [...this.texts.keys()][back % this.texts.size];
      if (isStray && other !== undefined) this.commit(other, at + 1_000);
      if (isCommitted || path !== this.path) this.commit(after.hash, at + 2_000);
    }
  }

  version(): FileVersion {
    const text = this.model.text();
    const hash = createHash('sha256').update(text).digest('hex');
    this.texts.set(hash, text);
    return { hash, size: text.length };
  }

  /** Of each line, all steps that wrote a word of it, or deleted one in what it was. */
  possible(): ReadonlySet<string>[] {
    return this.model.lines.map(({ words }) => {
      const written = words.flatMap(({ text }) => this.writers.get(text) ?? []);
      return new Set([...written, ...words.flatMap(({ text }) => [...this.cuttersOf(text)])]);
    });
  }

  /** Of each line that a step is known of, the steps. */
  async found(withGit: boolean): Promise<ReadonlyMap<number, readonly string[]>> {
    const { path, versions, renames, moments, texts } = this;
    const location = { folder, path };
    const file = {
      past: { versions, renames, objects: versions },
      read: (object: string) => Promise.resolve(new TextEncoder().encode(texts.get(object))),
      dispose: () => undefined,
    };
    const committed = withGit ? new CommittedTexts(file, location, utf8TextOf, assert.ifError) : undefined;
    const read = async (version: FileVersion): Promise<string | undefined> => {
      if (!this.lost.has(version.hash)) return texts.get(version.hash);
      const bytes = await committed?.bytesOf(version);
      return bytes && utf8TextOf(bytes);
    };
    const text = this.model.text();
    const { hash } = this.version();
    const recorded = new Map(moments.flatMap(({ after }) => (after ? [[after.hash, after.size]] : [])));
    const newest = await committed?.newestOf(recorded, text);
    const track = await FileTrack.of(moments, { read, committed }, newest ? [hash, newest.hash] : [hash]);
    await track.followCommits(location, committed, newest);
    return new Map(
      originsIn(track.now(location, text, hash), track.writers).map(({ line, edit, earlier }) => [
        line,
        [edit, ...earlier].map(({ messageId }) => messageId),
      ]),
    );
  }

  private change(ops: Round['ops'], change: number, isStep: boolean): void {
    const before = this.model.lines;
    this.model.change(ops, { change, isStep });
    const after = new Set(this.model.lines.flatMap(modelWords));
    for (const word of after)
      if (!this.writers.has(word)) this.writers.set(word, isStep ? [String(change)] : []);
    for (const line of this.model.lines) {
      const own = new Set(modelWords(line));
      const sources = before.filter((each) => modelWords(each).some((word) => own.has(word)));
      const cutBy = new Set(
        sources.flatMap((each) => modelWords(each).flatMap((word) => [...this.cuttersOf(word)])),
      );
      const isCut = sources.some((each) => modelWords(each).some((word) => !after.has(word)));
      if (isStep && isCut) cutBy.add(String(change));
      for (const word of own) this.cutters.set(word, new Set([...this.cuttersOf(word), ...cutBy]));
    }
  }

  private cuttersOf(word: string): ReadonlySet<string> {
    return this.cutters.get(word) ?? new Set();
  }

  private commit(object: string, at: number): void {
    const size = this.texts.get(object)?.length ?? 0;
    this.versions.push({ path: this.path, from: at, to: at, object, size });
  }
}

function modelWords({ words }: ModelLine): string[] {
  return words.map(({ text }) => text);
}

describe('lines and who wrote them, for any edits and commits', () => {
  const check = (test: (rounds: readonly Round[]) => Promise<void>): Promise<void> =>
    fc.assert(fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 12 }), test), {
      numRuns: fuzzRuns(300),
    });

  it('are no fewer with commits than without them', () =>
    check(async (rounds) => {
      const past = new Past();
      // A version that is read in git after all says more exactly what a step did not write.
      past.follow(rounds.map((each) => ({ ...each, isLost: false })));
      const [told, untold] = [await past.found(true), await past.found(false)];
      for (const line of untold.keys()) assert.ok(told.has(line), `line ${line} is not known any more`);
    }));

  it('are never claimed for a step that neither wrote nor deleted a word in them', () =>
    check(async (rounds) => {
      const past = new Past();
      past.follow(rounds);
      const possible = past.possible();
      for (const [line, steps] of await past.found(true))
        for (const step of steps) assert.ok(possible[line]?.has(step), `line ${line} is not of step ${step}`);
    }));

  it('are all known that one knows who saw each change, where each is committed', () =>
    check(async (rounds) => {
      const past = new Past();
      past.follow(rounds.map((each) => ({ ...each, isCommitted: true, isStray: false })));
      const told = await past.found(true);
      // That a step only deleted something in a line is not taken from commits.
      const isWritten = past.model.lines.map(({ words }) => words.some(({ by }) => by.isStep));
      for (const [line, steps] of expected(past.model).entries())
        if (isWritten[line] === true) assert.ok(told.has(line), `line ${line} is not known, of ${steps}`);
    }));
});
