import assert from 'node:assert/strict';
import { NothingToAnswerError } from '../../../src/agent/run/runs.ts';
import { Conversations } from '../../../src/conversation/conversations.ts';
import { folderOf } from '../../../src/engine/chatFlags.ts';
import { MessageNotFoundError } from '../../../src/engine/errors.ts';
import { readUIMessage } from '../../../src/engine/uiMessage.ts';
import { answer } from '../../fixtures/openaiServer.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { ConversationWorld, picture } from '../../worlds/conversationWorld.ts';

describe('asking', () => {
  it('makes the chat, titles it once and opens it', async () => {
    await using world = await ConversationWorld.make([answer('1'), answer('2')]);
    await world.answered('one');
    await world.answered('two');
    const chat = await world.store.getChat(CHAT);
    assert.equal(chat?.title, 'About one');
    assert.deepEqual(world.current.steps, [`open ${CHAT}`, `open ${CHAT}`]);
    assert.deepEqual(await world.world.texts(), ['one', '1', 'two', '2']);
  });

  it('notes in which of several folders the chat was begun, once', async () => {
    await using world = await ConversationWorld.make([answer('1'), answer('2')]);
    let folder: string | undefined = 'api';
    const conversations = new Conversations({ ...world.parts, folderInUse: () => folder });
    await (
      await conversations.ask('one')
    ).done;
    folder = 'web';
    await (
      await conversations.ask('two')
    ).done;
    const chat = await world.store.getChat(CHAT);
    assert.equal(chat && folderOf(chat), 'api');
  });

  it('titles a question without words by what went with it', async () => {
    await using world = await ConversationWorld.make([answer('1')]);
    await (
      await world.conversations.ask('', [picture])
    ).done;
    assert.equal((await world.store.getChat(CHAT))?.title, 'About dot.png');
  });

  it('aside goes to a branch of its own, but in an empty chat to the only one', async () => {
    await using world = await ConversationWorld.make([answer('1'), answer('2')]);
    const first = await world.conversations.askSideQuestion('one');
    await first.done;
    assert.equal(first.branch, 'main');
    const side = await world.conversations.askSideQuestion('two');
    await side.done;
    assert.deepEqual(await world.branches(), ['main*', 'main-v2']);
    assert.deepEqual(await world.world.texts('main-v2'), ['one', '1', 'two', '2']);
    assert.equal((await world.store.listEvents(CHAT, { kind: 'btw' })).length, 1);
  });

  it('differently takes along what went with the question, on a new branch', async () => {
    await using world = await ConversationWorld.make([answer('1'), answer('2')]);
    await (
      await world.conversations.ask('one', [picture])
    ).done;
    const moved = await world.conversations.edit(await world.idAt(0), 'other');
    assert.deepEqual(Object.keys(moved).sort(), ['chatId', 'from', 'to']);
    await world.world.runs.get(CHAT, moved.to.name)?.done;
    assert.deepEqual(await world.world.texts('main'), ['one', '1']);
    assert.deepEqual(await world.world.texts(moved.to.name), ['other', '2']);
    const [question] = await world.conversations.path();
    const parts = question && readUIMessage(question.data)?.parts;
    assert.deepEqual(
      parts?.map(({ type }) => type),
      ['text', 'file'],
    );
    await assert.rejects(world.conversations.edit('gone', 'other'), MessageNotFoundError);
  });

  it('again answers the question before an answer, with another model’s settings', async () => {
    await using world = await ConversationWorld.make([answer('1'), answer('2')]);
    await world.answered('one');
    const { to } = await world.conversations.regenerate(await world.idAt(1), { temperature: 0.5 });
    const run = world.world.runs.get(CHAT, to.name);
    assert.equal(run?.temperature, 0.5);
    await run.done;
    assert.deepEqual(await world.world.texts(to.name), ['one', '2']);
    await assert.rejects(world.conversations.regenerate('gone'), MessageNotFoundError);
  });

  it('several times leaves the active branch, and says which answers could not begin', async () => {
    await using world = await ConversationWorld.make([answer('1'), answer('2'), answer('3')]);
    await world.answered('one');
    const model = await world.world.model();
    const twice = [model, model].map((each) => ({ model: each, temperature: undefined }));
    const { runs, failures } = await world.conversations.tryTimes(await world.idAt(0), twice);
    await Promise.all(runs.map((run) => run.done));
    assert.deepEqual([runs.length, failures.length], [2, 0]);
    assert.deepEqual(await world.branches(), ['main*', 'main-v2', 'main-v3']);
    // An answer is no question: its branches are made, and nothing can be answered there.
    const failed = await world.conversations.tryTimes(await world.idAt(1), twice);
    assert.deepEqual(failed.runs, []);
    assert.ok(failed.failures.every((failure) => failure instanceof NothingToAnswerError));
    assert.equal(failed.failures.length, 2);
  });
});
