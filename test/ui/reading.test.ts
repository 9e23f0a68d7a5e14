import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, lastQuestion, pause, useTools } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';

const reply = [
  'So $a^2$ it is.',
  'Look at `src/greet.ts:2`, and not at `src/gone.ts`:',
  "```ts\n// why\nreturn 'hello' + 1;\n```",
  '```ts src/greet.ts\nexport function greet(): string {\n  return `HELLO`;\n}\n```',
].join('\n\n');

describe('a conversation next to the editors', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    const isAnswered = request.body.messages.at(-1)?.role === 'tool';
    if (question === 'how?') return answer(reply);
    if (question === 'away') {
      return isAnswered ? [pause('away'), ...answer('Done: away')] : useTools(['list_files', {}]);
    }
    if (question === 'protected') {
      return isAnswered
        ? answer('Done: protected')
        : useTools(['write_file', { path: '.vscode/tasks.json', content: '{}' }]);
    }
    if (question.startsWith('Summarize this part')) return answer('A fine gist.');
    return answer(`You said ${question}`);
  });
  const report = (text: string) => use().chat.frame.locator('.report').filter({ hasText: text });

  beforeEach('a new chat', async () => {
    const { chat, workbench } = use();
    await workbench.openOffshoot();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
  });

  it('has code in the colors of the theme, and files that are opened, changed and written to from it', async function () {
    this.timeout(90_000);
    const { chat, workbench } = use();
    await chat.ask('how?');
    const blocks = chat.frame.locator('.code-block');
    await step('colors, also when another theme is chosen', async () => {
      const colors = (): Promise<string> =>
        blocks
          .first()
          .locator('.hljs-keyword.control, .hljs-string, .hljs-comment')
          .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).color).join(' '));
      // As the theme's own file has them: comment, keyword.control, string.
      for (const [theme, expected] of [
        ['Default Light Modern', 'rgb(0, 128, 0) rgb(175, 0, 219) rgb(163, 21, 21)'],
        ['Default High Contrast', 'rgb(124, 166, 104) rgb(197, 134, 192) rgb(206, 145, 120)'],
        ['Default Dark Modern', 'rgb(106, 153, 85) rgb(197, 134, 192) rgb(206, 145, 120)'],
      ] as const) {
        await workbench.setTheme(theme);
        let seen = '';
        await until(async () => (seen = await colors()) === expected, theme).catch(() => undefined);
        assert.equal(seen, expected);
        await workbench.screenshot(`reading ${theme}`);
      }
    });
    await step('formulas with fonts of their own', async () => {
      const fonts = await chat.frame
        .locator('.katex .mathnormal')
        .evaluate(async (part) => [
          getComputedStyle(part).fontFamily,
          (await document.fonts.load('16px KaTeX_Math')).length,
        ]);
      assert.deepEqual(fonts, ['KaTeX_Math', 1]);
    });
    await step('the file that is named, at its line, and no other', async () => {
      await chat.frame.getByRole('link', { name: 'src/greet.ts:2' }).click();
      await workbench.page.locator('.tab.active', { hasText: 'greet.ts' }).waitFor();
      await workbench.page.locator('.statusbar-item', { hasText: 'Ln 2, Col 1' }).waitFor();
      assert.equal(await chat.frame.locator('.file-link', { hasText: 'gone' }).count(), 0);
    });
    await step('what code would change, and the change by keyboard', async () => {
      const file = path.join(workbench.folder, 'src', 'greet.ts');
      const before = await readFile(file, 'utf8');
      await blocks.last().hover();
      await blocks.last().getByRole('button', { name: 'Apply as diff' }).click();
      await workbench.page.locator('.tab.active', { hasText: 'greet.ts (from the chat)' }).waitFor();
      await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: 'HELLO' }).first().waitFor();
      await workbench.screenshot('reading apply');
      assert.equal(await readFile(file, 'utf8'), before);
      await workbench.page.getByRole('button', { name: 'Apply Change from the Chat' }).first().waitFor();
      await workbench.page.keyboard.press('Control+k');
      await workbench.page.keyboard.press('j');
      await until(async () => (await readFile(file, 'utf8')).includes('HELLO'), 'the change to be made');
      await workbench.page.locator('.tab', { hasText: 'from the chat' }).waitFor({ state: 'detached' });
    });
    await step('code that is copied, and inserted where the cursor stands', async () => {
      await blocks.first().hover();
      await blocks.first().getByRole('button', { name: 'Copy code' }).click();
      await until(
        async () => (await workbench.clipboard()) === "// why\nreturn 'hello' + 1;",
        'the code to be copied',
      );
      await workbench.runCommand('workbench.action.files.newUntitledFile');
      await workbench.page.locator('.tab.active', { hasText: 'Untitled-1' }).waitFor();
      await blocks.first().hover();
      await blocks.first().getByRole('button', { name: 'Insert at cursor' }).click();
      await workbench.page.locator('.editor-instance .view-line', { hasText: '//\u00A0why' }).waitFor();
      await workbench.runCommand('workbench.action.revertAndCloseActiveEditor');
    });
  });

  it('needs no mouse to ask differently and to set a checkpoint, and names no branch by a number', async () => {
    const { chat, workbench } = use();
    const { keyboard } = workbench.page;
    const inInput = (text: string): Promise<unknown> =>
      until(async () => (await chat.input.inputValue()) === text, `“${text}” in the input`);
    await chat.hasFocus();
    await keyboard.type('by keys');
    await keyboard.press('Enter');
    await chat.message('You said by keys').waitFor();
    await chat.answered(1);
    await keyboard.press('Escape');
    await keyboard.press('Escape');
    await workbench.quickInput.shown('Rewind');
    await keyboard.press('Enter');
    await inInput('by keys');
    await chat.hasFocus();
    await keyboard.press('End');
    await keyboard.type(' alone');
    await keyboard.press('Enter');
    await chat.shows(['by keys alone', 'You said by keys alone']);
    await chat.frame.getByRole('group', { name: 'Version 2 of 2' }).waitFor();
    await keyboard.press('ArrowUp');
    await inInput('by keys alone');
    await keyboard.press('Control+z');
    await inInput('');
    await workbench.runCommand('offshoot.createCheckpoint');
    await workbench.quickInput.shown('Create Checkpoint');
    await keyboard.type('Kept by keys');
    await keyboard.press('Enter');
    await workbench.tree.row('Kept by keys').waitFor();
    // What numbers name is in tooltips, and nowhere to be read.
    const texts = [
      await chat.frame.locator('body').innerText(),
      await workbench.page.locator('.sidebar').innerText(),
      await workbench.page.locator('.statusbar').innerText(),
    ];
    assert.doesNotMatch(texts.join('\n'), /main-v\d/);
  });

  it('is told of once where nobody sees it end or ask, without a word of it', async () => {
    const { chat, workbench, server } = use();
    const { notifications } = workbench;
    const isReady = 'The answer in “away” is ready.';
    const asks = '“away” is waiting for your approval.';
    const told = async (): Promise<string[]> =>
      (await notifications.texts()).filter((text) => text.includes('“away”'));
    await chat.send('away');
    await server.pauseReached('away');
    // What is still to be revealed in the tree would bring the side bar back.
    await workbench.tree.root.locator('.monaco-list-row.selected', { hasText: 'active' }).waitFor();
    await workbench.runCommand('workbench.view.explorer');
    await workbench.page.locator('.explorer-folders-view').waitFor();
    server.release('away');
    await notifications.find(isReady);
    await workbench.screenshot('notification of an answer');
    assert.deepEqual(await told(), [isReady]);
    await notifications.press(isReady, 'Show Chat');
    await chat.message('Done: away').waitFor();

    await chat.send('protected');
    await workbench.runCommand('workbench.view.explorer');
    await notifications.find(asks);
    const badge = workbench.activityBarItem.locator('xpath=..').locator('.badge-content');
    await until(async () => (await badge.innerText()) === '1', 'the badge');
    await notifications.press(asks, 'Show Chat');
    await chat.decide('Deny');
    await chat.message('Done: protected').waitFor();
    assert.deepEqual(await told(), [], 'what was seen is not told of');
  });

  it('is shortened by summaries from its menus, which are edited and lead to the full text', async function () {
    this.timeout(90_000);
    const { chat, workbench } = use();
    const whole = ['one', 'You said one', 'two', 'You said two'];
    for (const question of ['one', 'two']) await chat.ask(question);
    await step('in place of what came before', async () => {
      await workbench.contextMenu.pickOn(chat.message('You said one'), [
        'Summarize',
        'Summarize Up to Here…',
      ]);
      await chat.shows(['two', 'You said two']);
      await report('A fine gist.').getByText('Summary of 2 earlier messages').waitFor();
      await workbench.screenshot('summaries up to here');
      await report('A fine gist.')
        .getByRole('button', { name: 'Show the full text, in branch Main line' })
        .click();
      await chat.shows(whole);
    });
    await step('of another branch, as the user has edited it', async () => {
      await workbench.tree.marks('main');
      await workbench.runCommand('offshoot.rewindToHere', {
        messageId: await chat.message('You said one').getAttribute('data-message-id'),
      });
      await chat.shows(['one', 'You said one']);
      await chat.ask('aside');
      await workbench.tree.click('main');
      await chat.shows(whole);
      await workbench.tree.marks('main');
      await workbench.tree.pick('aside', ['Merge', 'Merge Summary…']);
      await workbench.quickInput.choose('Summarize with test-model');
      const editor = workbench.page.locator('.editor-instance .view-lines', {
        hasText: 'A\u00A0fine\u00A0gist.',
      });
      await editor.click();
      await workbench.page.keyboard.type('Edited. ');
      await workbench.screenshot('summaries draft');
      await workbench.page.getByRole('button', { name: 'Add Summary to This Branch' }).first().click();
      await report('Merged from aside').getByText('Edited.').waitFor();
      await report('Merged from aside').getByText('test-model, edited').waitFor();
      await workbench.screenshot('summaries brought back');
    });
  });

  it('is compacted on the branch itself, with what to keep, and whole again with Undo', async () => {
    const { chat, server, workbench } = use();
    // A summary that is longer than what it stands for is of no use.
    const first = `one${' word'.repeat(60)}`;
    for (const question of [first, 'two']) await chat.ask(question);
    await workbench.runCommand('offshoot.compact');
    await workbench.quickInput.shown('Compact Conversation');
    await workbench.quickInput.answer('the file names');
    const fold = chat.frame.locator('.compacted-fold button');
    await fold.waitFor();
    const asked = server.requests.findLast((request) =>
      lastQuestion(request).startsWith('Summarize this part'),
    );
    assert.match(JSON.stringify(asked?.body.messages[0]?.content), /kept above all: the file names/);
    await workbench.screenshot('compaction by the command');
    await chat.frame.getByRole('button', { name: 'Undo', exact: true }).click();
    await fold.waitFor({ state: 'detached' });
    await chat.shows([first, `You said ${first}`, 'two', 'You said two']);
  });
});
