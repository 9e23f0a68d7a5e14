import assert from 'node:assert/strict';
import type { FileChange, MessageEffects } from '../../../src/engine/effects.ts';
import type { MessageData } from '../../../src/engine/graph.ts';
import type { JsonValue } from '../../../src/engine/json.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

const version = { hash: 'a'.repeat(64), size: 1 };
const change = (path: string, kind: 'created' | 'edited' | 'deleted'): FileChange => ({
  folder: 'file:///w',
  path,
  at: 1,
  before: kind === 'created' ? null : version,
  after: kind === 'deleted' ? null : version,
});
const ran = (command: string, state = 'output-available') => ({
  type: 'tool-run_command',
  toolCallId: command,
  state,
  input: { command },
  ...(state === 'output-error' ? { errorText: 'no' } : { output: { text: '' } }),
});

async function textOf(effects: MessageEffects | undefined, parts: JsonValue[] = [ran('ls')]) {
  const { describeStep } = await withVsCodeStub(
    () => import('../../../src/extension/branches/describeStep.ts'),
  );
  const message: MessageData = {
    id: 'm',
    chatId: 'c',
    parentId: null,
    depth: 1,
    name: 'assistant',
    type: 'message',
    invocationId: 'q',
    replaces: undefined,
    effects,
    createdAt: 0,
    data: { id: 'm', role: 'assistant', parts },
  };
  return describeStep(message);
}

describe('what a step changed, in a few words', () => {
  it('is its files, each once and by what became of it, its commands, and what it keeps', async () => {
    const files = [
      change('src/a.ts', 'edited'),
      change('src/a.ts', 'edited'),
      change('b.ts', 'created'),
      change('b.ts', 'edited'),
      change('c.ts', 'edited'),
      change('c.ts', 'deleted'),
    ];
    const described = await textOf({ files }, [ran('npm test')]);
    assert.deepEqual(described, {
      text: 'Created b.ts · Edited src/a.ts · Deleted c.ts · Ran npm test',
      changes: 'Created b.ts · Edited src/a.ts · Deleted c.ts · Ran npm test',
    });
    const many = [change('a', 'edited'), change('b', 'edited')];
    assert.equal(
      (await textOf({ files: many }, [ran('ls'), ran('pwd')]))?.text,
      'Edited 2 files · Ran 2 commands',
    );
    const artifact = { ...version, name: 'notes', version: 0, mediaType: 'text/plain' };
    assert.equal((await textOf({ artifacts: [artifact] }, [ran('x', 'output-error')]))?.text, 'Saved notes');
  });

  it('is a note where nothing but the agent’s own is kept', async () => {
    const noted = await textOf({ state: { set: { todos: [] }, deleted: ['goal'] } }, [
      ran('x', 'output-error'),
    ]);
    assert.deepEqual(noted, { text: 'Updated the todo list · Noted goal', changes: undefined });
    const plan = { ...version, name: 'plan.md', version: 1, mediaType: 'text/markdown' };
    const effects = { artifacts: [plan], state: { set: { todos: [] }, deleted: [] } };
    const ticked = await textOf(effects, [ran('x', 'output-error')]);
    assert.deepEqual(ticked, { text: 'Updated the todo list', changes: undefined }, 'a plan ticks itself');
    assert.equal((await textOf({ artifacts: [plan] }, [ran('x', 'output-error')]))?.text, 'Saved plan.md');
  });

  it('is nothing where the answer ends with it, or nothing was changed', async () => {
    assert.equal(
      await textOf({ files: [change('a', 'edited')] }, [ran('ls'), { type: 'text', text: 'Done.' }]),
      undefined,
    );
    assert.equal(await textOf(undefined, [ran('x', 'output-error')]), undefined);
  });

  it('has names in it that hide nothing and come to an end', async () => {
    const described = await textOf(undefined, [ran(`echo \u202e${'x'.repeat(10_000)}\n`)]);
    assert.match(described?.text ?? '', /^Ran echo ‹U\+202E›x/);
    assert.ok((described?.text.length ?? 0) < 100);
  });
});
