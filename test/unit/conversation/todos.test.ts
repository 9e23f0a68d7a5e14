import assert from 'node:assert/strict';
import { BranchBusyError } from '../../../src/agent/run/run.ts';
import type { Todo } from '../../../src/agent/plans/todoList.ts';
import { todoTools } from '../../../src/agent/tools/todoTool.ts';
import { TodosChangedError, todosOn } from '../../../src/conversation/todos.ts';
import { answer, hang, say, useTools } from '../../fixtures/openaiServer.ts';
import { CHAT, USER } from '../../worlds/agentWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';
import { noFiles } from '../../fixtures/noFiles.ts';

const list: readonly Todo[] = [
  { title: 'Read', status: 'done' },
  { title: 'Write', status: 'in_progress' },
];
const ticked: readonly Todo[] = [
  { title: 'Read', status: 'done' },
  { title: 'Write', status: 'done' },
];
const script = [useTools(['write_todos', { todos: list }]), answer('Noted.')];
const tools = { tools: () => todoTools };
const mark = { kind: 'mark', index: 1, title: 'Write', status: 'done' } as const;

const now = (world: ConversationWorld, branch = 'main') =>
  todosOn({ store: world.store, userId: USER }, CHAT, branch);
/** As a window that was just opened knows it. */
const history = ({ conversations }: ConversationWorld) => conversations.history(noFiles);

describe('what a user does with the todo list', () => {
  it('counts on the branch, is logged, and can be undone and done again one by one', async () => {
    await using world = await ConversationWorld.make(script, tools);
    await world.answered('Go');
    await world.conversations.editTodos(mark);
    assert.deepEqual(await now(world), ticked);
    await world.conversations.editTodos({ kind: 'clear' });
    assert.deepEqual(await now(world), []);
    const events = await world.store.listEvents(CHAT, { kind: 'todos-edited' });
    assert.deepEqual(
      events.map(({ branch, details }) => [branch, details]),
      [
        ['main', { before: list, after: ticked }],
        ['main', { before: ticked, after: [] }],
      ],
    );
    const states: (readonly Todo[])[] = [];
    for (const direction of ['undo', 'undo', 'redo', 'redo', 'undo'] as const) {
      assert.equal((await history(world).take(direction))?.kind, 'todos-edited');
      states.push(await now(world));
    }
    assert.deepEqual(states, [ticked, list, ticked, [], ticked]);
    assert.deepEqual(await world.branches(), ['main*'], 'none of it makes a branch');
  });

  it('cannot be undone once the agent has written another list, or on another branch', async () => {
    const other: readonly Todo[] = [{ title: 'Else', status: 'pending' }];
    await using world = await ConversationWorld.make(
      [...script, ...[1, 2].map(() => useTools(['write_todos', { todos: other }])), answer('So.')],
      tools,
    );
    await world.answered('Go');
    await world.conversations.editTodos(mark);
    assert.equal((await history(world).steps('undo')).length, 1);
    await world.answered('On');
    assert.deepEqual(await history(world).steps('undo'), []);
    assert.deepEqual(await now(world), other);
  });

  it('is refused where the list is another by now, and while an answer is written there', async () => {
    await using world = await ConversationWorld.make([...script, [say('Well'), hang()]], tools);
    await world.answered('Go');
    const wrong = { ...mark, title: 'Something else' };
    await assert.rejects(world.conversations.editTodos(wrong), TodosChangedError);
    await assert.rejects(world.conversations.editTodos({ ...mark, index: 7 }), TodosChangedError);
    const run = await world.conversations.ask('On');
    await world.world.arrived(run, 'Well');
    await assert.rejects(world.conversations.editTodos(mark), BranchBusyError);
    await world.conversations.stop();
    await run.done;
    assert.equal(run.branch, 'main', 'the answer is where it was');
    assert.deepEqual(await now(world), list);
    assert.equal((await world.store.listEvents(CHAT, { kind: 'todos-edited' })).length, 0);
  });

  it('leaves an answer that was rewound to a step one that can be continued', async () => {
    await using world = await ConversationWorld.make([...script, answer('Again.')], tools);
    await world.answered('Go');
    const moved = await world.conversations.rewind(await world.idAt(1));
    await world.conversations.editTodos(mark);
    await (
      await world.conversations.continueAnswer(moved.to.name)
    ).done;
    assert.deepEqual(await now(world, moved.to.name), ticked);
    assert.equal((await world.world.texts(moved.to.name)).at(-1), 'Again.');
  });
});
