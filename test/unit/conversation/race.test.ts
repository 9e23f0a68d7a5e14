import assert from 'node:assert/strict';
import { BeyondCap } from '../../../src/agent/budget/spends.ts';
import { BRANCH_FILES_KEY, type BranchAnswering } from '../../../src/agent/run/ownFilesOfRun.ts';
import type { RunsOptions } from '../../../src/agent/run/runs.ts';
import type { AgentTool } from '../../../src/agent/tools/tool.ts';
import { foldEffects } from '../../../src/engine/effects.ts';
import { answer, conversationOf, lastQuestion, pause } from '../../fixtures/openaiServer.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { budgetWorld } from '../../worlds/budgetWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';
import { echoTool } from '../../worlds/toolCalls.ts';

/** Branches whose files answer as they are set up by their id. */
function ownFiles(
  setups: Readonly<Record<string, Partial<BranchAnswering>>>,
  atOnce = 4,
  tools: readonly AgentTool[] = [],
): NonNullable<RunsOptions['ownFiles']> {
  return async ({ branch, state }) => {
    const id = await state.get(BRANCH_FILES_KEY);
    if (typeof id !== 'string') return undefined;
    const guarded = { folders: () => [] } as unknown as NonNullable<
      Awaited<ReturnType<NonNullable<RunsOptions['ownFiles']>>>
    >['guarded'];
    const answering = { effort: () => undefined, ...setups[id] };
    return { id, guarded, tools: () => tools, label: branch, atOnce, answering };
  };
}

describe('a race', () => {
  it('answers on branches with own files, each as it is set up there', async () => {
    await using world = await ConversationWorld.make(() => answer('1'), {
      ownFiles: ownFiles({
        a: { hint: 'change little', effort: () => 'high' },
        b: { temperature: 0.2 },
      }),
      effort: () => 'low',
    });
    await world.answered('one');
    const model = await world.world.model();
    const { runs, failures } = await world.conversations.tryTimes(
      await world.idAt(0),
      ['a', 'b'].map((files) => ({ model, temperature: undefined, files })),
    );
    await Promise.all(runs.map(({ done }) => done));
    assert.deepEqual(failures, []);
    assert.deepEqual(
      runs.map((run) => [run.ownFiles, run.effort, run.temperature]),
      [
        ['a', 'high', undefined],
        ['b', 'low', 0.2],
      ],
    );
    assert.deepEqual(await world.branches(), ['main*', 'main-v2', 'main-v3']);
    const prompts = world.world.server.requests.slice(-2).map((request) => conversationOf(request)[0]?.text);
    assert.equal(prompts.filter((text) => text?.includes('go about it like this: change little')).length, 1);

    // What is asked there later is answered in the same way, while the chat stays where it is.
    const branch = runs[1]?.branch ?? assert.fail();
    const later = await world.conversations.askOnBranch({ chatId: CHAT, branch, question: 'two', model });
    await later.done;
    assert.deepEqual([later.ownFiles, later.temperature], ['b', 0.2]);
    assert.deepEqual(await world.branches(), ['main*', 'main-v2', 'main-v3']);
  });

  it('has no more at work than may be at once, although all start together, and names the others', async () => {
    await using world = await ConversationWorld.make(
      (request) => (lastQuestion(request) === 'race' ? [pause(), ...answer('1')] : answer('0')),
      { ownFiles: ownFiles({}, 2) },
    );
    const { server } = world.world;
    const question = await world.conversations.ask('race');
    server.release();
    await question.done;
    const model = await world.world.model();
    const { runs, failures, unstarted } = await world.conversations.tryTimes(
      await world.idAt(0),
      ['a', 'b', 'c'].map((files) => ({ model, temperature: undefined, files })),
    );
    assert.equal(runs.length, 2);
    assert.deepEqual(
      failures.map((failure) => (failure as { readonly code?: unknown }).code),
      ['too-many-branches'],
    );
    const [left = assert.fail()] = unstarted;
    assert.ok(!runs.some(({ ownFiles: files }) => files === left.files));
    await world.conversations.discardBranch(CHAT, left.branch ?? assert.fail());
    for (const _each of runs) server.release();
    await Promise.all(runs.map(({ done }) => done));
    assert.deepEqual((await world.branches()).length, 3);
  });

  it('goes on where the budget stopped a branch, with its files, as it is set up there', async () => {
    const cap: { perMessage?: { tokens: number } } = {};
    await using world = await budgetWorld(cap, () => answer('1'), {
      ownFiles: ownFiles({ b: { temperature: 0.2, hint: 'change little' } }, 4, [echoTool]),
    });
    await world.answered('one');
    cap.perMessage = { tokens: 1 };
    const model = await world.world.model();
    const { runs } = await world.conversations.tryTimes(
      await world.idAt(0),
      ['a', 'b'].map((files) => ({ model, temperature: undefined, files })),
    );
    await Promise.all(runs.map(({ done }) => done));
    assert.deepEqual(
      runs.map(({ error }) => error?.code),
      ['budget-reached', 'budget-reached'],
    );
    const { requests } = world.world.server;
    assert.equal(requests.length, 1, 'nothing was sent');

    const { branch } = runs[1] ?? assert.fail();
    const stopped = { chatId: CHAT, branch, continues: false };
    // The chat may be at another by now.
    await world.current.open('another chat');
    const again = await world.conversations.resumeAlternative(stopped, { beyond: new BeyondCap() });
    await again.done;
    assert.deepEqual([again.error, again.ownFiles, again.temperature], [undefined, 'b', 0.2]);
    const [, sent = assert.fail()] = requests;
    assert.match(conversationOf(sent)[0]?.text ?? '', /go about it like this: change little/u);
    assert.deepEqual(
      sent.body.tools?.map(({ function: { name } }) => name),
      ['echo'],
      'which may change its files',
    );
    assert.deepEqual(await world.branches(), ['main*', 'main-v2', 'main-v3']);
  });

  it('of two windows about one question has branches and files of its own each', async () => {
    const options = { ownFiles: ownFiles({}) };
    await using one = await ConversationWorld.make(() => answer('1'), options);
    await using two = await ConversationWorld.make(() => answer('2'), { ...options, store: one.store });
    await one.answered('one');
    const questionId = await one.idAt(0);
    const start = async (world: ConversationWorld, files: readonly string[]) => {
      const model = await world.world.model();
      const racers = files.map((id) => ({ model, temperature: undefined, files: id }));
      const { runs, failures } = await world.conversations.tryTimes(questionId, racers);
      await Promise.all(runs.map(({ done }) => done));
      assert.deepEqual(failures, []);
      return runs.map(({ branch }) => branch);
    };
    const branches = (await Promise.all([start(one, ['a', 'b']), start(two, ['c', 'd'])])).flat();
    assert.equal(new Set(branches).size, 4);
    const files: unknown[] = [];
    for (const name of branches) {
      const branch = (await one.store.getBranch(CHAT, name)) ?? assert.fail();
      const path = await one.store.getPath(CHAT, branch.headMessageId ?? assert.fail());
      files.push(foldEffects(path).state.get(BRANCH_FILES_KEY));
    }
    assert.deepEqual(files, ['a', 'b', 'c', 'd']);
  });
});
