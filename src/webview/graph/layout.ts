/**
 * The positions of the nodes of a tree: one row each, as a commit graph in topological order. A node's oldest child
 * continues in its lane, before nodes that are aside; the others begin a lane next to it. Their rows come first, so
 * that between a node and the child in its lane no other node is in that lane: every line can be traced to its
 * origin. Nodes are numbers; a parent's is smaller than its children's.
 */
export interface GraphLayout {
  readonly count: number;
  /** -1: none. */
  readonly parents: Int32Array;
  /** The node on each row. */
  readonly order: Int32Array;
  readonly rows: Int32Array;
  readonly lanes: Int32Array;
  readonly laneCount: number;
  /** The child that continues in the lane of each node; -1: none. */
  readonly successors: Int32Array;
  /** The next younger sibling, with those aside last; -1: none. */
  readonly siblings: Int32Array;
}

export interface Edge {
  readonly parent: number;
  readonly child: number;
}

/**
 * Lays out one or more trees, in time linear in the number of nodes.
 * @param isAside nodes that continue a lane only if no others do
 * @throws RangeError when a parent does not come before its child
 */
export function layOut(
  parentOf: ArrayLike<number>,
  isAside: (node: number) => boolean = () => false,
): GraphLayout {
  const count = parentOf.length;
  const parents = Int32Array.from(parentOf);
  const successors = new Int32Array(count).fill(-1);
  const siblings = new Int32Array(count).fill(-1);
  const youngest = new Int32Array(count).fill(-1);
  for (let node = 0; node < count; node++) {
    const parent = at(parents, node);
    if (parent >= node || parent < -1) throw new RangeError(`Node ${node} has the parent ${parent}.`);
  }
  const join = (node: number): void => {
    const parent = at(parents, node);
    if (parent === -1) return;
    if (at(successors, parent) === -1) successors[parent] = node;
    else siblings[at(youngest, parent)] = node;
    youngest[parent] = node;
  };
  for (let node = 0; node < count; node++) if (!isAside(node)) join(node);
  for (let node = 0; node < count; node++) if (isAside(node)) join(node);
  const order = new Int32Array(count);
  const rows = new Int32Array(count);
  const lanes = new Int32Array(count);
  let row = 0;
  let laneCount = count > 0 ? 1 : 0;
  // The nodes to be placed, the next one last. A node adds at most its number of children.
  const waiting = new Int32Array(count);
  let height = 0;
  for (let root = count - 1; root >= 0; root--) if (at(parents, root) === -1) waiting[height++] = root;
  while (height > 0) {
    const node = at(waiting, --height);
    order[row] = node;
    rows[node] = row++;
    const successor = at(successors, node);
    if (successor === -1) continue;
    lanes[successor] = at(lanes, node);
    waiting[height++] = successor;
    const first = height;
    for (let child = at(siblings, successor); child !== -1; child = at(siblings, child)) {
      lanes[child] = at(lanes, node) + 1;
      laneCount = Math.max(laneCount, at(lanes, child) + 1);
      waiting[height++] = child;
    }
    // The oldest comes first.
    waiting.subarray(first, height).reverse();
  }
  return { count, parents, order, rows, lanes, laneCount, successors, siblings };
}

/**
 * The edges that cross the rows from `from` up to, not including, `to`. Of lines that only pass through, the one in
 * the lane also stands for those to its siblings, which overlap it.
 */
export function edgesIn(
  { count, parents, order, rows, successors }: GraphLayout,
  from: number,
  to: number,
): Edge[] {
  const first = Math.max(0, from);
  const end = Math.min(count, to);
  const edges: Edge[] = [];
  for (let row = first; row < end; row++) {
    const child = at(order, row);
    const parent = at(parents, child);
    if (parent !== -1) edges.push({ parent, child });
  }
  if (end <= first) return edges;
  // An edge below the last row comes from that row or from above it.
  for (let node = at(order, end - 1); node !== -1; node = at(parents, node)) {
    const child = at(successors, node);
    if (child !== -1 && at(rows, child) >= end) edges.push({ parent: node, child });
  }
  return edges;
}

export type GraphKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End';

/**
 * The target of an arrow key. Down: the next node in this lane, at its end the next row. Up: the parent. Right: the
 * first branch made here, otherwise the next one made at the same parent. Left: the reverse. Pressing Down and Right
 * reaches every node.
 */
export function neighbour(layout: GraphLayout, node: number, key: GraphKey): number {
  const { count, parents, order, rows, successors, siblings } = layout;
  const parent = at(parents, node);
  switch (key) {
    case 'Home':
      return at(order, 0);
    case 'End':
      return at(order, count - 1);
    case 'ArrowUp':
      return parent === -1 ? at(order, Math.max(0, at(rows, node) - 1)) : parent;
    case 'ArrowDown': {
      const next = at(successors, node);
      return next === -1 ? at(order, Math.min(count - 1, at(rows, node) + 1)) : next;
    }
    case 'ArrowRight': {
      const next = at(successors, node);
      const fork = next === -1 ? -1 : at(siblings, next);
      if (fork !== -1) return fork;
      const sibling = at(siblings, node);
      const isFork = parent !== -1 && at(successors, parent) !== node;
      return isFork && sibling !== -1 ? sibling : node;
    }
    case 'ArrowLeft': {
      // Up this lane to its beginning.
      let start = node;
      while (at(parents, start) !== -1 && at(successors, at(parents, start)) === start)
        start = at(parents, start);
      const origin = at(parents, start);
      return origin === -1 ? node : origin;
    }
  }
}

/** 1 for each node on the path to the head. */
export function pathTo({ count, parents }: GraphLayout, head: number): Uint8Array {
  const marked = new Uint8Array(count);
  for (let node = head; node !== -1; node = at(parents, node)) marked[node] = 1;
  return marked;
}

/** An element of a typed array, which has no holes. */
function at(values: Int32Array, index: number): number {
  return values[index] ?? -1;
}
