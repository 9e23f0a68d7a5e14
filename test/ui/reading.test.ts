import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { answer } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

const reply = [
  'So $a^2$ it is.',
  'Look at `src/greet.ts:2`, and not at `src/gone.ts`:',
  "```ts\n// why\nreturn 'hello' + 1;\n```",
  '```ts src/greet.ts\nexport function greet(): string {\n  return `HELLO`;\n}\n```',
].join('\n\n');

describe('reading an answer in the workbench', () => {
  const use = useChat(() => answer(reply));

  before('an answer to read', async () => {
    await use().chat.ask('how?');
  });

  it('shows code in the colours of the theme, also when another is chosen', async () => {
    const { chat, workbench } = use();
    const colours = (): Promise<string> =>
      chat.frame
        .locator('.code-block')
        .first()
        .locator('.hljs-keyword.control, .hljs-string, .hljs-comment')
        .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).color).join(' '));
    // As the theme's own file has them: comment, keyword.control, string.
    for (const [theme, expected] of [
      ['Default Dark Modern', 'rgb(106, 153, 85) rgb(197, 134, 192) rgb(206, 145, 120)'],
      ['Default Light Modern', 'rgb(0, 128, 0) rgb(175, 0, 219) rgb(163, 21, 21)'],
      ['Default High Contrast', 'rgb(124, 166, 104) rgb(197, 134, 192) rgb(206, 145, 120)'],
    ] as const) {
      await workbench.setTheme(theme);
      let seen = '';
      await until(async () => (seen = await colours()) === expected, theme).catch(() => undefined);
      assert.equal(seen, expected);
      await workbench.screenshot(`reading ${theme}`);
    }
  });

  it('lays out formulas with fonts of its own', async () => {
    const { chat } = use();
    await chat.frame.locator('.katex').waitFor();
    const fonts = await chat.frame
      .locator('.katex .mathnormal')
      .evaluate(async (part) => [
        getComputedStyle(part).fontFamily,
        (await document.fonts.load('16px KaTeX_Math')).length,
      ]);
    assert.deepEqual(fonts, ['KaTeX_Math', 1]);
  });

  it('opens the file an answer names, at its line, and no other', async () => {
    const { chat, workbench } = use();
    const link = chat.frame.getByRole('link', { name: 'src/greet.ts:2' });
    await link.click();
    await workbench.page.locator('.tab.active', { hasText: 'greet.ts' }).waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'Ln 2, Col 1' }).waitFor();
    assert.equal(await chat.frame.locator('.file-link', { hasText: 'gone' }).count(), 0);
  });

  it('shows what code would change in the diff editor, and makes the change by keyboard', async () => {
    const { chat, workbench } = use();
    const file = path.join(workbench.folder, 'src', 'greet.ts');
    const before = await readFile(file, 'utf8');
    const block = chat.frame.locator('.code-block').last();
    await block.hover();
    await block.getByRole('button', { name: 'Apply as diff' }).click();
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
});

describe('code of an answer in a workspace that is not trusted', () => {
  const use = useChat(() => answer(reply), { untrusted: true });

  it('is not applied, and the page says why', async () => {
    const { chat } = use();
    await chat.ask('how?');
    const block = chat.frame.locator('.code-block').last();
    await block.hover();
    await block.getByRole('button', { name: 'Apply as diff' }).click();
    await chat.frame.locator('.banner.error', { hasText: 'workspace you do not trust' }).waitFor();
  });
});
