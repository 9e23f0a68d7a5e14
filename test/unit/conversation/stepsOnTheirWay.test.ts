import assert from 'node:assert/strict';
import { z } from 'zod';
import { defineTool } from '../../../src/agent/tools/tool.ts';
import { answer, pause, say, useTools } from '../../fixtures/openaiServer.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';

const act = defineTool({
  name: 'act',
  description: 'Changes something.',
  input: z.object({ to: z.string() }),
  run: ({ to }, { state }) => {
    state.set('at', to);
    return { text: 'ok' };
  },
});
const go = (to: string) => useTools(['act', { to }]);

describe('a step of an answer that is on its way', () => {
  it('can be rewound to while the answer goes on, and both go on from there', async () => {
    await using world = await ConversationWorld.make(
      [go('one'), go('two'), [say('Well'), pause('end'), ...answer(' done.')], go('three'), answer('Else.')],
      { tools: () => [act] },
    );
    const first = await world.conversations.ask('Go');
    await world.world.arrived(first, 'Well');
    const moved = await world.conversations.rewind(await world.idAt(1));
    assert.equal(first.status, 'streaming');
    const second = await world.conversations.continueAnswer(moved.to.name);
    await second.done;
    world.world.server.release('end');
    await first.done;
    assert.deepEqual(
      [first, second].map(({ status, branch }) => [status, branch]),
      [
        ['complete', 'main'],
        ['complete', moved.to.name],
      ],
    );
    assert.deepEqual(await world.world.texts('main'), ['Go', '', '', 'Well done.']);
    assert.deepEqual(await world.world.texts(moved.to.name), ['Go', '', '', 'Else.']);
    for (const [branch, at] of [
      ['main', 'two'],
      [moved.to.name, 'three'],
    ] as const) {
      const engine = world.world.engine(branch);
      assert.equal(await engine.state.get('at'), at, `${CHAT} ${branch}`);
      await engine.close();
    }
  });
});
