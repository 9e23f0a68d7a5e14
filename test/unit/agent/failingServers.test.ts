import assert from 'node:assert/strict';
import {
  answer,
  conversationOf,
  cut,
  finish,
  hang,
  malformed,
  pause,
  raw,
  refuse,
  say,
  type Reply,
} from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';

describe('when the model server fails', () => {
  const ended = async (reply: Reply, o: { maxRetries?: number; serverKey?: string; key?: string } = {}) => {
    await using world = await newWorld({ script: [reply], maxRetries: 0, ...o });
    await world.answered('?');
    return {
      text: (await world.texts()).at(-1),
      metadata: await world.lastMetadata(),
      log: world.log.lines,
    };
  };

  it('keeps what had arrived when the connection is cut', async () => {
    await using world = await newWorld({ script: [[say('Half an '), say('answer'), pause(), cut()]] });
    const run = await world.ask('?');
    await world.arrived(run, 'answer');
    world.server.release();
    await run.done;
    assert.equal((await world.texts()).at(-1), 'Half an answer');
    const { status, error } = await world.lastMetadata();
    assert.equal(status, 'failed');
    assert.equal(error?.code, 'connection-lost');
    assert.match(error.message, /Connection .* lost/);
    assert.deepEqual(run.error, error);
  });

  it('tells of a connection that is cut before the first event', async () => {
    const { metadata, text } = await ended([cut()]);
    assert.deepEqual([text, metadata.status, metadata.error?.code], ['?', 'failed', 'connection-lost']);
  });

  it('keeps what had arrived when the stream holds something malformed, and reads no further', async () => {
    const { text, metadata } = await ended([say('Good'), malformed(), say(' and bad'), finish()]);
    assert.equal(text, 'Good');
    assert.equal(metadata.error?.code, 'malformed-stream');
  });

  it('hangs up on a server whose answer it gave up', async () => {
    await using world = await newWorld({ script: [[say('Good'), malformed(), hang()]] });
    await world.answered('?');
    await world.server.clientHungUp();
  });

  it('keeps what had arrived when the server ends without finishing', async () => {
    const { text, metadata } = await ended([say('Half')]);
    assert.equal(text, 'Half');
    assert.equal(metadata.error?.code, 'incomplete');
  });

  it('keeps what had arrived when the server reports an error in the stream', async () => {
    const error = { message: 'The GPU caught fire', type: 'server_error', code: null };
    const { text, metadata } = await ended([say('Half'), raw(JSON.stringify({ error })), say('x')]);
    assert.equal(text, 'Half');
    assert.equal(metadata.status, 'failed');
    assert.match(metadata.error?.message ?? '', /The GPU caught fire/);
  });

  it('says how to set a key when none was accepted, and does not try again', async () => {
    await using world = await newWorld({ script: [], serverKey: 'right', key: 'wrong' });
    await world.answered('?');
    const { status, error } = await world.lastMetadata();
    assert.equal(status, 'failed');
    assert.equal(error?.code, 'unauthorized');
    assert.match(error.message, /Offshoot: Select Model › Set API Key…/);
    assert.equal(world.server.requests.length, 1);
    assert.deepEqual(await world.texts(), ['?'], 'nothing is stored of it');
  });

  it('says how long to wait when there were too many requests', async () => {
    const { metadata } = await ended(refuse(429, { retryAfter: '12' }));
    assert.equal(metadata.error?.code, 'rate-limited');
    assert.match(metadata.error.message, /Try again in 12 s/);
  });

  it('tells a used-up quota from too many requests', async () => {
    const { metadata } = await ended(refuse(429, { message: 'You exceeded your current quota' }));
    assert.equal(metadata.error?.code, 'quota');
  });

  it('says what to do about a conversation that is too long', async () => {
    const message = "This model's maximum context length is 8192 tokens";
    const { metadata } = await ended(refuse(400, { message, code: 'context_length_exceeded' }));
    assert.equal(metadata.error?.code, 'context-too-long');
    assert.match(metadata.error.message, /Compact .*rewind/);
  });

  it('says that the model is not known there', async () => {
    const { metadata } = await ended(refuse(404, { message: 'no such model' }));
    assert.equal(metadata.error?.code, 'model-not-found');
    assert.match(metadata.error.message, /test-model.*no such model/);
  });

  it('says that the server has a problem of its own', async () => {
    const { metadata } = await ended(refuse(500));
    assert.equal(metadata.error?.code, 'server-error');
  });

  it('says that the server cannot be reached', async () => {
    await using world = await newWorld({ maxRetries: 0 });
    await world.server.close();
    await world.answered('?');
    const { error } = await world.lastMetadata();
    assert.equal(error?.code, 'network');
    assert.match(error.message, /running/);
  });

  it('says when the answer reached the limit of its length', async () => {
    const { metadata, text } = await ended([say('So much'), finish('length')]);
    assert.equal(text, 'So much');
    assert.equal(metadata.status, 'interrupted');
    assert.equal(metadata.error?.code, 'output-limit');
  });

  it('tries again after errors that may pass, and logs each try', async () => {
    await using world = await newWorld({
      script: [refuse(429, { retryAfterMs: 1 }), refuse(503, { retryAfterMs: 1 }), answer('At last')],
    });
    const run = await world.answered('?');
    assert.equal(run.status, 'complete');
    assert.deepEqual(await world.texts(), ['?', 'At last']);
    const warnings = world.log.lines.filter((line) => line.startsWith('warn'));
    assert.match(warnings[0] ?? '', /request 1 failed \(rate-limited\), trying again/);
    assert.match(warnings[1] ?? '', /request 2 failed \(server-error\), trying again/);
    assert.equal(warnings.length, 2);
  });

  it('gives up after the last request and says why', async () => {
    const refusal = refuse(503, { retryAfterMs: 1 });
    await using world = await newWorld({
      maxRetries: 2,
      script: [refusal, refusal, refusal, answer('never')],
    });
    await world.answered('?');
    assert.equal((await world.lastMetadata()).error?.code, 'server-error');
    assert.equal(world.server.requests.length, 3);
  });

  it('never tries again once a word has come', async () => {
    await using world = await newWorld({ script: [[say('Half'), pause(), cut()], answer('never')] });
    const run = await world.ask('?');
    await world.arrived(run, 'Half');
    world.server.release();
    await run.done;
    assert.equal(world.server.requests.length, 1);
  });

  it('stores nothing of an answer that failed without a word, and answers in its place', async () => {
    await using world = await newWorld({ script: [refuse(400, { message: 'no' }), answer('yes')] });
    const run = await world.answered('first');
    assert.deepEqual([run.status, run.isUnsaved], ['failed', true]);
    assert.deepEqual(await world.texts(), ['first']);
    assert.equal(world.runs.failed(CHAT, 'main'), run);
    assert.deepEqual(await world.store.listDrafts(), []);
    const again = await world.runs.start({ chatId: CHAT, branch: 'main', model: await world.model() });
    assert.equal(world.runs.failed(CHAT, 'main'), undefined);
    await again.done;
    assert.deepEqual(await world.texts(), ['first', 'yes']);
    assert.equal((await world.store.listBranches(CHAT)).length, 1);
  });

  it('says that a part was saved only where one came', async () => {
    await using world = await newWorld({
      script: [
        [say(''), cut()],
        [say('Half'), pause(), cut()],
      ],
    });
    const nothing = await world.answered('first');
    assert.deepEqual(
      [nothing.isUnsaved, nothing.error?.code, nothing.error?.message],
      [true, 'connection-lost', 'Connection to the model server lost.'],
    );
    const half = await world.ask('second');
    await world.arrived(half, 'Half');
    world.server.release();
    await half.done;
    assert.equal(half.error?.message, 'Connection to the model server lost. Partial response saved.');
  });

  it('says that the output limit was reached, and that a part was saved only where one came', async () => {
    const { metadata: nothing } = await ended([finish('length')]);
    assert.equal(nothing.status, 'interrupted');
    assert.match(nothing.error?.message ?? '', /reached its output limit\.$/u);
    const { metadata: half } = await ended([say('Half'), finish('length')]);
    assert.match(half.error?.message ?? '', /reached its output limit\. Partial response saved\.$/u);
  });

  it('leaves an answer that failed without a word out of what the model sees', async () => {
    await using world = await newWorld({ script: [refuse(400, { message: 'no' }), answer('yes')] });
    await world.answered('first');
    await world.answered('second');
    assert.deepEqual(await world.texts(), ['first', 'second', 'yes']);
    assert.deepEqual(
      conversationOf(world.server.requests[1] ?? assert.fail()).map((each) => each.text),
      ['<hint>Be brief.</hint>', 'first\n\n---\n\nsecond'],
    );
  });

  it('never puts a key into an answer or the log, even if the server repeats it', async () => {
    const key = 'very-secret-0123456789';
    for (const status of [400, 401, 404, 429, 500]) {
      const { metadata, log } = await ended(refuse(status, { message: `Wrong key ${key}!` }), { key });
      assert.doesNotMatch(JSON.stringify([metadata, log]), /very-secret/, `status ${status}`);
    }
  });

  it('never puts what was said into the log', async () => {
    await using world = await newWorld({ script: [[say('private answer'), cut()]] });
    await world.answered('private question');
    assert.ok(world.log.lines.length > 0);
    assert.doesNotMatch(world.log.lines.join('\n'), /private/);
  });
});
