import assert from 'node:assert/strict';
import { answer, refuse } from '../../fixtures/openaiServer.ts';
import { ManualScheduler, newWorld, type World } from '../../worlds/agentWorld.ts';

/** Resolves when the run of `question` waits before it asks again. */
async function waiting(world: World, attempt: number): Promise<void> {
  const isThere = (): boolean =>
    world.events.some(({ kind, run }) => kind === 'retrying' && run.retry?.attempt === attempt);
  if (isThere()) return;
  await new Promise<void>((resolve) => {
    const subscription = world.runs.onDidChange(() => {
      if (!isThere()) return;
      subscription.dispose();
      resolve();
    });
  });
}

describe('an answer that is asked for again', () => {
  it('says that it waits, why, and twice as long each time', async () => {
    const scheduler = new ManualScheduler();
    await using world = await newWorld({ scheduler, script: [refuse(429), refuse(500), answer('At last')] });
    const run = await world.ask('?');
    await waiting(world, 1);
    const first = run.retry;
    assert.deepEqual([first?.delay, first?.maxRetries, first?.error.code], [2_000, 4, 'rate-limited']);
    scheduler.pass(1_999);
    assert.equal(world.server.requests.length, 1);
    scheduler.pass(1);
    await waiting(world, 2);
    assert.deepEqual([run.retry?.delay, run.retry?.error.code], [4_000, 'server-error']);
    scheduler.pass(4_000);
    await run.done;
    assert.equal(run.status, 'complete');
    assert.equal(run.retry, undefined);
  });

  it('waits as long as the server asks', async () => {
    const scheduler = new ManualScheduler();
    await using world = await newWorld({
      scheduler,
      script: [refuse(429, { retryAfter: '12' }), answer('ok')],
    });
    const run = await world.ask('?');
    await waiting(world, 1);
    assert.equal(run.retry?.delay, 12_000);
    scheduler.pass(12_000);
    await run.done;
    assert.equal(run.status, 'complete');
  });

  it('is not when the server asks for more patience than a user has', async () => {
    await using world = await newWorld({ script: [refuse(429, { retryAfter: '3600' }), answer('never')] });
    const run = await world.answered('?');
    assert.match(run.error?.message ?? '', /Try again in 3600 s/);
    assert.equal(world.server.requests.length, 1);
  });

  it('is not when the quota is used up', async () => {
    const script = [refuse(429, { message: 'You exceeded your current quota' }), answer('never')];
    await using world = await newWorld({ script });
    const run = await world.answered('?');
    assert.equal(run.error?.code, 'quota');
    assert.equal(world.server.requests.length, 1);
  });

  it('stops waiting when the user presses Stop', async () => {
    const scheduler = new ManualScheduler();
    await using world = await newWorld({ scheduler, script: [refuse(503), answer('never')] });
    const run = await world.ask('?');
    await waiting(world, 1);
    await world.runs.stop(run.chatId, run.branch);
    assert.equal(run.status, 'interrupted');
    assert.equal(world.server.requests.length, 1);
  });

  it('is when the server could not be reached at first', async () => {
    const scheduler = new ManualScheduler();
    await using world = await newWorld({ scheduler });
    await world.server.close();
    const run = await world.ask('?');
    await waiting(world, 1);
    assert.equal(run.retry?.error.code, 'network');
    await world.runs.stop(run.chatId, run.branch);
  });
});
