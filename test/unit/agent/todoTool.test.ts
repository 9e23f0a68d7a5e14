import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changedByUser, MAX_TODOS, readTodos, TODOS, type Todo } from '../../../src/agent/plans/todoList.ts';
import { todoTools } from '../../../src/agent/tools/todoTool.ts';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { newWorld, type World } from '../../worlds/agentWorld.ts';
import { callsIn, request } from '../../worlds/toolCalls.ts';

const list = (...statuses: readonly Todo['status'][]): Todo[] =>
  statuses.map((status, index) => ({ title: `Step ${index + 1}`, status }));
const write = (todos: unknown) => useTools(['write_todos', { todos }]);
const tools = { tools: () => todoTools };

const todosOn = async (world: World, branch: string): Promise<unknown> => {
  const engine = world.engine(branch);
  try {
    return await engine.state.get(TODOS);
  } finally {
    await engine.close();
  }
};

describe('the todo list of an agent', () => {
  it('is what it wrote last, as a step of its own, and goes back with the conversation', async () => {
    await using world = await newWorld({
      ...tools,
      script: [write(list('in_progress', 'pending')), write(list('done', 'in_progress')), answer('So far.')],
    });
    await world.answered('Go');
    assert.deepEqual(
      (await world.path()).map(({ role }) => role),
      ['user', 'assistant', 'assistant', 'assistant'],
    );
    assert.deepEqual(await todosOn(world, 'main'), list('done', 'in_progress'));
    const results = toolResultsOf(request(world.server, 3)).map(({ result }) => result);
    assert.deepEqual(results, ['0 of 2 done.', '1 of 2 done.']);
    const [, first] = await world.path();
    const engine = world.engine('main');
    const rewound = await engine.rewind(first?.id ?? '');
    assert.deepEqual(await todosOn(world, rewound.name), list('in_progress', 'pending'));
    assert.deepEqual(
      await todosOn(world, 'main'),
      list('done', 'in_progress'),
      'the branch left has its own',
    );
    await engine.close();
  });

  it('is taken away by an empty one', async () => {
    await using world = await newWorld({
      ...tools,
      script: [write(list('done')), write([]), answer('Done.')],
    });
    await world.answered('Go');
    assert.equal(await todosOn(world, 'main'), undefined);
  });

  it('is refused with the reason where it is too long, or an entry is, and the one before stays', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      title: `Step ${index}`,
      status: 'pending',
    }));
    await using world = await newWorld({
      ...tools,
      script: [
        write(list('pending')),
        write(many),
        write([{ title: 'x'.repeat(100_000), status: 'pending' }]),
        write([{ title: '  ', status: 'pending' }]),
        write([{ title: 'Step', status: 'finished' }]),
        answer('Sorry.'),
      ],
    });
    await world.answered('Go');
    const errors = callsIn(await world.path()).flatMap((call) =>
      call.state === 'output-error' ? [call.errorText] : [],
    );
    assert.equal(errors.length, 4);
    assert.match(errors[0] ?? '', new RegExp(`Too big: expected array to have <=${MAX_TODOS} items`));
    assert.match(errors[1] ?? '', /todos\.0\.title: Too big: expected string to have <=200 characters/);
    assert.match(errors[2] ?? '', /todos\.0\.title: Too small/);
    assert.match(errors[3] ?? '', /todos\.0\.status/);
    for (const error of errors) assert.ok(error.length < 1_000, 'it is not told at length');
    assert.deepEqual(await todosOn(world, 'main'), list('pending'));
  });

  it('is told of to its agent once the user has changed it, when it would be written over', async () => {
    await using world = await newWorld({
      ...tools,
      script: [
        write(list('in_progress', 'pending')),
        answer('So far.'),
        write(list('done', 'done')),
        write(list('done', 'in_progress')),
        answer('On.'),
      ],
    });
    await world.answered('Go');
    const engine = world.engine('main');
    engine.state.set(TODOS, changedByUser(list('pending', 'done')));
    await engine.save();
    await engine.close();
    await world.answered('On');
    const [, noticed, again] = toolResultsOf(request(world.server, 5)).map(({ result }) => result);
    assert.match(
      noticed ?? '',
      /^The user has changed the list\. It is now:\n- Step 1 \(pending\)\n- Step 2 \(done\)\n/,
    );
    assert.equal(again, '1 of 2 done.');
    assert.deepEqual(await todosOn(world, 'main'), list('done', 'in_progress'));
  });

  it('is offered for plans as well, and not where one only asks', async () => {
    let mode: 'plan' | 'ask' = 'plan';
    await using world = await newWorld({ ...tools, mode: () => mode, script: [answer('1'), answer('2')] });
    await world.answered('one');
    mode = 'ask';
    await world.answered('two');
    const offered = [1, 2].map((number) =>
      (request(world.server, number).body.tools ?? []).map((each) => each.function.name),
    );
    assert.deepEqual(offered, [['write_todos'], []]);
  });

  it('is read only where it is one (fuzz): whatever stands under its key, it is a list that can be shown, or damaged', () => {
    const title = fc.string({ minLength: 1, maxLength: 200 }).filter((each) => each.trim() !== '');
    const status = fc.constantFrom('pending', 'in_progress', 'done');
    const entry = fc.record({ title, status });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(entry, { maxLength: 60 })), (value) => {
        // As it is stored.
        const stored: unknown = JSON.parse(JSON.stringify(value));
        const read = readTodos(stored as Parameters<typeof readTodos>[0]);
        if (read === 'damaged') return;
        assert.ok(read.length <= MAX_TODOS);
        for (const each of read) assert.ok(each.title.length <= 200 && each.title.trim() !== '');
      }),
      { numRuns: fuzzRuns(200) },
    );
    assert.deepEqual(readTodos(undefined), []);
    const damaged = [
      null,
      'x',
      { a: 1 },
      [1],
      [{ title: 'x' }],
      Array.from({ length: 51 }, () => list('done')[0]),
    ];
    for (const value of damaged) assert.equal(readTodos(value as never), 'damaged');
  });
});
