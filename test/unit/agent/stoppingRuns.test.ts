import assert from 'node:assert/strict';
import { answer, conversationOf, hang, refuse, say } from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';

describe('stopping', () => {
  it('keeps what arrived, marked as interrupted, and hangs up on the server', async () => {
    await using world = await newWorld({ script: [[say('Half an '), say('answer'), hang()]] });
    const run = await world.ask('?');
    await world.arrived(run, 'answer');
    await world.runs.stop(CHAT, 'main');
    assert.equal((await world.texts()).at(-1), 'Half an answer');
    assert.equal((await world.lastMetadata()).status, 'interrupted');
    assert.equal((await world.lastMetadata()).error, undefined);
    assert.equal(run.status, 'interrupted');
    await world.server.clientHungUp();
  });

  it('before the first word keeps an empty answer that the model never sees', async () => {
    await using world = await newWorld({ script: [[hang()], answer('fine')] });
    await world.ask('slow one');
    await world.server.requestReceived();
    await world.runs.stop(CHAT, 'main');
    assert.equal((await world.lastMetadata()).status, 'interrupted');
    await world.answered('next');
    const roles = conversationOf(world.server.requests[1] ?? assert.fail()).map((each) => each.role);
    assert.deepEqual(roles, ['system', 'user']);
  });

  it('shows nothing more, though more is on its way already', async () => {
    await using world = await newWorld({ script: [answer('one two three four five')] });
    world.runs.onDidChange(({ kind, run }) => {
      if (kind === 'delta') void world.runs.stop(run.chatId, run.branch);
    });
    await world.answered('?');
    assert.deepEqual(await world.texts(), ['?', 'one']);
  });

  it('sends an interrupted answer on with the next question', async () => {
    await using world = await newWorld({ script: [[say('Half'), hang()], answer('more')] });
    const run = await world.ask('?');
    await world.arrived(run, 'Half');
    await world.runs.stop(CHAT, 'main');
    await world.answered('go on');
    assert.deepEqual(
      conversationOf(world.server.requests[1] ?? assert.fail()).map((each) => each.text),
      ['<hint>Be brief.</hint>', '?', 'Half', 'go on'],
    );
  });

  it('takes effect while a refused request waits for its next try', async () => {
    await using world = await newWorld({ script: [refuse(429, { retryAfter: '50' }), answer('late')] });
    const run = await world.ask('?');
    await world.server.requestReceived();
    await world.runs.stop(CHAT, 'main');
    assert.equal(run.status, 'interrupted');
    assert.equal(world.server.requests.length, 1);
  });

  it('does nothing on a branch where no answer is coming', async () => {
    await using world = await newWorld();
    await world.runs.stop(CHAT, 'main');
  });

  it('everything at disposal settles every run without waiting for the server', async () => {
    await using world = await newWorld({ script: [[say('Half'), hang()]] });
    const run = await world.ask('?');
    await world.arrived(run, 'Half');
    world.runs.dispose();
    await run.done;
    assert.equal((await world.lastMetadata()).status, 'interrupted');
    await assert.rejects(world.ask('more'), { code: 'closed' });
  });
});
