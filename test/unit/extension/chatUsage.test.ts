import assert from 'node:assert/strict';
import type { UsageView } from '../../../src/protocol/views.ts';
import { ChatUsage } from '../../../src/extension/chat/chatUsage.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const answer = (cost: number): ReturnType<typeof assistant> =>
  assistant({
    id: crypto.randomUUID(),
    role: 'assistant',
    parts: [{ type: 'text', text: 'so' }],
    metadata: {
      modelId: 'test:model',
      modelLabel: 'Test',
      isDemo: false,
      status: 'complete',
      startedAt: 0,
      finishedAt: 1,
      usage: { inputTokens: 10, outputTokens: 1 },
      cost,
    },
  });

describe('what the answers of a chat took', () => {
  it('counts each once, on whatever branch, and what was said or deleted since', async () => {
    const store = memoryStore();
    const engine = new ContextEngine({ store, chatId: 'c', userId: 'ann' });
    const usage = new ChatUsage(store);
    const known = async (): Promise<UsageView | undefined> =>
      usage.known('c', await store.listBranches('c', { includeArchived: true }));
    await engine.set(user('why?', { id: 'q1' }), answer(1)).save();
    assert.equal(await known(), undefined, 'with one branch it is what the path took');
    const first = engine.headMessageId ?? '';
    await engine.rewind(first);
    await engine.set(user('and?'), answer(2)).save();
    await engine.rewindBefore('q1');
    await engine.set(user('how?'), answer(4)).save();
    const counted = new Promise<void>((resolve) => usage.onDidCount(() => resolve()));
    assert.equal(await known(), undefined, 'nobody waits for it');
    await counted;
    assert.equal((await known())?.cost, 7);
    await engine.set(user('more?'), answer(8)).save();
    assert.equal((await usage.read('c'))?.cost, 15);
    await engine.switchBranch('main');
    const [, second] = await store.listBranches('c');
    await store.archiveBranch('c', second?.name ?? '');
    assert.equal((await usage.read('c'))?.cost, 15);
    await store.deleteBranch('c', second?.name ?? '');
    assert.equal((await usage.read('c'))?.cost, 13);
    usage.dispose();
    await store.close();
  });
});
