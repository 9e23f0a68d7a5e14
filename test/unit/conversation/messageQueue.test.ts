import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { QueueFullError, MAX_QUEUED } from '../../../src/conversation/messageQueue.ts';
import { user } from '../../../src/engine/fragments/index.ts';
import { BranchNotFoundError } from '../../../src/engine/errors.ts';
import { answeredElsewhere } from '../../../src/conversation/answeredElsewhere.ts';
import { StoragePlace } from '../../fixtures/storage/storagePlace.ts';
import { until } from '../../fixtures/until.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { answer, finish, pause, say, type Script } from '../../fixtures/openaiServer.ts';
import { CHAT, USER } from '../../worlds/agentWorld.ts';
import { checkpoint, look, rewind, tools } from '../../worlds/cycleSteps.ts';
import { request, receivedMessages } from '../../worlds/toolCalls.ts';
import { ConversationWorld, picture } from '../../worlds/conversationWorld.ts';

const on = { chatId: CHAT, branch: 'main' };
/** What waits on `main`. */
async function waiting(world: ConversationWorld): Promise<string[]> {
  const { id } = await world.branch('main');
  return (await world.parts.queue.list(CHAT, id)).map(({ text }) => text);
}

async function idOf(world: ConversationWorld, text: string): Promise<string> {
  const { id } = await world.branch('main');
  const found = (await world.parts.queue.list(CHAT, id)).find((each) => each.text === text);
  if (!found) throw new Error(`“${text}” is not queued.`);
  return found.id;
}

async function textsAre(world: ConversationWorld, expected: readonly string[]): Promise<void> {
  await until(async () => (await world.world.texts('main')).join() === expected.join(), expected.join());
}

/** Begins an answer that waits in the middle, and queues these questions until then. */
async function queued(script: Script, ...questions: readonly string[]): Promise<ConversationWorld> {
  const world = await ConversationWorld.make(script);
  const run = await world.conversations.ask('one');
  await world.world.arrived(run, '1');
  for (const question of questions) await world.conversations.askOrQueue(question, []);
  return world;
}

const first = [say('1'), pause('first'), finish()];

describe('questions asked while an answer is written', () => {
  it('wait for its end, and are asked one after the other, in order and with what goes with them', async () => {
    await using world = await queued([first, answer('2'), answer('3')], 'two');
    await world.conversations.askOrQueue('three', [picture]);
    assert.deepEqual(await waiting(world), ['two', 'three']);
    world.world.server.release('first');
    await textsAre(world, ['one', '1', 'two', '2', 'three', '3']);
    await until(async () => (await waiting(world)).length === 0, 'an empty queue');
    const chat = await world.store.getChat(CHAT);
    assert.deepEqual(chat?.metadata['queues'], {});
    const [, , , , third] = await world.conversations.path();
    assert.match(JSON.stringify(third?.data), /dot\.png/);
    assert.deepEqual(world.failures, []);
  });

  for (const [which, script] of [
    ['', first],
    [' and has no word yet', [pause('first'), say('1'), finish()]],
  ] as const)
    it(`wait for the end of one that another window writes${which}, which goes on with them`, async () => {
      await using place = await StoragePlace.create();
      const [one, other] = [place.open(), place.open()];
      // Each is saved by the first, which then has the second connected.
      for (const [index, each] of [one, other].entries()) {
        await each.createChat({ id: `chat ${index}`, userId: USER });
      }
      await using writing = await ConversationWorld.make([script, answer('2')], { store: one });
      await using waits = await ConversationWorld.make([], { store: other });
      await writing.conversations.ask('one');
      await until(
        async () => (await answeredElsewhere(other, CHAT, 'main')) !== undefined,
        'the draft of it',
      );
      await waits.conversations.askOrQueue('two', []);
      assert.deepEqual(await waiting(waits), ['two']);
      writing.world.server.release('first');
      await textsAre(waits, ['one', '1', 'two', '2']);
      assert.deepEqual([await waiting(waits), waits.failures, writing.failures], [[], [], []]);
    });

  it('fuzz: are all answered, once each, where two windows ask at the same moment', async () => {
    const asks = fc.array(fc.record({ isFirst: fc.boolean(), after: fc.nat(30) }), {
      minLength: 2,
      maxLength: 4,
    });
    const tried = async (given: readonly { isFirst: boolean; after: number }[]): Promise<void> => {
      await using place = await StoragePlace.create();
      const [one, other] = [place.open(), place.open()];
      await one.createChat({ id: CHAT, userId: USER, title: 'About all' });
      // From here on it is connected to the first, which writes for it.
      await other.createChat({ id: 'another chat', userId: USER });
      const answers = given.map(() => answer('said'));
      await using here = await ConversationWorld.make(answers, { store: one });
      await using there = await ConversationWorld.make(answers, { store: other });
      await Promise.all(
        given.map(async ({ isFirst, after }, index) => {
          for (let turn = 0; turn < after; turn += 1) await nextTurn();
          await (isFirst ? here : there).conversations.askOrQueue(`question ${index}`, []);
        }),
      );
      const expected = given.map((_, index) => `question ${index}`);
      const found = async (): Promise<string> => {
        const { nodes } = await one.getGraph(CHAT);
        const answered = nodes.filter(({ role }) => role === 'assistant').map(({ parentId }) => parentId);
        return nodes
          .filter(({ role }) => role === 'user')
          .map(({ id, content }) => `${content}${answered.includes(id) ? '' : ', not answered'}`)
          .toSorted()
          .join();
      };
      await until(async () => (await found()) === expected.join(), 'an answer to each question');
      assert.deepEqual([here.failures, there.failures], [[], []]);
      await until(async () => (await waiting(here)).length === 0, 'an empty queue');
    };
    await fc.assert(fc.asyncProperty(asks, tried), { numRuns: fuzzRuns(3) });
  });

  it('are asked one after the other where one is asked twice in a window, and answered if the first fails', async () => {
    await using world = await ConversationWorld.make([answer('1'), answer('2')]);
    await Promise.all(['one', 'two'].map((text) => world.conversations.askOrQueue(text, [])));
    await textsAre(world, ['one', '1', 'two', '2']);
    assert.deepEqual([await waiting(world), world.failures], [[], []]);
  });

  it('are asked at once where none is written', async () => {
    await using world = await ConversationWorld.make([answer('1'), answer('2')]);
    await world.conversations.askOrQueue('one', []);
    await textsAre(world, ['one', '1']);
    await world.parts.queue.add(on, { text: 'two', attached: [] });
    await textsAre(world, ['one', '1', 'two', '2']);
  });

  it('stay where it is stopped or fails, for the user to send', async () => {
    await using world = await queued([first, answer('2'), answer('3')], 'two', 'three');
    await world.conversations.stop('main');
    assert.deepEqual(await waiting(world), ['two', 'three']);
    assert.deepEqual(await world.world.texts('main'), ['one', '1']);
    // The rest follows.
    await world.parts.queue.sendNow(on, await idOf(world, 'three'));
    await textsAre(world, ['one', '1', 'three', '2', 'two', '3']);
  });

  it('stop it when they are sent now, and what has arrived stays', async () => {
    await using world = await queued([first, answer('2')], 'two');
    await world.parts.queue.sendNow(on, await idOf(world, 'two'));
    await textsAre(world, ['one', '1', 'two', '2']);
    assert.deepEqual(await waiting(world), []);
  });

  it('can be removed and put in another order', async () => {
    await using world = await queued([first], 'two', 'three', 'four');
    const { queue } = world.parts;
    await queue.move(on, await idOf(world, 'four'), 0);
    assert.deepEqual(await waiting(world), ['four', 'two', 'three']);
    await queue.move(on, await idOf(world, 'four'), 99);
    assert.deepEqual(await waiting(world), ['two', 'three', 'four']);
    const removed = await queue.remove(on, await idOf(world, 'three'));
    assert.equal(removed?.text, 'three');
    assert.equal(await queue.remove(on, removed.id), undefined);
    assert.deepEqual(await waiting(world), ['two', 'four']);
  });

  it('are there after a restart, without one that was sent right before it', async () => {
    await using world = await queued([first], 'two', 'three');
    await world.conversations.stop('main');
    const id = await idOf(world, 'two');
    // The message was saved, and the program ended before it was taken out of the queue.
    const engine = world.world.engine('main');
    await engine.set(user('two', { id })).save();
    await engine.close();
    assert.deepEqual(await waiting(world), ['three']);
  });

  it('are refused on a branch that is not there, and beyond a number', async () => {
    await using world = await queued([first]);
    const { queue } = world.parts;
    await assert.rejects(
      queue.add({ chatId: CHAT, branch: 'gone' }, { text: 'x', attached: [] }),
      BranchNotFoundError,
    );
    for (let index = 0; index < MAX_QUEUED; index += 1) {
      await queue.add(on, { text: `q${index}`, attached: [] });
    }
    await assert.rejects(queue.add(on, { text: 'x', attached: [] }), QueueFullError);
    assert.equal((await waiting(world)).length, MAX_QUEUED);
  });

  it('do no harm when what is kept of them is damaged', async () => {
    await using world = await queued([first], 'two');
    const { id } = await world.branch('main');
    await world.store.updateChat(CHAT, { metadata: { queues: { [id]: [{ text: 1 }, 'x'], other: 'y' } } });
    assert.deepEqual(await waiting(world), []);
    await world.store.updateChat(CHAT, { metadata: { queues: 'none' } });
    await world.conversations.askOrQueue('three', []);
    assert.deepEqual(await waiting(world), ['three']);
  });
});

describe('a question marked to steer', () => {
  it('goes to the model before its next step, as a message of its own after what has been written', async () => {
    await using world = await ConversationWorld.make(
      [[say('I look.'), pause('first'), ...look('here')], answer('Blue, then.'), answer('later')],
      { tools },
    );
    const run = await world.conversations.ask('red?');
    await world.world.arrived(run, 'I look.');
    await world.conversations.askOrQueue('after that', []);
    await world.conversations.askOrQueue('blue!', [picture], true);
    world.world.server.release('first');
    await run.done;
    await textsAre(world, ['red?', 'I look.', 'blue!', 'Blue, then.', 'after that', 'later']);
    assert.deepEqual(
      (await world.conversations.path()).slice(0, 4).map(({ name }) => name),
      ['user', 'assistant', 'user', 'assistant'],
    );
    // The request after the tool ended with what it said.
    const asked = receivedMessages(request(world.world.server, 2)).slice(1);
    assert.match(asked.at(-1) ?? '', /^user: .*blue!/s);
    assert.ok(asked.some((text) => text.startsWith('tool: ')));
    assert.equal(run.status, 'complete');
    await until(async () => (await waiting(world)).length === 0, 'an empty queue');
  });

  it('is asked as any other after an answer that takes no further step, and can be marked and unmarked', async () => {
    await using world = await queued([first, answer('2'), answer('3')], 'two', 'three');
    const { queue } = world.parts;
    await queue.steer(on, await idOf(world, 'three'), true);
    await queue.steer(on, await idOf(world, 'two'), true);
    await queue.steer(on, await idOf(world, 'two'), false);
    const { id } = await world.branch('main');
    assert.deepEqual(
      (await queue.list(CHAT, id)).map(({ isSteering }) => isSteering),
      [false, true],
    );
    world.world.server.release('first');
    await textsAre(world, ['one', '1', 'two', '2', 'three', '3']);
  });

  it('moves with the agent when that goes on on another branch', async () => {
    await using world = await ConversationWorld.make(
      [checkpoint('g'), [say('Hm.'), pause('first'), ...rewind('R')], answer('ok'), answer('2')],
      { tools },
    );
    const run = await world.conversations.ask('one');
    await world.world.arrived(run, 'Hm.');
    await world.conversations.askOrQueue('two', []);
    world.world.server.release('first');
    await until(async () => (await world.world.texts('main-v2')).at(-1) === '2', 'the second answer');
    assert.equal((await world.world.texts('main-v2')).at(-2), 'two');
    assert.deepEqual(await waiting(world), []);
  });
});
