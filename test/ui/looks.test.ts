import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Frame } from 'playwright-core';
import { answer, lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { themes, type Theme } from './support/settings.ts';
import { useChat } from './support/useChat.ts';

const reply = [
  '## Closures',
  'A **closure** keeps the `variables` of the [scope](https://example.com/scope) it was made in.',
  '- a list\n- of two',
  '```ts\nfunction counter(): () => number {\n  let count = 0;\n  return () => ++count;\n}\n```',
  '| what | how long it lives and why |\n| - | - |\n| count | as long as the function that uses it |',
  '> AVeryLongWordThatHasNoPlaceToBreakButHasToBeBrokenAllTheSameOrElseThePageWouldScrollSideways',
].join('\n\n');

describe('the chat at a width of 300 pixels', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    if (question.startsWith('By')) return [say('It is *late*.'), pause('side'), say(' Very.')];
    return answer(reply);
  });

  before('a conversation to look at', async () => {
    const { chat, workbench } = use();
    await workbench.setSidebarWidth(300);
    await chat.ask('What is a closure, and what would I use it for?');
    await workbench.runCommand('offshoot.createCheckpoint');
    await workbench.quickInput.answer('before the examples');
    await chat.ask('Show me another one');
    await workbench.contextMenu.pickOn(chat.messages.first(), 'Rewind to Here');
    await chat.onBranch('main-v2');
    await workbench.tree.marks('New branch');
    await workbench.tree.click('main');
    await chat.onBranch('main');
    await workbench.runCommand('offshoot.btw');
    await workbench.quickInput.answer('By the way, what time is it?');
    await chat.aside.getByText('It is late').waitFor();
  });

  for (const theme of Object.keys(themes) as Theme[]) {
    it(`fits and can be read by everybody in ${theme}`, async () => {
      const { workbench } = use();
      await workbench.setTheme(theme);
      const frame = await chatFrame(workbench.page.frames());
      await until(
        () => frame.evaluate<boolean>(`document.body.className.includes('${kindOf(theme)}')`),
        'the page to take the theme',
      );
      await workbench.screenshot(`looks ${theme}`);
      const overflow = await frame.evaluate<number>(
        "Math.max(...[...document.querySelectorAll('main, .scroller, .message, .aside, .composer')].map((e) => e.scrollWidth - e.clientWidth))",
      );
      assert.ok(overflow <= 0, `something is ${overflow} pixels too wide`);
      await frame.evaluate(axe.source);
      const { violations } = await frame.evaluate<AxeResults>(
        "axe.run(document.querySelector('main'), { resultTypes: ['violations'] })",
      );
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      const found = serious.flatMap(({ nodes }) =>
        nodes.map(({ html, failureSummary }) => `${html.slice(0, 120)}: ${failureSummary ?? ''}`),
      );
      assert.deepEqual(found, []);
    });
  }

  it('follows the end of the conversation, and stays put while one reads further up', async () => {
    const { chat, server, workbench } = use();
    server.release('side');
    // It grows once more when it ends: what is at the end of the conversation then stays there.
    await chat.aside.locator('.status.failed').waitFor();
    const jump = chat.frame.getByRole('button', { name: 'Jump to latest' });
    assert.equal(await jump.count(), 0);
    await chat.frame.locator('.scroller').hover();
    await workbench.page.mouse.wheel(0, -10_000);
    await jump.click();
    await jump.waitFor({ state: 'detached' });
  });

  it('lays out what is written from right to left, and breaks endless words', async () => {
    const { chat } = use();
    await chat.frame.getByRole('button', { name: 'Close; the branch stays in the tree' }).click();
    const word = 'supercalifragilistic'.repeat(20);
    await chat.ask(`שלום עולם ${word}`);
    const directions = await chat.messages
      .last()
      .locator('xpath=preceding-sibling::*[contains(@class, "user")][1]')
      .locator('.said')
      .evaluate((element) => [
        getComputedStyle(element.querySelector('[dir]') ?? element).direction,
        element.scrollWidth <= element.clientWidth,
      ]);
    assert.deepEqual(directions, ['rtl', true]);
  });

  it('can be used at a zoom of 200 %, by somebody who wants no motion', async () => {
    const { chat, workbench } = use();
    const { page } = workbench;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    // As a browser at 200 %: half as many pixels, each twice as large.
    await page.setViewportSize({ width: 640, height: 400 });
    const frame = await chatFrame(page.frames());
    await workbench.screenshot('looks at 200 %');
    await until(
      () => frame.evaluate<boolean>('document.documentElement.clientHeight < 400'),
      'the page to be small',
    );
    const overflow = await frame.evaluate<number>(
      "Math.max(...[...document.querySelectorAll('main, .message, .composer')].map((e) => e.scrollWidth - e.clientWidth))",
    );
    assert.ok(overflow <= 0, `something is ${overflow} pixels too wide`);
    await chat.type('typed at 200 %');
    assert.ok(await chat.input.isVisible());
    assert.equal(await frame.evaluate<number>('document.getAnimations().length'), 0);
  });
});

function kindOf(theme: Theme): string {
  if (theme === 'Default Dark Modern') return 'vscode-dark';
  if (theme === 'Default Light Modern') return 'vscode-light';
  return theme === 'Default High Contrast' ? 'vscode-high-contrast' : 'vscode-high-contrast-light';
}

/** The page itself, for what locators cannot ask. */
async function chatFrame(frames: readonly Frame[]): Promise<Frame> {
  for (const frame of frames) {
    if (await frame.evaluate<boolean>("document.querySelector('main.page') !== null")) return frame;
  }
  throw new Error('The chat page is not there.');
}
