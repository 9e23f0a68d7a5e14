import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { assistant, user } from '../../src/engine/fragments/index.ts';
import { writeConversations } from '../../src/importExport/conversationsFile.ts';
import { memoryStore } from '../fixtures/memoryStore.ts';
import { answer, lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

const reply = [
  'So $a^2$ it is.',
  'Look at `src/greet.ts:2`, and not at `src/gone.ts`:',
  "```ts\n// why\nreturn 'hello' + 1;\n```",
  '```ts src/greet.ts\nexport function greet(): string {\n  return `HELLO`;\n}\n```',
].join('\n\n');

const further = [
  '| what | why |\n| :-- | --: |\n| a table | to compare |',
  '```mermaid\ngraph TD\n  A --> B\n```',
  '$$\n\\int_0^1 x\n$$',
].join('\n\n');

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `Line ${from + index} of many.\n\n`).join('');

/** A file of a chat whose answer names a picture that is kept with it. */
async function chatWithPicture(): Promise<string> {
  const store = memoryStore();
  const engine = new ContextEngine({ store, chatId: 'picture', userId: 'somebody' });
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==';
  await engine.artifacts.save('dot.png', Buffer.from(dot, 'base64'), { mediaType: 'image/png' });
  engine.set(user('Draw a dot'), assistant('![a dot](artifact:dot.png) and ![none](artifact:gone.png)'));
  await engine.save();
  const file = await writeConversations(store, ['picture'], 0);
  await store.close();
  return file;
}

describe('reading an answer in the workbench', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    if (question === 'what else?') return answer(further);
    if (question === 'at length') {
      return [say(lines(0, 40)), pause('read'), say(lines(40, 80)), pause('jump'), say(lines(80, 120))];
    }
    return answer(reply);
  });

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

  it('copies code, and inserts it where the cursor stands', async () => {
    const { chat, workbench } = use();
    const block = chat.frame.locator('.code-block').first();
    await block.hover();
    await block.getByRole('button', { name: 'Copy code' }).click();
    await until(
      async () => (await workbench.clipboard()) === "// why\nreturn 'hello' + 1;",
      'the code to be copied',
    );
    await workbench.runCommand('workbench.action.files.newUntitledFile');
    await workbench.page.locator('.tab.active', { hasText: 'Untitled-1' }).waitFor();
    await block.hover();
    await block.getByRole('button', { name: 'Insert at cursor' }).click();
    await workbench.page.locator('.editor-instance .view-line', { hasText: '//\u00A0why' }).waitFor();
  });

  it('lays out tables, and shows diagrams as the code they are written in', async () => {
    const { chat, workbench } = use();
    await chat.ask('what else?');
    const shown = chat.answers.last();
    await soon.deepEqual(
      () => shown.locator('table :is(th, td)').allInnerTexts(),
      [...['what', 'why'], ...['a table', 'to compare']],
    );
    const diagram = shown.locator('.code-block');
    await soon.equal(() => diagram.locator('.code-language').innerText(), 'mermaid');
    assert.equal((await diagram.locator('code').innerText()).trim(), 'graph TD\n  A --> B');
    await shown.locator('.katex-display').waitFor();
    await workbench.screenshot('reading tables and diagrams');
  });

  it('shows a picture that is kept with the conversation, also of a chat that was imported', async () => {
    const { chat, workbench } = use();
    const file = path.join(workbench.folder, 'picture.json');
    await writeFile(file, await chatWithPicture());
    await workbench.runCommand('offshoot.import');
    await workbench.quickInput.shown('Import');
    await workbench.quickInput.choose('Files…');
    // Once the dialog has listed the folder it proposes, it puts nothing into the input any more.
    await workbench.quickInput.row('..').waitFor();
    await workbench.quickInput.type(file);
    await workbench.quickInput.row('picture.json').waitFor();
    await workbench.quickInput.widget.getByRole('button', { name: 'Import' }).click();
    await chat.message('Draw a dot').waitFor();
    const picture = chat.answers.last().getByRole('img', { name: 'a dot' });
    await until(
      () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth === 1),
      'the picture',
    );
    await soon.equal(() => chat.answers.last().locator('.markdown').innerText(), ' and none');
  });

  it('follows the end while an answer streams, but not when one reads further up, and jumps to the latest', async () => {
    const { chat, server } = use();
    const scroller = chat.frame.locator('.scroller');
    const place = (): Promise<{ top: number; left: number }> =>
      scroller.evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
        top: scrollTop,
        left: scrollHeight - scrollTop - clientHeight,
      }));
    const jump = chat.frame.getByRole('button', { name: 'Jump to latest' });
    await chat.send('at length');
    await server.pauseReached('read');
    await chat.answers.last().getByText('Line 39 of many.', { exact: true }).waitFor();
    await until(async () => (await place()).left < 2, 'the end to be shown');
    assert.equal(await jump.count(), 0);
    await scroller.hover();
    await use().workbench.page.mouse.wheel(0, -300);
    await jump.waitFor();
    const { top } = await place();
    server.release('read');
    await server.pauseReached('jump');
    await chat.answers.last().getByText('Line 79 of many.', { exact: true }).waitFor();
    assert.equal((await place()).top, top);
    await jump.click();
    await until(async () => (await place()).left < 2, 'to be at the end');
    server.release('jump');
    await chat.answers.last().getByText('Line 119 of many.', { exact: true }).waitFor();
    await until(async () => (await place()).left < 2, 'to follow the end again');
    await jump.waitFor({ state: 'detached' });
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
