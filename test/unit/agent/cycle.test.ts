import assert from 'node:assert/strict';
import { z } from 'zod';
import { activeCheckpoints } from '../../../src/agent/cycle/agentCheckpoint.ts';
import { branchSummaryOf } from '../../../src/engine/branchSummary.ts';
import { cycleTools } from '../../../src/agent/cycle/cycleTools.ts';
import { Runs } from '../../../src/agent/runs.ts';
import { createAgentWrites } from '../../../src/conversation/agentWrites.ts';
import { defineTool } from '../../../src/agent/tools/tool.ts';
import { NOTHING_SAID } from '../../../src/agent/sending/roles.ts';
import { MessageNotFoundError } from '../../../src/engine/errors.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import type { SavedMessages, SaveMessages } from '../../../src/engine/store.ts';
import {
  answer,
  callTool,
  hang,
  pause,
  say,
  toolResultsOf,
  useTools,
  type Step,
} from '../../fixtures/openaiServer.ts';
import { CHAT, FragileStore, ManualScheduler, MemoryLog, newWorld, USER, type World } from './agentWorld.ts';
import { callsIn, echoTool, request, told } from './toolWorld.ts';
import { loadRare } from '../../fixtures/loadRare.ts';

const tools = () => [...cycleTools, echoTool];
const checkpoint = (goal: string, name?: string): readonly Step[] =>
  useTools(['checkpoint', { goal, ...(name === undefined ? {} : { name }) }]);
const rewind = (report: string, name?: string): readonly Step[] =>
  useTools(['rewind', { report, ...(name === undefined ? {} : { checkpoint: name }) }]);
const look = (text: string): readonly Step[] => useTools(['echo', { text }]);

/** The lines of a message of the model's side that hold this text. */
const count = (lines: readonly string[], text: string): number => lines.join('\n').split(text).length - 1;

async function results(world: World, number: number): Promise<string[]> {
  await world.server.requestReceived(number);
  return toolResultsOf(request(world.server, number)).map(({ result }) => result);
}

describe('the cycle of checkpoint and rewind', () => {
  it('leaves what was explored on its branch and goes on from the checkpoint with the report', async () => {
    await using world = await newWorld({
      tools,
      script: [
        [say('First I look around.'), ...checkpoint('find it')],
        look('here'),
        look('there'),
        [say('Found.'), ...rewind('  It is there.  ')],
        answer('It is there, as the report says.'),
      ],
    });
    const run = await world.answered('Where is it?');
    assert.deepEqual([run.status, run.branch], ['complete', 'main-v2']);

    // The model: the checkpoint's call and result stay, then the report and nothing else.
    const last = told(request(world.server, 5)).slice(1);
    assert.deepEqual(last.slice(0, 3), [
      'user: Where is it?',
      'assistant: First I look around. checkpoint({"goal":"find it"})',
      'tool: Checkpoint created.\nGoal: find it\nRun your investigation, then call rewind with a concise report.',
    ]);
    // Some servers refuse a user who speaks right after a tool.
    assert.deepEqual(last.slice(3, -1), [`assistant: ${NOTHING_SAID}`]);
    assert.match(last.at(-1) ?? '', /^user: .*<report goal="find it">\nIt is there\.\n<\/report>/s);

    // The tree: the explored path whole on main, the new branch active.
    const explored = await world.path('main');
    assert.deepEqual(
      callsIn(explored).map(({ toolName }) => toolName),
      ['checkpoint', 'echo', 'echo', 'rewind'],
    );
    const active = await world.store.getActiveBranch(CHAT);
    assert.equal(active?.name, 'main-v2');
    assert.equal(active.forkMessageId, explored[1]?.id);
    const [, , summary, end] = await world.path('main-v2');
    const kept = branchSummaryOf(summary ?? assert.fail());
    assert.equal(kept?.report, 'It is there.');
    assert.equal(kept.goal, 'find it');
    assert.equal(kept.abandonedHead, explored.at(-1)?.id);
    assert.equal(kept.exploredBranch, 'main');
    assert.equal(textOf(end ?? assert.fail()), 'It is there, as the report says.');

    const events = await world.store.listEvents(CHAT);
    const [logged, ...others] = events.filter(({ kind }) => kind === 'rewind-report');
    assert.equal(others.length, 0);
    assert.deepEqual([logged?.branch, logged?.messageId], ['main-v2', summary?.id]);
    const times = z
      .object({ startedAt: z.iso.datetime(), rewoundAt: z.iso.datetime() })
      .parse(logged?.details);
    assert.ok(Date.parse(times.startedAt) <= Date.parse(times.rewoundAt));
  });

  it('answers the two calls with exactly what they are specified to say', async () => {
    await using world = await newWorld({
      tools,
      script: [checkpoint('the goal'), rewind(' the report '), answer('ok')],
    });
    await world.answered('?');
    const calls = callsIn(await world.path('main'));
    const outputs = calls.map((call) => (call.state === 'output-available' ? call.output : undefined));
    assert.deepEqual(outputs[1], {
      text: 'Rewind requested.\nReport captured for context replacement.',
      details: { report: 'the report', rewound: true },
    });
    const first = z
      .object({
        text: z.string(),
        details: z.strictObject({ goal: z.string(), startedAt: z.iso.datetime() }),
      })
      .parse(outputs[0]);
    assert.equal(
      first.text,
      'Checkpoint created.\nGoal: the goal\nRun your investigation, then call rewind with a concise report.',
    );
  });

  it('shows the model the same after it was loaded again: the report once, and nothing of what was explored', async () => {
    await using world = await newWorld({
      tools,
      script: [checkpoint('g'), look('secret detour'), rewind('R1'), answer('Done.'), answer('More.')],
    });
    await world.answered('one');
    const live = told(request(world.server, 4));
    await world.answered('two', 'main-v2');
    const loaded = told(request(world.server, 5));
    assert.deepEqual(loaded.slice(0, live.length), live);
    assert.equal(count(loaded, 'R1'), 1);
    assert.equal(count(loaded, 'secret detour'), 0);
  });

  it('may be gone through again and again, each report with its own cycle', async () => {
    await using world = await newWorld({
      tools,
      script: [
        checkpoint('one'),
        rewind('R-one'),
        checkpoint('two'),
        look('x'),
        rewind('R-two'),
        answer('Both.'),
      ],
    });
    const run = await world.answered('?');
    assert.equal(run.branch, 'main-v2-v2');
    const lines = told(request(world.server, 6));
    assert.deepEqual([count(lines, 'R-one'), count(lines, 'R-two'), count(lines, 'echo')], [1, 1, 0]);
    assert.deepEqual(
      (await world.path('main-v2-v2')).flatMap((message) => branchSummaryOf(message)?.goal ?? []),
      ['one', 'two'],
    );
    // Nothing the model reads keeps it from the next cycle.
    assert.ok(!/(never|not) (call )?(checkpoint|rewind)/i.test(lines.join('\n')));
  });

  it('refuses what cannot be, in the words of the specification', async () => {
    await using world = await newWorld({
      tools,
      script: [
        rewind('too early'),
        checkpoint('g'),
        checkpoint('again'),
        rewind('   '),
        rewind('R', 'elsewhere'),
        rewind('good'),
        answer('ok'),
      ],
    });
    await world.answered('?');
    assert.match((await results(world, 2)).at(-1) ?? '', /^No active checkpoint\./);
    assert.match((await results(world, 4)).at(-1) ?? '', /^Checkpoint already active\./);
    assert.equal((await results(world, 5)).at(-1), 'Report cannot be empty.');
    assert.match(
      (await results(world, 6)).at(-1) ?? '',
      /^No active checkpoint\. There is none named “elsewhere”/,
    );
    assert.equal((await world.texts('main-v2')).at(-1), 'ok');
  });

  it('is not there for an agent that works for another', async () => {
    await using world = await newWorld({ tools, script: [checkpoint('g'), rewind('r'), answer('ok')] });
    const run = await world.runs.start({
      chatId: CHAT,
      branch: await world.startChat(),
      question: '?',
      model: await world.model(),
      isSubagent: true,
    });
    await run.done;
    assert.deepEqual(
      request(world.server, 1).body.tools?.map((each) => each.function.name),
      ['echo'],
    );
    assert.deepEqual(await results(world, 3), [
      'Checkpoint not available in subagents.',
      'Checkpoint not available in subagents.',
    ]);
  });

  it('has nothing to go back to in the step that makes the checkpoint, in whichever order they are called', async () => {
    for (const calls of [
      [['checkpoint', { goal: 'g' }] as const, ['rewind', { report: 'r' }] as const],
      [['rewind', { report: 'r' }] as const, ['checkpoint', { goal: 'g' }] as const],
    ]) {
      await using world = await newWorld({
        tools,
        script: [useTools(...calls), rewind('now'), answer('ok')],
      });
      const run = await world.answered('?');
      const said = await results(world, 2);
      assert.ok(said.some((text) => text.startsWith('No active checkpoint.')));
      assert.ok(said.some((text) => text.startsWith('Checkpoint created.')));
      assert.equal(run.branch, 'main-v2');
    }
  });

  it('takes one report in a step', async () => {
    await using world = await newWorld({
      tools,
      script: [
        checkpoint('g'),
        useTools(['rewind', { report: 'first' }], ['rewind', { report: 'second' }]),
        answer('ok'),
      ],
    });
    await world.answered('?');
    const lines = told(request(world.server, 3));
    assert.deepEqual([count(lines, 'first'), count(lines, 'second')], [1, 0]);
  });

  it('keeps what other tools said in the step of the checkpoint, and in that of the rewind', async () => {
    await using world = await newWorld({
      tools,
      script: [
        useTools(['echo', { text: 'before' }], ['checkpoint', { goal: 'g' }], ['echo', { text: 'beside' }]),
        useTools(['rewind', { report: 'R' }], ['echo', { text: 'together' }]),
        answer('ok'),
      ],
    });
    await world.answered('?');
    const lines = told(request(world.server, 3));
    assert.deepEqual(
      ['echo: before', 'echo: beside', 'echo: together'].map((text) => count(lines, text)),
      [1, 1, 1],
    );
    assert.deepEqual(
      callsIn(await world.path('main')).map(({ state }) => state),
      Array(5).fill('output-available'),
    );
  });

  it('goes inside itself with names, and out again one by one', async () => {
    await using world = await newWorld({
      tools,
      script: [
        checkpoint('outer', 'a'),
        look('in outer'),
        checkpoint('inner', 'b'),
        look('in inner'),
        rewind('R-inner'),
        rewind('R-outer'),
        answer('ok'),
      ],
    });
    const run = await world.answered('?');
    assert.equal(run.branch, 'main-v2-v2');
    const inside = told(request(world.server, 6));
    assert.deepEqual(
      ['in outer', 'in inner', 'R-inner'].map((text) => count(inside, text) > 0),
      [true, false, true],
    );
    const outside = told(request(world.server, 7));
    assert.deepEqual(
      ['in outer', 'in inner', 'R-inner', 'R-outer'].map((text) => count(outside, text)),
      [0, 0, 0, 1],
    );
    assert.deepEqual(
      activeCheckpoints(await world.path('main-v2')).map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(activeCheckpoints(await world.path('main-v2-v2')), []);
  });

  it('leaves an inner checkpoint together with the outer one', async () => {
    await using world = await newWorld({
      tools,
      script: [
        checkpoint('outer', 'a'),
        checkpoint('inner', 'b'),
        rewind('all at once', 'a'),
        rewind('again'),
        answer('ok'),
      ],
    });
    await world.answered('?');
    assert.equal((await results(world, 5)).at(-1), 'No active checkpoint.');
    assert.equal((await world.store.listBranches(CHAT)).length, 2);
  });

  it('is not carried out when the user stops before the step has ended', async () => {
    const gate = Promise.withResolvers<undefined>();
    const waiting = defineTool({
      name: 'waiting',
      description: 'Waits.',
      input: z.object({}),
      run: async () => {
        await gate.promise;
        return { text: 'waited' };
      },
    });
    await using world = await newWorld({
      tools: () => [...tools(), waiting],
      script: [
        checkpoint('g'),
        useTools(['rewind', { report: 'R' }], ['waiting']),
        rewind('later'),
        answer('ok'),
      ],
    });
    const run = await world.ask('?');
    await world.until(() => callsIn([run.message()]).some(({ state }) => state === 'output-available'));
    await world.until(() => callsIn([run.message()])[1]?.callProviderMetadata !== undefined);
    await world.runs.stop(CHAT, 'main');
    gate.resolve(undefined);
    assert.equal(run.status, 'interrupted');
    assert.deepEqual(
      (await world.store.listBranches(CHAT)).map(({ name }) => name),
      ['main'],
    );
    // It is still open: the next turn can end it.
    assert.equal(activeCheckpoints(await world.path()).length, 1);
    await world.answered('and now?');
    assert.equal((await world.store.getActiveBranch(CHAT))?.name, 'main-v2');
  });

  it('asks the question anew that came after the checkpoint: it is what has to be answered', async () => {
    await using world = await newWorld({
      tools,
      script: [[...checkpoint('g')], [say('Half'), hang()], rewind('R'), answer('Yes.')],
    });
    const first = await world.ask('first');
    await world.arrived(first, 'Half');
    await world.runs.stop(CHAT, 'main');
    await world.answered('second');
    const lines = told(request(world.server, 4));
    assert.deepEqual(
      ['first', 'Half', '>\nR\n<', 'second'].map((text) => count(lines, text)),
      [1, 0, 1, 1],
    );
    assert.match(lines.at(-1) ?? '', /\n---\n\nsecond$/u);
    assert.deepEqual((await world.texts('main-v2')).slice(-2), ['second', 'Yes.']);
  });

  it('reminds the model twice of a report it owes, then tells the user', async () => {
    await using world = await newWorld({
      tools,
      script: [checkpoint('the goal'), answer('Done?'), answer('Really done.'), answer('I said done.')],
    });
    const run = await world.answered('?');
    assert.equal(world.server.requests.length, 4);
    assert.match(told(request(world.server, 3)).at(-1) ?? '', /^user: .*still active.*the goal/s);
    assert.equal(count(told(request(world.server, 4)), 'still active'), 2);
    assert.equal(run.status, 'complete');
    assert.equal(run.notice?.code, 'checkpoint-open');
    assert.match(run.notice.message, /the goal/);
    assert.equal((await world.lastMetadata()).notice?.code, 'checkpoint-open');
    // The user does not read what was said to the model alone.
    assert.deepEqual((await world.texts()).at(-1), 'Done?\n\nReally done.\n\nI said done.');
  });

  it('goes on when a reminder is heard', async () => {
    await using world = await newWorld({
      tools,
      script: [checkpoint('g'), answer('Done?'), rewind('R'), answer('Now it is.')],
    });
    const run = await world.answered('?');
    assert.deepEqual([run.branch, run.notice], ['main-v2', undefined]);
    assert.deepEqual((await world.texts('main-v2')).at(-1), 'Now it is.');
  });

  it('begins at the root, and says so, when the message of the checkpoint is gone', async () => {
    class Forgetful extends FragileStore {
      lost: string | undefined;
      override saveMessages(asked: SaveMessages): Promise<SavedMessages> {
        const at = asked.newBranchAt?.messageId;
        return at === undefined || at === null || this.lost === undefined
          ? super.saveMessages(asked)
          : Promise.reject(new MessageNotFoundError(at));
      }
    }
    const store = new Forgetful();
    await using world = await newWorld({
      store,
      tools,
      script: [checkpoint('g'), look('x'), rewind('R'), answer('Anyway.')],
    });
    store.lost = 'all';
    const run = await world.answered('the question');
    assert.equal(run.status, 'complete');
    assert.equal(run.notice?.code, 'checkpoint-missing');
    const path = await world.path('main-v2');
    assert.equal(branchSummaryOf(path[0] ?? assert.fail())?.isFromRoot, true);
    assert.deepEqual(path.map(textOf).slice(1), ['the question', 'Anyway.']);
    assert.equal(callsIn(await world.path('main')).length, 3);
    assert.ok(
      world.log.lines.some((line) => line.startsWith('warn') && line.includes('going on from the root')),
    );
  });

  it('stays with its branch: the one that is open does not change when another was opened meanwhile', async () => {
    await using world = await newWorld({
      tools,
      script: [checkpoint('g'), [pause(), ...rewind('R')], answer('ok')],
    });
    const run = await world.ask('?');
    await world.server.pauseReached();
    const [question] = await world.path();
    await world.engine().rewind(question?.id ?? '');
    world.server.release();
    await run.done;
    assert.equal((await world.store.getActiveBranch(CHAT))?.name, 'main-v2');
    assert.equal(run.branch, 'main-v3');
    assert.deepEqual((await world.texts('main-v3')).at(-1), 'ok');
  });

  it('is found again on its new branch while it goes on, and can be stopped there', async () => {
    await using world = await newWorld({
      tools,
      script: [checkpoint('g'), rewind('R'), [say('On'), hang()]],
    });
    const run = await world.ask('?');
    await world.arrived(run, 'On');
    assert.equal(world.runs.get(CHAT, 'main'), undefined);
    assert.equal(world.runs.get(CHAT, 'main-v2'), run);
    await world.runs.stop(CHAT, 'main-v2');
    assert.equal(run.status, 'interrupted');
    assert.deepEqual((await world.texts('main-v2')).at(-1), 'On');
    assert.equal(world.runs.get(CHAT, 'main-v2'), undefined);
  });

  it('cuts a huge report, and says how long it was', async () => {
    await using world = await newWorld({
      tools,
      script: [checkpoint('g'), rewind('y'.repeat(600_000)), answer('ok')],
    });
    await world.answered('?');
    const summary = (await world.path('main-v2'))[2];
    const kept = branchSummaryOf(summary ?? assert.fail());
    assert.equal(kept?.report.length, 500_000);
    assert.match(kept.report, /\[cut: 600000 characters in all, SHA-256 [0-9a-f]{64}\]$/);
  });

  it('survives a crash anywhere: what the checkpoint left open is open, and the report still ends it', async () => {
    const store = new FragileStore();
    const scheduler = new ManualScheduler();
    const world = await newWorld({
      store,
      scheduler,
      tools,
      script: [
        checkpoint('g'),
        [say('Exploring'), callTool('c', 'echo', '{"te'), hang()],
        rewind('R'),
        answer('ok'),
      ],
    });
    const run = await world.ask('?');
    await world.arrived(run, 'Exploring');
    scheduler.pass(1_000);
    await store.draftTried();
    store.isFull = true;
    await world.runs.stopAll();
    store.isFull = false;

    const again = new Runs({
      store,
      writes: createAgentWrites(store, USER, loadRare),
      fragments: () => [],
      log: new MemoryLog(),
      tools,
    });
    assert.equal(await again.recover(), 1);
    assert.deepEqual(
      activeCheckpoints(await world.path()).map(({ goal }) => goal),
      ['g'],
    );
    const next = await again.start({
      chatId: CHAT,
      branch: 'main',
      question: 'go on',
      model: await world.model(),
    });
    await next.done;
    assert.equal(next.branch, 'main-v2');
    const lines = told(request(world.server, 4));
    assert.deepEqual([count(lines, '>\nR\n<'), count(lines, 'Exploring')], [1, 0]);
    assert.match(lines.at(-1) ?? '', /\n---\n\ngo on$/u);
    again.dispose();
    await world[Symbol.asyncDispose]();
  });

  it('is read from the path alone: on a branch before the checkpoint there is none', async () => {
    await using world = await newWorld({
      tools,
      script: [checkpoint('g'), [say('Half'), hang()], rewind('R'), answer('None, then.')],
    });
    const run = await world.ask('first');
    await world.arrived(run, 'Half');
    await world.runs.stop(CHAT, 'main');
    await world.engine().rewind(run.questionId);
    await world.answered('other', 'main-v2');
    assert.equal((await results(world, 4)).at(-1), 'No active checkpoint.');
  });
});
