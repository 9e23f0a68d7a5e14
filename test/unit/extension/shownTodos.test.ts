import assert from 'node:assert/strict';
import { changesTodos, ShownTodos } from '../../../src/extension/chat/shownTodos.ts';
import type { RunEvent } from '../../../src/agent/run/run.ts';
import type { UIMessagePart } from '../../../src/engine/uiMessage.ts';

const stored = [{ title: 'Stored', status: 'pending' }] as const;
const written = (title: string, state: 'output-available' | 'input-available'): UIMessagePart => ({
  ...({
    type: 'tool-write_todos',
    toolCallId: title,
    input: { todos: [{ title, status: 'done' }] },
  } as const),
  ...(state === 'output-available' ? { state, output: {} } : { state }),
});
const runOf = (...parts: UIMessagePart[]) => ({
  message: () => ({ id: 'a', role: 'assistant' as const, parts }),
});

describe('the todo list that pages show', () => {
  it('is the stored one, or what the answer on its way wrote last', () => {
    const todos = new ShownTodos({ warn: () => assert.fail('nothing is wrong') });
    assert.deepEqual(todos.read('c', stored, undefined), stored);
    assert.deepEqual(todos.read('c', undefined, undefined), []);
    const run = runOf(written('one', 'output-available'), written('two', 'output-available'));
    assert.deepEqual(todos.read('c', stored, run), [{ title: 'two', status: 'done' }]);
    assert.deepEqual(todos.read('c', stored, runOf(written('one', 'input-available'))), stored);
  });

  it('is left out where it cannot be read, with one line in the log and no word of it', () => {
    const lines: string[] = [];
    const todos = new ShownTodos({ warn: (line) => lines.push(line) });
    const many = Array.from({ length: 10_000 }, () => stored[0]);
    for (const value of ['secret', many, [{ title: 'x'.repeat(1_000), status: 'done' }]])
      assert.deepEqual(todos.read('c', value, undefined), []);
    assert.deepEqual(lines, ['A todo list cannot be read, and is not shown.']);
    todos.read('d', 'secret', undefined);
    assert.equal(lines.length, 2, 'of each chat');
  });

  it('is looked at again when it was written, and not with every other part', () => {
    const event = (part: UIMessagePart) => ({ kind: 'part', part }) as RunEvent;
    assert.ok(changesTodos(event(written('one', 'output-available'))));
    assert.ok(!changesTodos(event(written('one', 'input-available'))));
    assert.ok(!changesTodos(event({ type: 'text', text: 'x' })));
  });
});
