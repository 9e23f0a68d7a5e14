import assert from 'node:assert/strict';
import { ActiveBranchError } from '../../../src/engine/errors.ts';
import { listQueue } from '../../../src/conversation/keptQueues.ts';
import { answer, hang, pause, say } from '../../fixtures/openaiServer.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';

describe('a side question', () => {
  const systemPrompts = ({ world }: ConversationWorld): string[] =>
    world.server.requests.map(({ body }) =>
      body.messages
        .flatMap(({ role, content }) => (role === 'system' ? [JSON.stringify(content)] : []))
        .join(),
    );
  const ELSEWHERE = /main question.*answered elsewhere/;

  it('tells the model that the main question is answered elsewhere, with its follow-ups, and only those', async () => {
    const script = ['1', '2', '3', '4', '5'].map(answer);
    await using world = await ConversationWorld.make(script);
    await world.answered('one');
    const side = await world.conversations.askSideQuestion('two');
    await side.done;
    const further = await world.conversations.askSideQuestion('three', [], side.branch);
    await further.done;
    await world.answered('four');
    assert.equal(further.branch, side.branch);
    assert.deepEqual(await world.world.texts(side.branch), ['one', '1', 'two', '2', 'three', '3']);
    assert.deepEqual(await world.world.texts('main'), ['one', '1', 'four', '4']);
    assert.deepEqual(
      systemPrompts(world).map((prompt) => ELSEWHERE.test(prompt)),
      [false, true, true, false],
    );
    // What was a side question is the conversation, once the user has gone there.
    await world.conversations.switchBranch(side.branch);
    await world.answered('five');
    assert.doesNotMatch(systemPrompts(world).at(-1) ?? '', ELSEWHERE);
  });

  it('is told so as well when its answer is continued or asked for again', async () => {
    const script = [answer('1'), [say('Half'), hang()], answer('whole')];
    await using world = await ConversationWorld.make(script);
    await world.answered('one');
    const side = await world.conversations.askSideQuestion('two');
    await world.world.arrived(side, 'Half');
    await world.conversations.stop(side.branch);
    const goesOn = await world.conversations.continueAnswer(side.branch);
    await goesOn.done;
    assert.match(systemPrompts(world).at(-1) ?? '', ELSEWHERE);
  });

  it('that is discarded leaves nothing of what was said, though it was being answered', async () => {
    const script = [answer('1'), [say('Half'), pause(), say(' more')]];
    await using world = await ConversationWorld.make(script);
    await world.answered('one');
    const side = await world.conversations.askSideQuestion('two');
    await world.world.arrived(side, 'Half');
    const { id } = await world.branch(side.branch);
    await world.parts.queue.add({ chatId: CHAT, branch: side.branch }, { text: 'three', attached: [] });
    await world.conversations.discardBranch(CHAT, side.branch);
    assert.deepEqual(await world.branches(), ['main*']);
    assert.equal(world.world.runs.get(CHAT, side.branch), undefined);
    const { store } = world;
    assert.deepEqual(await store.trash.list(), []);
    assert.deepEqual(await store.listDrafts(), []);
    assert.deepEqual(await listQueue(store, await store.getChat(CHAT), id), []);
    assert.doesNotMatch(
      JSON.stringify([await store.getChat(CHAT), await store.listEvents(CHAT)]),
      /two|three/,
    );
    assert.deepEqual(await store.searchAllMessages('two'), []);
    assert.deepEqual(world.failures, []);
  });

  it('that the user is on is not discarded, and its answer goes on', async () => {
    const script = [answer('1'), [say('Half'), pause(), say(' more')]];
    await using world = await ConversationWorld.make(script);
    await world.answered('one');
    const side = await world.conversations.askSideQuestion('two');
    await world.world.arrived(side, 'Half');
    await world.conversations.switchBranch(side.branch);
    await assert.rejects(world.conversations.discardBranch(CHAT, side.branch), ActiveBranchError);
    world.world.server.release();
    await side.done;
    assert.equal((await world.world.texts(side.branch)).at(-1), 'Half more');
  });
});
