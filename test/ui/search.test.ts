import assert from 'node:assert/strict';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

describe('the Search view', () => {
  const use = useChat(undefined, { viewport: { width: 1280, height: 1300 } });

  const view = () => use().workbench.page.locator('.sidebar .pane', { hasText: 'Search' }).last();
  /** Labels with their nesting, at one moment. */
  const outline = async (): Promise<string[]> =>
    view()
      .locator('.monaco-list-row')
      .evaluateAll((rows) =>
        rows.map((row) => {
          const element = row as unknown as {
            getAttribute(name: string): string | null;
            querySelector(selector: string): { textContent: string | null } | null;
          };
          const level = Number(element.getAttribute('aria-level'));
          const label = element.querySelector('.label-name')?.textContent ?? '';
          return '  '.repeat(level - 1) + label;
        }),
      );
  const shows = async (expected: readonly string[]): Promise<void> => {
    let last: string[] = [];
    await until(async () => {
      last = await outline();
      return JSON.stringify(last) === JSON.stringify(expected);
    }, 'what was found').catch(() => assert.deepEqual(last, expected));
  };

  before('two chats, one of them with two branches', async () => {
    const { chat, workbench } = use();
    await chat.ask('the oak tree');
    await chat.ask('a birch');
    await workbench.contextMenu.pickOn(chat.messages.first(), 'Edit and Branch');
    await chat.onBranch('main-v2');
    await until(async () => (await chat.input.inputValue()) === 'the oak tree', 'the question in the input');
    await chat.ask('the oak forest');
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.ask('no wood at all');
  });

  it('is not there before anything was searched', async () => {
    assert.equal(await use().workbench.page.locator('.pane-header', { hasText: 'Search' }).count(), 0);
  });

  it('keeps what was found in sight, by chat and branch, with the hits marked', async () => {
    const { workbench } = use();
    await workbench.runCommand('offshoot.searchInView');
    await workbench.quickInput.answer('oak');
    await shows([
      'the oak tree',
      '  the oak forest',
      '    the oak forest',
      '    You said the oak forest',
      '  Main line',
      '    the oak tree',
      '    You said the oak tree',
    ]);
    const marked = await view().locator('.monaco-list-row .highlight').allTextContents();
    assert.deepEqual([...new Set(marked)], ['oak']);
    await soon.match(() => view().innerText(), /4 messages in 1 chat/);
    await workbench.screenshot('search view');
  });

  it('previews a message where it was said, and goes there by a step of its own', async () => {
    const { chat, workbench } = use();
    await view().locator('.monaco-list-row', { hasText: 'You said the oak tree' }).click();
    await workbench.page.getByRole('tab', { name: 'Preview: Main line' }).waitFor();
    await workbench.page.locator('.editor-instance .view-line', { hasText: 'said' }).first().waitFor();
    await workbench.notifications.press('Previewing branch “Main line”', 'Switch to Branch');
    await chat.onBranch('main');
    await chat.message('You said the oak tree').waitFor();
    await until(
      async () =>
        (await chat.frame.locator('.message:focus').count()) === 1 &&
        (await chat.frame.locator('.message:focus').innerText()).includes('You said the oak tree'),
      'the message to have the focus',
    );
  });

  it('shows questions alone, follows what is said, and goes when it is cleared', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.filterSearch');
    await workbench.quickInput.choose('Questions');
    await shows([
      'the oak tree',
      '  the oak forest',
      '    the oak forest',
      '  Main line',
      '    the oak tree',
    ]);
    await chat.ask('more oak');
    await until(async () => (await outline()).includes('    more oak'), 'the new question to be found');
    await workbench.runCommand('offshoot.searchInView');
    await workbench.quickInput.answer('nosuchword');
    await view().getByText('No results.').waitFor();
    await workbench.runCommand('offshoot.clearSearch');
    await until(
      async () => (await workbench.page.locator('.pane-header', { hasText: 'Search' }).count()) === 0,
      'the view to go',
    );
  });

  it('goes to a message by its number, and to the question before by keyboard', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.goToMessage');
    await workbench.quickInput.shown('Go to Message');
    await workbench.quickInput.type('4');
    const active = workbench.page.locator('.quick-input-list .monaco-list-row.focused');
    await active.filter({ hasText: 'You said a birch' }).waitFor();
    await chat.frame.locator('.message.previewed', { hasText: 'You said a birch' }).waitFor();
    await workbench.screenshot('go to message');
    await workbench.quickInput.accept();
    await chat.frame.locator('.message.assistant:focus', { hasText: 'You said a birch' }).waitFor();
    assert.equal(await chat.frame.locator('.message.previewed').count(), 0);
    await workbench.page.keyboard.press('Alt+ArrowUp');
    await chat.frame.locator('.message.user:focus', { hasText: 'a birch' }).waitFor();
    await workbench.page.keyboard.press('Alt+ArrowUp');
    await chat.frame.locator('.message.user:focus', { hasText: 'the oak tree' }).waitFor();
    await workbench.page.keyboard.press('Alt+ArrowDown');
    await chat.frame.locator('.message.user:focus', { hasText: 'a birch' }).waitFor();
  });

  it('takes over what was typed in the quick search', async () => {
    const { workbench } = use();
    await workbench.runCommand('offshoot.search');
    await workbench.quickInput.type('birch');
    await workbench.quickInput.widget.getByRole('button', { name: 'Show in the Search View' }).click();
    await shows(['the oak tree', '  Main line', '    a birch', '    You said a birch']);
  });
});
