import assert from 'node:assert/strict';
import { Ledgers } from '../../../src/agent/ledger/ledgers.ts';
import { MessageNotFoundError } from '../../../src/engine/errors.ts';
import { isKeptMessage, keptMarks } from '../../../src/engine/keptMessages.ts';
import { answer } from '../../fixtures/openaiServer.ts';
import { noFiles } from '../../fixtures/noFiles.ts';
import { CHAT, USER } from '../../worlds/agentWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';

const SAID = 'The port is 8080.';
const script = [answer('Noted.'), answer('The gist.'), answer('So.')];

async function keptTexts(world: ConversationWorld, chatId = CHAT): Promise<readonly string[]> {
  const branch = await world.store.getActiveBranch(chatId, { userId: USER });
  const path = await world.store.getPath(chatId, branch?.headMessageId ?? '');
  const marks = keptMarks(await world.store.getChat(chatId));
  const kept = await Promise.all(path.map((message) => isKeptMessage(world.store, message, marks)));
  return path.flatMap(({ data }, index) => (kept[index] ? [JSON.stringify(data)] : []));
}

describe('a message that is kept always', () => {
  it('is marked on every branch, logged, and the mark can be undone and done again', async () => {
    await using world = await ConversationWorld.make(script);
    await world.answered(SAID);
    const id = await world.idAt(0);
    await world.conversations.keepMessage(id, true);
    assert.equal((await keptTexts(world)).length, 1);
    const history = world.conversations.history(noFiles);
    for (const [direction, kept] of [
      ['undo', 0],
      ['redo', 1],
      ['undo', 0],
    ] as const) {
      assert.equal((await history.take(direction))?.kind, 'message-kept');
      assert.equal((await keptTexts(world)).length, kept, direction);
    }
    await assert.rejects(world.conversations.keepMessage('none', true), MessageNotFoundError);
    assert.deepEqual(
      (await world.store.listEvents(CHAT, { kind: 'message-kept' })).map(({ messageId, details }) => [
        messageId,
        details,
      ]),
      [[id, { isKept: true }]],
    );
  });

  it('keeps its mark in an edited version and in an export, until it is taken off', async () => {
    await using world = await ConversationWorld.make([...script, answer('Again.')]);
    await world.answered(SAID);
    await world.conversations.keepMessage(await world.idAt(0), true);
    const exported = await world.store.exportChat(CHAT);
    const [copy = ''] = await world.store.importChats(USER, [exported]);
    assert.equal((await keptTexts(world, copy)).length, 1, 'of the import');
    await world.conversations.edit(await world.idAt(0), 'The port is 9090.');
    assert.match((await keptTexts(world))[0] ?? '', /9090/);
    const branch = await world.store.getActiveBranch(CHAT, { userId: USER });
    const [edited] = await world.store.getPath(CHAT, branch?.headMessageId ?? '');
    await world.conversations.keepMessage(edited?.id ?? '', false);
    assert.deepEqual(await keptTexts(world), []);
  });

  it('is sent whole once a summary stands for it, to side questions too, and not any more without the mark', async () => {
    await using world = await ConversationWorld.make([...script, answer('8080.')]);
    await world.answered(SAID);
    await world.answered('Anything else?');
    const id = await world.idAt(0);
    await world.conversations.keepMessage(id, true);
    const head = await world.idAt(3);
    await (
      await world.conversations.compact({ thenAnswers: false })
    ).done;
    const branch = await world.store.getActiveBranch(CHAT, { userId: USER });
    assert.notEqual(branch?.headMessageId, head);
    const ledgers = new Ledgers(world.store);
    const read = async () => (await ledgers.read(CHAT, branch?.headMessageId ?? ''))?.text;
    assert.match((await read()) ?? '', /<message role="user">\nThe port is 8080\.\n<\/message>/);
    await (
      await world.conversations.askSideQuestion('Which port?')
    ).done;
    const sent = JSON.stringify(world.world.server.requests.at(-1)?.body.messages);
    assert.match(sent, /<ledger>[^]*The port is 8080\.[^]*<\/ledger>/u);
    await world.conversations.keepMessage(id, false);
    assert.equal(await read(), undefined);
  });
});
