import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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

  it('keep the encoding in which the editor saves', async () => {
    await using workspace = await TestWorkspace.create({ 'a.txt': '' });
    workspace.type('a.txt', 'café\n', 'windows1252');
    await using world = await writingWorld(workspace, new Person(() => 'once'), [
      useTools(edit('a.txt', 'café', 'cafés')),
      answer('ok'),
    ]);
    await world.answered('?');
    assert.deepEqual(await readFile(workspace.at('a.txt')), Buffer.from('cafés\n', 'latin1'));
    const [change] = (await world.store.listFileChanges(CHAT)).flatMap(({ files }) => files);
    const before = await world.store.blobs.get(change?.before?.hash ?? '');
    assert.deepEqual(Buffer.from(before ?? []), Buffer.from('café\n', 'latin1'));
  });

  it('leave to the editor how a notebook is written, and what it could not open is not made', async () => {
    await using workspace = await TestWorkspace.create({ 'a.ipynb': '{}' });
    workspace.type('a.ipynb', '{"cells":["one"]}');
    workspace.format = (text) => {
      try {
        return JSON.stringify(JSON.parse(text));
      } catch {
        return undefined;
      }
    };
    const person = new Person(() => 'once');
    await using world = await writingWorld(workspace, person, [
      useTools(
        ['read_file', { path: 'a.ipynb' }],
        edit('a.ipynb', '["one"]', '["one"'),
        edit('a.ipynb', '["one"]', '[ "one" ]'),
        edit('a.ipynb', '["one"]', '[ "two" ]'),
      ),
      answer('ok'),
    ]);
    await world.answered('?');
    const [read, broken, same, changed] = lastResults(world);
    assert.match(read ?? '', /\{"cells":\["one"\]\}\n\[The user has not saved this yet/);
    assert.match(broken ?? '', /the editor could not open what this would make of it/);
    assert.match(same ?? '', /nothing of this change is kept/);
    assert.match(changed ?? '', /^Changed a\.ipynb\./);
    assert.deepEqual(
      person.asked.map(({ preview }) => preview?.after),
      ['{"cells":["two"]}'],
    );
    assert.equal(await workspace.text('a.ipynb'), '{"cells":["two"]}');
  });

  it('refuse a file with changes that its editor does not give away', async () => {
    await using workspace = await TestWorkspace.create({ 'a.drawing': 'one' });
    workspace.closed.add(workspace.uri('a.drawing'));
    const person = new Person(() => 'once');
    await using world = await writingWorld(workspace, person, [
      useTools(
        ['read_file', { path: 'a.drawing' }],
        edit('a.drawing', 'one', 'two'),
        ['delete_file', { path: 'a.drawing' }],
        ['rename_file', { from: 'a.drawing', to: 'b.drawing' }],
      ),
      answer('ok'),
    ]);
    await world.answered('?');
    assert.equal(lastResults(world).length, 4);
    for (const result of lastResults(world)) {
      assert.match(result, /not saved, in an editor that does not give them/);
    }
    assert.deepEqual(person.asked, []);
    assert.equal(await workspace.text('a.drawing'), 'one');
  });
});
