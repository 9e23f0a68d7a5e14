import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cherryPick } from '../../../src/conversation/copies.ts';
import { mergeSummary, partOf, replaceBySummary } from '../../../src/conversation/summarize.ts';
import { NothingToTakeError } from '../../../src/conversation/summaryNode.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import type { UIMessagePart } from '../../../src/engine/uiMessage.ts';
import { strictServers } from '../../fixtures/strict/strictServers.ts';
import {
  call,
  cut,
  limit,
  pause,
  reasoning,
  text,
  type StrictPiece,
} from '../../fixtures/strict/strictServer.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { Scene } from '../../worlds/scene.ts';

const words = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'Half an answer', ' ', '\n', 'x\u0000y', '') },
  { weight: 1, arbitrary: fc.string({ maxLength: 12, unit: 'binary' }).map((value) => value.toWellFormed()) },
);
const name = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('echo', 'silent') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('functions.echo:0', 'echo<|channel|>x', '3d', 'no such tool', 'é'),
  },
);
const piece: fc.Arbitrary<StrictPiece> = fc.oneof(
  words.map((value) => text(value)),
  words.map((value) => reasoning(value === '' ? 'Hm.' : value)),
  fc.tuple(name, words).map(([tool, value]) => call(tool, { text: value })),
  fc.tuple(name, words).map(([tool, value]) => call(tool, { text: value }, 'same1same')),
);
const ending = fc.oneof(
  { weight: 6, arbitrary: fc.constant<StrictPiece[]>([]) },
  { weight: 1, arbitrary: fc.constantFrom<StrictPiece[]>([limit], [cut], [pause]) },
);
const reply = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 4 }), ending)
  .map(([pieces, end]) => [...pieces, ...end]);

const server = fc.nat(strictServers.length - 1);
const at = fc.nat(30);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      server,
      question: words,
      replies: fc.array(reply, { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('continue' as const),
      server,
      replies: fc.array(reply, { maxLength: 2 }),
    }),
  },
  fc.record({
    kind: fc.constantFrom(
      'rewind' as const,
      'aside' as const,
      'pick' as const,
      'summary' as const,
      'bring' as const,
    ),
    at,
  }),
  fc.record({
    kind: fc.constant('import' as const),
    role: fc.constantFrom('user' as const, 'assistant' as const),
    at,
    value: words,
  }),
  fc.record({ kind: fc.constantFrom('tools off' as const, 'tools on' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Cases that were found once. */
const found: readonly Step[][] = [
  [
    {
      kind: 'ask',
      server: strictServers.findIndex((create) => create().name === 'openrouter gemini'),
      question: 'a',
      replies: [[call('no such tool', { text: '' })]],
    },
  ],
  ...['claude', 'gemini', 'gpt'].map((maker): Step[] => [
    {
      kind: 'ask',
      server: strictServers.findIndex((create) => create().name === `openrouter ${maker}`),
      question: 'a',
      replies: [
        [call('echo', { text: 'a' }), reasoning('Hm.')],
        [text('a'), reasoning('Hm.'), reasoning('a')],
      ],
    },
  ]),
];

/** Messages as other programs leave them: calls without an end, ids twice, files of any kind. */
function importedParts(role: 'user' | 'assistant', value: string): UIMessagePart[] {
  if (role === 'user') {
    return [
      { type: 'text', text: value },
      { type: 'file', mediaType: 'image/bmp', url: 'data:image/bmp;base64,AAAA' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,!' },
    ];
  }
  return [
    { type: 'reasoning', text: value, providerMetadata: { anthropic: { signature: 'made up' } } },
    { type: 'text', text: value },
    {
      type: 'dynamic-tool',
      toolName: 'an odd name',
      toolCallId: 'x',
      state: 'output-available',
      input: [],
      output: '',
    },
    { type: 'tool-echo', toolCallId: 'x', state: 'input-available', input: { text: value } },
    { type: 'tool-echo', toolCallId: '', state: 'output-error', input: null, errorText: '' },
  ];
}

/** Does to the conversation what a user and their models may do. */
async function take(scene: Scene, branch: string, taken: Step): Promise<string> {
  const { world } = scene;
  const { store } = world;
  const path = await world.path(branch);
  switch (taken.kind) {
    case 'tools off':
      scene.tools = [];
      return branch;
    case 'tools on':
      scene.tools = scene.allTools;
      return branch;
    case 'import': {
      const engine = world.engine(branch);
      const parts = importedParts(taken.role, taken.value);
      engine.set(
        taken.role === 'user' ? user({ role: 'user', parts }) : assistant({ role: 'assistant', parts }),
      );
      await engine.save();
      await engine.close();
      return branch;
    }
    case 'ask':
    case 'continue': {
      const create = strictServers[taken.server] ?? assert.fail();
      const server = await scene.join(create);
      server.replies.splice(0, server.replies.length, ...taken.replies);
      const last = path.at(-1);
      if (taken.kind === 'continue' && (last?.role !== 'assistant' || last.metadata === undefined))
        return branch;
      if (taken.kind === 'ask' && taken.question === '') return branch;
      const model = await server.model();
      const run = await world.runs
        .start({
          chatId: CHAT,
          branch,
          model,
          ...(taken.kind === 'ask' ? { question: taken.question } : { continues: true }),
        })
        .catch((error: unknown) => {
          // A whole answer has nothing to be continued.
          if (error instanceof Error && 'code' in error && error.code === 'nothing-to-answer')
            return undefined;
          throw error;
        });
      if (run === undefined) return branch;
      if (taken.replies.some((pieces) => pieces.includes(pause))) {
        await Promise.race([server.pauseReached(), run.done]);
        await world.runs.stop(CHAT, run.branch);
        server.release();
      }
      await run.done;
      return run.branch;
    }
    case 'rewind': {
      const target = path[taken.at % Math.max(1, path.length)];
      if (!target) return branch;
      const engine = world.engine(branch);
      const { name: made } = await engine.rewind(target.id);
      await engine.close();
      return made;
    }
    case 'aside': {
      if (path.length === 0) return branch;
      const engine = world.engine(branch);
      const { name: made } = await engine.btw();
      await engine.close();
      return made;
    }
    case 'pick': {
      const questions = path.filter(({ role, metadata }) => role === 'user' && metadata === undefined);
      const question = questions[taken.at % Math.max(1, questions.length)];
      if (!question) return branch;
      const made = await cherryPick(
        store,
        await scene.branch(branch),
        question.id,
        await scene.branch(branch),
      );
      return made.name;
    }
    case 'summary': {
      const target = path[taken.at % Math.max(1, path.length)];
      if (!target) return branch;
      const from = await scene.branch(branch);
      const extent = taken.at % 2 === 0 ? 'up-to-here' : 'from-here';
      const part = await partOf(store, from, target.id, extent);
      const written = { text: 'the gist', model: undefined, now: 0 };
      return (await replaceBySummary(store, from, part, extent, written)).name;
    }
    case 'bring': {
      const branches = await store.listBranches(CHAT);
      const source = branches[taken.at % Math.max(1, branches.length)];
      if (!source) return branch;
      try {
        const written = { text: 'the gist', model: undefined, now: 0 };
        return (await mergeSummary(store, source, await scene.branch(branch), written)).name;
      } catch (error) {
        if (error instanceof NothingToTakeError) return branch;
        throw error;
      }
    }
  }
}

describe('a conversation of any past', () => {
  it('is accepted by every provider (fuzz)', async function () {
    this.timeout(600_000);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 9 }), async (steps) => {
        await using scene = await Scene.open(strictServers[0] ?? assert.fail());
        await scene.talk('Hello', [text('Good day.')]);
        let branch = 'main';
        for (const taken of steps) branch = await take(scene, branch, taken);
        scene.tools = scene.allTools;
        for (const create of strictServers) {
          const server = await scene.join(create);
          server.replies.length = 0;
          const { name: side } = await scene.world.engine(branch).btw();
          await (
            await scene.ask('And you?', { server, branch: side })
          ).done;
        }
        assert.deepEqual(scene.refusals(), []);
      }),
      { numRuns: fuzzRuns(5) + found.length, examples: found.map((steps): [Step[]] => [steps]) },
    );
  });
});
