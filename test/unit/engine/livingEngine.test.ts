import assert from 'node:assert/strict';
import type { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, lastAssistantMessage, user } from '../../../src/engine/fragments/index.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import { stores } from '../../fixtures/stores.ts';
import { useEngines } from '../../fixtures/useEngines.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const plain = { mediaType: 'text/plain' };

for (const [place, open] of Object.entries(stores)) {
  describe(`an engine that lives on while its chat changes, ${place}`, () => {
    const { store, engine, texts, begun } = useEngines(open);

    it('works on after a branch it left was deleted', async () => {
      const context = await begun();
      await context.rewind('q1');
      await context.set(assistant('other', { id: 'x' })).save();
      assert.deepEqual(await texts(context), ['q1', 'other']);
      await context.switchBranch('main');
      await store().deleteBranch('chat', 'main-v2');
      assert.deepEqual(await texts(context), ['q1', 'a1']);
      await context.set(user('q2')).save();
      assert.deepEqual(await texts(context), ['q1', 'a1', 'q2']);
    });

    it('shows what has the id now, not what had it before it was deleted', async () => {
      const context = await begun();
      await context.rewind('q1');
      await context.set(assistant('old', { id: 'x' })).save();
      await context.resolve();
      await context.switchBranch('main');
      await store().deleteBranch('chat', 'main-v2');
      await context.set(user('new', { id: 'x' })).save();
      assert.deepEqual(await texts(context), ['q1', 'a1', 'new']);
    });

    it('goes to the active branch when its own is deleted, with what was pending', async () => {
      const context = await begun();
      await context.rewind('q1');
      await context.set(assistant('other')).save();
      await store().activateBranch('chat', 'main');
      context.set(user('q2', { id: 'q2' }));
      await store().deleteBranch('chat', 'main-v2');
      const saved = await context.save();
      assert.deepEqual([saved.branch, saved.headMessageId], ['main', 'q2']);
    });

    it('says once that its chat was deleted, and begins it again', async () => {
      const context = await begun();
      await store().deleteChat('chat');
      await assert.rejects(context.resolve(), { code: 'chat-not-found' });
      assert.deepEqual(await texts(context), []);
      await context.set(user('again', { id: 'q1' })).save();
      assert.deepEqual(await texts(context), ['again']);
    });

    it('is back where it was when its chat is put back', async () => {
      const context = await begun();
      await store().deleteChat('chat');
      await assert.rejects(context.getTurnCount(), { code: 'chat-not-found' });
      const [entry] = await store().trash.list();
      await store().trash.restore(entry?.id ?? '');
      assert.deepEqual(await texts(context), ['q1', 'a1']);
    });

    it('works on an archived branch, and on one that was put back', async () => {
      const context = await begun();
      await context.rewind('q1');
      await context.set(assistant('other')).save();
      const main = engine({ branch: 'main' });
      await main.resolve();
      await store().archiveBranch('chat', 'main');
      assert.deepEqual(await texts(main), ['q1', 'a1']);
      await store().deleteBranch('chat', 'main');
      await assert.rejects(main.resolve(), { code: 'branch-not-found' });
      const [entry] = await store().trash.list();
      await store().trash.restore(entry?.id ?? '');
      assert.deepEqual(await texts(main), ['q1', 'a1']);
    });

    describe('editing a message that stands on another branch', () => {
      const elsewhere = async (): Promise<ContextEngine> => {
        const context = await begun();
        context.state.set('mood', 'curious');
        await context.set(user('q2', { id: 'q2' }), assistant('a2', { id: 'a2' })).save();
        await context.rewind('q1');
        context.state.set('mood', 'sure');
        await context.set(assistant('other', { id: 'o1' })).save();
        return context.set(user('q2 again', { id: 'q2' }));
      };

      it('shows the whole conversation that it will be saved in', async () => {
        const context = await elsewhere();
        const before = await context.resolve();
        assert.deepEqual(before.messages.map(textOf), ['q1', 'a1', 'q2 again']);
        assert.equal(await context.getTurnCount(), 2);
        const shown = await context.inspect({ modelId: 'openai:gpt-4o' });
        assert.deepEqual(shown.fragments.persisted.map(textOf), ['q1', 'a1']);
        assert.equal(shown.estimate.fragments.length, 3);
        await context.save();
        assert.deepEqual(await context.resolve(), before);
      });

      it('tells state as it will be there, and goes back to its own branch when the edit is dropped', async () => {
        const context = await elsewhere();
        assert.equal(await context.state.get('mood'), undefined);
        assert.equal(context.pending.remove('q2'), true);
        assert.equal(await context.state.get('mood'), 'sure');
        assert.deepEqual(await texts(context), ['q1', 'other']);
      });
    });

    describe('versions of artifacts', () => {
      it('follow on the path that an edit comes to stand on', async () => {
        const context = engine();
        await context.artifacts.save('plan', bytes('0'), plain);
        await context.set(user('q1', { id: 'q1' })).save();
        await context.artifacts.save('plan', bytes('1'), plain);
        await context.set(user('q2', { id: 'q2' })).save();
        // The forecast was made before anybody knew of the edit.
        assert.equal((await context.artifacts.save('plan', bytes('2'), plain)).version, 2);
        const saved = await context.set(user('q2 again', { id: 'q2' })).save();
        assert.deepEqual(saved.artifacts, [{ name: 'plan', version: 1 }]);
        assert.equal((await context.artifacts.load('plan'))?.version, 1);
        assert.deepEqual((await context.artifacts.load('plan'))?.data, bytes('2'));
      });

      it('of two saves at once are two', async () => {
        const context = engine();
        const made = await Promise.all(
          ['a', 'b'].map((text) => context.artifacts.save('f', bytes(text), plain)),
        );
        assert.deepEqual(
          made.map(({ version }) => version),
          [0, 1],
        );
        const { artifacts } = await context.save();
        assert.deepEqual(
          artifacts.map(({ version }) => version),
          [0, 1],
        );
      });

      it('are renumbered when another engine was faster', async () => {
        const first = await begun();
        const second = engine({ onHeadConflict: 'fork' });
        await second.resolve();
        for (const each of [first, second]) {
          await each.artifacts.save('f', bytes('x'), plain);
          await each.artifacts.save('user:f', bytes('x'), plain);
        }
        const one = await first.save();
        const other = await second.save();
        assert.deepEqual(
          one.artifacts.map(({ version }) => version),
          [0, 0],
        );
        // The fork does not stand on what the other saved, the user's artifacts do.
        assert.deepEqual(
          other.artifacts.map(({ name, version }) => [name, version]),
          [
            ['f', 0],
            ['user:f', 1],
          ],
        );
        const versions = (await store().getPath('chat', other.headMessageId ?? '')).flatMap(
          ({ effects }) => effects?.artifacts ?? [],
        );
        assert.deepEqual(
          versions.map(({ version }) => version),
          [0],
        );
      });

      it('are found however far back the last one is', async () => {
        const context = engine();
        await context.artifacts.save('f', bytes('0'), plain);
        await context.set(user('first')).save();
        context.set(...Array.from({ length: 1_100 }, (_, index) => user(`m${index}`)));
        await context.save();
        await context.artifacts.save('f', bytes('1'), plain);
        await context.artifacts.save('g', bytes('0'), plain);
        assert.deepEqual((await context.set(user('last')).save()).artifacts, [
          { name: 'f', version: 1 },
          { name: 'g', version: 0 },
        ]);
      });
    });

    it('goes before the use of an invocation id on its own path first', async () => {
      const context = await begun();
      await context.set(user('on main')).save({ invocationId: 'turn' });
      await context.rewind('q1');
      await context.set(assistant('other', { id: 'o1' })).save();
      await context.set(user('here')).save({ invocationId: 'turn' });
      const there = await context.rewindBefore({ invocationId: 'turn' });
      assert.equal(there.headMessageId, 'o1');
      // Where the path has none of it, the other is meant.
      assert.equal((await context.rewindBefore({ invocationId: 'turn' })).headMessageId, 'a1');
    });

    it('gives metadata only to a chat that lacks it, and does not come first for having been opened', async () => {
      await engine({ metadata: { source: 'web', tags: ['a'] } }).save();
      const { updatedAt } = (await store().getChat('chat')) ?? { updatedAt: 0 };
      while (Date.now() <= updatedAt) await Promise.resolve();
      await engine({ chatId: 'later' }).set(user('hi')).save();
      const listed = (): Promise<string[]> =>
        store()
          .listChats({ userId: 'ann' })
          .then((chats) => chats.map(({ id }) => id));
      assert.deepEqual(await listed(), ['later', 'chat']);
      const again = engine({ metadata: { source: 'script', version: 2 } });
      await again.resolve();
      await again.save();
      assert.deepEqual(again.chat?.metadata, { source: 'web', tags: ['a'], version: 2 });
      assert.deepEqual(await listed(), ['later', 'chat']);
      assert.equal((await store().getChat('chat'))?.updatedAt, updatedAt);
    });

    it('returns the head as it is in the store when nothing is pending', async () => {
      const [context, other] = [await begun(), engine()];
      await other.set(user('q2', { id: 'q2' })).save();
      assert.equal((await context.save()).headMessageId, 'q2');
      assert.equal(context.headMessageId, 'q2');
    });

    it('counts messages, not the nodes that hold changes', async () => {
      const context = await begun();
      context.state.set('k', 1);
      await context.save();
      await context.set(user('q2')).save();
      assert.equal((await store().getActiveBranch('chat'))?.messageCount, 3);
      assert.equal((await context.btw()).messageCount, 3);
      const copy = await store().exportChat('chat');
      const [id] = await store().importChats('ann', [copy]);
      assert.equal((await store().getActiveBranch(id ?? ''))?.messageCount, 3);
    });

    it('changes the chat by what it is at that moment', async () => {
      const [first, second] = [engine(), engine()];
      await Promise.all(
        [first, second, first].map((each) =>
          each.updateChat(({ metadata }) => ({ metadata: { count: Number(metadata['count'] ?? 0) + 1 } })),
        ),
      );
      assert.equal((await store().getChat('chat'))?.metadata['count'], 3);
    });

    it('leaves out answers that were cut off before they said anything', async () => {
      const context = engine().set(
        user('q1'),
        assistant({ role: 'assistant', parts: [] }),
        user('q2'),
        assistant({ role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: ' ' }] }),
        assistant({
          role: 'assistant',
          parts: [{ type: 'tool-look', toolCallId: 'c', state: 'output-available', input: {}, output: 1 }],
        }),
      );
      const roles = async (): Promise<string[]> => (await context.resolve()).messages.map(({ role }) => role);
      assert.deepEqual(await roles(), ['user', 'user', 'assistant']);
      const { messageIds } = await context.save();
      assert.deepEqual(await roles(), ['user', 'user', 'assistant']);
      assert.equal(messageIds.length, 5);
      await context.set(lastAssistantMessage('So.')).save();
      assert.equal((await texts(context)).at(-1), 'So.');
    });
  });
}
