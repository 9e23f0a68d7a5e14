import assert from 'node:assert/strict';
import { answer } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

const reply = ['Look at this:', "```ts\n// why\nreturn 'hello' + 1;\n```"].join('\n\n');

describe('reading an answer in the workbench', () => {
  const use = useChat(() => answer(reply));

  it('shows code in the colours of the theme, also when another is chosen', async () => {
    const { chat, workbench } = use();
    await chat.ask('how?');
    const colours = (): Promise<string> =>
      chat.frame
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
});
