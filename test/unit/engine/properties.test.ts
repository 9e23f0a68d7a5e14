import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { foldEffects } from '../../../src/engine/effects.ts';
import { ChatNotFoundError, OffshootError } from '../../../src/engine/errors.ts';
import { assistant, lastAssistantMessage, user } from '../../../src/engine/fragments/index.ts';
import type { GraphData } from '../../../src/engine/graph.ts';
import type { PortableChat } from '../../../src/engine/portableChat.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { stores } from '../../fixtures/stores.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

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
  | { readonly do: 'saveArtifact' | 'setWhileSaving' | 'remove' | 'unarchive' | 'putBack' }
  | { readonly do: 'deleteBranch' | 'deleteCheckpoint' | 'deleteChat' | 'rename' }
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
      'unarchive',
      'rename',
      ...(['saveArtifact', 'saveArtifact', 'setWhileSaving', 'setWhileSaving', 'remove'] as const),
      ...(['deleteBranch', 'deleteBranch', 'deleteCheckpoint', 'deleteChat', 'putBack', 'putBack'] as const),
    ),
  }),
  { minLength: 4, maxLength: 24 },
);

/** Several engines at work on one chat. */
class Workshop {
  private readonly engines: ContextEngine[];
  private messageCount = 0;

  constructor(readonly store: ContextStore) {
    this.engines = Array.from({ length: ENGINES }, () => this.open());
  }

  async perform(step: Step & { count: number }): Promise<void> {
    const engine = this.engines[step.engine];
    if (!engine) return;
    const ids = (await this.graph()).nodes.map(({ id }) => id);
    const id = ids[step.pick % Math.max(1, ids.length)] ?? 'nothing';
    switch (step.do) {
      case 'say':
        for (let index = 0; index < step.count; index++) {
          this.messageCount += 1;
          const text = `m${this.messageCount}`;
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
      case 'save': {
        const shown = await engine.resolve();
        await engine.save();
        assert.deepEqual(
          (await engine.resolve()).messages,
          shown.messages,
          'what was shown is what is saved',
        );
        return;
      }
      case 'saveArtifact': {
        const name = `${step.pick % 3 === 0 ? 'user:' : ''}f${step.pick % 2}`;
        await engine.artifacts.save(name, Uint8Array.of(step.pick % 256), { mediaType: 'a/b' });
        return;
      }
      case 'setWhileSaving':
        await this.setWhileSaving(engine, step.pick);
        return;
      case 'remove':
        engine.pending.remove(engine.pending.list()[0]?.id ?? 'nothing');
        return;
      case 'unarchive':
        await this.store.unarchiveBranch(CHAT, (await this.branchName(step.pick)) ?? 'main');
        return;
      case 'deleteBranch':
        await this.store.deleteBranch(CHAT, (await this.branchName(step.pick)) ?? 'main');
        return;
      case 'deleteCheckpoint':
        await this.store.deleteCheckpoint(CHAT, `c${step.pick % 2}`);
        return;
      case 'deleteChat':
        if (step.pick % 4 === 0) await this.store.deleteChat(CHAT);
        return;
      case 'putBack': {
        const entries = await this.store.trash.list();
        await this.store.trash.restore(entries[step.pick % Math.max(1, entries.length)]?.id ?? 'nothing');
        return;
      }
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
      case 'rename': {
        // About as long as a name may be; what is named after it would be longer.
        const name = '🌲'.repeat(90) + 'b'.repeat(step.pick % 22);
        await this.store.renameBranch(CHAT, (await this.branchName(step.pick)) ?? 'main', name);
        return;
      }
      case 'archive':
        await this.store.archiveBranch(CHAT, (await this.branchName(step.pick)) ?? 'main');
        return;
      case 'reopen':
        await engine.close();
        this.engines[step.engine] = this.open();
    }
  }

  /** Says and sets something in the middle of a save: it is pending afterwards, or it was saved. */
  private async setWhileSaving(engine: ContextEngine, pick: number): Promise<void> {
    this.messageCount += 1;
    const text = `m${this.messageCount}`;
    const saving = engine.save().catch((error: unknown) => error);
    for (let turn = pick % 40; turn > 0; turn--) await Promise.resolve();
    engine.set(user(text, { id: text }));
    engine.state.set('user:last', text);
    const failure = await saving;
    const { nodes } = await this.graph();
    const isThere = [...engine.pending.list(), ...nodes].some(({ id }) => id === text);
    assert.ok(isThere, 'what is said in the middle of a save is not lost');
    if (!(failure instanceof ChatNotFoundError)) {
      assert.equal(await engine.state.get('user:last'), text, 'nor is what is set');
    }
    if (failure instanceof Error) throw failure;
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
    return entries.filter(([key]) => !key.startsWith('user:'));
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

/** What takes something away. Putting a chat back may bring one of another id. */
const losing: ReadonlySet<Step['do']> = new Set(['deleteBranch', 'deleteChat', 'putBack']);

/** In a folder each takes longer, so that `npm test` has fewer of them there; `npm run fuzz -- 100` has 5,000 in each. */
const runsIn = (place: string): number => fuzzRuns(place === 'in memory' ? 50 : 10, 50);

for (const [place, open] of Object.entries(stores)) {
  describe(`whatever several engines do to one chat, ${place}`, () => {
    it('nothing said is lost, no branch ever changes but by growing, and all of it can be imported (fuzz)', async function () {
      this.timeout(60_000 * fuzzRuns(1));
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          const workshop = new Workshop(await open());
          let before = new Map<string, string[]>();
          try {
            for (const step of all) {
              await workshop.perform(step as Step & { count: number }).catch((error: unknown) => {
                // A refusal is an answer; anything else is a fault.
                if (!(error instanceof OffshootError)) throw error;
              });
              before = await check(workshop, losing.has(step.do) ? new Map<string, string[]>() : before);
            }
            await checkExport(workshop);
          } finally {
            await workshop.close();
          }
        }),
        { numRuns: runsIn(place) },
      );
    });
  });
}

/** What was made can go to another program, and comes back as it was. */
async function checkExport(workshop: Workshop): Promise<void> {
  const { store } = workshop;
  const exported = async (id: string): Promise<PortableChat> =>
    JSON.parse(JSON.stringify(await store.exportChat(id))) as PortableChat;
  await workshop.graph();
  const chat = await exported(CHAT);
  const [id = ''] = await store.importChats('ann', [chat]);
  assert.deepEqual({ ...(await exported(id)), id: CHAT }, chat);
}

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
    assert.deepEqual(path.slice(0, before.get(branch.id)?.length ?? 0), before.get(branch.id) ?? []);
    paths.set(branch.id, path);
    if (branch.headMessageId !== null) {
      const stored = await store.getPath(CHAT, branch.headMessageId);
      const spoken = stored.filter(({ type }) => type === 'message').length;
      assert.equal(branch.messageCount, spoken, 'the count is that of the messages');
      for (const versions of foldEffects(stored).artifacts.values()) {
        assert.deepEqual(
          versions.map(({ version }) => version),
          versions.map((_, index) => index),
          'versions count along the path',
        );
      }
      assert.deepEqual(
        stored.map(({ depth }) => depth),
        path.map((_, index) => index + 1),
      );
      const folded = [...foldEffects(stored).state].sort(([a], [b]) => (a < b ? -1 : 1));
      assert.deepEqual(await workshop.stateAt(branch.name), folded, 'state is the fold along the path');
    }
  }
  for (const { messageId } of graph.checkpoints) {
    for (let id: string | null = messageId; id !== null; id = nodes.get(id)?.parentId ?? null)
      reached.add(id);
  }
  assert.deepEqual(
    new Set(nodes.keys()),
    reached,
    'every message stands on some branch, or before a checkpoint',
  );
  for (const id of before.keys()) assert.ok(paths.has(id), 'no branch goes away');
  return paths;
}
