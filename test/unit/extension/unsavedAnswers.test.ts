import assert from 'node:assert/strict';
import { textMessage } from '../../../src/engine/uiMessage.ts';
import { UnsavedAnswers } from '../../../src/extension/storage/unsavedAnswers.ts';

/** What VS Code keeps of a workspace: it comes back as JSON. */
function newMemory(values: Record<string, unknown> = {}) {
  const kept = new Map(Object.entries(values));
  return {
    kept,
    keys: () => [...kept.keys()],
    get: (key: string): unknown => kept.get(key),
    update: (key: string, value: unknown) => {
      if (value === undefined) kept.delete(key);
      else kept.set(key, JSON.parse(JSON.stringify(value)));
      return Promise.resolve();
    },
  } as never as ConstructorParameters<typeof UnsavedAnswers>[0] & { readonly kept: Map<string, unknown> };
}

describe('answers that could not be saved, in the memory of the workspace', () => {
  const fail = (error: unknown): never => assert.fail(String(error));
  const draft = (id: string, text: string) => ({
    chatId: 'c',
    branch: 'main',
    message: textMessage(id, 'assistant', text),
  });

  it('are those of one store, each once, until they are saved', () => {
    const memory = newMemory();
    const answers = new UnsavedAnswers(memory, 'postgres://ana@db/x', fail);
    const local = new UnsavedAnswers(memory, '', fail);
    answers.keep(draft('a', 'half'));
    answers.keep(draft('a', 'whole'));
    local.keep(draft('b', 'here'));
    assert.deepEqual(answers.list(), [draft('a', 'whole')]);
    assert.deepEqual(new UnsavedAnswers(memory, '', fail).list(), [draft('b', 'here')]);
    answers.forget('none');
    answers.forget('a');
    assert.deepEqual([answers.list().length, local.list().length], [0, 1]);
    local.forget('b');
    assert.equal(memory.kept.size, 0);
  });

  it('are none where the memory holds something else', () => {
    for (const value of [7, [{ place: '' }], [{ place: '', chatId: 'c', branch: 'main', message: 'text' }]]) {
      const answers = new UnsavedAnswers(newMemory({ 'offshoot.unsavedAnswers': value }), '', fail);
      assert.deepEqual(answers.list(), []);
      answers.keep(draft('a', 'more'));
      assert.deepEqual(answers.list(), [draft('a', 'more')]);
    }
  });
});
