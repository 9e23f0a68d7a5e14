import assert from 'node:assert/strict';
import { z } from 'zod';
import { branchSummaryOf } from '../../../src/engine/branchSummary.ts';
import { NOTHING_SAID } from '../../../src/models/requests/roles.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import { answer, hang, say, useTools } from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';
import { callsIn, request, receivedMessages } from '../../worlds/toolCalls.ts';
import { checkpoint, count, look, results, rewind, tools } from '../../worlds/cycleSteps.ts';

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
    const last = receivedMessages(request(world.server, 5)).slice(1);
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
    const live = receivedMessages(request(world.server, 4));
    await world.answered('two', 'main-v2');
    const loaded = receivedMessages(request(world.server, 5));
    assert.deepEqual(loaded.slice(0, live.length), live);
    assert.equal(count(loaded, 'R1'), 1);
    assert.equal(count(loaded, 'secret detour'), 0);
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
      const texts = await results(world, 2);
      assert.ok(texts.some((text) => text.startsWith('No active checkpoint.')));
      assert.ok(texts.some((text) => text.startsWith('Checkpoint created.')));
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
    const lines = receivedMessages(request(world.server, 3));
    assert.deepEqual([count(lines, 'first'), count(lines, 'second')], [1, 0]);
  });

  it('keeps what other tools said in the step of the checkpoint, and in that of the rewind', async () => {
    await using world = await newWorld({
      tools,
      script: [
        useTools(['echo', { text: 'before' }], ['checkpoint', { goal: 'g' }], ['echo', { text: 'next' }]),
        useTools(['rewind', { report: 'R' }], ['echo', { text: 'together' }]),
        answer('ok'),
      ],
    });
    await world.answered('?');
    const lines = receivedMessages(request(world.server, 3));
    assert.deepEqual(
      ['echo: before', 'echo: next', 'echo: together'].map((text) => count(lines, text)),
      [1, 1, 1],
    );
    assert.deepEqual(
      callsIn(await world.path('main')).map(({ state }) => state),
      Array(5).fill('output-available'),
    );
  });

  it('asks the question again that came after the checkpoint: it is what has to be answered', async () => {
    await using world = await newWorld({
      tools,
      script: [[...checkpoint('g')], [say('Half'), hang()], rewind('R'), answer('Yes.')],
    });
    const first = await world.ask('first');
    await world.arrived(first, 'Half');
    await world.runs.stop(CHAT, 'main');
    await world.answered('second');
    const lines = receivedMessages(request(world.server, 4));
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
    assert.match(receivedMessages(request(world.server, 3)).at(-1) ?? '', /^user: .*still active.*the goal/s);
    assert.equal(count(receivedMessages(request(world.server, 4)), 'still active'), 2);
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
