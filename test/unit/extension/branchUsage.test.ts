import assert from 'node:assert/strict';
import { BranchUsage } from '../../../src/extension/chat/branchUsage.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const answer = (tokens: number): ReturnType<typeof assistant> =>
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
      usage: { inputTokens: tokens, outputTokens: 1 },
    },
  });

describe('what the answers of a branch took', () => {
  it('is not waited for where a whole path has to be read: it is told once it is counted', async () => {
    const store = memoryStore();
    const engine = new ContextEngine({ store, chatId: 'c', userId: 'ann' });
    await engine.set(user('why?'), answer(10)).save();
    const head = engine.headMessageId ?? null;
    const usage = new BranchUsage(store);
    const counted = new Promise<void>((resolve) => usage.onDidCount(() => resolve()));
    assert.equal(await usage.known('c', head), undefined);
    await counted;
    assert.equal((await usage.known('c', head))?.inputTokens, 10);
    // What has grown is counted at once, and so is a branch that was counted before.
    await engine.set(user('and?'), answer(5)).save();
    assert.equal((await usage.known('c', engine.headMessageId ?? null))?.inputTokens, 15);
    assert.equal((await usage.known('c', head))?.inputTokens, 10);
    // So is the todo list, whatever it holds.
    assert.equal(usage.todos('c', head), undefined);
    engine.state.set('todos', ['anything']);
    await engine.save();
    const noted = engine.headMessageId ?? null;
    await usage.known('c', noted);
    assert.deepEqual(usage.todos('c', noted), ['anything']);
    assert.equal(usage.todos('c', head), undefined);
    engine.state.delete('todos');
    await engine.save();
    const cleared = engine.headMessageId ?? null;
    await usage.known('c', cleared);
    assert.equal(usage.todos('c', cleared), undefined);
    usage.dispose();
    await store.close();
  });
});
