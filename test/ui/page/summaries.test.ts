import assert from 'node:assert/strict';
import { conversation, question } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('summaries in the chat page', () => {
  const use = useChat();
  const note = (kind: 'up-to-here' | 'from-here' | 'brought-back') =>
    question(kind, `the gist of ${kind}`, {
      role: 'note',
      report: { goal: 'main', exploredBranch: 'main', kind, count: 4, model: 'Echo' },
    });

  it('stand open, say what they are of, and lead to the full text', async () => {
    const chat = use();
    await chat.show(
      conversation([note('up-to-here'), question('q', 'and then?'), note('from-here'), note('brought-back')]),
    );
    const reports = chat.page.locator('.report');
    assert.deepEqual(await reports.locator('.tool-title').allInnerTexts(), [
      'Summary of 4 earlier messages',
      'Summary of 4 later messages',
      'Merged from main',
    ]);
    await chat.page.getByText('the gist of brought-back').waitFor();
    await chat.screenshot('summaries page');
    await reports.last().getByRole('button', { name: 'Show the full text', exact: true }).waitFor();
    await reports.first().getByRole('button', { name: 'Show the full text, in branch main' }).click();
    assert.deepEqual((await chat.sent()).at(-1), { type: 'switchBranch', branch: 'main' });
  });

  it('are offered before the context window is full, until the warning is dismissed', async () => {
    const chat = use();
    const text = 'This conversation takes 83% of the context window of Echo.';
    await chat.show(conversation([question('q', 'hello')], { contextWarning: { text } }));
    const warning = chat.page.getByRole('alert').filter({ hasText: text });
    await warning.waitFor();
    await chat.screenshot('summaries warning');
    await warning.getByRole('button', { name: 'Summarize on a new branch' }).click();
    await warning.getByRole('button', { name: 'Dismiss' }).click();
    assert.deepEqual((await chat.sent()).slice(1), [
      { type: 'runCommandHere', command: 'summarizeContext' },
      { type: 'dismissContextWarning' },
    ]);
    await chat.show(conversation([question('q', 'hello')]));
    await warning.waitFor({ state: 'detached' });
    // What the model cannot read any more can only go on shortened.
    await chat.show(conversation([question('q', 'hello')], { contextWarning: { text, isFull: true } }));
    await warning.getByRole('button', { name: 'Compact and Continue' }).click();
    assert.deepEqual((await chat.sent()).at(-1), { type: 'compactAndContinue' });
  });
});
