import assert from 'node:assert/strict';
import { ChatBuilder } from '../../../src/importExport/chatBuilder.ts';
import { memoryStore } from '../../fixtures/stores.ts';

describe('a chat built from a session of another program', () => {
  it('can be imported, however long and alike the names in it are', async () => {
    const builder = new ChatBuilder(1);
    const parts = [{ type: 'text', text: 'x' }] as const;
    const question = { parentId: null, role: 'user', parts, createdAt: 1 } as const;
    const ends = [builder.add(question), builder.add(question), builder.add(question)];
    for (const end of ends) {
      builder.mark('🌲'.repeat(100), end, 1);
      builder.nameBranch(end, '🌲'.repeat(100));
    }
    const chat = builder.build(undefined, null, 1);
    const store = memoryStore();
    const [id = ''] = await store.importChats('ann', [chat]);
    assert.equal((await store.listCheckpoints(id)).length, 3);
    assert.equal((await store.listBranches(id)).length, 4);
    await store.close();
  });
});
