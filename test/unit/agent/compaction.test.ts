import assert from 'node:assert/strict';
import { CompactionWorld } from './compactionWorld.ts';
import { receivedMessages } from './toolWorld.ts';

describe('a long run in a small window', () => {
  it('goes through two compactions', async () => {
    await using world = await CompactionWorld.make({ window: 4_000, steps: 30, resultTokens: 150 });
    const run = await world.answered('Look through all of it.');
    console.log(run.status, run.error, run.notice);
    console.log(await world.outline());
    for (const r of world.asked) console.log(receivedMessages(r).map((m) => m.slice(0, 90)));
    console.log(world.summarised.length, world.world.log.lines.slice(-5));
    assert.ok(true);
  });
});
