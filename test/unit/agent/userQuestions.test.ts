import assert from 'node:assert/strict';
import { askUserTool } from '../../../src/agent/tools/askUserTool.ts';
import { answeredIn, canAnswer, type QuestionAnswer } from '../../../src/agent/tools/userQuestions.ts';
import { toolsIn } from '../../../src/agent/run/chatMode.ts';
import { Approvals, noAllowances } from '../../../src/agent/tools/approvals.ts';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { ManualScheduler, newWorld, type World, type WorldOptions } from '../../worlds/agentWorld.ts';
import { callsIn, request } from '../../worlds/toolCalls.ts';

const options = [{ label: 'SQLite', detail: 'A file.' }, { label: 'PostgreSQL' }];
const questions = [
  { question: 'Which store?', options },
  { question: 'Which systems?', options: [{ label: 'Linux' }, { label: 'macOS' }], several: true },
];
const ask = (input: unknown) => useTools(['ask_user', input]);

/** Answers the first question that is asked once, with `answers`. */
const answering = async (
  answers: readonly QuestionAnswer[] | undefined,
  more: Partial<WorldOptions> = {},
): Promise<{ readonly world: World; readonly approvals: Approvals; readonly result: string }> => {
  const approvals = new Approvals(noAllowances, () => true);
  const world = await newWorld({
    tools: () => [askUserTool],
    approvals,
    script: [ask({ questions }), answer('So.')],
    ...more,
  });
  const run = await world.ask('Go');
  await world.until(() => approvals.list().length > 0);
  const asked = approvals.list()[0] ?? assert.fail();
  assert.deepEqual(
    asked.questions?.map(({ question }) => question),
    ['Which store?', 'Which systems?'],
    'no setting answers for the user',
  );
  assert.equal(approvals.answerQuestions(asked.id, answers), true);
  await run.done;
  assert.deepEqual(approvals.list(), []);
  return { world, approvals, result: toolResultsOf(request(world.server, 2))[0]?.result ?? '' };
};

describe('questions of the agent', () => {
  it('come back to it with what was chosen and said, and stay with the call', async () => {
    const answers = [
      { chosen: [1], text: '' },
      { chosen: [0, 1], text: 'BSD too' },
    ];
    const { world, result } = await answering(answers);
    assert.equal(
      result,
      'Which store?\n- PostgreSQL\n\nWhich systems?\n- Linux\n- macOS\n- In their own words: BSD too',
    );
    const [call] = callsIn(await world.path());
    assert.ok(call?.state === 'output-available');
    assert.deepEqual(answeredIn(call.output)?.answers, answers);
    await world[Symbol.asyncDispose]();
  });

  it('can be left to it, all of them or one', async () => {
    const all = await answering(undefined);
    assert.equal(all.result, 'The user leaves this to you: decide, and say what you decided.');
    await all.world[Symbol.asyncDispose]();
    const one = await answering([
      { chosen: [], text: ' ' },
      { chosen: [0], text: '' },
    ]);
    assert.equal(one.result, 'Which store?\n- Left to you.\n\nWhich systems?\n- Linux');
    await one.world[Symbol.asyncDispose]();
  });

  it('take no answer but one to what was asked', () => {
    const one = { chosen: [0], text: '' };
    const wrong = [
      [],
      [one],
      [one, one, one],
      [{ chosen: [2], text: '' }, one],
      [{ chosen: [0, 1], text: '' }, one],
      [one, { chosen: [1, 1], text: '' }],
    ];
    for (const answers of wrong) assert.equal(canAnswer(questions, answers), false, JSON.stringify(answers));
    assert.equal(canAnswer(questions, [one, { chosen: [1, 0], text: 'x' }]), true);
    const approvals = new Approvals(noAllowances);
    assert.equal(approvals.answerQuestions('none', undefined), false);
  });

  it('end with the answer when it is stopped, and the time they wait is not its own', async () => {
    const approvals = new Approvals(noAllowances);
    const scheduler = new ManualScheduler();
    await using world = await newWorld({
      tools: () => [askUserTool],
      approvals,
      scheduler,
      script: [ask({ questions })],
    });
    const run = await world.ask('Go');
    await world.until(() => approvals.list().length > 0);
    await world.runs.stop(run.chatId, run.branch);
    assert.equal(run.status, 'interrupted');
    assert.deepEqual(approvals.list(), []);
    assert.deepEqual(
      callsIn(await world.path()).map(({ state }) => state),
      ['output-error'],
    );
  });

  it('are refused with the reason where there are too many, or too few to choose from', async () => {
    const [first] = questions;
    const wrong = [
      { questions: [] },
      { questions: Array.from({ length: 5 }, () => first) },
      { questions: [{ question: 'One?', options: [{ label: 'a' }] }] },
      { questions: [{ question: 'Seven?', options: 'abcdefg'.split('').map((label) => ({ label })) }] },
      { questions: [{ question: 'Same?', options: [{ label: 'a' }, { label: 'a' }] }] },
      { questions: [{ question: 'x'.repeat(501), options }] },
      { questions: [{ question: ' ', options }] },
    ];
    await using world = await newWorld({
      tools: () => [askUserTool],
      script: [...wrong.map(ask), answer('Sorry.')],
    });
    await world.answered('Go');
    const errors = callsIn(await world.path()).flatMap((call) =>
      call.state === 'output-error' ? [call.errorText] : [],
    );
    const expected = [
      /questions: Too small/u,
      /questions: Too big/u,
      /options: Too small/u,
      /options: Too big/u,
      /label of its own/u,
      /question: Too big/u,
      /question: Too small/u,
    ];
    assert.equal(errors.length, expected.length);
    for (const [index, reason] of expected.entries()) assert.match(errors[index] ?? '', reason);
  });

  it('are asked for work and plans, and not where one only asks, nor by agents that explore', () => {
    const offered = (mode: 'agent' | 'plan' | 'ask') => toolsIn(mode, [askUserTool]).length;
    // What explores is offered what reading takes, as in ask mode.
    assert.deepEqual([offered('agent'), offered('plan'), offered('ask')], [1, 1, 0]);
  });
});
