import assert from 'node:assert/strict';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, reminder, role, user } from '../../../src/engine/fragments/index.ts';
import { modelTextOf, textOf } from '../../../src/engine/uiMessage.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const newEngine = (): ContextEngine =>
  new ContextEngine({ store: memoryStore(), chatId: 'chat-1', userId: 'me' });

describe('a reminder set on an engine', () => {
  it('goes with the user message before it, and is stored with it', async () => {
    const context = newEngine().set(role('Helpful.'), user('Go on.'), reminder('Be brief.'));
    const pending = await context.resolve();
    await context.save();
    const saved = await context.resolve();
    assert.deepEqual(saved.messages, pending.messages);
    const [message] = saved.messages;
    assert.ok(message);
    assert.equal(textOf(message), 'Go on.');
    assert.equal(modelTextOf(message), 'Go on.\n\n<system-reminder>Be brief.</system-reminder>');
    assert.equal(saved.systemPrompt, '<role>Helpful.</role>');
  });

  it('is not shown where messages are shown as text', async () => {
    const context = newEngine().set(user('Go on.'), reminder('Be brief.'));
    await context.save();
    assert.doesNotMatch(await context.visualizeGraph(), /brief/);
  });

  it('is part of the system prompt where there is no such message', async () => {
    const context = newEngine().set(reminder('First.'), user('Hi'), assistant('Ho'), reminder('Last.'));
    const { systemPrompt } = await context.resolve();
    assert.equal(systemPrompt, '<reminder>First.</reminder>\n<reminder>Last.</reminder>');
  });

  it('is asked until it is saved, and then no more', async () => {
    let wanted = false;
    const context = newEngine().set(user('Hi'), reminder('Be brief.', { when: () => wanted }));
    const parts = async (): Promise<number | undefined> =>
      (await context.resolve()).messages[0]?.parts.length;
    assert.equal(await parts(), 1);
    wanted = true;
    assert.equal(await parts(), 2);
    await context.save();
    wanted = false;
    assert.equal(await parts(), 2);
  });
});
