import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import { NodeFiles } from '../../../../src/host/node/nodeFiles.ts';
import { SqlContextStore } from '../../../../src/store/sqlite/contextStore.ts';
import { FileBlobStore } from '../../../../src/store/durable/fileBlobStore.ts';
import { MemoryBlobStore, openMemoryDatabase } from '../../../../src/store/sqlite/inMemory.ts';
import { sqliteWasm } from '../../../fixtures/wasm.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

for (const kind of ['in memory', 'in a folder'] as const) {
  describe(`blobs ${kind}`, () => {
    let folder: string;
    let store: SqlContextStore;

    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'offshoot-blobs-'));
      store = new SqlContextStore({
        open: () => openMemoryDatabase(sqliteWasm),
        blobs:
          kind === 'in memory'
            ? new MemoryBlobStore()
            : new FileBlobStore(new NodeFiles(), path.join(folder, 'blobs')),
      });
    });
    afterEach(async () => {
      await store.close();
      await rm(folder, { recursive: true });
    });

    it('say how much room they take, each once', async () => {
      await store.blobs.put(bytes('four'));
      await store.blobs.put(bytes('four'));
      const hash = await store.blobs.put(bytes('seven..'));
      assert.equal(await store.blobs.usedBytes(), 11);
      assert.equal(await store.blobs.has(hash), true);
      assert.equal(await store.blobs.has('0'.repeat(64)), false);
    });

    it('go with the chat that refers to them, and stay for others', async () => {
      const save = async (chatId: string, content: string): Promise<string> => {
        const hash = await store.blobs.put(bytes(content));
        const engine = new ContextEngine({ store, chatId, userId: 'me' });
        const version = { hash, size: content.length };
        engine.files.add({ folder: 'file:///w', path: 'a', before: null, after: version, at: 1 });
        await engine.set(user('q'), assistant('a', { id: 'a' })).save();
        await engine.close();
        return hash;
      };
      const own = await save('one', 'own');
      const shared = await save('one', 'shared');
      await save('two', 'shared');
      const artifact = new ContextEngine({ store, chatId: 'two', userId: 'me' });
      await artifact.artifacts.save('user:note', bytes('note'), { mediaType: 'text/plain' });
      await artifact.save();
      await artifact.close();
      const restored = await store.blobs.put(bytes('replaced by a restore'));
      const files = [{ replaced: { hash: restored, size: 21 } }];
      await store.logEvent({ chatId: 'two', kind: 'files-restored', details: { files } });
      const emptied = async (): Promise<number> => (await store.trash.empty({ blobGrace: 0 })).blobs.count;
      assert.equal(await emptied(), 0);
      await store.deleteChat('one');
      assert.equal(await emptied(), 1);
      assert.equal(await store.blobs.has(own), false);
      assert.equal(await store.blobs.get(own), undefined);
      assert.deepEqual(await store.blobs.get(shared), bytes('shared'));
      assert.equal(await store.blobs.usedBytes(), 31);
      if (kind === 'in a folder') assert.equal((await readdir(path.join(folder, 'blobs'))).length, 3);
    });
  });
}

describe('the files a chat changed', () => {
  it('are listed by message, whichever branch it is on', async () => {
    const store = new SqlContextStore({
      open: () => openMemoryDatabase(sqliteWasm),
      blobs: new MemoryBlobStore(),
    });
    const engine = new ContextEngine({ store, chatId: 'chat', userId: 'me' });
    const change = { folder: 'file:///w', path: 'a', before: null, after: null, at: 1 };
    engine.files.add(change);
    await engine.set(user('q', { id: 'q' }), assistant('a', { id: 'a' })).save();
    engine.state.set('"files":', 'not a file');
    await engine.set(user('q2', { id: 'q2' })).save();
    await engine.rewind('q');
    engine.files.add({ ...change, path: 'b' });
    await engine.save();
    const listed = await store.listFileChanges('chat');
    assert.deepEqual(
      listed.map(({ files }) => files.map(({ path: file }) => file)),
      [['a'], ['b']],
    );
    assert.equal(listed[0]?.messageId, 'a');
    await engine.close();
    await store.close();
  });
});
