import assert from 'node:assert/strict';
import fc from 'fast-check';
import { logReviewed } from '../../../src/conversation/userWrites.ts';
import { GraphHistory } from '../../../src/conversation/graphHistory.ts';
import type { FileVersion } from '../../../src/engine/effects.ts';
import { contentOf, versionOf } from '../../../src/files/contentVersion.ts';
import { readEditsToReview, reviewedDetails, type ReviewedFile } from '../../../src/files/editsToReview.ts';
import { isReady, type InspectedPlan } from '../../../src/files/inspectFiles.ts';
import { hunksOf, withHunkKept, withHunkUndone } from '../../../src/files/textHunks.ts';
import { loadLater } from '../../fixtures/loadLater.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { CHAT, FilesWorld } from '../../worlds/filesWorld.ts';

const paths = ['a', 'b', 'made/c'] as const;
type Path = (typeof paths)[number];

const anyPath = fc.constantFrom(...paths);
/** Six lines, some of them changed: several hunks. */
const anyText = fc
  .array(fc.constantFrom('', '+', '-'), { minLength: 6, maxLength: 6 })
  .map((marks) => marks.map((mark, line) => `${mark}${line}\n`).join(''));
const anyWhole = fc.constantFrom('keep' as const, 'undo' as const);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('turn' as const), changes: changesOf(anyText) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('hunk' as const),
      path: anyPath,
      hunk: fc.nat(5),
      does: anyWhole,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('file' as const), path: anyPath, does: anyWhole }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('all' as const), does: anyWhole }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('rewind' as const), to: fc.nat(), provisional: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('switch' as const), to: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('redo' as const) }) },
);
type Step = (typeof step)['generate'] extends (...given: never[]) => fc.Value<infer T> ? T : never;

function changesOf(text: fc.Arbitrary<string>): fc.Arbitrary<Partial<Record<Path, string | null>>> {
  return fc.dictionary(anyPath, fc.oneof({ weight: 5, arbitrary: text }, fc.constant(null)), {
    minKeys: 1,
    maxKeys: 2,
  }) as fc.Arbitrary<Partial<Record<Path, string | null>>>;
}

/** A file, and what its edits are compared with. */
interface FileModel {
  readonly text: string | null;
  readonly baseline: string | null;
}
type Files = Readonly<Record<Path, FileModel>>;

interface Moved {
  readonly kind: 'move';
  readonly from: string;
  readonly to: string;
}
interface Decided {
  readonly kind: 'decision';
  readonly before: Partial<Record<Path, FileModel>>;
  readonly after: Partial<Record<Path, FileModel>>;
}

/** What the user sees: each branch has its files and its decisions, and undo reverses what was done. */
class Model {
  active = 'main';
  readonly branches = new Map<string, { files: Files; points: { id: string | null; files: Files }[] }>();
  undo: (Moved | Decided)[] = [];
  redo: (Moved | Decided)[] = [];

  constructor(files: Files) {
    this.branches.set('main', { files, points: [] });
  }

  get here(): { files: Files; points: { id: string | null; files: Files }[] } {
    const here = this.branches.get(this.active);
    assert.ok(here);
    return here;
  }

  /** The points of the conversation on this branch, the last one as it is now. */
  get points(): { id: string | null; files: Files }[] {
    return this.here.points;
  }

  did(done: Moved | Decided): void {
    this.undo.push(done);
    this.redo = [];
  }

  set(files: Partial<Record<Path, FileModel>>): void {
    const { here } = this;
    here.files = { ...here.files, ...files };
    const last = here.points.at(-1);
    if (last) last.files = here.files;
  }

  take(direction: 'undo' | 'redo'): boolean {
    const [list, other] = direction === 'undo' ? [this.undo, this.redo] : [this.redo, this.undo];
    const done = list.findLast((each) => this.canTake(each, direction));
    if (!done) return false;
    list.splice(list.indexOf(done), 1);
    other.push(done);
    if (done.kind === 'move') {
      this.active = direction === 'undo' ? done.from : done.to;
      return true;
    }
    const [from, to] = direction === 'undo' ? [done.after, done.before] : [done.before, done.after];
    this.set(
      Object.fromEntries(Object.entries(to).filter(([path]) => this.isAs(path as Path, from[path as Path]))),
    );
    return true;
  }

  private canTake(done: Moved | Decided, direction: 'undo' | 'redo'): boolean {
    if (done.kind === 'move') return this.active !== (direction === 'undo' ? done.from : done.to);
    const from = direction === 'undo' ? done.after : done.before;
    return Object.entries(from).some(([path, file]) => this.isAs(path as Path, file));
  }

  private isAs(path: Path, file: FileModel | undefined): boolean {
    const now = this.here.files[path];
    return now.text === file?.text && now.baseline === file.baseline;
  }
}

/** The product's parts on a real folder, next to the model of them. */
class Walk implements AsyncDisposable {
  private turns = 0;
  private constructor(
    readonly world: FilesWorld,
    readonly model: Model,
  ) {}

  static async begin(): Promise<Walk> {
    const world = await FilesWorld.make();
    const text = '0\n1\n2\n3\n4\n5\n';
    await world.workspace.put('a', text);
    await world.workspace.put('b', text);
    const [mine, none] = [
      { text, baseline: text },
      { text: null, baseline: null },
    ];
    return new Walk(world, new Model({ a: mine, b: mine, 'made/c': none }));
  }

  async take(each: Step): Promise<void> {
    const { model, world } = this;
    switch (each.kind) {
      case 'turn':
        return this.turn(each.changes);
      case 'hunk':
        return this.decideHunk(each.path, each.hunk, each.does);
      case 'file':
        return this.decide([each.path], each.does);
      case 'all':
        return this.decide(paths, each.does);
      case 'rewind': {
        const { points } = model;
        const at = each.to % Math.max(1, points.length);
        const point = points[at];
        if (!point) return;
        const from = model.active;
        await this.move(await world.restorer().preview(CHAT, point.id), () =>
          world.engine.rewind(point.id ?? '', { provisional: each.provisional }),
        );
        const to = world.engine.branch;
        // The head of a branch that is empty yet.
        if (to === from) return;
        model.branches.set(to, {
          files: point.files,
          points: points.slice(0, at + 1).map((known) => ({ ...known })),
        });
        model.active = to;
        model.did({ kind: 'move', from, to });
        return;
      }
      case 'switch': {
        const branches = (await world.store.getChat(CHAT)) ? await world.store.listBranches(CHAT) : [];
        const names = branches.map(({ name }) => name).filter((name) => name !== model.active);
        const to = names[each.to % Math.max(1, names.length)];
        if (to === undefined) return;
        const from = model.active;
        const head = (await world.store.getBranch(CHAT, to))?.headMessageId ?? null;
        await this.move(await world.restorer().preview(CHAT, head, { branch: to }), () =>
          world.engine.switchBranch(to),
        );
        model.active = to;
        model.did({ kind: 'move', from, to });
        return;
      }
      case 'undo':
      case 'redo': {
        const taken = await this.history().take(each.kind);
        assert.deepEqual(taken?.skipped ?? [], []);
        assert.equal(taken !== undefined, model.take(each.kind));
      }
    }
  }

  /** The disk, the bar and the lenses are those of the model. */
  async check(): Promise<void> {
    const { model, world } = this;
    const shown = await this.shown();
    const expected = Object.fromEntries(
      Object.entries(model.here.files).map(([path, { text, baseline }]) => [
        path,
        { text, baseline, hunks: hunksOf(baseline ?? '', text ?? '') },
      ]),
    );
    assert.deepEqual(shown, expected);
    assert.equal((await world.store.getChat(CHAT)) ? world.engine.branch : 'main', model.active);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }

  /** As a window that was just opened. */
  private history(): GraphHistory {
    const { store, engine } = this.world;
    const parts = {
      store,
      userId: 'me',
      current: { chatId: () => Promise.resolve(CHAT) },
      runs: { get: () => undefined, stop: () => Promise.resolve() },
      loadLater,
    };
    return new GraphHistory(parts, (_chat, name) => engine.switchBranch(name), this.world.restorer());
  }

  private async shown(): Promise<unknown> {
    const { store, workspace } = this.world;
    const toReview = await readEditsToReview(store, CHAT);
    const entries = paths.map(async (path) => {
      const content = await workspace.files.read(workspace.at(path));
      const text = content ? new TextDecoder().decode(content.bytes) : null;
      const file = toReview.find(({ location }) => location.path === path);
      const baseline = file ? await this.textOf(file.baseline) : text;
      return [path, { text, baseline, hunks: hunksOf(baseline ?? '', text ?? '') }] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  private async textOf(version: FileVersion | null): Promise<string | null> {
    const content = version && (await contentOf(version, this.world.store.blobs));
    return content ? new TextDecoder().decode(content.bytes) : null;
  }

  private async turn(changes: Partial<Record<Path, string | null>>): Promise<void> {
    const { model, world } = this;
    const effective = Object.entries(changes).filter(
      ([path, text]) => model.here.files[path as Path].text !== text,
    );
    const id = await world.turn(Object.fromEntries(effective));
    this.turns += 1;
    const files = { ...model.here.files };
    for (const [path, text] of effective) {
      const now = files[path as Path];
      files[path as Path] = { text, baseline: now.baseline === now.text ? now.text : now.baseline };
    }
    model.here.files = files;
    model.here.points.push({ id, files });
  }

  private async move(plan: InspectedPlan, go: () => Promise<unknown>): Promise<void> {
    await this.world.restorer().restore(CHAT, plan, plan.files.filter(isReady), {
      why: 'move',
      commit: async () => {
        await go();
      },
    });
    assert.deepEqual(
      plan.files.filter((file) => !isReady(file)),
      [],
    );
  }

  private async decide(chosen: readonly Path[], does: 'keep' | 'undo'): Promise<void> {
    const { model, world } = this;
    const all = await readEditsToReview(world.store, CHAT);
    const files = all.filter(({ location }) => chosen.some((path) => path === location.path));
    if (files.length === 0) return;
    const before = Object.fromEntries(
      files.map(({ location: { path } }) => [path, model.here.files[path as Path]]),
    );
    const after = Object.fromEntries(
      Object.entries(before).map(([path, { text, baseline }]) => {
        const kept = does === 'keep' ? text : baseline;
        return [path, { text: kept, baseline: kept }];
      }),
    );
    if (does === 'keep') await this.review(files.map(({ location }) => ({ location, baseline: 'kept' })));
    else
      await this.undoEdits(
        files.map(({ location, baseline }) => ({ location, version: baseline, baseline })),
      );
    model.set(after);
    model.did({ kind: 'decision', before, after });
  }

  private async decideHunk(path: Path, index: number, does: 'keep' | 'undo'): Promise<void> {
    const { model, world } = this;
    const before = model.here.files[path];
    const { text, baseline } = before;
    const hunk = hunksOf(baseline ?? '', text ?? '')[index];
    if (!hunk || text === null || baseline === null) return;
    const file = (await readEditsToReview(world.store, CHAT)).find(({ location }) => location.path === path);
    assert.ok(file);
    const after =
      does === 'keep'
        ? { text, baseline: withHunkKept(baseline, hunk) }
        : { text: withHunkUndone(text, hunk), baseline };
    const version = await this.stored(does === 'keep' ? after.baseline : after.text);
    if (does === 'keep') await this.review([{ location: file.location, baseline: version }]);
    else await this.undoEdits([{ location: file.location, version, baseline: file.baseline }]);
    model.set({ [path]: after });
    model.did({ kind: 'decision', before: { [path]: before }, after: { [path]: after } });
  }

  private async stored(text: string): Promise<FileVersion> {
    const bytes = new TextEncoder().encode(text);
    await this.world.store.blobs.put(bytes);
    return versionOf({ bytes, mode: undefined });
  }

  private async review(files: readonly ReviewedFile[]): Promise<void> {
    const { store, now } = this.world;
    await logReviewed(store, CHAT, await reviewedDetails(store, CHAT, files, now()));
  }

  private async undoEdits(
    wanted: Parameters<ReturnType<FilesWorld['restorer']>['previewDecision']>[1],
  ): Promise<void> {
    const restorer = this.world.restorer();
    const plan = await restorer.previewDecision(CHAT, wanted);
    await restorer.restore(CHAT, plan, plan.files, { why: 'edits' });
  }
}

describe('keeping and undoing edits, while the conversation goes back and forth', () => {
  it('is part of what each branch restores, and is reversed exactly by undo and redo (fuzz)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        await using walk = await Walk.begin();
        for (const each of steps) {
          await walk.take(each);
          await walk.check();
        }
      }),
      { numRuns: fuzzRuns(25, 60) },
    );
  }).timeout(600_000);
});
