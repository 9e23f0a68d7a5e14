import assert from 'node:assert/strict';
import { ContextEngine, type ContextEngineOptions } from '../../../../src/engine/contextEngine.ts';
import { assistant, hint, lastAssistantMessage, user } from '../../../../src/engine/fragments/index.ts';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { textMessage, textOf, type UIMessage } from '../../../../src/engine/uiMessage.ts';
import { message, type OpenStore } from './actions.ts';

/** What every store keeps of an answer that is filled step by step. @param open makes an empty one */
export function specifyOpenAnswers(place: string, open: OpenStore): void {
  describe(`an answer that is filled step by step in a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const engine = (options: Partial<ContextEngineOptions> = {}): ContextEngine =>
      new ContextEngine({ store, chatId: 'chat', userId: 'ann', ...options });
    const texts = async (context: ContextEngine): Promise<string[]> =>
      (await context.getMessages()).map(textOf);
    const drafts = (): Promise<unknown[]> => store.listDrafts('chat', { userId: 'ann' });
    const headOf = async (branch: string): Promise<string | null | undefined> =>
      (await store.getBranch('chat', branch))?.headMessageId;
    /** An engine, and the id of the answer to its question `q1`, of which something is there. */
    const begun = async (
      options?: Partial<ContextEngineOptions>,
      text = 'half',
    ): Promise<[ContextEngine, string]> => {
      const context = engine(options);
      const id = await context.continue(user('q1', { id: 'q1' }));
      if (text !== '') await context.continue(assistant(text, { id }));
      return [context, id];
    };

    it('is kept under its id, and is there for an engine that opens the chat later', async () => {
      const first = engine();
      const id = await first.continue(user('q1', { id: 'q1' }));
      assert.deepEqual([await first.headMessage(), await texts(first)], [{ id, name: 'assistant' }, ['q1']]);
      assert.equal(await first.continue(assistant('half', { id })), id);
      const more: UIMessage = { ...textMessage(id, 'assistant', 'more'), metadata: { tries: [1, null] } };
      assert.equal(await first.continue(more), id);
      await first.close();
      const later = engine();
      assert.deepEqual(await later.headMessage(), { id, name: 'assistant' });
      assert.deepEqual((await later.getMessages()).at(-1), more);
      assert.deepEqual((await later.resolve()).messages, await later.getMessages());
      assert.equal(await later.continue(assistant('nearly all', { id })), id);
      assert.deepEqual([await texts(later), await headOf('main')], [['q1', 'nearly all'], 'q1']);
      const saved = await later.set(assistant('all', { id })).save();
      assert.deepEqual([saved.messageIds, saved.branch, saved.headMessageId], [[id], 'main', id]);
      assert.deepEqual([await texts(later), await drafts()], [['q1', 'all'], []]);
      assert.equal((await store.getMessage('chat', id))?.invocationId, 'q1');
    });

    it('is stored in front of what follows it, in one transaction, unless nothing was said', async () => {
      const [context, first] = await begun();
      const second = await context.continue(user('q2', { id: 'q2' }));
      const third = await context.continue(user('q3', { id: 'q3' }));
      assert.equal(new Set([first, second, third]).size, 3);
      assert.deepEqual(await context.headMessage(), { id: third, name: 'assistant' });
      assert.deepEqual(await texts(context), ['q1', 'half', 'q2', 'q3']);
      const saves = await store.listEvents('chat', { kind: 'messages-saved' });
      assert.deepEqual(
        saves.map(({ details }) => details['messageIds']),
        [['q1'], [first, 'q2'], ['q3']],
      );
      assert.equal((await store.getMessage('chat', first))?.invocationId, 'q1');
      assert.equal((await context.set(user('q4', { id: 'q4' })).save()).messageIds.length, 1);
      assert.deepEqual([await context.headMessage(), await drafts()], [{ id: 'q4', name: 'user' }, []]);
    });

    it('counts with what is pending after it', async () => {
      const [context, id] = await begun();
      context.set(user('q2', { id: 'q2' }));
      assert.deepEqual(await context.headMessage(), { id: 'q2', name: 'user' });
      assert.deepEqual(await texts(context), ['q1', 'half', 'q2']);
      // It was asked for before.
      context.set(assistant('all', { id }));
      assert.deepEqual(await texts(context), ['q1', 'all', 'q2']);
      await context.continue(assistant('nearly', { id }));
      assert.deepEqual(await texts(context), ['q1', 'nearly', 'q2']);
      context.set(assistant('all', { id }));
      assert.deepEqual((await context.save()).messageIds, [id, 'q2']);
      assert.deepEqual([await texts(context), await drafts()], [['q1', 'all', 'q2'], []]);
    });

    it('stays open when only state is saved, and when a save fails', async () => {
      const [context, id] = await begun();
      context.state.set('mood', 'sure');
      await context.save();
      context.set(user({ role: 'user', parts: [{ type: 'text', text: '\ud800' }] }));
      await assert.rejects(context.save(), { code: 'not-storable' });
      await context.close();
      const later = engine();
      assert.deepEqual(await texts(later), ['q1', 'half']);
      await later.continue(assistant('all', { id }));
      await later.continue(user('q2'));
      assert.deepEqual([await texts(later), await later.state.get('mood')], [['q1', 'all', 'q2'], 'sure']);
    });

    it('stays on its branch when that is left', async () => {
      const [context, id] = await begun();
      await context.rewind('q1');
      assert.deepEqual([await texts(context), context.branch], [['q1'], 'main-v2']);
      await assert.rejects(context.continue(assistant('x', { id })), { code: 'answer-not-open' });
      await context.continue(user('q2'));
      assert.deepEqual(await texts(context), ['q1', 'q2']);
      await context.switchBranch('main');
      assert.deepEqual(await texts(context), ['q1', 'half']);
      await context.set(user('q1 again', { id: 'q1' })).save();
      assert.deepEqual([await texts(context), context.branch], [['q1 again'], 'main-v3']);
      await context.switchBranch('main');
      await store.renameBranch('chat', 'main', 'trunk');
      await context.continue(assistant('all', { id }));
      await context.continue(user('q3'));
      assert.deepEqual([await texts(context), context.branch], [['q1', 'all', 'q3'], 'trunk']);
    });

    it('is the last answer', async () => {
      const [context, id] = await begun();
      context.set(lastAssistantMessage('better'));
      assert.deepEqual([await context.state.entries(), await texts(context)], [[], ['q1', 'better']]);
      assert.deepEqual((await context.save()).messageIds, [id]);
      assert.deepEqual([await texts(context), context.branch], [['q1', 'better'], 'main']);
    });

    it('is no draft of another program, and replaces none', async () => {
      await engine()
        .set(user('q1', { id: 'q1' }))
        .save();
      const theirs = { ...textMessage('d1', 'assistant', 'theirs'), metadata: { afterId: 'q1' } };
      await store.saveDraft({ chatId: 'chat', branch: 'main', userId: 'ann', message: theirs });
      const context = engine();
      assert.deepEqual(await texts(context), ['q1']);
      assert.deepEqual(await context.headMessage(), { id: 'q1', name: 'user' });
      await assert.rejects(context.continue(assistant('x', { id: 'd1' })), { code: 'answer-not-open' });
      await assert.rejects(context.continue(user('q2')), { code: 'answer-in-progress' });
      await context.save();
      assert.deepEqual(await texts(context), ['q1', 'q2']);
      const [draft] = await store.listDrafts('chat', { userId: 'ann' });
      assert.deepEqual(draft?.message, theirs);
    });

    it('is open no more once it is stored, whatever became of its draft', async () => {
      const [context, id] = await begun();
      const [draft] = await store.listDrafts('chat', { userId: 'ann' });
      assert.ok(draft);
      await context.set(assistant('all', { id })).save();
      // As if the process had ended between the two.
      const { chatId, branch, userId, message: kept } = draft;
      await store.saveDraft({ chatId, branch, userId, message: kept });
      const later = engine();
      assert.deepEqual(await texts(later), ['q1', 'all']);
      assert.deepEqual(await later.headMessage(), { id, name: 'assistant' });
      await assert.rejects(later.continue(assistant('more', { id })), { code: 'answer-not-open' });
      await later.set(user('q2')).save();
      assert.deepEqual([await texts(later), await drafts()], [['q1', 'all', 'q2'], []]);
    });

    it('has an id, and is an answer', async () => {
      const [context] = await begun();
      for (const [given, code] of [
        [{ role: 'assistant' as const, parts: [] }, 'invalid-argument'],
        [{ id: 's', role: 'system' as const, parts: [] }, 'invalid-argument'],
        [hint('Be brief.'), 'invalid-argument'],
        [assistant('without'), 'answer-not-open'],
      ] as const) {
        await assert.rejects(context.continue(given), { code });
      }
      assert.deepEqual(await texts(context), ['q1', 'half']);
    });

    describe('whose branch another engine has moved', () => {
      it('is refused as a save is, until that was seen', async () => {
        const [context, id] = await begun({}, '');
        await engine().set(user('q2')).save();
        await assert.rejects(context.continue(assistant('late', { id })), { code: 'head-conflict' });
        assert.deepEqual(await texts(context), ['q1', 'q2']);
        assert.equal(await context.continue(assistant('late', { id })), id);
        assert.deepEqual([await texts(context), context.branch], [['q1', 'q2', 'late'], 'main']);
      });

      it('goes to a branch of its own', async () => {
        const [context, id] = await begun({ onHeadConflict: 'fork' }, '');
        await engine().set(user('q2')).save();
        assert.equal(await context.continue(assistant('late', { id })), id);
        assert.deepEqual([await texts(context), context.branch], [['q1', 'late'], 'main-v2']);
        await context.set(assistant('all', { id })).save();
        assert.deepEqual([await texts(context), await drafts()], [['q1', 'all'], []]);
        assert.deepEqual(await texts(engine({ branch: 'main' })), ['q1', 'q2']);
      });

      it('is put after what came', async () => {
        const [context, id] = await begun({ onHeadConflict: 'graft' }, '');
        await engine().set(user('q2')).save();
        assert.equal(await context.continue(assistant('late', { id })), id);
        await context.set(assistant('all', { id })).save();
        assert.deepEqual([await texts(context), context.branch], [['q1', 'q2', 'all'], 'main']);
      });

      it('is not lost where that was no engine', async () => {
        for (const onHeadConflict of ['error', 'fork', 'graft'] as const) {
          const chatId = `chat of ${onHeadConflict}`;
          const context = engine({ chatId, onHeadConflict });
          const id = await context.continue(user('q1', { id: 'q1' }));
          await context.continue(assistant('half', { id }));
          await store.saveMessages({
            chatId,
            branch: 'main',
            expectedHead: 'q1',
            onHeadConflict: 'error',
            newBranchAt: undefined,
            activate: false,
            messages: [message('q2')],
          });
          context.set(user('q3'));
          if (onHeadConflict === 'error') {
            await assert.rejects(context.save(), { code: 'head-conflict' });
            assert.deepEqual(await texts(context), ['q1', 'says q2', 'half', 'q3']);
          }
          await context.save();
          const others = onHeadConflict === 'fork' ? [] : ['says q2'];
          assert.deepEqual(await texts(context), ['q1', ...others, 'half', 'q3']);
          assert.deepEqual(await store.listDrafts(chatId, { userId: 'ann' }), []);
        }
      });

      it('tells that another engine has stored it', async () => {
        for (const onHeadConflict of ['error', 'fork', 'graft'] as const) {
          const chatId = `chat of ${onHeadConflict}`;
          const context = engine({ chatId, onHeadConflict });
          const id = await context.continue(user('q1'));
          await context.continue(assistant('half', { id }));
          await engine({ chatId }).set(user('q2')).save();
          await assert.rejects(context.continue(assistant('more', { id })), { code: 'answer-not-open' });
          assert.deepEqual(await texts(engine({ chatId })), ['q1', 'half', 'q2']);
        }
      });
    });
  });
}
