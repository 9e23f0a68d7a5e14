import assert from 'node:assert/strict';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { until } from '../../fixtures/until.ts';
import { CHAT, type World } from '../../worlds/agentWorld.ts';
import { request } from '../../worlds/toolCalls.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';
import { Person, writingWorld } from '../../worlds/writingWorld.ts';

const lastResults = (world: World): string[] =>
  toolResultsOf(request(world.server, world.server.requests.length)).map(({ result }) => result);
const edit = (path: string, oldText: string, newText: string) =>
  ['edit_file', { path, oldText, newText }] as const;

describe('the tools that write', () => {
  it('edit what the user typed and did not save, in the editor, and save it with that', async () => {
    await using workspace = await TestWorkspace.create({
      'open.ts': 'on the disk\n',
      'b.ts': 'b',
      'c.ts': '',
    });
    workspace.type('open.ts', 'typed\n');
    workspace.type('c.ts', 'typed');
    const person = new Person(({ preview }) => {
      if (preview?.shown === 'b.ts') workspace.type('b.ts', 'b, typed while it was asked');
      if (preview?.shown === 'c.ts') void workspace.saveEdit(workspace.uri('c.ts'), 'typed', 'typed');
      return preview?.shown === 'c.ts' ? undefined : 'once';
    });
    await using world = await writingWorld(workspace, person, [
      useTools(
        edit('open.ts', 'typed', 'edited'),
        edit('open.ts', 'edited', 'again'),
        edit('b.ts', 'b', 'c'),
        edit('c.ts', 'typed', 'edited'),
      ),
      answer('ok'),
    ]);
    const asked = await world.ask('?');
    // It is saved, as editors do after a while, before the user allows it.
    await until(async () => (await workspace.text('c.ts')) === 'typed', 'what was typed to be saved');
    person.approvals.answer(person.approvals.list()[0]?.id ?? '', 'once');
    await asked.done;
    assert.equal(await workspace.text('c.ts'), 'edited');
    assert.deepEqual(
      person.asked.map(({ preview }) => [preview?.before, preview?.after, preview?.isUnsaved]),
      [
        ['typed\n', 'edited\n', true],
        ['edited\n', 'again\n', false],
        ['b', 'c', false],
        ['typed', 'edited', true],
      ],
    );
    assert.match(
      lastResults(world)[0] ?? '',
      /^Changed open\.ts\. What the user had not saved of it is saved/,
    );
    assert.equal(lastResults(world)[1], 'Changed open.ts.');
    assert.match(lastResults(world)[2] ?? '', /changed in the editor after it was read/);
    assert.equal(await workspace.text('open.ts'), 'again\n');
    const [first] = (await world.store.listFileChanges(CHAT)).flatMap(({ files }) => files);
    const before = await world.store.blobs.get(first?.before?.hash ?? '');
    assert.equal(new TextDecoder().decode(before), 'typed\n', 'what a rewind brings back');
  });
});
