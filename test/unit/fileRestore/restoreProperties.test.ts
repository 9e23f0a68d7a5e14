import assert from 'node:assert/strict';
import { chmod, rm, stat } from 'node:fs/promises';
import fc from 'fast-check';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { undoRestored } from '../../fixtures/undoRestored.ts';
import { FilesWorld } from '../../worlds/filesWorld.ts';

const paths = ['a', 'b', 'folder/a', 'folder/deep/b', 'other/c'] as const;
const anyPath = fc.constantFrom(...paths);
const anyContent = fc.oneof(
  fc.constantFrom('', 'one\n', 'one\r\ntwo\r\n', '\ufeffmarked'),
  fc.uint8Array({ maxLength: 40 }),
);

type Step =
  | { readonly kind: 'turn'; readonly changes: Readonly<Record<string, string | Uint8Array | null>> }
  /** The conversation goes back, with the files. */
  | { readonly kind: 'rewind'; readonly to: number };

const turn = fc.record({
  kind: fc.constant('turn' as const),
  changes: fc.dictionary(anyPath, fc.oneof(anyContent, fc.constant(null)), { minKeys: 1, maxKeys: 3 }),
});
const rewind = fc.record({ kind: fc.constant('rewind' as const), to: fc.nat() });
const anySteps = fc.array(fc.oneof({ arbitrary: turn, weight: 3 }, { arbitrary: rewind, weight: 1 }), {
  minLength: 1,
  maxLength: 8,
}) as fc.Arbitrary<Step[]>;
const anyBeginning = fc.dictionary(anyPath, fc.tuple(anyContent, fc.boolean()), { maxKeys: 4 });
type Beginning = Readonly<Record<string, [string | Uint8Array, boolean]>>;

type Picture = Record<string, string>;

/** Files alone: folders of the user stay, those of tools come and go. */
function filesOf(picture: Picture): Picture {
  return Object.fromEntries(Object.entries(picture).filter(([, content]) => content !== 'folder'));
}

/** Makes a conversation of these steps; gives the points in it with the files as they were there. */
async function live(
  world: FilesWorld,
  beginning: Beginning,
  steps: readonly Step[],
): Promise<{ id: string | null; files: Picture }[]> {
  for (const [path, [content, mayRun]] of Object.entries(beginning)) {
    await world.workspace.put(path, content, mayRun ? 0o755 : 0o644);
  }
  const points: { id: string | null; files: Picture }[] = [
    { id: null, files: await world.workspace.picture() },
  ];
  for (const step of steps) {
    if (step.kind === 'turn') {
      const id = await world.turn(step.changes);
      points.push({ id, files: await world.workspace.picture() });
    } else {
      const point = points[step.to % points.length];
      if (!point) continue;
      await world.restoreTo(point.id);
      if (point.id !== null) await world.engine.rewind(point.id);
      else if (points.length > 1) await world.engine.rewindBefore('q1');
    }
  }
  return points;
}

describe('whatever tools do to files', () => {
  it('going anywhere gives the bytes and the bits for running that were there, and going back those of here (fuzz)', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyBeginning,
        anySteps,
        fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
        async (beginning, steps, visits) => {
          await using world = await FilesWorld.make();
          const points = await live(world, beginning, steps);
          const here = await world.workspace.picture();
          const last = await world.restoreTo(points.at(-1)?.id ?? null);
          const end = await world.workspace.picture();
          for (const visit of visits) {
            const point = points[visit % points.length];
            assert.ok(point);
            const restored = await world.restoreTo(point.id);
            assert.deepEqual(filesOf(await world.workspace.picture()), filesOf(point.files));
            await undoRestored(world.store, world.restorer(), restored);
            await world.restoreTo(point.id);
            assert.deepEqual(filesOf(await world.workspace.picture()), filesOf(point.files));
          }
          await world.restoreTo(points.at(-1)?.id ?? null);
          assert.deepEqual(filesOf(await world.workspace.picture()), filesOf(end));
          await undoRestored(world.store, world.restorer(), last);
          if (visits.length === 0) assert.deepEqual(await world.workspace.picture(), here);
        },
      ),
      { numRuns: fuzzRuns(30, 60) },
    );
  }).timeout(60_000);

  it('what someone else changed is never touched unless it is chosen, and the rest is (fuzz)', async () => {
    const anyOutside = fc.dictionary(
      anyPath,
      fc.oneof(anyContent, fc.constant(null), fc.constant('run' as const)),
      { minKeys: 1, maxKeys: 3 },
    );
    await fc.assert(
      fc.asyncProperty(
        anyBeginning,
        anySteps,
        anyOutside,
        fc.nat(),
        async (beginning, steps, outside, to) => {
          await using world = await FilesWorld.make();
          const { workspace } = world;
          const points = await live(world, beginning, steps);
          const left = filesOf(await workspace.picture());
          for (const [path, content] of Object.entries(outside)) {
            if (content === null) await rm(workspace.onDisk(path), { force: true });
            else if (content !== 'run') await workspace.put(path, content);
            else if (path in left) {
              const { mode } = await stat(workspace.onDisk(path));
              await chmod(workspace.onDisk(path), mode ^ 0o100);
            }
          }
          const changed = filesOf(await workspace.picture());
          const point = points[to % points.length];
          assert.ok(point);
          const wanted = filesOf(point.files);
          const restored = await world.restoreTo(point.id);
          const after = filesOf(await workspace.picture());
          for (const path of new Set([
            ...Object.keys(changed),
            ...Object.keys(after),
            ...Object.keys(left),
            ...Object.keys(wanted),
          ])) {
            const isOthers = changed[path] !== left[path];
            assert.equal(after[path], isOthers ? changed[path] : wanted[path], path);
          }
          assert.deepEqual(await undoRestored(world.store, world.restorer(), restored), []);
          assert.deepEqual(filesOf(await workspace.picture()), changed);
        },
      ),
      { numRuns: fuzzRuns(30, 60) },
    );
  }).timeout(60_000);
});
