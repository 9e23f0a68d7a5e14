import type { Disposable } from '../../base/disposable.ts';
import { Sequencer } from '../../base/sequencer.ts';

/** The look of a row, of which VS Code knows more. */
interface Look {
  readonly id?: string | undefined;
}

export interface TreeSource<N extends object, L extends Look> {
  /** The nodes below a node, or at the top (undefined). */
  children(node: N | undefined): Promise<readonly N[]> | readonly N[];
  /** The look of a node; its `id` identifies the node. */
  item(node: N): Promise<L> | L;
  failed(error: unknown): void;
  /** Whether the last content stays after a failed read, because it will be read again later. */
  keeps?(): boolean;
}

interface Row<L> {
  readonly item: L;
  /** Everything visible of the item, for comparison. */
  readonly face: string;
}

interface Level<N, L> {
  readonly nodes: N[];
  readonly rows: Map<N, Row<L>>;
}

/**
 * The content of a tree view, kept so that a menu that is open during a change still belongs to its row. VS Code
 * forgets the nodes below one that is reported as changed until it has requested them again, and passes nothing to a
 * command in between. So changes are read first; then VS Code is notified of the smallest nodes that look different, or
 * of none, and gets its answers at once. A node stays the same object, and receives its newest content.
 */
export class CachedTreeDataProvider<N extends object, L extends Look> implements Disposable {
  private readonly listeners = new Set<(changed: N[] | undefined) => void>();
  private readonly lists = new Map<N | undefined, N[]>();
  private readonly rows = new Map<N, Row<L>>();
  private readonly byId = new Map<string, N>();
  /** Incremented when older reads may have become outdated. */
  private version = 0;
  private readonly updates = new Sequencer();

  /** Whether the tree is visible: if not, it is not read until it is. */
  isVisible = true;

  constructor(private readonly source: TreeSource<N, L>) {}

  readonly onDidChange = (listener: (changed: N[] | undefined) => void): Disposable => {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  };

  async getChildren(node?: N): Promise<N[]> {
    const known = this.lists.get(node);
    if (known) return known;
    try {
      for (;;) {
        const { version } = this;
        const level = await this.read(node, () => true);
        if (version !== this.version) continue;
        this.keep(node, level);
        return level.nodes;
      }
    } catch (error) {
      this.source.failed(error);
      return [];
    }
  }

  getTreeItem(node: N): Promise<L> | L {
    return this.rows.get(node)?.item ?? this.source.item(node);
  }

  /** @param isAffected whether something below a node may have changed; all nodes by default */
  update(isAffected: (node: N | undefined) => boolean = () => true): Promise<void> {
    this.version += 1;
    return this.updates.run(async () => {
      try {
        await this.rereadVisible(isAffected);
      } catch (error) {
        this.source.failed(error);
        if (this.source.keeps?.() !== true) this.forget();
      }
    });
  }

  /** Makes VS Code request everything again. */
  forget(): void {
    this.version += 1;
    this.lists.clear();
    this.rows.clear();
    this.byId.clear();
    this.notify(undefined);
  }

  dispose(): void {
    this.listeners.clear();
  }

  private async rereadVisible(isAffected: (node: N | undefined) => boolean): Promise<void> {
    if (!this.isVisible || !this.lists.has(undefined)) {
      this.forget();
      return;
    }
    const levels = new Map<N | undefined, Level<N, L>>();
    const changed = new Set<N | undefined>();
    const visit = async (node: N | undefined): Promise<void> => {
      const before = this.lists.get(node);
      // Nodes that were never requested are read on demand.
      if (!before || !isAffected(node)) return;
      const level = await this.read(node, isAffected);
      levels.set(node, level);
      if (!areSame(before, level.nodes)) changed.add(node);
      for (const [child, { face, item }] of level.rows) {
        const was = this.rows.get(child);
        // VS Code treats another id as another row.
        if (was && was.face !== face) changed.add(was.item.id === item.id ? child : node);
      }
      for (const child of level.nodes) await visit(child);
    };
    await visit(undefined);
    // Everything is requested again anyway.
    if (!this.lists.has(undefined)) return;
    for (const [node, level] of levels) this.keep(node, level);
    this.sweep();
    if (changed.size > 0)
      this.notify(changed.has(undefined) ? undefined : [...changed].filter((node) => node !== undefined));
  }

  /** Reads one level; nodes that cannot have changed keep their look. */
  private async read(
    node: N | undefined,
    isAffected: (node: N | undefined) => boolean,
  ): Promise<Level<N, L>> {
    const read = await Promise.all(
      (await this.source.children(node)).map(async (child) => {
        const known = isAffected(child) ? undefined : this.rows.get(child);
        return [child, known ?? rowOf(await this.source.item(child))] as const;
      }),
    );
    const rows = new Map<N, Row<L>>();
    for (const [child, row] of read) {
      const known = row.item.id === undefined ? undefined : this.byId.get(row.item.id);
      rows.set(known ? Object.assign(known, child) : child, row);
    }
    return { nodes: [...rows.keys()], rows };
  }

  private keep(node: N | undefined, { nodes, rows }: Level<N, L>): void {
    this.lists.set(node, nodes);
    for (const [child, row] of rows) {
      this.rows.set(child, row);
      if (row.item.id !== undefined) this.byId.set(row.item.id, child);
    }
  }

  private sweep(): void {
    const there = new Set<N | undefined>([undefined]);
    for (const node of there) for (const child of this.lists.get(node) ?? []) there.add(child);
    for (const node of this.lists.keys()) if (!there.has(node)) this.lists.delete(node);
    for (const node of this.rows.keys()) if (!there.has(node)) this.rows.delete(node);
    for (const [id, node] of this.byId) if (this.rows.get(node)?.item.id !== id) this.byId.delete(id);
  }

  private notify(changed: N[] | undefined): void {
    for (const listener of this.listeners) listener(changed);
  }
}

function areSame<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

function rowOf<L>(item: L): Row<L> {
  return { item, face: JSON.stringify(item, (key, value: unknown) => visibleIn(key, value)) };
}

/** JSON does not include the text of a Markdown tooltip. */
function visibleIn(key: string, value: unknown): unknown {
  return key === 'tooltip' && typeof value === 'object' && value !== null && 'value' in value
    ? value.value
    : value;
}
