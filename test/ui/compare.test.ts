import assert from 'node:assert/strict';
import { answer, lastQuestion, useTools } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

describe('comparing branches', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    if (question !== 'keep it' || request.body.messages.at(-1)?.role === 'tool') {
      return answer(`You said ${question}`);
    }
    return useTools(
      ['set_state', { key: 'mood', value: 'calm' }],
      ['save_artifact', { name: 'plan.md', content: '# Plan', mediaType: 'text/markdown' }],
    );
  });
  /** The two sides of the open comparison, as far as they are on screen. */
  const sides = async (): Promise<string[]> => {
    const texts = await use().workbench.page.evaluate<string[]>(
      `[...document.querySelectorAll('.monaco-diff-editor .editor.original, .monaco-diff-editor .editor.modified')].map((side) =>
        [...side.querySelectorAll('.view-line')]
          .map((line) => [line.getBoundingClientRect().top, line.innerText.replaceAll('\\u00a0', ' ').trim()])
          .sort(([a], [b]) => a - b).map(([, text]) => text).filter((text) => text !== '').join(' | '))`,
    );
    return texts;
  };

  before('two branches that part after the first answer', async () => {
    const { chat, workbench } = use();
    await chat.ask('one');
    await chat.ask('two');
    await workbench.contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
    await chat.onBranch('main-v2');
    await chat.ask('deux');
  });

  it('shows both sides from their common message on in the diff editor, read-only', async () => {
    const { workbench } = use();
    await workbench.runCommand('offshoot.compareBranches');
    await workbench.quickInput.shown('Select a branch to compare');
    await workbench.quickInput.choose('Main line');
    await workbench.quickInput.shown('Select a branch to compare Main line with');
    assert.deepEqual(
      (await workbench.quickInput.rows()).map(({ label }) => label),
      ['deux'],
    );
    await workbench.quickInput.choose('deux');
    const expected = [
      '### Assistant | You said one | ### You | two | ### Assistant | You said two',
      '### Assistant | You said one | ### You | deux | ### Assistant | You said deux',
    ];
    let last: string[] = [];
    await until(async () => {
      last = await sides();
      return JSON.stringify(last) === JSON.stringify(expected);
    }, 'both sides').catch((error: unknown) => {
      throw new Error(`The sides are ${JSON.stringify(last)}.`, { cause: error });
    });
    await workbench.page.getByRole('tab', { name: 'Conversation (Main line ↔ deux)' }).waitFor();
    await workbench.screenshot('compare branches');
    await workbench.page.locator('.monaco-diff-editor .editor.modified .view-line').first().click();
    await workbench.page.keyboard.type('x');
    await workbench.page
      .getByRole('paragraph')
      .filter({ hasText: 'Cannot edit in read-only editor' })
      .waitFor();
  });

  it('compares two messages that were selected in the graph', async () => {
    const { workbench } = use();
    await workbench.runCommand('offshoot.showGraph');
    const row = (text: string) => workbench.panel.locator('.graph-row', { hasText: text }).first();
    await row('You said two').click({ modifiers: ['Control'] });
    await row('You said one').click({ modifiers: ['Control'] });
    await workbench.panel.getByRole('button', { name: 'Compare the two selected' }).click();
    await workbench.page.getByRole('tab', { name: 'Conversation (Main line ↔ “You said one”)' }).waitFor();
  });

  it('lists what else differs, each with its own comparison', async () => {
    const { chat, workbench } = use();
    const { quickInput } = workbench;
    await chat.send('keep it');
    await chat.message('You said keep it').waitFor();
    await until(async () => (await chat.stopButton.count()) === 0, 'the answer to end');
    await workbench.runCommand('offshoot.compareBranches');
    await quickInput.shown('Select a branch to compare');
    await quickInput.choose('Main line');
    await quickInput.shown('Select a branch to compare Main line with');
    await quickInput.choose('deux');
    await quickInput.shown('Main line ↔ deux');
    await quickInput.row('plan.md').waitFor();
    assert.deepEqual(
      (await quickInput.rows()).map(({ label, description }) => `${label}: ${description}`),
      [
        'Conversation: 2 messages ↔ 5 messages',
        ...['mood: only on deux', 'plan.md: only on deux'],
        'Open All: 3',
      ],
    );
    await workbench.screenshot('compare what differs');
    await quickInput.choose('plan.md');
    await workbench.page.getByRole('tab', { name: 'plan.md (Main line ↔ deux)' }).waitFor();
    await until(async () => (await sides()).join(' ↔ ').includes('# Plan'), 'the text of the artifact');
  });
});
