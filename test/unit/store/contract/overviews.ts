import assert from 'node:assert/strict';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { message, storeActions, type OpenStore } from './actions.ts';

/** What every store says of a chat, or of itself, as a whole. @param open makes an empty one */
export function specifyOverviews(place: string, open: OpenStore): void {
  describe(`seen as a whole, a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started, save, branchAt } = storeActions(() => store);

    it('reports what is kept and how large it is', async () => {
      await store.upsertChat({ id: 'chat', userId: 'ann', title: 'T' });
      await save(['a', 'b']);
      await started('bobs', 'bob');
      await branchAt('a');
      await store.archiveBranch('chat', 'main');
      await store.blobs.put(Uint8Array.from([1, 2, 3]));
      const report = await store.storageReport({ userId: 'ann' });
      const bytes = (await store.getPath('chat', 'b')).reduce(
        (sum, { data }) => sum + JSON.stringify(data).length,
        0,
      );
      assert.deepEqual(report.chats, [
        { chatId: 'chat', title: 'T', messages: { count: 2, bytes }, branches: 2, archivedBranches: 1 },
      ]);
      assert.deepEqual(report.trash, { entries: 0, count: 0, bytes: 0 });
      assert.deepEqual(report.blobs, { count: 1, bytes: 3 });
      // It may be about to be named.
      assert.deepEqual(report.unusedBlobs, { count: 0, bytes: 0 });
      assert.ok(report.database.bytes > bytes && report.database.free < report.database.bytes);
    });

    it('draws a chat with every message, branch and checkpoint', async () => {
      await started();
      await save(['a', 'b']);
      await branchAt('a');
      await store.setCheckpoint('chat', 'c', 'b');
      const graph = await store.getGraph('chat');
      assert.deepEqual(
        graph.nodes.map(({ createdAt: _, ...node }) => node),
        [
          { id: 'a', parentId: null, role: 'user', content: 'says a' },
          { id: 'b', parentId: 'a', role: 'user', content: 'says b' },
        ],
      );
      assert.deepEqual(graph.branches, [
        { name: 'main', headMessageId: 'b', isActive: false },
        { name: 'main-v2', headMessageId: 'a', isActive: true },
      ]);
      assert.deepEqual(graph.checkpoints, [{ name: 'c', messageId: 'b' }]);
    });

    it('draws the beginning of a long text, with its lines', async () => {
      await started();
      const text = `one\n two ${'🌲'.repeat(10_000)}`;
      await save([message('a', { data: { id: 'a', role: 'user', parts: [{ type: 'text', text }] } })]);
      const [node] = (await store.getGraph('chat')).nodes;
      assert.match(node?.content ?? '', /^one\n two 🌲+…$/u);
      assert.ok((node?.content.length ?? 0) <= 200);
    });
  });
}
