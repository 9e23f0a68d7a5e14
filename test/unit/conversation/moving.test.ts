import assert from 'node:assert/strict';
import { EmptyConversationError } from '../../../src/engine/errors.ts';
import { questionBefore } from '../../../src/conversation/rewind.ts';
import { noFiles } from '../../fixtures/noFiles.ts';
import { answer } from '../../fixtures/openaiServer.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';

describe('moving in the tree', () => {
  it('says where one came from and where one is, and opens the chat', async () => {
    await using world = await ConversationWorld.make([answer('1')]);
    await world.answered('one');
    const rewound = await world.conversations.rewind(await world.idAt(0));
    assert.deepEqual([rewound.from, rewound.to.name], ['main', 'main-v2']);
    const back = await world.conversations.switchBranch('main');
    assert.deepEqual([back.from, back.to.name], ['main-v2', 'main']);
    assert.deepEqual(await world.branches(), ['main*'], 'nothing was said where one was');
    const checkpoint = await world.conversations.createCheckpoint('here', await world.idAt(0));
    const restored = await world.conversations.restore('here');
    assert.deepEqual([restored.from, restored.to.name], ['main', 'main-v3']);
    assert.equal(restored.to.headMessageId, checkpoint.messageId);
    assert.equal(world.current.steps.at(-1), `open ${CHAT}`);
  });

  it('goes to another chat than the open one where that is named', async () => {
    await using world = await ConversationWorld.make([answer('1')]);
    await world.answered('one');
    await world.current.open('elsewhere');
    const moved = await world.conversations.switchBranch('main', CHAT);
    assert.equal(moved.chatId, CHAT);
    assert.equal(await world.current.chatId(), CHAT);
  });

  it('goes to before a question that is to be asked again, which the branch knows until something is said', async () => {
    await using world = await ConversationWorld.make([answer('1'), answer('2'), answer('3')]);
    const { conversations, store } = world;
    await world.answered('one');
    await world.answered('two');
    const [first, reply, second] = [await world.idAt(0), await world.idAt(1), await world.idAt(2)];
    const asked = async (name: string): Promise<string | undefined> =>
      (await questionBefore(store, { chatId: CHAT, name }))?.id;
    const rewound = await conversations.rewindBefore(second);
    assert.deepEqual([rewound.from, rewound.to.headMessageId], ['main', reply]);
    assert.equal(await asked(rewound.to.name), second);
    await world.answered('otherwise');
    assert.deepEqual((await store.getSiblings(CHAT, [second])).get(second), [second, await world.idAt(2)]);
    const { to } = await conversations.rewindBefore(first);
    assert.equal(to.headMessageId, null);
    assert.equal(await asked(to.name), first);
    assert.equal(await asked('main'), undefined);
    assert.equal(await asked((await conversations.rewind(reply)).to.name), undefined);
  });

  it('answers such a question again where it is asked unchanged, without a second one', async () => {
    await using world = await ConversationWorld.make([answer('1'), answer('2')]);
    await world.answered('one');
    const question = await world.idAt(0);
    await world.conversations.rewindBefore(question);
    await world.answered('one');
    assert.equal(await world.idAt(0), question);
    assert.deepEqual(await world.branches(), ['main', 'main-v3*']);
    assert.equal((await world.store.getChildren(CHAT, question)).length, 2);
  });

  it('makes such a branch again, with its question, where that is undone and redone', async () => {
    await using world = await ConversationWorld.make([answer('1')]);
    await world.answered('one');
    const question = await world.idAt(0);
    const { to } = await world.conversations.rewindBefore(question);
    const history = world.conversations.history(noFiles);
    for (const direction of ['undo', 'redo'] as const) await history.take(direction);
    assert.deepEqual(await world.branches(), ['main', `${to.name}*`]);
    assert.equal((await questionBefore(world.store, { chatId: CHAT, name: to.name }))?.id, question);
  });

  it('makes no chat for a checkpoint', async () => {
    await using world = await ConversationWorld.make();
    await assert.rejects(world.conversations.createCheckpoint('here'), EmptyConversationError);
    assert.equal(await world.store.getChat(CHAT), undefined);
  });

  it('names what it is told to, without the space around a title', async () => {
    await using world = await ConversationWorld.make([answer('1')]);
    await world.answered('one');
    await world.conversations.createCheckpoint('here');
    await world.conversations.renameChat(CHAT, ' Trees ');
    await world.conversations.renameBranch(CHAT, 'main', 'trunk');
    await world.conversations.renameCheckpoint(CHAT, 'here', 'there');
    assert.equal((await world.store.getChat(CHAT))?.title, 'Trees');
    assert.deepEqual(await world.branches(), ['trunk*']);
    assert.equal((await world.store.listCheckpoints(CHAT))[0]?.name, 'there');
  });
});
