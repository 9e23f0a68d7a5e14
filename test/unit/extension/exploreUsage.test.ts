import assert from 'node:assert/strict';
import type { TaskProgress } from '../../../src/agent/explore/taskProgress.ts';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import type { UIMessage } from '../../../src/engine/uiMessage.ts';
import { BranchUsage } from '../../../src/extension/chat/branchUsage.ts';
import { ChatUsage } from '../../../src/extension/chat/chatUsage.ts';
import { beginExploration } from '../../../src/conversation/agentBranches.ts';
import type { ToolPartView } from '../../../src/protocol/views.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

const took = (inputTokens: number, cost: number) => ({ usage: { inputTokens, outputTokens: 1 }, cost });

const task: TaskProgress = {
  title: 'a',
  state: 'done',
  steps: 2,
  startedAt: 0,
  finishedAt: 900,
  ...took(100, 4),
};

const answer = (inputTokens: number, cost: number, parts: UIMessage['parts']): UIMessage => ({
  id: crypto.randomUUID(),
  role: 'assistant',
  parts,
  metadata: {
    modelId: 'test:model',
    modelLabel: 'Test',
    isDemo: false,
    status: 'complete',
    startedAt: 0,
    finishedAt: 1,
    ...took(inputTokens, cost),
  },
});

const explored = answer(10, 1, [
  {
    type: 'tool-explore',
    toolCallId: 'c',
    state: 'output-available',
    input: {},
    output: { text: 'A.', details: { tasks: [task] } },
  },
]);

const interrupted = (
  tasks: readonly TaskProgress[],
  state: 'input-available' | 'output-error',
): UIMessage['parts'][number] => ({
  type: 'tool-explore',
  toolCallId: 'c',
  input: { tasks: [{ title: 'a' }] },
  ...(state === 'output-error' ? { state, errorText: 'Gone.' } : { state }),
  callProviderMetadata: { offshoot: { startedAt: 1, tasks: tasks.map((each) => ({ ...each })) } },
});

describe('what was explored for an answer', () => {
  it('counts with it, and in the chat as a whole once', async () => {
    const store = memoryStore();
    const engine = new ContextEngine({ store, chatId: 'c', userId: 'ann' });
    await engine.set(user('why?', { id: 'q' })).save();
    const main = await store.getBranch('c', 'main');
    assert.ok(main);
    const from = { chatId: 'c', branchId: main.id, afterId: 'q', title: 'a', prompt: 'Look.' };
    const { branch } = await beginExploration(store, from, {});
    const taskEngine = new ContextEngine({ store, chatId: 'c', userId: 'ann', branch: branch.name });
    await taskEngine.set(assistant(answer(100, 4, [{ type: 'text', text: 'A.' }]))).save();
    await engine.set(assistant(explored)).save();
    const branchUsage = new BranchUsage(store);
    const chatUsage = new ChatUsage(store);
    assert.deepEqual(await branchUsage.read('c', engine.headMessageId ?? null), {
      inputTokens: 110,
      outputTokens: 2,
      cost: 5,
    });
    assert.deepEqual(await chatUsage.read('c'), { inputTokens: 110, outputTokens: 2, cost: 5 });
    const { turnUsage } = await import('../../../src/extension/pages/usageView.ts');
    assert.equal(turnUsage(took(10, 1), explored)?.cost, 5);
    branchUsage.dispose();
    chatUsage.dispose();
    await store.close();
  });

  it('runs while its call does, and is interrupted where that was kept last', async () => {
    const { partView } = await withVsCodeStub(() => import('../../../src/extension/pages/messageView.ts'));
    const none = { get: () => undefined };
    const now: TaskProgress = {
      title: 'a\u202eb',
      state: 'running',
      branch: 'main-v2',
      branchId: 'b',
      steps: 3,
      startedAt: 5,
      step: { kind: 'tool', name: 'read_file', input: { path: 'src/a.ts' } },
    };
    const tasksOf = (state: 'input-available' | 'output-error', isLive: boolean): ToolPartView['tasks'] => {
      const view = partView(interrupted([now], state), none, { isLive });
      return view.type === 'tool' ? view.tasks : undefined;
    };
    const shared = { title: 'a‹U+202E›b', branch: 'main-v2', branchId: 'b', steps: 3 };
    assert.deepEqual(tasksOf('input-available', true), [
      { ...shared, state: 'running', step: 'Read src/a.ts', startedAt: 5 },
    ]);
    assert.deepEqual(tasksOf('input-available', false), [{ ...shared, state: 'interrupted' }]);
    assert.deepEqual(tasksOf('output-error', true), [{ ...shared, state: 'interrupted' }]);
  });
});
