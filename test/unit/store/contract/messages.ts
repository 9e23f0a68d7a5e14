import assert from 'node:assert/strict';
import type { PortableChat } from '../../../../src/engine/portableChat.ts';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { idsOf, message, storeActions, type OpenStore } from './actions.ts';

/** How every store keeps messages, and what it says of where they stand. @param open makes an empty one */
export function specifyMessages(place: string, open: OpenStore): void {
  describe(`the messages of a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started, save, branchAt } = storeActions(() => store);

    beforeEach(() => started());

    it('are appended to their branch, each below the one before', async () => {
      const { branch, messages } = await save(['a', 'b']);
      assert.deepEqual([branch.headMessageId, branch.messageCount], ['b', 2]);
      assert.deepEqual(
        messages.map(({ id, parentId, depth }) => [id, parentId, depth]),
        [
          ['a', null, 1],
          ['b', 'a', 2],
        ],
      );
      assert.deepEqual(await store.getMessage('chat', 'b'), messages[1]);
      assert.equal(await store.getMessage('chat', 'c'), undefined);
      assert.equal(await store.getMessage('none', 'b'), undefined);
    });

    it('come back as they were given', async () => {
      const given = message('a', {
        data: { id: 'a', role: 'user', parts: [{ type: 'text', text: "it's \u0000 👩‍👩‍👧 \u2028" }], n: 1.5 },
        effects: { state: { set: { k: [null, { x: '1' }] }, deleted: ['gone'] } },
        replaces: 'old',
        invocationId: 'turn',
      });
      await save([given]);
      const { chatId, createdAt, depth, parentId, ...read } = (await store.getMessage('chat', 'a')) ?? {};
      assert.deepEqual(read, given);
      assert.deepEqual([chatId, depth, parentId, typeof createdAt], ['chat', 1, null, 'number']);
    });

    it('are copied when they are saved: what the caller does to its own afterwards changes nothing', async () => {
      const part = { type: 'text', text: 'said' };
      const version = { name: 'f', version: 0, mediaType: 'a/b', hash: 'h', size: 1 };
      const data = { id: 'a', role: 'user', parts: [part] };
      const saving = save([message('a', { data, effects: { artifacts: [version] } })]);
      part.text = 'spoilt';
      version.name = 'spoilt';
      const { messages } = await saving;
      const details = { report: ['kept'] };
      const logging = store.logEvent({ chatId: 'chat', kind: 'rewind-report', details });
      const counts = { inputTokens: 1 };
      const counting = store.addUsage('chat', counts);
      details.report.push('spoilt');
      counts.inputTokens = 2;
      await Promise.all([logging, counting]);
      const [saved] = await store.getPath('chat', 'a');
      assert.deepEqual(saved?.data, { ...data, parts: [{ type: 'text', text: 'said' }] });
      assert.equal(saved.effects?.artifacts?.[0]?.name, 'f');
      assert.deepEqual(messages, [saved]);
      assert.deepEqual((await store.listEvents('chat')).at(-1)?.details, { report: ['kept'] });
      assert.deepEqual((await store.getChat('chat'))?.metadata, { usage: { inputTokens: 1 } });
    });

    it('are refused when JSON cannot hold them, as are counts and the details of the log', async () => {
      const refused = { code: 'not-storable' };
      await assert.rejects(save([message('a', { data: { x: Number.NaN } })]), refused);
      await assert.rejects(store.addUsage('chat', { inputTokens: Number.NaN }), refused);
      const logging = store.logEvent({ chatId: 'chat', kind: 'rewind-report', details: { x: Number.NaN } });
      await assert.rejects(logging, refused);
      assert.deepEqual(await store.getSkeleton('chat'), []);
      assert.equal((await store.listEvents('chat')).length, 1);
    });

    it('can be imported with whatever the log says of them', async () => {
      await save(['a']);
      const details = { text: 'half \ud83d', '\ud83d': [0] };
      await store.logEvent({ chatId: 'chat', kind: 'rewind-report', details });
      const written = JSON.stringify(await store.exportChat('chat'));
      const [id = ''] = await store.importChats('ann', [JSON.parse(written) as PortableChat]);
      assert.deepEqual((await store.listEvents(id)).at(-1)?.details, details);
    });

    it('stand on a path, whole or the last of it', async () => {
      await save(['a', 'b', 'c', 'd']);
      assert.deepEqual(idsOf(await store.getPath('chat', 'c')), ['a', 'b', 'c']);
      const last = await store.getPath('chat', 'd', { limit: 2 });
      assert.deepEqual(
        last.map(({ id, parentId }) => [id, parentId]),
        [
          ['c', 'b'],
          ['d', 'c'],
        ],
      );
      assert.deepEqual(idsOf(await store.getPath('chat', 'b', { limit: 9 })), ['a', 'b']);
      await assert.rejects(store.getPath('chat', 'x'), { code: 'message-not-found' });
    });

    it('stand after an ancestor, and after nothing else', async () => {
      await save(['a', 'b', 'c', 'd']);
      const side = await branchAt('b');
      await save(['e'], { branch: side.name, expectedHead: 'b' });
      const after = async (ancestor: string, head: string): Promise<string[] | undefined> => {
        const path = await store.getPathAfter('chat', ancestor, head);
        return path && idsOf(path);
      };
      assert.deepEqual(await after('b', 'd'), ['c', 'd']);
      assert.deepEqual(await after('b', 'e'), ['e']);
      assert.deepEqual(await after('d', 'd'), []);
      assert.equal(await after('c', 'e'), undefined);
      assert.equal(await after('d', 'a'), undefined);
    });

    it('have a parent, or none, or are not there', async () => {
      await save(['a', 'b']);
      const parents = await store.getParentIds('chat', ['x', 'b', 'a', 'b']);
      assert.deepEqual([...parents].sort(), [
        ['a', null],
        ['b', 'a'],
      ]);
      assert.equal((await store.getParentIds('nowhere', ['a'])).size, 0);
      assert.equal(await store.isMessageElsewhere('chat', 'a'), false);
      assert.equal(await store.isMessageElsewhere('other', 'a'), true);
    });

    it('belong to the turn of the message before, and a turn is found by its first', async () => {
      await save([message('a', { invocationId: 't1' }), 'b', message('c', { invocationId: 't2' }), 'd']);
      assert.equal((await store.getMessage('chat', 'd'))?.invocationId, 't2');
      assert.equal((await store.findInvocation('chat', 't2'))?.id, 'c');
      assert.equal(await store.findInvocation('chat', 'none'), undefined);
    });

    it('are refused when the branch has moved on, and then nothing is stored', async () => {
      await save(['a']);
      const events = (await store.listEvents('chat')).length;
      await assert.rejects(save(['b']), { code: 'head-conflict', expectedHead: null, actualHead: 'a' });
      assert.equal(await store.getMessage('chat', 'b'), undefined);
      assert.equal((await store.listEvents('chat')).length, events);
    });

    it('never change: an id that is taken is refused, with all that came with it', async () => {
      await save(['a']);
      await assert.rejects(save(['b', 'a'], { expectedHead: 'a' }), { code: 'message-exists' });
      assert.equal(await store.getMessage('chat', 'b'), undefined);
      assert.equal((await store.getBranch('chat', 'main'))?.headMessageId, 'a');
      assert.equal((await store.searchMessages('chat', 'b')).length, 0);
    });

    it('are known without what they say, in the order they were stored, those of no branch as well', async () => {
      await started();
      await save(['a', 'b']);
      await branchAt('a');
      await save([message('c', { name: 'assistant' })], { branch: 'main-v2', expectedHead: 'a' });
      await started('other');
      await save(['x'], { chatId: 'other' });
      assert.deepEqual(await store.getSkeleton('chat'), [
        { id: 'a', parentId: null, name: 'user' },
        { id: 'b', parentId: 'a', name: 'user' },
        { id: 'c', parentId: 'a', name: 'assistant' },
      ]);
      await assert.rejects(store.getSkeleton('none'), { code: 'chat-not-found' });
    });

    it('have a last common ancestor, which may be one of them, or none', async () => {
      await started();
      await save(['a', 'b', 'c']);
      await branchAt('b');
      await save(['d', 'e', 'f'], { branch: 'main-v2', expectedHead: 'b' });
      await branchAt(null);
      await save(['g'], { branch: 'main-v3' });
      const meet = async (one: string, other: string): Promise<string | undefined> =>
        (await store.findCommonAncestor('chat', one, other))?.id;
      assert.equal(await meet('c', 'f'), 'b');
      assert.equal(await meet('f', 'c'), 'b');
      assert.equal(await meet('a', 'e'), 'a');
      assert.equal(await meet('d', 'd'), 'd');
      assert.equal(await meet('c', 'g'), undefined);
      await assert.rejects(meet('c', 'none'), { code: 'message-not-found' });
    });
  });
}
