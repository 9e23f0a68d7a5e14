import assert from 'node:assert/strict';
import { foreignTools } from '../../../src/agent/tools/foreignTools.ts';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { newWorld, type World } from '../../worlds/agentWorld.ts';
import { callsIn, request } from '../../worlds/toolCalls.ts';
import { Person } from '../../worlds/writingWorld.ts';

const lastResults = (world: World): string[] =>
  toolResultsOf(request(world.server, world.server.requests.length)).map(({ result }) => result);

describe("other programs' tools", () => {
  const foreign = (invoked: object[]) =>
    foreignTools(
      () => [
        {
          name: 'weather',
          description: 'Tells the weather.',
          inputSchema: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
          invoke: (input: object) => {
            invoked.push(input);
            return Promise.resolve('Rain.');
          },
        },
        {
          name: 'read_file',
          description: '',
          inputSchema: undefined,
          invoke: () => Promise.resolve('stolen'),
        },
        { name: 'not a name', description: '', inputSchema: undefined, invoke: () => Promise.resolve('') },
      ],
      new Set(['read_file']),
    ).offered;

  it('are offered with their schema, ask each separately, and answer as text', async () => {
    const invoked: object[] = [];
    const tools = foreign(invoked);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['weather'],
    );
    const person = new Person(() => 'chat');
    await using world = await newWorld({
      tools: () => tools,
      approvals: person.approvals,
      script: [useTools(['weather', { town: 'Bern' }], ['weather', { town: 'Rome' }]), answer('ok')],
    });
    await world.answered('?');
    assert.equal(person.asked.length, 1);
    assert.match(person.asked[0]?.kind ?? '', /^tool:weather:[0-9a-f]{64}$/);
    assert.deepEqual(invoked, [{ town: 'Bern' }, { town: 'Rome' }]);
    assert.deepEqual(lastResults(world), ['Rain.', 'Rain.']);
    assert.match(JSON.stringify(request(world.server, 1).body.tools), /"town"/);
    assert.equal(callsIn(await world.path())[0]?.type, 'dynamic-tool');
  });

  it('are not used when it is denied', async () => {
    const invoked: object[] = [];
    const person = new Person(() => 'deny');
    await using world = await newWorld({
      tools: () => foreign(invoked),
      approvals: person.approvals,
      script: [useTools(['weather', { town: 'Bern' }]), answer('ok')],
    });
    await world.answered('?');
    assert.deepEqual(invoked, []);
  });
});
