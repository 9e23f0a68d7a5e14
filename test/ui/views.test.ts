import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, lastQuestion, useTools } from '../fixtures/openaiServer.ts';
import { soon } from '../fixtures/soon.ts';
import { until } from '../fixtures/until.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';

const evil = 'invoice\u202Egpj.exe';

describe('the views below the chat', () => {
  const use = useChat(
    (request) => {
      const question = lastQuestion(request);
      if (question !== 'keep' || request.body.messages.at(-1)?.role === 'tool') {
        return answer(`You said ${question}`);
      }
      return useTools(
        ['write_note', { name: 'mood', text: `of ${question}` }],
        ...['old', 'new'].map(
          (content) =>
            [
              'write_note',
              { name: 'plan.md', text: `# Plan\n\n- ${content}\n`, mediaType: 'text/markdown' },
            ] as const,
        ),
        ['write_note', { name: evil, text: 'harmless', mediaType: 'text/plain' }],
      );
    },
    { viewport: { width: 1280, height: 1300 } },
  );

  beforeEach('a new chat', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('workbench.action.closeAllEditors');
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
  });

  it('keep what is searched for visible, and lead to messages and from question to question', async function () {
    this.timeout(90_000);
    const { chat, workbench } = use();
    const view = workbench.page.locator('.sidebar .pane', { hasText: 'Search' }).last();
    const header = workbench.page.locator('.pane-header', { hasText: 'Search' });
    /** Labels with their nesting, at one moment. */
    const outline = (): Promise<string[]> =>
      view.locator('.monaco-list-row').evaluateAll((rows) =>
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
    assert.equal(await header.count(), 0, 'there is no view before anything was searched');
    await chat.ask('the oak tree');
    await chat.ask('a birch');
    await workbench.contextMenu.pickOn(chat.messages.first(), 'Edit Prompt');
    await until(async () => (await chat.input.inputValue()) === 'the oak tree', 'the question in the input');
    await chat.ask('the oak forest');
    await step('by chat and branch, with the hits marked', async () => {
      await workbench.runCommand('offshoot.searchInView');
      await workbench.quickInput.answer('oak');
      await soon.deepEqual(outline, [
        'the oak tree',
        '  the oak forest',
        '    the oak forest',
        '    You said the oak forest',
        '  Main line',
        '    the oak tree',
        '    You said the oak tree',
      ]);
      const marked = await view.locator('.monaco-list-row .highlight').allTextContents();
      assert.deepEqual([...new Set(marked)], ['oak']);
      await soon.match(() => view.innerText(), /4 messages in 1 chat/);
      await workbench.screenshot('search view');
    });
    await step('a preview, from which one goes there', async () => {
      await view.locator('.monaco-list-row', { hasText: 'You said the oak tree' }).click();
      await workbench.page.getByRole('tab', { name: 'Preview: Main line' }).waitFor();
      await workbench.page.locator('.editor-instance .view-line', { hasText: 'said' }).first().waitFor();
      await workbench.notifications.press('Previewing branch “Main line”', 'Switch to Branch');
      await chat.onBranch('main');
      await chat.frame.locator('.message.assistant:focus', { hasText: 'You said the oak tree' }).waitFor();
    });
    await step('questions alone', async () => {
      await workbench.runCommand('offshoot.filterSearch');
      await workbench.quickInput.choose('Questions');
      await soon.deepEqual(outline, [
        'the oak tree',
        '  the oak forest',
        '    the oak forest',
        '  Main line',
        '    the oak tree',
      ]);
    });
    await step('what is said later', async () => {
      await chat.ask('more oak');
      await until(async () => (await outline()).includes('    more oak'), 'the new question to be found');
    });
    await step('nothing, and no view once it is cleared', async () => {
      await workbench.runCommand('offshoot.searchInView');
      await workbench.quickInput.answer('nosuchword');
      await view.getByText('No results.').waitFor();
      await workbench.runCommand('offshoot.clearSearch');
      await header.waitFor({ state: 'detached' });
    });
    await step('what was typed in the quick search', async () => {
      await workbench.runCommand('offshoot.search');
      await workbench.quickInput.type('birch');
      await workbench.quickInput.widget.getByRole('button', { name: 'Show in the Search View' }).click();
      await soon.deepEqual(outline, ['the oak tree', '  Main line', '    a birch', '    You said a birch']);
      await workbench.runCommand('offshoot.clearSearch');
    });
    await step('a message by its number, and questions by keyboard', async () => {
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
      for (const [key, question] of [
        ['ArrowUp', 'a birch'],
        ['ArrowUp', 'the oak tree'],
        ['ArrowDown', 'a birch'],
      ] as const) {
        await workbench.page.keyboard.press(`Alt+${key}`);
        await chat.frame.locator('.message.user:focus', { hasText: question }).waitFor();
      }
    });
  });

  it('show what stands at the head, from the status bar on, and open, compare and save it', async function () {
    this.timeout(90_000);
    const { chat, workbench } = use();
    const { contextView, quickInput } = workbench;
    const editorShows = (text: string): Promise<void> =>
      workbench.page
        .locator('.editor-instance .view-lines', { hasText: text.replaceAll(' ', '\u00A0') })
        .first()
        .waitFor();
    await chat.send('keep');
    await chat.message('You said keep').waitFor();
    await until(async () => (await chat.stopButton.count()) === 0, 'the answer to end');
    await step('the rows', async () => {
      await workbench.page.locator('.statusbar-item', { hasText: /Main line · [\d.,]+k?/ }).click();
      await contextView.row('System prompt').waitFor();
      await workbench.tree.fold();
      await contextView.setHeight(450);
      const head = ['mood', 'invoice‹U+202E›gpj.exe', 'plan.md'];
      await soon.deepEqual(
        async () =>
          (await contextView.rows())
            .filter(({ level }) => level === 2)
            .map(({ label, description }) => `${label}: ${description.split(' · ')[0]}`),
        [`${head[0]}: "of keep"`, `${head[1]}: version 0`, `${head[2]}: version 1`],
      );
      await soon.match(() => contextView.pane.locator('.pane-header').innerText(), /Main line · [\d.,]+k?/i);
      await workbench.screenshot('context view');
    });
    await step('an artifact, and two of its versions side by side', async () => {
      await contextView.click('plan.md');
      await editorShows('- new');
      await contextView.pick('plan.md', 'Compare with Another Version…');
      await quickInput.choose('Version 0');
      await workbench.page.locator('.monaco-diff-editor').first().waitFor();
      await editorShows('- old');
      await workbench.screenshot('context compare');
    });
    await step('a file, under the name that is its own', async () => {
      await contextView.pick('plan.md', 'Save Artifact As…');
      await quickInput.shown('Save Artifact As');
      await until(
        async () => (await quickInput.value()).endsWith('/plan.md'),
        'a name for the file to be proposed',
      );
      const file = path.join(workbench.folder, 'saved plan.md');
      await quickInput.answer(file);
      await quickInput.hidden();
      await until(
        async () => (await readFile(file, 'utf8').catch(() => '')) === '# Plan\n\n- new\n',
        'the file',
      );
    });
    await step('a value, and a message', async () => {
      await contextView.click('mood');
      await editorShows('"of keep"');
      await contextView.expand('Messages');
      await contextView.click('keep');
      await chat.frame.locator('.message.user:focus', { hasText: 'keep' }).waitFor();
      await workbench.screenshot('context messages');
    });
    await step('instructions, in which what is wrong is marked', async () => {
      await contextView.expand('Instructions');
      await contextView.click('Of this chat');
      await editorShows('# role =');
      const editor = workbench.page.locator('.editor-instance .monaco-editor').first();
      const write = async (text: string): Promise<void> => {
        await workbench.page.keyboard.press('ControlOrMeta+a');
        await workbench.page.keyboard.type(text);
      };
      await write('roles = "A gardener"');
      await editor.locator('.squiggly-error').waitFor();
      await workbench.screenshot('context instructions');
      await write('role = "A gardener"');
      await editor.locator('.squiggly-error').waitFor({ state: 'detached' });
      await workbench.page.keyboard.press('ControlOrMeta+s');
      await until(
        async () =>
          (await contextView.rows()).some(
            ({ label, description }) => label === 'Of this chat' && description.startsWith('version 0'),
          ),
        'the row to show the version',
      );
    });
  });
});
