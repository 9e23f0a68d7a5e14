import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import { line, opened, stream } from './harness/growingAnswer.ts';
import { useChat } from './harness/useChat.ts';

describe('going up while an answer grows', () => {
  const use = useChat();

  it('does not hold those who go up a little at a time while an answer grows with each frame', async () => {
    const chat = use();
    await chat.show(opened);
    await stream(chat, 0, 20);
    await chat.page.evaluate(`{
      let count = 20;
      const grow = () => {
        const offset = count++ * ${line.length};
        const delta = ${JSON.stringify({ type: 'answerDelta', chatId: 'chat-1', branch: 'main', messageId: 'a', partIndex: 0, part: { type: 'text', text: line } })};
        postMessage({ ...delta, offset }, '*');
        if (count < 120) requestAnimationFrame(grow);
      };
      grow();
    }`);
    await chat.page.locator('.scroller').hover();
    for (let turn = 0; turn < 8; turn++) {
      await chat.page.mouse.wheel(0, -8);
      await chat.frame();
    }
    await chat.button('Jump to latest').waitFor();
    await until(
      async () => (await chat.messages.last().locator('.block').count()) === 120,
      'the whole answer',
    );
    assert.ok((await chat.fromEnd()) > 1_000, 'the end was followed');
  });

  it('goes on following where there was nothing to go up to', async () => {
    const chat = use();
    await chat.show(opened);
    await stream(chat, 0, 20);
    const scroller = chat.page.locator('.scroller');
    await scroller.dispatchEvent('wheel', { deltaY: -1 });
    await stream(chat, 20, 21);
    await until(async () => (await chat.fromEnd()) < 2, 'the end to be followed');
    await chat.page.locator('.scroller').hover();
    await chat.page.mouse.wheel(0, -20);
    await until(async () => (await chat.fromEnd()) >= 20, 'the view to go up');
    await chat.page.mouse.wheel(0, 20);
    await until(async () => (await chat.fromEnd()) < 2, 'the view to be back');
    await stream(chat, 21, 30);
    assert.ok((await chat.fromEnd()) < 2, 'the end was lost');
  });
});
