import assert from 'node:assert/strict';
import type { TaskView } from '../../../src/protocol/views.ts';
import { answer, conversation, question, toolCall } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const running: TaskView = {
  title: 'The bundle',
  state: 'running',
  branch: 'main-v2',
  branchId: 'b1',
  steps: 3,
  step: 'Read esbuild.mjs',
  startedAt: Date.now() - 65_000,
};

describe('the tasks that a call has explored', () => {
  const use = useChat({ viewport: { width: 400, height: 500 } });

  const show = (tasks: readonly TaskView[]): Promise<void> =>
    use().show(
      conversation([
        question('q', 'Why?'),
        answer('a', '', {
          parts: [{ ...toolCall({ name: 'explore', state: 'running' }), tasks: [...tasks] }],
        }),
      ]),
    );

  it('say what they do, lead to their branches, and are stopped one by one', async () => {
    const chat = use();
    await show([running, { title: 'The tests', state: 'waiting', steps: 0 }]);
    const rows = chat.page.locator('.task');
    assert.match(await rows.nth(0).innerText(), /The bundle\s+\d+:\d\d\s+Read esbuild\.mjs · 3 steps/);
    assert.equal(await rows.nth(1).getByRole('button').count(), 0, 'it has no branch yet');
    await rows.nth(0).getByRole('button', { name: 'The bundle', exact: true }).click();
    await rows.nth(0).getByRole('button', { name: 'Stop “The bundle”' }).click();
    const sent = (await chat.sent()).filter(({ type }) => type === 'openTask' || type === 'stopTask');
    assert.deepEqual(sent, [
      { type: 'openTask', branchId: 'b1' },
      { type: 'stopTask', branch: 'main-v2' },
    ]);
  });

  it('say how they ended, for those who do not see icons, too', async () => {
    const chat = use();
    const ended = { ...running, startedAt: undefined, step: undefined, duration: 1_500 };
    await show([
      { ...ended, state: 'done', usage: { inputTokens: 1_200, outputTokens: 30 } },
      { ...ended, branchId: 'b2', state: 'failed', reason: 'Rate\u202elimited.' },
      { ...ended, branchId: 'b3', state: 'interrupted' },
    ]);
    const texts = await chat.page.locator('.task').allTextContents();
    assert.deepEqual(texts, [
      'doneThe bundle1.5 s3 steps · 1,200 in, 30 out',
      'failedThe bundle1.5 sRate\u202elimited. · 3 steps',
      'interruptedThe bundle1.5 sinterrupted · 3 steps',
    ]);
    const hidden = chat.page.locator('.task-detail .hidden-character');
    assert.match((await hidden.getAttribute('data-code')) ?? '', /202E/);
    assert.match((await chat.page.locator('.task-detail').nth(1).getAttribute('title')) ?? '', /U\+202E/);
    assert.equal(await chat.page.locator('.task-stop').count(), 0);
  });
});
