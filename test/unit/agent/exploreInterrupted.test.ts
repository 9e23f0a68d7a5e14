import assert from 'node:assert/strict';
import { RESTARTED_CALL } from '../../../src/agent/run/recoverAnswers.ts';
import { resultText } from '../../../src/agent/context/modelMessages.ts';
import { STOPPED } from '../../../src/agent/tools/stepCalls.ts';
import { tasksOf } from '../../../src/agent/explore/taskProgress.ts';
import {
  answer,
  finish,
  hang,
  lastQuestion,
  pause,
  refuse,
  say,
  toolResultsOf,
  useTools,
} from '../../fixtures/openaiServer.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';
import { CHAT, FragileStore, ManualScheduler, newWorld } from '../../worlds/agentWorld.ts';
import { crash, restarted } from '../../worlds/crash.ts';
import { explore, playing, promptOf, task, tasksAre, tasksNow, tools } from '../../worlds/exploreWorld.ts';
import { callsIn } from '../../worlds/toolCalls.ts';

const both = explore(task('a'), task('b'));
const halves = { a: [[say('Half of a'), hang()]], b: [[say('Half of b'), hang()]] };
const areWriting = (tasks: readonly { readonly step?: unknown }[]): boolean =>
  tasks.length === 2 && tasks.every(({ step }) => JSON.stringify(step) === '{"kind":"writing"}');

describe('tasks that are explored, when something comes in between', () => {
  it('stop with the answer, and what had come is kept on their branches', async () => {
    await using world = await newWorld({ tools, script: playing([both], halves) });
    const run = await world.ask('?');
    await tasksAre(world, areWriting);
    await world.runs.stop(CHAT, 'main');
    assert.equal(run.status, 'interrupted');
    assert.deepEqual(world.runs.list(CHAT), [], 'nothing goes on');
    assert.deepEqual(
      (await tasksNow(world)).map(({ state, branch, step }) => [state, branch, step]),
      [
        ['interrupted', 'main-v2', undefined],
        ['interrupted', 'main-v3', undefined],
      ],
    );
    const [call] = callsIn(await world.path());
    assert.equal(call && resultText(call), STOPPED);
    assert.equal((await world.texts('main-v2')).at(-1), 'Half of a');
    assert.equal((await world.lastMetadata('main-v3')).status, 'interrupted');
  });

  it('stop one by one, and the others report', async () => {
    await using world = await newWorld({
      tools,
      script: playing([both, answer('Done.')], {
        ...halves,
        b: [[say('B'), pause('b'), say(' is it.'), finish()]],
      }),
    });
    const run = await world.ask('?');
    await tasksAre(world, areWriting);
    await world.runs.stop(CHAT, 'main-v2');
    await tasksAre(world, ([a]) => a?.state === 'stopped');
    world.server.release('b');
    await run.done;
    const last = world.server.requests.findLast((each) => promptOf(each) === '');
    assert.ok(last);
    assert.deepEqual(
      toolResultsOf(last).map(({ result }) => result),
      ['## a (branch main-v2)\nThe user stopped it.\nHalf of a\n\n## b (branch main-v3)\nB is it.'],
    );
  });

  it('are interrupted by a crash, each on its branch, and the call that waits for them has a result', async () => {
    const store = new FragileStore();
    const scheduler = new ManualScheduler();
    const world = await newWorld({ store, scheduler, tools, script: playing([both], halves) });
    await world.ask('?');
    await world.server.requestReceived(3);
    await world.until(() =>
      ['main-v2', 'main-v3'].every((name) => (world.runs.get(CHAT, name)?.message().parts.length ?? 0) > 0),
    );
    // What is shown of them is in the draft that comes after.
    scheduler.pass(200);
    await crash(world, store, scheduler);
    await world.server.close();
    assert.ok((await restarted(store, { tools }).recover()) >= 1);
    const path = await world.path();
    const [call] = callsIn(path);
    assert.ok(call);
    assert.equal(call.state, 'output-error');
    assert.equal(resultText(call), RESTARTED_CALL);
    assert.deepEqual(
      tasksOf(call)?.map(({ title, branch, state }) => [title, branch, state]),
      [
        ['a', 'main-v2', 'running'],
        ['b', 'main-v3', 'running'],
      ],
    );
    for (const name of ['main-v2', 'main-v3']) {
      assert.match((await world.texts(name)).at(-1) ?? '', /^(Find out|Half of)/);
      assert.equal(await store.getBranch(CHAT, name).then((branch) => branch?.isActive), false);
    }
    assert.deepEqual(await store.listDrafts(), []);
    await store.close();
  });

  it('continue their answer, wherever the user goes until then and whatever branches are called', async () => {
    await using world = await ConversationWorld.make(
      playing([both, answer('Done.')], {
        a: [useTools(['look', { path: 'x' }]), [pause('a'), ...answer('A.')]],
        b: [answer('B.')],
      }),
      { tools },
    );
    const run = await world.conversations.ask('?');
    await tasksAre(world.world, (tasks) => tasks[1]?.state === 'done' && tasks[0]?.steps === 2);
    await world.conversations.renameBranch(CHAT, 'main', 'mine');
    await world.conversations.renameBranch(CHAT, 'main-v2', 'the first');
    await world.conversations.rewind(run.questionId);
    world.world.server.release('a');
    await run.done;
    const texts = await world.world.texts('mine');
    assert.equal(texts.at(-1), 'Done.');
    const [call] = callsIn(await world.world.path('mine'));
    assert.match(call ? resultText(call) : '', /^## a \(branch main-v2\)\nA\.\n\n## b/);
  });

  it('get into the way of nothing else: a side question, an alternative, what is said before the next step', async () => {
    await using world = await ConversationWorld.make(
      (asked) => {
        const question = lastQuestion(asked);
        if (promptOf(asked) !== '') return [pause('both'), ...answer('Found.')];
        if (question === 'Alongside?') return answer('Alongside.');
        if (question === 'Be quick') return answer('Done.');
        // An alternative has no such tool.
        const isAgent = asked.body.tools?.some(({ function: { name } }) => name === 'explore') ?? false;
        return isAgent ? both : answer('Otherwise.');
      },
      { tools },
    );
    const { conversations, world: inner } = world;
    const run = await conversations.ask('Go');
    await tasksAre(inner, (tasks) => tasks.length === 2 && tasks.every(({ state }) => state === 'running'));
    await conversations.askOrQueue('Be quick', [], true);
    const side = await conversations.askSideQuestion('Alongside?');
    const model = await inner.model();
    const { runs } = await conversations.tryTimes(run.questionId, [{ model, temperature: undefined }]);
    await Promise.all([side, ...runs].map(({ done }) => done));
    assert.equal((await inner.texts(side.branch)).at(-1), 'Alongside.');
    assert.equal((await inner.texts(runs[0]?.branch)).at(-1), 'Otherwise.');
    assert.deepEqual(
      (await tasksNow(inner)).map(({ state }) => state),
      ['running', 'running'],
    );
    inner.server.release('both');
    inner.server.release('both');
    await run.done;
    assert.deepEqual((await inner.texts()).slice(-2), ['Be quick', 'Done.']);
    const [call] = callsIn(await inner.path());
    assert.equal(call?.state, 'output-available');
    assert.equal(world.failures.length, 0);
  });

  it('lose no report when a branch of theirs is deleted', async () => {
    await using world = await ConversationWorld.make(
      playing([both, answer('Done.')], { ...halves, b: [answer('B.')] }),
      {
        tools,
      },
    );
    const run = await world.conversations.ask('?');
    await tasksAre(
      world.world,
      ([a, b]) => b?.state === 'done' && JSON.stringify(a?.step) === '{"kind":"writing"}',
    );
    await world.conversations.deleteBranch(CHAT, 'main-v2');
    await run.done;
    assert.equal(run.status, 'complete');
    const [call] = callsIn(await world.world.path());
    assert.match(
      call ? resultText(call) : '',
      /^## a \(branch main-v2\)\nThe user stopped it\.(\nHalf of a)?\n\n## b .*\nB\.$/,
    );
  });

  it('are no part of what is sent on a branch that goes on, which begins with its task', async () => {
    await using world = await ConversationWorld.make(
      (asked, index) => {
        if (index === 0) return explore(task('a'));
        return promptOf(asked) === '' ? answer('Done.') : answer('A.');
      },
      { tools },
    );
    await world.answered('The first question');
    await world.conversations.switchBranch('main-v2');
    await world.answered('And further?');
    const last = world.world.server.requests.at(-1);
    const sent = last?.body.messages
      .slice(1)
      .map(({ role, content }) => `${role}: ${JSON.stringify(content)}`);
    assert.deepEqual(sent, ['user: "Find out a"', 'assistant: "A."', 'user: "And further?"']);
    assert.doesNotMatch(JSON.stringify(last?.body.messages[0]), /You look into one task/);
    assert.ok(
      last?.body.tools?.some(({ function: { name } }) => name === 'explore'),
      'it is a chat as any other',
    );
  });

  it('wait together when the server asks for patience, and then ask one after the other', async () => {
    const scheduler = new ManualScheduler();
    let refusals = 0;
    const titles = ['a', 'b', 'c', 'd'];
    await using world = await newWorld({
      tools,
      scheduler,
      script: (asked, index) => {
        if (promptOf(asked) === '')
          return index === 0 ? explore(...titles.map((each) => task(each))) : answer('Done.');
        refusals += 1;
        return refusals <= 4 ? refuse(429, { retryAfter: '10' }) : [pause('in'), ...answer('Found.')];
      },
    });
    const run = await world.ask('?');
    await world.until(() => world.runs.list(CHAT).filter(({ retry }) => retry !== undefined).length === 4);
    assert.equal(world.server.requests.length, 5);
    scheduler.pass(10_000);
    for (const number of [6, 7, 8, 9]) {
      await world.server.requestReceived(number);
      await world.server.pauseReached('in');
      assert.equal(world.server.requests.length, number, 'one after the other');
      world.server.release('in');
    }
    await run.done;
    assert.deepEqual(
      (await tasksNow(world)).map(({ state }) => state),
      ['done', 'done', 'done', 'done'],
    );
  });

  it('are explored by a small model where one is chosen, or else by that of the answer', async () => {
    await using gone = await newWorld({ script: () => refuse(404, { code: 'model_not_found' }) });
    await using world = await newWorld({
      tools,
      maxRetries: 0,
      explorerModel: (model) =>
        Promise.resolve({
          ...model,
          id: 'openai-compatible:small',
          open: async () => (await gone.model()).open(),
        }),
      script: (asked, index) => {
        if (promptOf(asked) === '') return index === 0 ? explore(task('a')) : answer('Done.');
        return answer('A.');
      },
    });
    await world.answered('?');
    assert.equal(gone.server.requests.length, 1);
    assert.deepEqual(
      (await tasksNow(world)).map(({ state }) => state),
      ['done'],
    );
    assert.equal((await world.lastMetadata('main-v2')).modelId, 'openai-compatible:test-model');
  });
});
