import assert from 'node:assert/strict';
import fc from 'fast-check';
import { edgesIn, layOut, neighbour, pathTo, type GraphLayout } from '../../../src/webview/graph/layout.ts';

/** Trees of every shape: mostly going on at the end, sometimes anywhere, sometimes from the beginning. */
const trees = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat()), { maxLength: 60 })
  .map((choices) =>
    choices.map(([how, pick], node) => (node === 0 || how === 0 ? -1 : how < 6 ? node - 1 : pick % node)),
  );

/** The same with what is aside, or without. */
const withAsides = fc.tuple(
  trees,
  fc.func(fc.boolean()).map((isAside) => (node: number) => isAside(node)),
);

const cell = (lane: number, row: number): string => `${lane}:${row}`;

/** Where the line of an edge runs: down the parent's lane, then over to the child. */
function cellsBetween({ parents, rows, lanes }: GraphLayout, child: number): string[] {
  const parent = parents[child] ?? -1;
  const cells: string[] = [];
  for (let row = (rows[parent] ?? 0) + 1; row < (rows[child] ?? 0); row++)
    cells.push(cell(lanes[parent] ?? 0, row));
  return cells;
}

describe('the layout of the graph', () => {
  it('gives each node a row of its own, below its parent', () => {
    fc.assert(
      fc.property(withAsides, ([parents, isAside]) => {
        const { rows, order } = layOut(parents, isAside);
        assert.deepEqual(
          [...rows].sort((a, b) => a - b),
          parents.map((_, index) => index),
        );
        for (const [node, parent] of parents.entries()) {
          assert.equal(order[rows[node] ?? -1], node);
          if (parent !== -1) assert.ok((rows[parent] ?? 0) < (rows[node] ?? 0));
        }
      }),
    );
  });

  it('never lets a line run through a node, nor lines from two nodes run over each other', () => {
    fc.assert(
      fc.property(withAsides, ([parents, isAside]) => {
        const layout = layOut(parents, isAside);
        const nodes = new Set(
          parents.map((_, node) => cell(layout.lanes[node] ?? 0, layout.rows[node] ?? 0)),
        );
        const owners = new Map<string, number>();
        for (const [child, parent] of parents.entries()) {
          if (parent === -1) continue;
          for (const each of cellsBetween(layout, child)) {
            assert.ok(!nodes.has(each), `the line to ${child} runs through a node at ${each}`);
            assert.equal(owners.get(each) ?? parent, parent, `two lines run through ${each}`);
            owners.set(each, parent);
          }
          const step = (layout.lanes[child] ?? 0) - (layout.lanes[parent] ?? 0);
          assert.ok(step === 0 || step === 1, 'a line goes on in its lane or into the one next to it');
        }
      }),
    );
  });

  it('leaves nothing to the right of a node on its row, so that its text can stand there', () => {
    fc.assert(
      fc.property(withAsides, ([parents, isAside]) => {
        const layout = layOut(parents, isAside);
        for (const child of parents.keys()) {
          if (parents[child] === -1) continue;
          for (const each of cellsBetween(layout, child)) {
            const [lane = 0, row = 0] = each.split(':').map(Number);
            assert.ok(lane < (layout.lanes[layout.order[row] ?? -1] ?? 0));
          }
        }
      }),
    );
  });

  it('draws each edge once over all windows, and in a window all that passes through it', () => {
    fc.assert(
      fc.property(trees, fc.nat(70), fc.nat(20), (parents, from, height) => {
        const layout = layOut(parents);
        const all = edgesIn(layout, 0, parents.length).map(({ child }) => child);
        assert.deepEqual(
          all.sort((a, b) => a - b),
          parents.flatMap((parent, node) => (parent === -1 ? [] : [node])),
        );
        const drawn = new Set(edgesIn(layout, from, from + height).map(({ child }) => child));
        const covered = new Set([...drawn].flatMap((child) => cellsBetween(layout, child)));
        for (const child of all) {
          const row = layout.rows[child] ?? 0;
          if (row >= from && row < from + height) assert.ok(drawn.has(child));
          for (const each of cellsBetween(layout, child)) {
            const passed = Number(each.split(':')[1]);
            if (passed >= from && passed < from + height)
              assert.ok(covered.has(each), `${each} is not drawn`);
          }
        }
      }),
    );
  });

  it('keeps the first lane for what was said first, and needs two lanes for any number of retries', () => {
    const retries = layOut([-1, ...Array.from({ length: 1_000 }, () => 0)]);
    assert.equal(retries.laneCount, 2);
    assert.equal(retries.lanes[1], 0);
    assert.equal(retries.rows[1], 1_000);
  });

  it('keeps the lane for what goes on, and not for what was begun before it and is aside', () => {
    // 0 - 3 - 4, and 1 and 2, which are aside.
    const { lanes, rows } = layOut([-1, 0, 0, 0, 3], (node) => node === 1 || node === 2);
    assert.deepEqual([...lanes], [0, 1, 1, 0, 0]);
    assert.deepEqual([...rows], [0, 1, 2, 3, 4]);
    assert.deepEqual([...layOut([-1, 0, 0], (node) => node > 0).lanes], [0, 0, 1], 'where nothing else is');
  });

  it('refuses what is no tree', () => {
    assert.throws(() => layOut([0]), RangeError);
    assert.throws(() => layOut([-1, 2, 1]), RangeError);
  });

  it('marks the way to a head', () => {
    assert.deepEqual([...pathTo(layOut([-1, 0, 1, 1, 3]), 4)], [1, 1, 0, 1, 1]);
  });

  it('leads by arrow keys to every node', () => {
    fc.assert(
      fc.property(withAsides, ([parents, isAside]) => {
        if (parents.length === 0) return;
        const layout = layOut(parents, isAside);
        const seen = new Set([neighbour(layout, 0, 'Home')]);
        for (const node of seen) {
          seen.add(neighbour(layout, node, 'ArrowDown'));
          seen.add(neighbour(layout, node, 'ArrowRight'));
        }
        assert.equal(seen.size, parents.length);
      }),
    );
  });

  it('leads up to what was said before, and left to where a branch was made', () => {
    // 0 - 1 - 2 - 3, and 4 - 5 made at 1.
    const layout = layOut([-1, 0, 1, 2, 1, 4]);
    assert.equal(neighbour(layout, 5, 'ArrowUp'), 4);
    assert.equal(neighbour(layout, 5, 'ArrowLeft'), 1);
    assert.equal(neighbour(layout, 1, 'ArrowRight'), 4);
    assert.equal(neighbour(layout, 3, 'ArrowLeft'), 3);
    assert.equal(neighbour(layout, 1, 'ArrowDown'), 2);
    assert.equal(neighbour(layout, 5, 'ArrowDown'), 2, 'from the end of a branch to the next row');
  });
});
