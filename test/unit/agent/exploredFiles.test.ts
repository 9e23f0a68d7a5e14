import assert from 'node:assert/strict';
import { answer, useTools, type Script } from '../../fixtures/openaiServer.ts';
import { CHAT, type World } from '../../worlds/agentWorld.ts';
import { Person, writingWorld } from '../../worlds/writingWorld.ts';
import { restorerOf } from '../../worlds/restores.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

const edit = (file: string, oldText: string, newText: string) =>
  ['edit_file', { path: file, oldText, newText }] as const;

/** What going to a message would do: `path` and what the file would hold, null where it would be removed. */
async function plan(world: World, workspace: TestWorkspace, messageId: string | null): Promise<unknown[]> {
  const { files } = await restorerOf(world, workspace).preview(CHAT, messageId);
  const decoder = new TextDecoder();
  return Promise.all(
    files.map(async ({ planned: { location, target }, state }) => {
      const bytes = target && (await world.store.blobs.get(target.hash));
      return [location.path, bytes ? decoder.decode(bytes) : null, state];
    }),
  );
}

const explorations: Script = [
  useTools(['checkpoint', { goal: 'try it' }]),
  useTools(edit('a.ts', 'one', 'two'), ['write_file', { path: 'new/b.ts', content: 'b' }]),
  useTools(edit('a.ts', 'two', 'three')),
  useTools(['rewind', { report: 'It is three.' }]),
  answer('Three.'),
  useTools(edit('a.ts', 'three', 'four')),
  answer('Four.'),
];

describe('files that were changed while exploring, and stay', () => {
  it('belong to the branch that goes on: going back to after the report leaves them, going before it does not', async () => {
    await using workspace = await TestWorkspace.create({ 'a.ts': 'one' });
    await using world = await writingWorld(workspace, new Person(() => 'once'), explorations);
    await world.answered('make it three');
    const path = await world.path('main-v2');
    const [question, , report, last] = path;
    assert.ok(question && report && last && path.length === 4);
    assert.deepEqual(await plan(world, workspace, last.id), [], 'nothing changes where one is');
    assert.deepEqual(await plan(world, workspace, report.id), []);

    await world.answered('and four', 'main-v2');
    assert.equal(await workspace.text('a.ts'), 'four');
    assert.deepEqual(await plan(world, workspace, last.id), [['a.ts', 'three', 'ready']]);
    assert.deepEqual(await plan(world, workspace, question.id), [
      ['a.ts', 'one', 'ready'],
      ['new/b.ts', null, 'ready'],
    ]);
    const explored = (await world.path('main')).at(-1);
    assert.ok(explored);
    assert.deepEqual(await plan(world, workspace, explored.id), [['a.ts', 'three', 'ready']]);
  });
});
