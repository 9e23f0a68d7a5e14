import assert from 'node:assert/strict';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { request } from '../../worlds/toolCalls.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';
import { Person, writingWorld } from '../../worlds/writingWorld.ts';

describe('the tools in two open folders of one name', () => {
  const refusal =
    '“app/a.ts” can mean each of these: app (client)/a.ts, app (server)/a.ts. Name one of them.';

  it('list, read, search and edit each by its name, and refuse what can mean either', async () => {
    await using workspace = await TestWorkspace.create({
      'client/app/a.ts': 'one',
      'server/app/a.ts': 'one',
    });
    workspace.opened = ['client/app', 'server/app'];
    workspace.matches = [workspace.match('client/app/a.ts', 1, 'one')];
    workspace.found = ['client/app/a.ts', 'server/app/a.ts'];
    const person = new Person(() => 'once');
    await using world = await writingWorld(workspace, person, [
      useTools(
        ['list_files', {}],
        ['read_file', { path: 'app/a.ts' }],
        ['read_file', { path: 'app (client)/a.ts' }],
        ['find_files', { pattern: '**/*.ts' }],
        ['edit_file', { path: 'app/a.ts', oldText: 'one', newText: 'two' }],
        ['edit_file', { path: 'app (server)/a.ts', oldText: 'one', newText: 'two' }],
        ['write_file', { path: 'app/b.ts', content: '' }],
        ['rename_file', { from: 'app (client)/a.ts', to: 'app (server)/c.ts' }],
      ),
      answer('ok'),
    ]);
    await world.answered('?');
    const results = toolResultsOf(request(world.server, 2)).map(({ result }) => result);
    assert.deepEqual(results.slice(0, 6), [
      'app (client)/\napp (server)/',
      refusal,
      'app (client)/a.ts, lines 1–1 of 1:\none',
      'app (client)/a.ts\napp (server)/a.ts',
      refusal,
      'Changed app (server)/a.ts.',
    ]);
    assert.match(results[6] ?? '', /app \(client\)\/b\.ts, app \(server\)\/b\.ts/);
    assert.equal(results[7], 'Renamed app (client)/a.ts to app (server)/c.ts.');
    assert.deepEqual(
      person.asked.map(({ preview }) => preview?.shown),
      ['app (server)/a.ts', 'app (client)/a.ts → app (server)/c.ts'],
    );
    assert.equal(await workspace.text('server/app/a.ts'), 'two');
    const changes = (await world.store.listFileChanges(CHAT)).flatMap(({ files }) => files);
    assert.deepEqual(
      changes.map(({ folder, path }) => [folder, path]),
      [
        [workspace.uri('server/app'), 'a.ts'],
        [workspace.uri('server/app'), 'c.ts'],
        [workspace.uri('client/app'), 'a.ts'],
      ],
    );
  });
});
