/* eslint-disable @typescript-eslint/no-deprecated -- the examples are run as they were written: with `system` */
import assert from 'node:assert/strict';
import { generateText, type LanguageModel } from 'ai';
import { streamedModel } from '../../../src/models/providers/streamedModel.ts';
import {
  assistant,
  assistantText,
  ContextEngine,
  fragment,
  hint,
  role,
  user,
  XmlRenderer,
} from '../../../src/engine/index.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { stores } from '../../fixtures/stores.ts';

/** Answers with the last thing it was told, and how much it was told. */
const echo: LanguageModel = streamedModel({
  provider: 'local',
  modelId: 'echo',
  answer: async function* (prompt) {
    const turns = prompt.filter(({ role: who }) => who !== 'system');
    const last = turns.at(-1)?.content;
    const text = Array.isArray(last) ? last.map((part) => ('text' in part ? part.text : '')).join('') : '';
    yield await Promise.resolve({ type: 'text' as const, text: `${turns.length}: ${text}` });
  },
});

for (const [place, open] of Object.entries(stores)) {
  describe(`the examples the engine came from, in a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    it('asks, rewinds to the question and tries again with another hint', async () => {
      const context = new ContextEngine({ store, chatId: 'chat-001', userId: 'user-001' }).set(
        role('You are helpful.'),
      );
      context.set(user('What is 2 + 2?', { id: 'q1' }));
      const { systemPrompt, messages } = await context.resolve({ renderer: new XmlRenderer() });
      const response = await generateText({ model: echo, system: systemPrompt, messages });
      assert.equal(response.text, '1: What is 2 + 2?');
      context.set(assistant(response.text, { id: 'a1' }));
      await context.save();

      const newBranch = await context.rewind('q1');
      assert.deepEqual(
        { ...newBranch, id: 'uuid', createdAt: 0, clearedPending: 0 },
        {
          id: 'uuid',
          name: 'main-v2',
          headMessageId: 'q1',
          isActive: true,
          messageCount: 1,
          createdAt: 0,
          clearedPending: 0,
        },
      );
      context.set(hint('Double-check your arithmetic.'));
      const { systemPrompt: sp2, messages: m2 } = await context.resolve({ renderer: new XmlRenderer() });
      assert.equal(sp2, '<role>You are helpful.</role>\n<hint>Double-check your arithmetic.</hint>');
      const retry = await generateText({ model: echo, system: sp2, messages: m2 });
      context.set(assistant(retry.text));
      await context.save();
      assert.equal((await store.getBranch('chat-001', 'main'))?.headMessageId, 'a1');
    });

    it('regenerates several times, always from the same question', async () => {
      const context = new ContextEngine({ store, chatId: 'c', userId: 'u' });
      context.set(user('Try', { id: 'q1' }));
      await context.save();
      for (let attempt = 0; attempt < 3; attempt++) {
        await context.rewind('q1');
        const { systemPrompt, messages } = await context.resolve({ renderer: new XmlRenderer() });
        const response = await generateText({
          model: echo,
          system: systemPrompt,
          messages,
          temperature: 0.5 + attempt * 0.2,
        });
        context.set(assistant(response.text));
        await context.save();
      }
      const names = (await store.listBranches('c')).map(({ name }) => name);
      assert.deepEqual(names, ['main', 'main-v2', 'main-v2-v2', 'main-v2-v2-v2']);
    });

    it('edits a question, found in the graph', async () => {
      const context = new ContextEngine({ store, chatId: 'c', userId: 'u' });
      context.set(user('q1', { id: 'q1' }), assistant('a1', { id: 'a1' }), user('q2', { id: 'q2' }));
      await context.save();
      const graph = await store.getGraph(context.chatId);
      const original = graph.nodes.find(({ id }) => id === 'q2');
      assert.equal(original?.parentId, 'a1');
      await context.rewind(original.parentId);
      context.set(user('q2 in other words'));
      await context.save();
      assert.deepEqual((await context.resolve()).messages.map(textOf), ['q1', 'a1', 'q2 in other words']);
    });

    it('takes messages in every form', async () => {
      const context = new ContextEngine({ store, chatId: 'c', userId: 'u' });
      context
        .set(user({ id: 'q1', role: 'user', parts: [{ type: 'text', text: 'What is 2+2?' }] }))
        .set(assistantText('The answer is 5.'), user('Sure?', { id: 'q2' }))
        .set(assistant({ id: 'a2', role: 'assistant', parts: [{ type: 'text', text: 'No: 4.' }] }));
      const { headMessageId } = await context.save();
      assert.equal(headMessageId, 'a2');
      assert.equal(context.headMessageId, 'a2');
      assert.equal(context.chatId, 'c');
      assert.equal(context.branch, 'main');
      assert.equal(await context.getTurnCount(), 2);
    });

    it('asks something else on a parallel branch, and goes back', async () => {
      const context = new ContextEngine({ store, chatId: 'c', userId: 'u', metadata: { source: 'web' } });
      context.set(user('What is the weather?'));
      await context.save();
      const newBranch = await context.btw();
      assert.equal(newBranch.name, 'main-v2');
      assert.equal(context.branch, 'main');
      await context.switchBranch(newBranch.name);
      context.set(user('Also, what time is it?'));
      await context.save();
      await context.switchBranch('main');
      assert.equal((await context.resolve()).messages.length, 1);
      await context.updateChat({ title: 'Python Learning Session', metadata: { tags: ['python'] } });
      assert.deepEqual(context.chat?.metadata, { source: 'web', tags: ['python'] });
    });

    it('draws the conversation', async () => {
      const context = new ContextEngine({ store, chatId: 'c', userId: 'u' });
      await context.set(user('q', { id: 'q1' }), assistant('5', { id: 'a1' })).save();
      await context.checkpoint('wrong');
      await context.rewind('q1');
      await context.set(assistant('4', { id: 'a2' })).save();
      assert.equal(
        await context.visualizeGraph(),
        ['● q1 user: q', '├─● a1 assistant: 5 [main] {wrong}', '● a2 assistant: 4 [main-v2*]'].join('\n'),
      );
    });

    it('shows everything for debugging, as data that survives JSON', async () => {
      const context = new ContextEngine({ store, chatId: 'c', userId: 'u' });
      context.set(
        role('You are helpful.'),
        fragment('now', () => 'noon'),
        user('saved', { id: 'q1' }),
      );
      await context.save();
      context.set(user('pending', { id: 'q2' }));
      const snapshot = await context.inspect({ modelId: 'openai:gpt-4o', renderer: new XmlRenderer() });
      assert.deepEqual(JSON.parse(JSON.stringify(snapshot)), snapshot);
      assert.equal(snapshot.rendered, '<role>You are helpful.</role>\n<now>noon</now>');
      assert.deepEqual(snapshot.fragments.context, [
        { name: 'role', data: 'You are helpful.' },
        { name: 'now', data: 'noon' },
      ]);
      assert.deepEqual(snapshot.fragments.persisted.map(textOf), ['saved']);
      assert.deepEqual(snapshot.fragments.pending.map(textOf), ['pending']);
      assert.deepEqual(
        snapshot.estimate.fragments.map(({ name }) => name),
        ['role', 'now', 'user', 'user'],
      );
      assert.ok(snapshot.estimate.tokens > 0 && (snapshot.estimate.cost ?? 0) > 0);
      assert.equal(snapshot.graph.nodes.length, 1);
      assert.equal(snapshot.meta.branch, 'main');
      const unknown = await context.estimate({ modelId: 'nobody:knows' });
      assert.deepEqual([unknown.tokens, unknown.cost], [snapshot.estimate.tokens, undefined]);
    });

    it('still gives messages that are plain data', async () => {
      const context = new ContextEngine({ store, chatId: 'c', userId: 'u' }).set(user('hi', { id: 'q1' }));
      await context.save();
      const [message] = (await context.resolve()).messages;
      assert.deepEqual(message, { id: 'q1', role: 'user', parts: [{ type: 'text', text: 'hi' }] });
      assert.equal(message.content, 'hi');
      assert.ok(!JSON.stringify(message).includes('content'));
    });
  });
}
