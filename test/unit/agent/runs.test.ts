import assert from 'node:assert/strict';
import { BranchBusyError, NothingToAnswerError } from '../../../src/agent/runs.ts';
import { hint, user } from '../../../src/engine/fragments/index.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import {
  answer,
  conversationOf,
  cut,
  finish,
  hang,
  lastQuestion,
  malformed,
  pause,
  raw,
  refuse,
  say,
  think,
  usage,
  type Reply,
} from '../../fixtures/openaiServer.ts';
import { CHAT, FragileStore, newWorld } from './agentWorld.ts';

describe('a run', () => {
  it('saves the question, streams the answer and saves it with how it came about', async () => {
    await using world = await newWorld({ script: [[say('Two and '), say('two'), usage(7, 3), finish()]] });
    const run = await world.answered('What is 1 + 1?');
    assert.deepEqual(await world.texts(), ['What is 1 + 1?', 'Two and two']);
    assert.equal((await world.path()).at(-1)?.id, run.messageId);
    const { startedAt, finishedAt, ...metadata } = await world.lastMetadata();
    assert.deepEqual(metadata, {
      modelId: 'openai-compatible:test-model',
      modelLabel: 'test-model',
      isDemo: false,
      status: 'complete',
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    assert.ok(startedAt > 0 && finishedAt >= startedAt);
    assert.equal(run.status, 'complete');
  });

  it('tells of its start, each piece with its place, and its end, in this order', async () => {
    await using world = await newWorld({
      script: [[think('Hm. '), think('So.'), say('A'), say('BC'), finish()]],
    });
    const run = await world.answered('?');
    const told = world.events.map((event) =>
      event.kind === 'delta' ? [event.partIndex, event.partType, event.offset, event.text] : event.kind,
    );
    assert.deepEqual(told, [
      'started',
      [0, 'reasoning', 0, 'Hm. '],
      [0, 'reasoning', 4, 'So.'],
      [1, 'text', 0, 'A'],
      [1, 'text', 1, 'BC'],
      'finished',
    ]);
    assert.ok(world.events.every((event) => event.run === run));
  });

  it('keeps the reasoning apart from the text and never sends it back', async () => {
    await using world = await newWorld({
      script: [[think('secret thought'), say('Yes'), finish()], answer('No')],
    });
    await world.answered('first');
    await world.answered('second');
    const stored = (await world.path())[1];
    assert.deepEqual(stored?.parts, [
      { type: 'reasoning', text: 'secret thought' },
      { type: 'text', text: 'Yes' },
    ]);
    assert.doesNotMatch(JSON.stringify(world.server.requests[1]?.body), /secret thought/);
  });

  it('has the question durable before the model is asked', async () => {
    await using world = await newWorld({ script: [[pause(), ...answer('Here')]] });
    const run = await world.ask('Is it there?');
    assert.deepEqual(await world.texts(), ['Is it there?']);
    await world.server.requestReceived();
    world.server.release();
    await run.done;
  });

  it('sends the system prompt of the fragments and the path, and nothing of other branches', async () => {
    await using world = await newWorld({ script: [answer('one'), answer('two'), answer('three')] });
    await world.answered('first');
    const engine = world.engine();
    await engine.rewindBefore((await world.path())[0]?.id ?? '');
    await world.answered('other', 'main-v2');
    assert.deepEqual(conversationOf(world.server.requests[1] ?? assert.fail()), [
      { role: 'system', text: '<hint>Be brief.</hint>' },
      { role: 'user', text: 'other' },
    ]);
    await world.answered('more', 'main-v2');
    assert.deepEqual(
      conversationOf(world.server.requests[2] ?? assert.fail()).map((each) => each.text),
      ['<hint>Be brief.</hint>', 'other', 'two', 'more'],
    );
  });

  it('sends system messages of the path where they stand', async () => {
    await using world = await newWorld({ script: [answer('yes')] });
    const note = { role: 'system' as const, parts: [{ type: 'text', text: 'Tell the truth.' }] };
    await world.engine().set(user('Hello'), user(note)).save();
    await world.answered('Do you?');
    assert.deepEqual(
      conversationOf(world.server.requests[0] ?? assert.fail()).map((each) => each.text),
      ['<hint>Be brief.</hint>', 'Hello', 'Tell the truth.', 'Do you?'],
    );
  });

  it('asks for the fragments anew at each start', async () => {
    let calls = 0;
    await using world = await newWorld({
      script: [answer('a'), answer('b')],
      fragments: () => [hint(`Number ${(calls += 1)}`)],
    });
    await world.answered('first');
    await world.answered('second');
    assert.equal(conversationOf(world.server.requests[1] ?? assert.fail())[0]?.text, '<hint>Number 2</hint>');
  });

  it('keeps markup and scripts in an answer as they came', async () => {
    const text = '<script>alert("1")</script> & <b>&amp;</b> \u0000 ${x} `;DROP TABLE messages;--';
    await using world = await newWorld({ script: [[say(text), finish()]] });
    await world.answered('attack');
    assert.equal((await world.texts()).at(-1), text);
  });

  it('answers the question at the head again when none is given', async () => {
    await using world = await newWorld({ script: [answer('one'), answer('two')] });
    const first = await world.answered('why?');
    await world.engine().rewind(first.questionId);
    const again = await world.runs.start({ chatId: CHAT, branch: 'main-v2', model: await world.model() });
    await again.done;
    assert.deepEqual(await world.texts('main'), ['why?', 'one']);
    assert.deepEqual(await world.texts('main-v2'), ['why?', 'two']);
    assert.equal(again.questionId, first.questionId);
  });

  it('refuses to answer where there is no question, and leaves the branch free', async () => {
    await using world = await newWorld({ script: [answer('one')] });
    const model = await world.model();
    const start = world.runs.start({ chatId: CHAT, branch: 'main', model });
    await assert.rejects(start, NothingToAnswerError);
    await world.answered('now there is');
    await assert.rejects(world.runs.start({ chatId: CHAT, branch: 'main', model }), NothingToAnswerError);
  });

  it('refuses a second answer on a branch that has one coming, also when both are asked for at once', async () => {
    await using world = await newWorld({ script: [[pause(), ...answer('one')], answer('two')] });
    const [first, second] = await Promise.allSettled([world.ask('a'), world.ask('b')]);
    assert.equal(first.status, 'fulfilled');
    assert.ok(second.status === 'rejected' && second.reason instanceof BranchBusyError);
    await assert.rejects(world.ask('c'), { code: 'branch-busy' });
    world.server.release();
    await first.value.done;
    await world.answered('d');
    assert.deepEqual(await world.texts(), ['a', 'one', 'd', 'two']);
  });

  it('is found by its branch while it streams, and not after', async () => {
    await using world = await newWorld({ script: [[pause(), ...answer('x')]] });
    const run = await world.ask('?');
    assert.equal(world.runs.get(CHAT, 'main'), run);
    assert.deepEqual(world.runs.list(CHAT), [run]);
    assert.deepEqual(world.runs.list('other chat'), []);
    assert.equal(run.status, 'streaming');
    world.server.release();
    await run.done;
    assert.equal(world.runs.get(CHAT, 'main'), undefined);
    assert.deepEqual(world.runs.list(CHAT), []);
  });

  it('is out of the list when its end is told, so that listeners read the store', async () => {
    await using world = await newWorld({ script: [answer('x')] });
    const seen: unknown[] = [];
    world.runs.onDidChange(({ kind }) => {
      if (kind === 'finished') seen.push(world.runs.get(CHAT, 'main'));
    });
    await world.answered('?');
    assert.deepEqual(seen, [undefined]);
  });
});

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
    assert.deepEqual(roles, ['system', 'user', 'user']);
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
    assert.match(error.message, /broke off/);
    assert.deepEqual(run.error, error);
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
    assert.match(error.message, /Offshoot: Set API Key…/);
    assert.equal(world.server.requests.length, 1);
    assert.equal((await world.texts()).at(-1), '');
  });

  it('says how long to wait when there were too many requests', async () => {
    const { metadata } = await ended(refuse(429, { retryAfter: '12' }));
    assert.equal(metadata.error?.code, 'rate-limited');
    assert.match(metadata.error.message, /Wait 12 s/);
  });

  it('tells a used-up quota from too many requests', async () => {
    const { metadata } = await ended(refuse(429, { message: 'You exceeded your current quota' }));
    assert.equal(metadata.error?.code, 'quota');
  });

  it('says what to do about a conversation that is too long', async () => {
    const message = "This model's maximum context length is 8192 tokens";
    const { metadata } = await ended(refuse(400, { message, code: 'context_length_exceeded' }));
    assert.equal(metadata.error?.code, 'context-too-long');
    assert.match(metadata.error.message, /Rewind/);
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

  it('gives up after the third request and says why', async () => {
    const refusal = refuse(503, { retryAfterMs: 1 });
    await using world = await newWorld({ script: [refusal, refusal, refusal, answer('never')] });
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

  it('leaves an answer that failed without a word out of what the model sees', async () => {
    await using world = await newWorld({ script: [refuse(400, { message: 'no' }), answer('yes')] });
    await world.answered('first');
    await world.answered('second');
    assert.deepEqual(await world.texts(), ['first', '', 'second', 'yes']);
    assert.deepEqual(
      conversationOf(world.server.requests[1] ?? assert.fail()).map((each) => each.text),
      ['<hint>Be brief.</hint>', 'first', 'second'],
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

  it('says so when the answer cannot be saved, and saves its draft before the next question', async () => {
    const store = new FragileStore();
    const script = [[say('x'.repeat(5_000)), pause(), say('!'), finish()], answer('ok')];
    await using world = await newWorld({ store, script });
    const run = await world.ask('first');
    await store.draftTried();
    store.isFull = true;
    world.server.release();
    await run.done;
    assert.equal(run.status, 'failed');
    assert.equal(run.error?.code, 'not-saved');
    store.isFull = false;
    await world.answered('second');
    const texts = await world.texts();
    assert.deepEqual(
      texts.map((text) => text.replaceAll('x', '')),
      ['first', '', 'second', 'ok'],
    );
    assert.equal(texts[1]?.length, 5_000);
  });
});

describe('several runs', () => {
  it('on two branches at once do not mix', async () => {
    await using world = await newWorld({
      script: (request) => {
        const question = lastQuestion(request);
        return [say(`${question} 1`), pause(question), say(`, ${question} 2`), finish()];
      },
    });
    const main = await world.ask('main');
    const { name } = await world.engine('main').btw();
    const side = await world.ask('side', name);
    await Promise.all([world.arrived(main, '1'), world.arrived(side, '1')]);
    world.server.release('side');
    await side.done;
    assert.equal(main.status, 'streaming');
    assert.deepEqual(await world.texts('main'), ['main']);
    world.server.release('main');
    await main.done;
    assert.deepEqual(await world.texts('main'), ['main', 'main 1, main 2']);
    assert.deepEqual(await world.texts(name), ['main', 'side', 'side 1, side 2']);
  });

  it('stay with their branch when the person switches, rewinds or checks out another', async () => {
    await using world = await newWorld({
      script: [answer('one'), [say('two'), pause(), say('!'), finish()]],
    });
    const first = await world.answered('q1');
    const run = await world.ask('q2');
    await world.arrived(run, 'two');
    const engine = world.engine();
    await engine.rewind(first.messageId);
    engine.set(user('elsewhere'));
    await engine.save();
    world.server.release();
    await run.done;
    assert.deepEqual(await world.texts('main'), ['q1', 'one', 'q2', 'two!']);
    assert.deepEqual(await world.texts('main-v2'), ['q1', 'one', 'elsewhere']);
    assert.equal((await world.store.getActiveBranch(CHAT))?.name, 'main-v2');
  });

  it('save on a branch of their own when their branch has gone on without them, which stays active', async () => {
    await using world = await newWorld({ script: [[say('mine'), pause(), finish()]] });
    const run = await world.ask('q');
    await world.arrived(run, 'mine');
    await world.engine('main').set(user('someone else')).save();
    world.server.release();
    await run.done;
    assert.equal(run.status, 'complete');
    assert.deepEqual(await world.texts('main'), ['q', 'someone else']);
    assert.deepEqual(await world.texts('main-v2'), ['q', 'mine']);
    assert.equal((await world.store.getActiveBranch(CHAT))?.name, 'main');
  });

  it('follow their branch when it is renamed', async () => {
    const text = 'x'.repeat(5_000);
    await using world = await newWorld({ script: [[say('a'), pause(), say(text), pause('end'), finish()]] });
    const run = await world.ask('q');
    await world.arrived(run, 'a');
    await world.store.renameBranch(CHAT, 'main', 'trunk');
    world.server.release();
    await world.arrived(run, 'x');
    world.server.release('end');
    await run.done;
    assert.equal(run.status, 'complete');
    assert.deepEqual(await world.texts('trunk'), ['q', `a${text}`]);
    assert.deepEqual(await world.store.listDrafts(), []);
  });

  it('end without a trace when their chat is deleted', async () => {
    await using world = await newWorld({ script: [[say('a'), hang()]] });
    const run = await world.ask('q');
    await world.arrived(run, 'a');
    await world.store.deleteChat(CHAT);
    await run.done;
    assert.equal(await world.store.getChat(CHAT), undefined);
    assert.deepEqual(
      world.log.lines.filter((line) => line.startsWith('error')),
      [],
    );
    assert.equal(textOf(run.message()), 'a');
  });
});
