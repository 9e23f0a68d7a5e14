import assert from 'node:assert/strict';
import fc from 'fast-check';
import { REPORTS_LENGTH, MAX_TASK_STEPS } from '../../../src/agent/explore/exploration.ts';
import { fairShares } from '../../../src/agent/tools/fairShares.ts';
import { graphSteps } from '../../../src/engine/graphSteps.ts';
import { resultText } from '../../../src/agent/context/modelMessages.ts';
import {
  answer,
  pause,
  refuse,
  say,
  toolResultsOf,
  usage,
  finish,
  useTools,
} from '../../fixtures/openaiServer.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';
import { explore, playing, promptOf, task, tasksAre, tasksNow, tools } from '../../worlds/exploreWorld.ts';
import { callsIn, receivedMessages, request } from '../../worlds/toolCalls.ts';

const both = explore(task('a'), task('b'));

describe('tasks that an answer has explored', () => {
  it('are explored alongside it, each on a branch of its own, and their reports come back', async () => {
    await using world = await newWorld({
      tools,
      script: playing([both, answer('Both looked into.')], {
        a: [useTools(['look', { path: 'a.ts' }]), answer('A is in a.ts.')],
        b: [answer('B is nowhere.')],
      }),
    });
    const run = await world.answered('What are a and b?');
    assert.equal(run.status, 'complete');
    const branches = await world.store.listBranches(CHAT);
    assert.deepEqual(
      branches.map(({ name, isActive }) => [name, isActive]),
      [
        ['main', true],
        ['main-v2', false],
        ['main-v3', false],
      ],
    );
    const question = (await world.path())[0]?.id;
    assert.deepEqual([branches[1]?.forkMessageId, branches[2]?.forkMessageId], [question, question]);
    assert.deepEqual(await world.texts('main-v2'), ['What are a and b?', 'Find out a', 'A is in a.ts.']);
    const last = world.server.requests.findLast((each) => promptOf(each) === '');
    assert.ok(last);
    assert.deepEqual(toolResultsOf(last), [
      {
        tool: 'explore',
        result: '## a (branch main-v2)\nA is in a.ts.\n\n## b (branch main-v3)\nB is nowhere.',
      },
    ]);
    assert.ok(!JSON.stringify(last.body.messages).includes('saw a.ts'), 'what they read is not in view');
  });

  it('get the ledger of where they start, before their prompt', async () => {
    await using world = await newWorld({
      tools,
      script: playing([explore(task('a')), answer('Done.')], { a: [answer('A.')] }),
    });
    await world.answered('Never read the folder dist. What is a?');
    const asked = world.server.requests.find((each) => promptOf(each) !== '');
    const [, sent = ''] = receivedMessages(asked ?? assert.fail());
    assert.match(sent, /^user: <ledger>\n[^]*- Never read the folder dist\.\n<\/ledger>\s*Find out a$/u);
    assert.equal((await world.texts('main-v2'))[1], 'Find out a', 'it is not stored');
  });

  it('know their prompt and nothing else of the conversation, and have tools that only read', async () => {
    await using world = await newWorld({
      tools,
      script: playing([explore(task('a')), answer('Done.')], { a: [answer('A.')] }),
    });
    await world.answered('A secret question');
    const asked = world.server.requests.find((each) => promptOf(each) !== '');
    assert.ok(asked);
    assert.deepEqual(receivedMessages(asked).slice(1), ['user: Find out a']);
    assert.match(receivedMessages(asked)[0] ?? '', /You look into one task for another agent/);
    assert.deepEqual(
      asked.body.tools?.map(({ function: { name } }) => name),
      ['look'],
    );
    assert.deepEqual(
      request(world.server, 1).body.tools?.map(({ function: { name } }) => name),
      ['checkpoint', 'rewind', 'explore', 'look', 'echo'],
    );
  });

  it('are told in the log, under their titles, and nothing of it is a step to undo', async () => {
    await using world = await newWorld({
      tools,
      script: playing([explore(task('a', 'Find out a')), answer('Done.')], { a: [answer('A.')] }),
    });
    await world.answered('?');
    const events = (await world.store.listEvents(CHAT)).filter(({ branch }) => branch === 'main-v2');
    assert.deepEqual(
      events.map(({ kind, details }) => [kind, details['why'] ?? details['title']]),
      [
        ['branch-created', 'explore'],
        ['messages-saved', undefined],
        ['titled', 'a'],
        ['messages-saved', undefined],
      ],
    );
    assert.deepEqual(graphSteps(await world.store.listEvents(CHAT)).undo, []);
  });

  it('show how far they have come, and what they took at the end', async () => {
    await using world = await newWorld({
      tools,
      script: playing([both, answer('Done.')], {
        a: [useTools(['look', { path: 'a.ts' }]), [pause('a'), ...answer('A.')]],
        b: [[say('B'), pause('b'), usage(7, 3), finish()]],
      }),
    });
    const run = await world.ask('?');
    await tasksAre(world, ([a, b]) => a?.steps === 2 && b?.step?.kind === 'writing');
    const [a, b] = await tasksNow(world);
    assert.deepEqual(
      [a?.state, a?.step],
      ['running', { kind: 'tool', name: 'look', input: { path: 'a.ts' } }],
    );
    assert.deepEqual(
      [a?.usage, a?.branch, b?.branch],
      [{ inputTokens: 10, outputTokens: 5 }, 'main-v2', 'main-v3'],
    );
    world.server.release('b');
    await tasksAre(world, (tasks) => tasks[1]?.state === 'done');
    world.server.release('a');
    await run.done;
    const ended = await tasksNow(world);
    assert.deepEqual(
      ended.map(({ title, state, steps, usage: took, step }) => [title, state, steps, took, step]),
      [
        ['a', 'done', 2, { inputTokens: 20, outputTokens: 6 }, undefined],
        ['b', 'done', 1, { inputTokens: 7, outputTokens: 3 }, undefined],
      ],
    );
  });

  it('fail one by one: the reports of the others count', async () => {
    await using world = await newWorld({
      tools,
      maxRetries: 0,
      script: playing([explore(task('a'), task('b'), task('c')), answer('Done.')], {
        a: [refuse(500)],
        b: [[usage(1, 1), finish()]],
        c: [answer('C.')],
      }),
    });
    const run = await world.answered('?');
    assert.equal(run.status, 'complete');
    assert.deepEqual(
      (await tasksNow(world)).map(({ state }) => state),
      ['failed', 'failed', 'done'],
    );
    const [call] = callsIn(await world.path());
    assert.ok(call);
    assert.match(
      resultText(call),
      /^## a \(branch main-v2\)\nIt failed\. .*500.*\n\n## b \(branch main-v3\)\nIt failed\. .+\n\n## c \(branch main-v4\)\nC\.$/,
    );
  });

  it('report within bounds, however much they write', async () => {
    const long = 'word '.repeat(200_000);
    await using world = await newWorld({
      tools,
      script: playing([both, answer('Done.')], { a: [[say(long), finish()]], b: [answer('B in short.')] }),
    });
    await world.answered('?');
    const [call] = callsIn(await world.path());
    const result = call ? resultText(call) : '';
    assert.ok(result.length < REPORTS_LENGTH + 300, `${result.length}`);
    assert.match(result, /more characters are on its branch\]\n\n## b \(branch main-v3\)\nB in short\.$/);
  });

  it('share their length fairly (fuzz)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(50_000), { minLength: 1, maxLength: 4 }),
        fc.nat(60_000),
        (lengths, total) => {
          const shares = fairShares(lengths, total);
          const sum = shares.reduce((so, share) => so + share, 0);
          assert.ok(sum <= total);
          shares.forEach((share, index) => assert.ok(share <= (lengths[index] ?? 0)));
          // Nobody is cut while there is room, and any that is cut has no less than an equal share.
          const wanted = lengths.reduce((so, length) => so + length, 0);
          if (wanted <= total) assert.equal(sum, wanted);
          const equal = Math.floor(total / lengths.length);
          shares.forEach((share, index) => assert.ok(share >= Math.min(lengths[index] ?? 0, equal)));
        },
      ),
      { numRuns: fuzzRuns(200) },
    );
  });

  it('are at most four at once, in one call or in several', async () => {
    const five = [1, 2, 3, 4, 5].map((number) => task(`${number}`));
    await using world = await newWorld({
      tools,
      script: playing(
        [
          explore(...five),
          useTools(['explore', { tasks: five.slice(0, 3) }], ['explore', { tasks: five.slice(3) }]),
          answer('Done.'),
        ],
        Object.fromEntries(five.map(({ title }) => [title, [answer(`${title}.`)]])),
      ),
    });
    const run = await world.answered('?');
    assert.equal(run.status, 'complete');
    const results = callsIn(await world.path()).map((call) => resultText(call));
    assert.match(results[0] ?? '', /^The input of “explore” is not valid:\n- tasks: /);
    assert.match(results[1] ?? '', /^## 1 /);
    assert.match(results[2] ?? '', /At most 4 tasks are explored at once. Only 1 more can be added now/);
  });

  it('explore nothing further themselves', async () => {
    await using world = await newWorld({
      tools,
      script: playing([explore(task('a')), answer('Done.')], {
        a: [explore(task('b')), useTools(['checkpoint', { goal: 'g' }]), answer('A.')],
      }),
    });
    await world.answered('?');
    const results = callsIn(await world.path('main-v2')).map((call) => resultText(call));
    for (const result of results)
      assert.match(result, /There is no tool “(explore|checkpoint)”. The tools are: look\./);
    assert.equal((await world.store.listBranches(CHAT)).length, 2);
  });

  it('end where they call the same again and again', async () => {
    await using world = await newWorld({
      tools,
      script: playing([explore(task('a')), answer('Done.')], { a: () => useTools(['look', { path: 'a' }]) }),
    });
    await world.answered('?');
    const [a] = await tasksNow(world);
    assert.deepEqual([a?.state, a?.steps], ['failed', 3]);
    assert.match(a?.reason ?? '', /It called look 3 times with the same input/);
  });

  it('have a limit of steps, and report in the last', async () => {
    let lastTools: unknown;
    await using world = await newWorld({
      tools,
      script: (asked, index) => {
        if (promptOf(asked) === '') return index === 0 ? explore(task('a')) : answer('Done.');
        if (!JSON.stringify(asked.body.messages).includes('This is your last step')) {
          return useTools(['look', { path: `${index}` }]);
        }
        lastTools = asked.body.tools;
        return answer('What I have.');
      },
    });
    await world.answered('?');
    assert.equal(world.server.requests.length, MAX_TASK_STEPS + 2);
    assert.equal(lastTools, undefined);
    const [a] = await tasksNow(world);
    assert.deepEqual([a?.state, a?.steps], ['done', MAX_TASK_STEPS]);
    const [call] = callsIn(await world.path());
    assert.ok(call);
    assert.equal(resultText(call), '## a (branch main-v2)\nWhat I have.');
  });
});
