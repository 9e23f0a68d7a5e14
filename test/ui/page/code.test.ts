import assert from 'node:assert/strict';
import type { ChatProtocol } from '../../../src/protocol/chatFromPage.ts';
import { until } from '../../fixtures/until.ts';
import { answer, conversation, question, streaming } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const code = "// why\nexport const greet = (name: string) => {\n  return 'Hello ' + name;\n};";
const fenced = (language: string, text = code): string => `\`\`\`${language}\n${text}\n\`\`\``;

const colors: ChatProtocol['replies']['readTokenStyles'] = {
  styles: { keyword: { color: '#0000ff' }, control: { color: '#c586c0', isBold: true } },
};

describe('code in an answer', () => {
  const use = useChat({ ownProcess: true });

  it('is highlighted, with its grammar loaded when it is wanted, and reads and copies as it is', async () => {
    const chat = use();
    const scripts: string[] = [];
    chat.page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    await chat.show(conversation([answer('a', 'no code')]));
    assert.ok(!scripts.some((path) => path.endsWith('.js')));
    await chat.show(conversation([answer('b', `${fenced('ts')}\n\n${fenced('klingon')}`)]));
    const blocks = chat.page.locator('.code-block');
    await blocks.first().locator('.hljs-keyword.control', { hasText: 'return' }).waitFor();
    assert.equal(await blocks.first().locator('code').textContent(), code);
    assert.equal(await blocks.last().locator('code').innerHTML(), code.replace('=>', '=&gt;'));
    assert.ok(scripts.some((path) => path.startsWith('/web-')));
    assert.ok(!scripts.some((path) => path.startsWith('/python-')));
    await blocks.first().hover();
    await blocks.first().getByRole('button', { name: 'Copy code' }).click();
    assert.equal((await chat.expect('copyText')).text, code);
  });

  it('has the colors of the theme, as the host tells them, and takes those of another theme', async () => {
    const chat = use();
    const shown = (): Promise<string[]> =>
      chat.page.evaluate<string[]>(`['.control', ':not(.control)'].map((which) => {
        const { color, fontWeight } = getComputedStyle(document.querySelector('.hljs-keyword' + which));
        return color + ' ' + fontWeight;
      })`);
    await chat.show(conversation([answer('a', fenced('ts'))]));
    await chat.page.locator('.hljs-keyword').first().waitFor();
    await chat.page.evaluate("document.body.dataset.vscodeThemeId = 'Another'");
    await chat.asked('readTokenStyles', ({ themeId }) => themeId === 'Another');
    await chat.page.evaluate("document.body.dataset.vscodeThemeId = 'Mine'");
    await chat.asked('readTokenStyles', ({ themeId }) => themeId === 'Mine');
    await chat.reply('readTokenStyles', colors, ({ themeId }) => themeId === 'Another');
    assert.notEqual((await shown())[0], 'rgb(197, 134, 192) 700');
    await chat.reply('readTokenStyles', colors, ({ themeId }) => themeId === 'Mine');
    assert.deepEqual(await shown(), ['rgb(197, 134, 192) 700', 'rgb(0, 0, 255) 400']);
    await chat.tell({ type: 'codeColorsChanged' });
    await chat.reply('readTokenStyles', { styles: { keyword: { color: '#00ff00' } } });
    assert.equal((await shown())[1], 'rgb(0, 255, 0) 400', 'they may change while the theme does not');
    await chat.page.evaluate("document.body.dataset.vscodeThemeId = 'Old'");
    await chat.asked('readTokenStyles', ({ themeId }) => themeId === 'Old');
    // Light letters of a dark theme could not be read on white until the host has told.
    assert.notEqual((await shown())[1], 'rgb(0, 255, 0) 400');
    await chat.reply('readTokenStyles', { styles: {} }, ({ themeId }) => themeId === 'Old');
    // Not known: as before any theme was told, something of the theme that comes close.
    assert.notEqual((await shown())[1], 'rgb(0, 255, 0) 400');
  });

  it('keeps its colors while more of it streams, and its elements when the answer ends', async () => {
    const chat = use();
    const asked = question('q', 'why?');
    await chat.show(conversation([asked], { running: streaming('a', '```ts\nconst a = 1;\n') }));
    await chat.page.locator('.hljs-keyword').waitFor();
    await chat.page.evaluate(`{
      window.plain = 0;
      window.block = document.querySelector('.code-block');
      new MutationObserver(() => {
        if (!document.querySelector('.code-block .hljs-keyword')) window.plain++;
      }).observe(document.querySelector('.messages'), { childList: true, subtree: true, characterData: true });
    }`);
    const more = 'const b = 2;\n'.repeat(20);
    for (let index = 0; index < 20; index++) {
      await chat.delta('a', more.slice(index * 13, index * 13 + 13), 19 + index * 13);
      await chat.frame();
    }
    await until(
      async () => (await chat.page.locator('.hljs-keyword').count()) === 21,
      'the whole code to be highlighted',
    );
    const whole = `\`\`\`ts\nconst a = 1;\n${more}\`\`\``;
    await chat.show(conversation([asked, answer('a', whole)]));
    assert.equal(await chat.page.evaluate('window.plain'), 0);
    assert.equal(await chat.page.evaluate("window.block === document.querySelector('.code-block')"), true);
    assert.equal(await chat.page.locator('.hljs-keyword').count(), 21);
  });

  it('stays plain where it is too long for highlighting, and where its grammar cannot be loaded', async () => {
    const chat = use();
    await chat.page.route('**/scripts-*.js', (route) => route.abort());
    const long = 'const a = 1;\n'.repeat(4_000);
    await chat.show(
      conversation([
        answer('a', [fenced('ts', long), fenced('ruby', 'def a; end'), fenced('ts')].join('\n\n')),
      ]),
    );
    const blocks = chat.page.locator('.code-block');
    await blocks.last().locator('.hljs-keyword').first().waitFor();
    assert.equal(await blocks.first().locator('.hljs-keyword').count(), 0);
    assert.equal(await blocks.nth(1).locator('code').textContent(), 'def a; end');
    assert.match((await chat.takeFaults()).join(), /Failed to fetch/);
  });

  it('is code, too, where it describes a diagram', async () => {
    const chat = use();
    await chat.show(conversation([answer('a', fenced('mermaid', 'graph TD\n  A --> B'))]));
    assert.equal(await chat.page.locator('.code-block code').textContent(), 'graph TD\n  A --> B');
  });
});
