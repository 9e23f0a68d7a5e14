import assert from 'node:assert/strict';
import { ContextEngine, type ContextEngineOptions } from '../../../src/engine/contextEngine.ts';
import { HeadConflictError, NotStorableError } from '../../../src/engine/errors.ts';
import { assistant, lastAssistantMessage, role, user } from '../../../src/engine/fragments/index.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { stores } from '../../fixtures/stores.ts';

for (const [place, open] of Object.entries(stores))
  describe(`a conversation ${place}`, () => {
    let store: ContextStore;
    const engine = (options: Partial<ContextEngineOptions> = {}): ContextEngine =>
      new ContextEngine({ store, chatId: 'chat-1', userId: 'ann', ...options });
    const texts = async (context: ContextEngine): Promise<string[]> =>
      (await context.resolve()).messages.map(textOf);

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const talked = async (): Promise<ContextEngine> => {
      const context = engine().set(user('q1', { id: 'q1' }), assistant('a1', { id: 'a1' }));
      await context.save();
      context.set(user('q2', { id: 'q2' }), assistant('a2', { id: 'a2' }));
      await context.save();
      return context;
    };

    it('begins with nothing but the system prompt', async () => {
      const context = engine().set(role('You are <helpful>.'));
      assert.deepEqual(await context.resolve(), {
        systemPrompt: '<role>You are &lt;helpful&gt;.</role>',
        messages: [],
      });
      const nothing = { headMessageId: undefined, branch: 'main', messageIds: [], artifacts: [] };
      assert.deepEqual(await context.save(), nothing);
    });

    it('says root first what was saved, then what is pending', async () => {
      const context = await talked();
      context.set(user('q3'));
      assert.deepEqual(await texts(context), ['q1', 'a1', 'q2', 'a2', 'q3']);
    });

    it('rewinds to a message on a new branch and leaves the old one as it was', async () => {
      const context = await talked();
      const branch = await context.rewind('q1');
      assert.equal(branch.name, 'main-v2');
      assert.equal(branch.headMessageId, 'q1');
      assert.equal(branch.isActive, true);
      assert.equal(branch.messageCount, 1);
      context.set(assistant('other'));
      await context.save();
      assert.deepEqual(await texts(context), ['q1', 'other']);
      const main = await store.getBranch('chat-1', 'main');
      assert.equal(main?.headMessageId, 'a2');
      assert.equal(main.isActive, false);
      await context.switchBranch('main');
      assert.deepEqual(await texts(context), ['q1', 'a1', 'q2', 'a2']);
    });

    it('rewinds before the first message to an empty branch', async () => {
      const context = await talked();
      const branch = await context.rewindBefore('q1');
      assert.deepEqual([branch.headMessageId, branch.messageCount], [null, 0]);
      assert.deepEqual(await texts(context), []);
    });

    it('tells a message that is nowhere from one of another chat', async () => {
      const context = await talked();
      const other = engine({ chatId: 'chat-2' }).set(user('x', { id: 'foreign' }));
      await other.save();
      await assert.rejects(context.rewind('nowhere'), { message: 'Message "nowhere" not found' });
      await assert.rejects(context.rewind('foreign'), {
        message: 'Message "foreign" belongs to a different chat',
      });
    });

    it('restores a checkpoint on a new branch', async () => {
      const context = await talked();
      await context.checkpoint('before choice', { messageId: 'a1' });
      const branch = await context.restore('before choice');
      assert.deepEqual([branch.name, branch.headMessageId], ['main-v2', 'a1']);
      await assert.rejects(context.restore('none'), { message: 'Checkpoint "none" not found' });
    });

    it('refuses checkpoints and side branches of an empty chat', async () => {
      await assert.rejects(engine().checkpoint('x'), {
        message: 'Cannot create checkpoint: no messages in conversation',
      });
      await assert.rejects(engine().btw(), {
        message: 'Cannot create btw branch: no messages in conversation',
      });
    });

    it('makes a side branch without leaving its own, and keeps what is pending', async () => {
      const context = await talked();
      context.set(user('pending'));
      const side = await context.btw();
      assert.deepEqual([side.name, side.isActive, context.branch], ['main-v2', false, 'main']);
      const aside = engine({ branch: side.name }).set(user('by the way'));
      await aside.save();
      assert.deepEqual(await texts(context), ['q1', 'a1', 'q2', 'a2', 'pending']);
      assert.equal((await store.getActiveBranch('chat-1'))?.name, 'main');
    });

    it('stores an edit under a new id on a new branch, and shows the same id before and after', async () => {
      const context = await talked();
      context.set(user('q1 edited', { id: 'q1' }));
      const before = (await context.resolve()).messages;
      const saved = await context.save();
      const after = (await context.resolve()).messages;
      assert.deepEqual(after, before);
      assert.equal(saved.branch, 'main-v2');
      const [edited] = after;
      assert.ok(edited && edited.id !== 'q1');
      assert.equal((await store.getMessage('chat-1', edited.id))?.replaces, 'q1');
      assert.equal((await store.getBranch('chat-1', 'main'))?.headMessageId, 'a2');
    });

    it('replaces the last answer, whichever it is when saved', async () => {
      const context = await talked();
      context.set(lastAssistantMessage('better'));
      await context.save();
      assert.deepEqual(await texts(context), ['q1', 'a1', 'q2', 'better']);
      assert.equal(context.branch, 'main-v2');
    });

    for (const [order, fragments] of Object.entries({
      first: [lastAssistantMessage('better'), assistant('best', { id: 'a2' })],
      second: [assistant('best', { id: 'a2' }), lastAssistantMessage('better')],
      'with a question in its place': [lastAssistantMessage('better'), user('why?', { id: 'a2' })],
      'after a question in its place': [user('why?', { id: 'a2' }), lastAssistantMessage('better')],
    })) {
      it(`says the last answer again once, when it is named by its id too: ${order}`, async () => {
        const context = await talked();
        context.set(...fragments);
        const shown = (await context.resolve()).messages;
        await context.save();
        assert.deepEqual((await context.resolve()).messages, shown);
        assert.equal(shown.length, 4);
        assert.equal(new Set(shown.map(({ id }) => id)).size, 4);
      });
    }

    it('refuses to save on a branch that moved on, and keeps what is pending', async () => {
      const first = await talked();
      const second = engine();
      await second.resolve();
      first.set(user('from first'));
      await first.save();
      second.set(user('from second'));
      await assert.rejects(second.save(), HeadConflictError);
      assert.deepEqual(await texts(second), ['q1', 'a1', 'q2', 'a2', 'from first', 'from second']);
      await second.save();
      assert.equal((await store.getActiveBranch('chat-1'))?.messageCount, 6);
    });

    it('forks when asked to, so that neither turn is lost', async () => {
      const first = await talked();
      const second = engine({ onHeadConflict: 'fork' });
      await second.resolve();
      await first.set(user('from first')).save();
      const saved = await second.set(user('from second')).save();
      assert.equal(saved.branch, 'main-v2');
      assert.deepEqual(await texts(second), ['q1', 'a1', 'q2', 'a2', 'from second']);
      assert.equal((await store.getBranch('chat-1', 'main'))?.messageCount, 5);
    });

    it('refuses what JSON cannot hold, names the culprit, and stores nothing', async () => {
      const context = await talked();
      const data = { role: 'user' as const, parts: [{ type: 'data-x', value: { deep: [1, 10n] } }] };
      context.set(user(data));
      await assert.rejects(
        context.save(),
        (error) => error instanceof NotStorableError && error.path === 'message.parts[0].value.deep[1]',
      );
      assert.equal((await store.getActiveBranch('chat-1'))?.messageCount, 4);
    });

    it("does not open another user's chat", async () => {
      await talked();
      await assert.rejects(engine({ userId: 'bob' }).resolve(), { message: 'Chat "chat-1" not found' });
    });

    it('brings state and artifacts back with the conversation', async () => {
      const context = engine();
      const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
      const turn = async (id: string, changes: () => unknown): Promise<void> => {
        context.set(user(id, { id }));
        await changes();
        await context.save();
      };
      await turn('t1', async () => {
        context.state.set('k1', 'v1');
        await context.artifacts.save('f1', bytes('f1v0'), { mediaType: 'text/plain' });
      });
      await turn('t2', async () => {
        context.state.set('k1', 'v2');
        context.state.set('k2', 'v2');
        context.state.set('user:u', 1);
        await context.artifacts.save('f1', bytes('f1v1'), { mediaType: 'text/plain' });
        await context.artifacts.save('f2', bytes('f2v0'), { mediaType: 'text/plain' });
      });
      await turn('t3', () => context.state.set('k2', 'v3'));
      const load = async (name: string): Promise<string | undefined> => {
        const found = await context.artifacts.load(name);
        return found && new TextDecoder().decode(found.data);
      };

      await context.rewindBefore({ invocationId: 't2' });
      assert.deepEqual(await context.state.entries(), [
        ['k1', 'v1'],
        ['user:u', 1],
      ]);
      assert.deepEqual([await load('f1'), await load('f2')], ['f1v0', undefined]);

      await context.rewindBefore({ invocationId: 't3' });
      assert.deepEqual(await context.state.entries(), [
        ['k1', 'v2'],
        ['k2', 'v2'],
        ['user:u', 1],
      ]);
      assert.deepEqual([await load('f1'), await load('f2')], ['f1v1', 'f2v0']);
      await assert.rejects(context.rewindBefore({ invocationId: 'none' }), {
        message: 'Invocation ID not found: none',
      });
    });

    it('makes two branches of two rewinds at once', async () => {
      const context = await talked();
      const [one, two] = await Promise.all([context.rewind('q1'), context.rewind('q1')]);
      assert.deepEqual([one.name, two.name], ['main-v2', 'main-v2-v2']);
    });

    it('is the same after it is opened again', async () => {
      const context = await talked();
      await context.rewind('a1');
      await context.close();
      const again = engine();
      assert.deepEqual(await texts(again), ['q1', 'a1']);
      assert.equal(again.branch, 'main-v2');
    });
  });
