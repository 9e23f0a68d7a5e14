import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import type { LogEventKind } from '../../../src/engine/graph.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { memoryStore } from '../../fixtures/memoryStore.ts';
import { answer, lastQuestion } from '../../fixtures/openaiServer.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { CHAT, USER } from '../../worlds/agentWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';

/** What a script does by the engine, and a user by commands. */
interface Steps extends AsyncDisposable {
  readonly store: ContextStore;
  ask(question: string): Promise<unknown>;
  askAside(question: string): Promise<unknown>;
  rewind(messageId: string): Promise<unknown>;
  restore(name: string): Promise<unknown>;
  checkpoint(name: string, messageId?: string): Promise<unknown>;
  switchBranch(name: string): Promise<unknown>;
}

async function byCommands(): Promise<Steps> {
  const world = await ConversationWorld.make((request) => answer(`You said ${lastQuestion(request)}`));
  const { conversations, store } = world;
  return {
    store,
    ask: (question) => world.answered(question),
    askAside: async (question) => (await conversations.askSideQuestion(question)).done,
    rewind: (messageId) => conversations.rewind(messageId),
    restore: (name) => conversations.restore(name),
    checkpoint: (name, messageId) => conversations.createCheckpoint(name, messageId),
    switchBranch: (name) => conversations.switchBranch(name),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** With the options that the extension sets. */
function byEngine(): Promise<Steps> {
  const store = memoryStore();
  const open = (branch?: string): ContextEngine =>
    new ContextEngine({
      store,
      chatId: CHAT,
      userId: USER,
      branchNames: 'flat',
      ...(branch === undefined ? {} : { branch }),
    });
  const engine = open();
  const say = (on: ContextEngine, question: string) =>
    on.set(user(question), assistant(`You said ${question}`)).save();
  return Promise.resolve({
    store,
    ask: (question) => say(engine, question),
    askAside: async (question) => {
      const side = open((await engine.btw()).name);
      await say(side, question);
      await side.close();
    },
    rewind: (messageId) => engine.rewind(messageId, { provisional: true }),
    restore: (name) => engine.restore(name, { provisional: true }),
    checkpoint: (name, messageId) => engine.checkpoint(name, messageId === undefined ? {} : { messageId }),
    // A switch to where one is is none to a user.
    switchBranch: async (name) => name === engine.branch || engine.switchBranch(name),
    [Symbol.asyncDispose]: async () => {
      await engine.close();
      await store.close();
    },
  });
}

const moves: readonly LogEventKind[] = [
  'rewound',
  'restored',
  'switched',
  'btw',
  'branch-created',
  'branch-dropped',
  'checkpoint-set',
  'checkpoint-moved',
];

/** Everything that is stored of a chat's tree; messages by the order in which they came. */
async function rowsOf(store: ContextStore): Promise<unknown> {
  const nodes = await store.getSkeleton(CHAT);
  const places = new Map(nodes.map(({ id }, at) => [id, `#${at}`]));
  const place = (id: string | null | undefined) => (typeof id === 'string' ? places.get(id) : id);
  const branches = await store.listBranches(CHAT, { includeArchived: true });
  const events = await store.listEvents(CHAT, { kinds: moves });
  return {
    messages: nodes.map(({ parentId }) => place(parentId)),
    branches: branches.map(
      ({ name, headMessageId, forkMessageId, parentBranch, isActive, messageCount }) => ({
        name,
        parentBranch,
        isActive,
        messageCount,
        head: place(headMessageId),
        fork: place(forkMessageId),
      }),
    ),
    checkpoints: Object.fromEntries(
      (await store.listCheckpoints(CHAT)).map(({ name: called, messageId }) => [called, place(messageId)]),
    ),
    events: events.map(({ kind, branch, messageId, details, userId }) => ({
      kind,
      branch,
      userId,
      message: place(messageId),
      details: Object.fromEntries(
        Object.entries(details).map(([key, value]) => [
          key,
          (typeof value === 'string' ? places.get(value) : undefined) ?? value,
        ]),
      ),
    })),
  };
}

type Step =
  | { readonly kind: 'ask' | 'askAside' }
  | { readonly kind: 'rewind' | 'switchBranch'; readonly at: number }
  | { readonly kind: 'checkpoint'; readonly name: string; readonly at: number | undefined }
  | { readonly kind: 'restore'; readonly name: string };

const name = fc.constantFrom('here', 'there');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('ask' as const, 'askAside' as const) }),
  fc.record({ kind: fc.constantFrom('rewind' as const, 'switchBranch' as const), at: fc.nat(20) }),
  fc.record({
    kind: fc.constant('checkpoint' as const),
    name,
    at: fc.option(fc.nat(20), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('restore' as const), name }),
);

async function take(steps: Steps, each: Step, at: number): Promise<void> {
  const messages = await steps.store.getSkeleton(CHAT);
  // Answers: asking where one went to a question is asking it differently, of which the engine knows nothing.
  const message = (index: number) => messages[(2 * index + 1) % messages.length]?.id ?? '';
  switch (each.kind) {
    case 'ask':
    case 'askAside':
      await steps[each.kind](`question ${at}`);
      return;
    case 'rewind':
      await steps.rewind(message(each.at));
      return;
    case 'switchBranch': {
      const branches = await steps.store.listBranches(CHAT);
      await steps.switchBranch(branches[each.at % branches.length]?.name ?? '');
      return;
    }
    case 'checkpoint':
      await steps.checkpoint(each.name, each.at === undefined ? undefined : message(each.at));
      return;
    case 'restore':
      if (await steps.store.getCheckpoint(CHAT, each.name)) await steps.restore(each.name);
      return;
  }
}

describe('commands, and the engine that they call', () => {
  it('store the same rows, whatever is done (fuzz)', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await using commands = await byCommands();
        await using engine = await byEngine();
        for (const each of [commands, engine]) {
          await each.ask('first');
          for (const [at, one] of steps.entries()) await take(each, one, at);
        }
        assert.deepEqual(await rowsOf(commands.store), await rowsOf(engine.store));
      }),
      { numRuns: fuzzRuns(15) },
    );
  });

  for (const [by, begin] of [
    ['commands', byCommands],
    ['the engine', byEngine],
  ] as const) {
    describe(`by ${by}`, () => {
      const rows = async (store: ContextStore) => ({
        branches: (await store.listBranches(CHAT, { includeArchived: true })).map(
          ({ name: called, headMessageId }) => [called, headMessageId] as const,
        ),
        messages: await store.getSkeleton(CHAT),
      });

      it('a rewind adds a branch at the message, and changes nothing that was there', async () => {
        await using steps = await begin();
        await steps.ask('one');
        await steps.ask('two');
        const before = await rows(steps.store);
        const first = before.messages[1]?.id ?? '';
        await steps.rewind(first);
        const after = await rows(steps.store);
        assert.deepEqual(after.messages, before.messages);
        assert.deepEqual(after.branches, [...before.branches, ['main-v2', first]]);
        assert.equal((await steps.store.getActiveBranch(CHAT))?.name, 'main-v2');
      });

      it('a restore is a rewind to the message of the checkpoint, which stays', async () => {
        await using steps = await begin();
        await steps.ask('one');
        await steps.checkpoint('here');
        const [, marked] = (await rows(steps.store)).messages;
        await steps.ask('two');
        await steps.restore('here');
        const branch = await steps.store.getActiveBranch(CHAT);
        assert.deepEqual([branch?.name, branch?.headMessageId], ['main-v2', marked?.id]);
        assert.equal((await steps.store.getCheckpoint(CHAT, 'here'))?.messageId, marked?.id);
      });

      it('a checkpoint of a name that is taken moves it', async () => {
        await using steps = await begin();
        await steps.ask('one');
        await steps.checkpoint('here');
        await steps.ask('two');
        await steps.checkpoint('here');
        const checkpoints = await steps.store.listCheckpoints(CHAT);
        const last = (await rows(steps.store)).messages.at(-1)?.id;
        assert.deepEqual(
          checkpoints.map(({ name: called, messageId }) => [called, messageId]),
          [['here', last]],
        );
      });

      it('a question by the way makes a branch, and the one that is active stays', async () => {
        await using steps = await begin();
        await steps.ask('one');
        const before = await steps.store.getActiveBranch(CHAT);
        await steps.askAside('aside');
        assert.deepEqual(await steps.store.getActiveBranch(CHAT), before);
        const side = await steps.store.getBranch(CHAT, 'main-v2');
        assert.deepEqual([side?.messageCount, side?.forkMessageId], [4, before?.headMessageId]);
      });

      it('a switch moves no head', async () => {
        await using steps = await begin();
        await steps.ask('one');
        await steps.ask('two');
        await steps.rewind((await rows(steps.store)).messages[1]?.id ?? '');
        await steps.ask('another');
        const before = await rows(steps.store);
        await steps.switchBranch('main');
        assert.deepEqual(await rows(steps.store), before);
        assert.equal((await steps.store.getActiveBranch(CHAT))?.name, 'main');
      });
    });
  }
});
