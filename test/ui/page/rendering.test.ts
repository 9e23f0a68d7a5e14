import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import { answer, conversation, question, streaming, toolCall } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('formulas in an answer', () => {
  const use = useChat({ ownProcess: true, viewport: { width: 280, height: 700 } });

  it('are laid out with a library that is loaded when the first one comes, and read out as MathML', async () => {
    const chat = use();
    const files: string[] = [];
    chat.page.on('request', (request) => files.push(new URL(request.url()).pathname));
    await chat.show(conversation([answer('a', 'It costs $5 or $10.')]));
    assert.ok(!files.some((file) => file.includes('katex')));
    const long = Array.from({ length: 30 }, (_, index) => `x_{${index}}`).join(' + ');
    await chat.show(
      conversation([
        answer(
          'b',
          `Let $a^2$ be.\n\n$$\n${long}\n$$\n\n$\\frac{1}{$, $f: A$ and $\\href{javascript:alert(1)}{x}$`,
        ),
      ]),
    );
    await until(async () => (await chat.page.locator('.katex').count()) === 4, 'the formulas');
    assert.equal(await chat.page.locator('.katex math').first().locator('msup').count(), 1);
    assert.equal(await chat.page.locator('.markdown a').count(), 0);
    await chat.page.getByText('$\\frac{1}{$').waitFor();
    assert.ok(files.some((file) => file.endsWith('.woff2')));
    // The long one scrolls on its own; the page does not.
    const [page, formula] = await chat.page.evaluate<[number, number]>(
      "['.scroller', '[data-display]'].map((what) => { const e = document.querySelector(what); return e.scrollWidth - e.clientWidth; })",
    );
    assert.ok(page <= 0 && formula > 0, `${page}, ${formula}`);
    await chat.screenshot('maths');
  });

  it('stay laid out while the answer goes on', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why?')], { running: streaming('a', 'Let $a^2$ be') }));
    await chat.page.locator('.katex').waitFor();
    await chat.page.evaluate(`{
      window.bare = 0;
      const look = () => {
        if (!document.querySelector('.katex')) window.bare++;
        if (!window.done) requestAnimationFrame(look);
      };
      look();
    }`);
    for (let index = 0; index < 20; index++) {
      await chat.delta('a', ' so', 12 + index * 3);
      await chat.frame();
    }
    assert.equal(await chat.page.evaluate('window.done = true, window.bare'), 0);
  });
});

describe('what programs wrote, in an answer', () => {
  const use = useChat();

  it('has the colors of the theme for terminals, and is copied without codes', async () => {
    const chat = use();
    const output = '\u001b[31mfailed\u001b[0m \u001b]0;title\u0007ok';
    await chat.show(
      conversation([
        answer('a', `A \u001b[1mword\u001b[0m\n\n\`\`\`\n${output}\n\`\`\``),
        answer('b', '', { parts: [toolCall({ output })] }),
      ]),
    );
    assert.equal(await chat.page.locator('.code-block code').innerText(), 'failed ok');
    await chat.page.evaluate(
      "document.documentElement.style.setProperty('--vscode-terminal-ansiRed', '#123456')",
    );
    const red = chat.page.locator('.ansi-red-fg').first();
    assert.equal(await red.evaluate((part) => getComputedStyle(part).color), 'rgb(18, 52, 86)');
    assert.equal(await chat.page.locator('.markdown p').innerText(), 'A word');
    await chat.page.locator('.code-block').hover();
    await chat.button('Copy code').first().click();
    assert.equal((await chat.expect('copyText')).text, 'failed ok');
    await chat.page.locator('.tool summary').click();
    assert.equal(await chat.page.locator('.tool-body pre').last().innerText(), 'failed ok');
  });
});

describe('a picture among the artifacts', () => {
  const use = useChat();

  it('is shown where an answer names it, loaded once, and is its description where there is none', async () => {
    const chat = use();
    await chat.show(
      conversation([
        answer(
          'a',
          '![the chart](artifact:chart.png) ![the same](artifact:chart.png)\n\n![gone](artifact:gone.png) ![bad](artifact:bad.svg)',
        ),
      ]),
    );
    await until(
      async () => (await chat.sent()).filter(({ type }) => type === 'loadPicture').length === 3,
      'the questions',
    );
    const asked = (await chat.sent()).flatMap((message) =>
      message.type === 'loadPicture' ? [message.name] : [],
    );
    assert.deepEqual(asked, ['chart.png', 'gone.png', 'bad.svg']);
    const named = (wanted: string) => (request: { readonly name: string }) => request.name === wanted;
    await chat.reply('loadPicture', { address: `data:image/png;base64,${dot}` }, named('chart.png'));
    await chat.reply('loadPicture', {}, named('gone.png'));
    await chat.reply('loadPicture', { address: 'data:image/svg+xml;base64,PHN2Zy8+' }, named('bad.svg'));
    await chat.frame();
    const shown = await chat.page
      .locator('.markdown img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
    assert.deepEqual(shown, [1, 1]);
    assert.equal(await chat.page.locator('.markdown p').last().innerText(), 'gone bad');
  });
});

describe('a table in an answer', () => {
  const use = useChat({ viewport: { width: 280, height: 700 } });

  it('is laid out in cells', async () => {
    const chat = use();
    await chat.show(conversation([answer('a', '| what | why |\n| :-- | --: |\n| a table | to compare |')]));
    const cells = await chat.page.locator('table :is(th, td)').allInnerTexts();
    assert.deepEqual(cells, ['what', 'why', 'a table', 'to compare']);
  });

  it('scrolls on its own where it is wider than the page', async () => {
    const chat = use();
    const row = `|${' some words |'.repeat(12)}`;
    await chat.show(conversation([answer('a', `${row}\n|${' - |'.repeat(12)}\n${row}`)]));
    const [page, table] = await chat.page.evaluate<[number, number]>(
      "['.scroller', '.block:has(> table)'].map((what) => { const e = document.querySelector(what); return e.scrollWidth - e.clientWidth; })",
    );
    assert.ok(page <= 0 && table > 0, `${page}, ${table}`);
    await chat.page.locator('.block:has(> table)').focus();
    await chat.page.keyboard.press('ArrowRight');
    await until(
      () => chat.page.evaluate<boolean>("document.querySelector('.block:has(> table)').scrollLeft > 0"),
      'it to scroll',
    );
  });
});
