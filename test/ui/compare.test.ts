import assert from 'node:assert/strict';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

describe('comparing branches', () => {
  const use = useChat();
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
    await workbench.runCommand('Offshoot: Compare Branches…');
    await workbench.quickInput.shown('Compare which branch?');
    await workbench.quickInput.choose('main');
    await workbench.quickInput.shown('Compare main with which branch?');
    assert.deepEqual(
      (await workbench.quickInput.rows()).map(({ label }) => label),
      ['main-v2'],
    );
    await workbench.quickInput.choose('main-v2');
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
    await workbench.page.getByRole('tab', { name: 'Conversation (main ↔ main-v2)' }).waitFor();
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
    await workbench.runCommand('Offshoot: Show Graph');
    const row = (text: string) => workbench.panel.locator('.graph-row', { hasText: text }).first();
    await row('You said two').click({ modifiers: ['Control'] });
    await row('You said one').click({ modifiers: ['Control'] });
    await workbench.panel.getByRole('button', { name: 'Compare the two selected' }).click();
    await workbench.page.getByRole('tab', { name: 'Conversation (main ↔ “You said one”)' }).waitFor();
  });
});
