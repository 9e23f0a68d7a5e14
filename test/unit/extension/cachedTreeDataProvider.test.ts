import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CachedTreeDataProvider } from '../../../src/extension/ui/cachedTreeDataProvider.ts';

/** What the source says: what stands below each id, and what each looks like. */
interface World {
  readonly below: Readonly<Record<string, readonly string[]>>;
  readonly looks: Readonly<Record<string, string>>;
}

interface Node {
  readonly id: string;
  readonly about: string;
}

const top = '';

/** A tree over a world that can be changed, with what it tells. */
class Fixture {
  readonly announced: (string[] | 'all')[] = [];
  readonly failures: unknown[] = [];
  /** How long readings take, each in turn, in turns of the event loop. */
  turns: () => number = () => 0;
  readonly tree: CachedTreeDataProvider<Node, { readonly id: string; readonly label: string }>;

  constructor(public world: World) {
    this.tree = new CachedTreeDataProvider<Node, { readonly id: string; readonly label: string }>({
      children: async (node) => {
        await this.wait();
        const { below, looks } = this.world;
        return (below[node?.id ?? top] ?? []).map((id) => ({ id, about: looks[id] ?? '' }));
      },
      item: async ({ id }) => {
        await this.wait();
        return { id, label: this.world.looks[id] ?? '' };
      },
      failed: (error) => this.failures.push(error),
    });
    this.tree.onDidChange((changed) => this.announced.push(changed ? changed.map(({ id }) => id) : 'all'));
  }

  change(change: Partial<World>): Promise<void> {
    this.world = {
      below: { ...this.world.below, ...change.below },
      looks: { ...this.world.looks, ...change.looks },
    };
    return this.tree.update();
  }

  /** Asks for everything, as VS Code does where all is unfolded. */
  async shown(node?: Node): Promise<string[]> {
    const lines: string[] = [];
    for (const child of await this.tree.getChildren(node)) {
      const { label } = await this.tree.getTreeItem(child);
      lines.push(`${child.id}: ${label}`);
      lines.push(...(await this.shown(child)).map((line) => `  ${line}`));
    }
    return lines;
  }

  private async wait(): Promise<void> {
    for (let turn = this.turns(); turn > 0; turn -= 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

const world: World = {
  below: { [top]: ['chat'], chat: ['main', 'other'], main: ['mark'] },
  looks: { chat: 'Chat', main: 'streaming', other: 'Other', mark: 'Mark' },
};

describe('a tree that stays steady while it changes', () => {
  it('has read what is new before it tells of it, so that nobody waits for an answer', async () => {
    const fixture = new Fixture(world);
    await fixture.shown();
    await fixture.change({ looks: { main: 'complete' } });
    fixture.turns = () => Infinity;
    assert.deepEqual(await fixture.shown(), [
      'chat: Chat',
      '  main: complete',
      '    mark: Mark',
      '  other: Other',
    ]);
  });

  it('tells of the row that looks different, and not of those around it', async () => {
    const fixture = new Fixture(world);
    await fixture.shown();
    await fixture.change({ looks: { mark: 'Moved' } });
    await fixture.change({ below: { chat: ['main'] } });
    await fixture.change({ below: { [top]: [] } });
    assert.deepEqual(fixture.announced, [['mark'], ['chat'], 'all']);
  });

  it('tells of nothing where nothing looks different', async () => {
    const fixture = new Fixture(world);
    await fixture.shown();
    await fixture.change({});
    assert.deepEqual(fixture.announced, []);
  });

  it('keeps a node the same object, and gives it its newest content', async () => {
    const fixture = new Fixture(world);
    const [chat] = await fixture.tree.getChildren();
    await fixture.change({ looks: { chat: 'Renamed' } });
    assert.equal((await fixture.tree.getChildren())[0], chat);
    assert.equal(chat?.about, 'Renamed');
  });

  it('has everything asked for again once someone sees it, when nobody did', async () => {
    const fixture = new Fixture(world);
    await fixture.shown();
    fixture.tree.isVisible = false;
    await fixture.change({ looks: { main: 'complete' } });
    assert.deepEqual(fixture.announced, ['all']);
    assert.match((await fixture.shown()).join('\n'), /main: complete/);
  });

  it('tells of what cannot be read, and is whole again when it can', async () => {
    const fixture = new Fixture(world);
    await fixture.shown();
    fixture.turns = () => {
      throw new Error('closed');
    };
    await fixture.change({ looks: { main: 'complete' } });
    assert.deepEqual(await fixture.tree.getChildren(), []);
    assert.equal(fixture.failures.length, 2);
    fixture.turns = () => 0;
    assert.match((await fixture.shown()).join('\n'), /main: complete/);
  });

  it('shows what there is to one who asks again only for what was told, whatever changes while it reads', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    // Each stands below one that comes before it, so that there is no circle.
    const worlds = fc
      .tuple(
        fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
        fc.array(fc.nat(1), { minLength: 5, maxLength: 5 }),
      )
      .map(([parents, looks]): World => {
        const below: Record<string, string[]> = {};
        ids.forEach((id, index) => {
          const parent = [top, ...ids][(parents[index] ?? 0) % (index + 1)] ?? top;
          (below[parent] ??= []).push(id);
        });
        return { below, looks: Object.fromEntries(ids.map((id, index) => [id, String(looks[index])])) };
      });
    await fc.assert(
      fc.asyncProperty(
        worlds,
        fc.array(worlds, { maxLength: 6 }),
        fc.infiniteStream(fc.nat(3)),
        async (first, next, turns) => {
          const fixture = new Fixture(first);
          fixture.turns = () => Number(turns.next().value);
          // What a viewer holds: the rows it was given, by the object that stands for the parent.
          const held = new Map<Node | undefined, Node[]>();
          const looks = new Map<Node, unknown>();
          const ask = async (node: Node | undefined): Promise<void> => {
            const children = await fixture.tree.getChildren(node);
            held.set(node, children);
            for (const child of children) {
              looks.set(child, (await fixture.tree.getTreeItem(child)).label);
              await ask(child);
            }
          };
          let asking = ask(undefined);
          fixture.tree.onDidChange((changed) => {
            for (const node of changed ?? [undefined]) {
              asking = asking.then(async () => {
                if (node) looks.set(node, (await fixture.tree.getTreeItem(node)).label);
                await ask(node);
              });
            }
          });
          for (const changed of next) {
            fixture.world = changed;
            void fixture.tree.update();
            if (turns.next().value > 1) await asking;
          }
          await fixture.tree.update();
          await asking;
          const lines = (node: Node | undefined): string[] =>
            (held.get(node) ?? []).flatMap((child) => [
              `${child.id}: ${String(looks.get(child))}`,
              ...lines(child).map((line) => `  ${line}`),
            ]);
          const expected = (id: string): string[] =>
            (fixture.world.below[id] ?? []).flatMap((child) => [
              `${child}: ${fixture.world.looks[child] ?? ''}`,
              ...expected(child).map((line) => `  ${line}`),
            ]);
          assert.deepEqual(lines(undefined), expected(top));
          assert.deepEqual(fixture.failures, []);
        },
      ),
      { numRuns: 300 },
    );
  });
});
