import assert from 'node:assert/strict';
import { activeCheckpoints } from '../../../src/agent/checkpoints/agentCheckpoint.ts';
import { branchSummaryOf } from '../../../src/engine/branchSummary.ts';
import { answer } from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';
import { request, receivedMessages } from '../../worlds/toolCalls.ts';
import { checkpoint, count, look, results, rewind, tools } from '../../worlds/cycleSteps.ts';

describe('the cycle of checkpoint and rewind', () => {
  it('may be gone through again and again, each report with its own cycle', async () => {
    await using world = await newWorld({
      tools,
      script: [
        checkpoint('one'),
        rewind('R-one'),
        checkpoint('two'),
        look('x'),
        rewind('R-two'),
        answer('Both.'),
      ],
    });
    const run = await world.answered('?');
    assert.equal(run.branch, 'main-v3');
    const lines = receivedMessages(request(world.server, 6));
    assert.deepEqual([count(lines, 'R-one'), count(lines, 'R-two'), count(lines, 'echo')], [1, 1, 0]);
    assert.deepEqual(
      (await world.path('main-v3')).flatMap((message) => branchSummaryOf(message)?.goal ?? []),
      ['one', 'two'],
    );
    // Nothing the model reads keeps it from the next cycle.
    assert.ok(!/(never|not) (call )?(checkpoint|rewind)/i.test(lines.join('\n')));
  });

  it('goes inside itself with names, and out again one by one', async () => {
    await using world = await newWorld({
      tools,
      script: [
        checkpoint('outer', 'a'),
        look('in outer'),
        checkpoint('inner', 'b'),
        look('in inner'),
        rewind('R-inner'),
        rewind('R-outer'),
        answer('ok'),
      ],
    });
    const run = await world.answered('?');
    assert.equal(run.branch, 'main-v3');
    const inside = receivedMessages(request(world.server, 6));
    assert.deepEqual(
      ['in outer', 'in inner', 'R-inner'].map((text) => count(inside, text) > 0),
      [true, false, true],
    );
    const outside = receivedMessages(request(world.server, 7));
    assert.deepEqual(
      ['in outer', 'in inner', 'R-inner', 'R-outer'].map((text) => count(outside, text)),
      [0, 0, 0, 1],
    );
    assert.deepEqual(
      activeCheckpoints(await world.path('main-v2')).map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(activeCheckpoints(await world.path('main-v3')), []);
  });

  it('leaves an inner checkpoint together with the outer one', async () => {
    await using world = await newWorld({
      tools,
      script: [
        checkpoint('outer', 'a'),
        checkpoint('inner', 'b'),
        rewind('all at once', 'a'),
        rewind('again'),
        answer('ok'),
      ],
    });
    await world.answered('?');
    assert.equal((await results(world, 5)).at(-1), 'No active checkpoint.');
    assert.equal((await world.store.listBranches(CHAT)).length, 2);
  });
});
