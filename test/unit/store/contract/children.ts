import assert from 'node:assert/strict';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, everyNTurns, reminder, role, user } from '../../../../src/engine/fragments/index.ts';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { modelTextOf, textOf } from '../../../../src/engine/uiMessage.ts';
import type { OpenStore } from './actions.ts';

/** What every store gives a child of an engine. @param open makes an empty one */
export function specifyChildren(place: string, open: OpenStore): void {
  describe(`a child of an engine whose store is ${place}`, () => {
    let store: ContextStore;
    let parent: ContextEngine;
    beforeEach(async () => {
      store = await open();
      parent = new ContextEngine({ store, chatId: 'chat', userId: 'ann', metadata: { a: 1 } });
      parent.set(role('You are brief.'), reminder('Think.', { when: everyNTurns(1) }));
      parent.set(user('q1', { id: 'q1' }), assistant('a1'));
      await parent.save();
      parent.set(user('pending'));
    });
    afterEach(() => store.close());

    const everything = async (): Promise<unknown> => ({
      graph: await store.getGraph('chat'),
      chats: await store.listChats(),
      pending: parent.pending.list(),
      user: [...(await store.getSharedState({ scope: 'user', userId: 'ann' }))],
      prompt: (await parent.resolve()).systemPrompt,
    });

    it('has its fragments and nothing that was said, and changes nothing there', async () => {
      const before = await everything();
      const child = await parent.fork();
      assert.deepEqual([child.userId, await child.getMessages()], ['ann', []]);
      assert.notEqual(child.chatId, parent.chatId);
      child.set(role('You are kind.'), user('q1', { id: 'q1' }), assistant('a1'));
      child.state.set('user:mood', 'sure');
      await child.save();
      const { systemPrompt, messages } = await child.resolve();
      assert.equal(systemPrompt, '<role>You are brief.</role>\n<role>You are kind.</role>');
      assert.deepEqual(messages.map(textOf), ['q1', 'a1']);
      assert.match(messages.map(modelTextOf).join(), /Think/);
      assert.deepEqual(await everything(), before);
      parent.set(role('You are old.'));
      assert.doesNotMatch((await child.resolve()).systemPrompt, /old/);
      const grandchild = await child.fork();
      assert.match((await grandchild.resolve()).systemPrompt, /kind/);
      await child.close();
      await grandchild.set(user('q')).save();
      await grandchild.close();
      await child.close();
      await parent.save();
      await parent.close();
      await assert.rejects(parent.fork(), { code: 'closed' });
    });

    it('is kept where it is told to, and leaves that open', async () => {
      const other = await store.createInMemory();
      const child = await parent.fork({ store: other, chatId: 'child' });
      await child.set(user('q')).save();
      await child.close();
      assert.deepEqual(
        (await other.listChats()).map(({ id, userId, metadata }) => ({ id, userId, metadata })),
        [{ id: 'child', userId: 'ann', metadata: {} }],
      );
      await other.close();
      await assert.rejects(other.listChats(), { code: 'closed' });
      assert.equal((await store.listChats()).length, 1);
    });
  });
}
