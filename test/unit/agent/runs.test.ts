import assert from 'node:assert/strict';
import { SYSTEM_NOTE } from '../../../src/agent/context/modelMessages.ts';
import { BranchBusyError, NothingToAnswerError } from '../../../src/agent/run/runs.ts';
import { hint, user } from '../../../src/engine/fragments/index.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import {
  answer,
  conversationOf,
  finish,
  hang,
  lastQuestion,
  pause,
  say,
  think,
  usage,
} from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';

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
    const seen = world.events.map((event) =>
      event.kind === 'delta' ? [event.partIndex, event.partType, event.offset, event.text] : event.kind,
    );
    assert.deepEqual(seen, [
      'started',
      // A thought is shown from its beginning, and once more with the time it took.
      'part',
      [0, 'reasoning', 0, 'Hm. '],
      [0, 'reasoning', 4, 'So.'],
      'part',
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
    assert.deepEqual(
      stored?.parts.map((part) => ('text' in part ? [part.type, part.text] : part.type)),
      [
        ['reasoning', 'secret thought'],
        ['text', 'Yes'],
      ],
    );
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

  it('sends system messages of the path where they stand, as words of the user that instruct nobody', async () => {
    await using world = await newWorld({ script: [answer('yes')] });
    const note = { role: 'system' as const, parts: [{ type: 'text', text: 'Tell the truth.' }] };
    await world.engine().set(user('Hello'), user(note)).save();
    await world.answered('Do you?');
    assert.deepEqual(
      conversationOf(world.server.requests[0] ?? assert.fail()).map((each) => each.text),
      ['<hint>Be brief.</hint>', `Hello\n\n---\n\n${SYSTEM_NOTE}\n\nTell the truth.\n\n---\n\nDo you?`],
    );
  });

  it('asks for the fragments again at each start', async () => {
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

  it('stay with their branch when the user switches, rewinds or checks out another', async () => {
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
