import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { foldEffects } from '../../../src/engine/effects.ts';
import { OffshootError } from '../../../src/engine/errors.ts';
import { assistant, lastAssistantMessage, user } from '../../../src/engine/fragments/index.ts';
import type { GraphData } from '../../../src/engine/graph.ts';
import type { SqlContextStore } from '../../../src/store/contextStore.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const CHAT = 'chat';
const ENGINES = 3;

/** Something one engine does; numbers choose among what there is. */
type Step = { readonly engine: number; readonly pick: number } & (
  | { readonly do: 'say'; readonly count: number }
  | { readonly do: 'saySame' | 'edit' | 'replaceLast' | 'setState' | 'deleteState' | 'resolve' | 'save' }
  | {
      readonly do:
        'rewind' | 'rewindBefore' | 'checkpoint' | 'restore' | 'switch' | 'btw' | 'reopen' | 'archive';
    }
);

const steps = fc.array(
  fc.record({
    engine: fc.nat(ENGINES - 1),
    pick: fc.nat(1_000),
    count: fc.integer({ min: 1, max: 3 }),
    do: fc.constantFrom<Step['do']>(
      ...([
        'say',
        'say',
        'save',
        'save',
        'edit',
        'replaceLast',
        'saySame',
        'setState',
        'deleteState',
      ] as const),
      ...(['resolve', 'rewind', 'rewindBefore', 'checkpoint', 'restore', 'switch', 'btw', 'reopen'] as const),
      'archive',
    ),
  }),
  { minLength: 4, maxLength: 24 },
);

/** Several engines at work on one chat. */
class Workshop {
  readonly store: SqlContextStore = memoryStore();
  private readonly engines = Array.from({ length: ENGINES }, () => this.open());
  private saidCount = 0;

  async perform(step: Step & { count: number }): Promise<void> {
    const engine = this.engines[step.engine];
    if (!engine) return;
    const ids = (await this.graph()).nodes.map(({ id }) => id);
    const id = ids[step.pick % Math.max(1, ids.length)] ?? 'nothing';
    switch (step.do) {
      case 'say':
        for (let index = 0; index < step.count; index++) {
          this.saidCount += 1;
          const text = `m${this.saidCount}`;
          engine.set(index % 2 === 0 ? user(text, { id: text }) : assistant(text));
        }
        return;
      case 'saySame':
        engine.set(user('same', { id: 'same' }), user('same again', { id: 'same' }));
        return;
      case 'edit':
        engine.set(user('edited', { id }));
        return;
      case 'replaceLast':
        engine.set(lastAssistantMessage('replaced'));
        return;
      case 'setState':
        engine.state.set(`k${step.pick % 3}`, step.pick);
        return;
      case 'deleteState':
        engine.state.delete(`k${step.pick % 3}`);
        return;
      case 'resolve':
        await engine.resolve();
        return;
      case 'save':
        await engine.save();
        return;
      case 'rewind':
        await engine.rewind(id);
        return;
      case 'rewindBefore':
        await engine.rewindBefore(id);
        return;
      case 'checkpoint':
        await engine.checkpoint(`c${step.pick % 2}`);
        return;
      case 'restore':
        await engine.restore(`c${step.pick % 2}`);
        return;
      case 'switch':
        await engine.switchBranch((await this.branchName(step.pick)) ?? 'main');
        return;
      case 'btw':
        await engine.btw();
        return;
      case 'archive':
        await this.store.archiveBranch(CHAT, (await this.branchName(step.pick)) ?? 'main');
        return;
      case 'reopen':
        await engine.close();
        this.engines[step.engine] = this.open();
    }
  }

  async graph(): Promise<GraphData> {
    await this.store.upsertChat({ id: CHAT, userId: 'ann' });
    return this.store.getGraph(CHAT);
  }

  /** What all engines of one moment agree on. */
  async stateAt(branch: string): Promise<unknown> {
    const engine = new ContextEngine({ store: this.store, chatId: CHAT, userId: 'ann', branch });
    const entries = await engine.state.entries();
    await engine.close();
    return entries;
  }

  async close(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.close()));
    await this.store.close();
  }

  private open(): ContextEngine {
    return new ContextEngine({ store: this.store, chatId: CHAT, userId: 'ann' });
  }

  private async branchName(pick: number): Promise<string | undefined> {
    const { branches } = await this.graph();
    return branches[pick % Math.max(1, branches.length)]?.name;
  }
}

describe('whatever several engines do to one chat', () => {
  it('nothing said is lost, and no branch ever changes but by growing', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const workshop = new Workshop();
        let before = new Map<string, string[]>();
        try {
          for (const step of all) {
            await workshop.perform(step as Step & { count: number }).catch((error: unknown) => {
              // A refusal is an answer; anything else is a fault.
              if (!(error instanceof OffshootError)) throw error;
            });
            before = await check(workshop, before);
          }
        } finally {
          await workshop.close();
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

/** @returns the path of each branch */
async function check(
  workshop: Workshop,
  before: ReadonlyMap<string, string[]>,
): Promise<Map<string, string[]>> {
  const { store } = workshop;
  const graph = await workshop.graph();
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const branches = await store.listBranches(CHAT, { includeArchived: true });
  assert.equal(branches.filter(({ isActive }) => isActive).length, 1, 'one branch is active');
  assert.equal(new Set(branches.map(({ name }) => name)).size, branches.length, 'names are unique');

  const paths = new Map<string, string[]>();
  const reached = new Set<string>();
  for (const branch of branches) {
    const path: string[] = [];
    for (let id = branch.headMessageId; id !== null; id = nodes.get(id)?.parentId ?? null) {
      path.unshift(id);
      reached.add(id);
      assert.ok(path.length <= graph.nodes.length, 'a path comes to an end');
    }
    assert.equal(branch.messageCount, path.length, 'the count is the length of the path');
    assert.deepEqual(path.slice(0, before.get(branch.id)?.length ?? 0), before.get(branch.id) ?? []);
    paths.set(branch.id, path);
    if (branch.headMessageId !== null) {
      const stored = await store.getPath(CHAT, branch.headMessageId);
      assert.deepEqual(
        stored.map(({ depth }) => depth),
        path.map((_, index) => index + 1),
      );
      const folded = [...foldEffects(stored).state].sort(([a], [b]) => (a < b ? -1 : 1));
      assert.deepEqual(await workshop.stateAt(branch.name), folded, 'state is the fold along the path');
    }
  }
  assert.deepEqual(new Set(nodes.keys()), reached, 'every message stands on some branch');
  for (const id of before.keys()) assert.ok(paths.has(id), 'no branch goes away');
  return paths;
}
