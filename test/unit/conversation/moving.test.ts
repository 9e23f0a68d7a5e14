import assert from 'node:assert/strict';
import { EmptyConversationError } from '../../../src/engine/errors.ts';
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

  it('gives a question back that is to be asked again, and ends with it', async () => {
    await using world = await ConversationWorld.make([answer('1')]);
    await world.answered('one');
    const [question, reply] = [await world.idAt(0), await world.idAt(1)];
    assert.equal((await world.conversations.rewind(reply)).question, undefined);
    const rewound = await world.conversations.rewind(question);
    assert.deepEqual([rewound.question?.text, rewound.to.headMessageId], ['one', question]);
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
