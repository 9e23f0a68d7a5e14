import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import type { Chat } from './harness/chat.ts';
import { answer, conversation, question } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const text = '# Title $x^2$ **bold**\n\n```js\nconst a = 1;\n```';
const shown = conversation([question('q', 'why?'), answer('a', text)]);

/** Has a page begin to draw the chat and never come to the end of that: it gets no frame any more. */
async function beginDrawing(chat: Chat): Promise<void> {
  await chat.page.evaluate('window.requestAnimationFrame = () => 0');
  await chat.tell({ type: 'conversationChanged', conversation: shown });
  assert.equal(await isDrawing(chat), true);
}

/** What the page notes while it draws outlives it. */
async function isDrawing(chat: Chat): Promise<boolean> {
  return chat.page.evaluate<boolean>(
    "Object.keys(localStorage).some((name) => name.startsWith('offshoot.drawing.'))",
  );
}

describe('a chat that pages did not survive', () => {
  const use = useChat({ ownProcess: true });

  async function openChat(): Promise<Chat> {
    const chat = await use().another();
    await chat.show(shown);
    await chat.page.locator('.markdown').waitFor();
    return chat;
  }

  it('is plain text after two that crashed, with the way back to more', async () => {
    for (let time = 0; time < 2; time += 1) {
      const chat = await use().another();
      await beginDrawing(chat);
      await chat.crash();
    }
    const chat = await openChat();
    assert.equal(await chat.page.locator('.markdown .plain').textContent(), text);
    assert.equal(await chat.page.locator('.markdown :is(h1, strong, pre, code, [data-tex])').count(), 0);
    await chat.screenshot('plain');
    await chat.button('Try Rendering Again').click();
    await chat.page.locator('.markdown h1').waitFor();
    assert.equal(await chat.button('Try Rendering Again').count(), 0);
    await until(async () => !(await isDrawing(chat)), 'all to be drawn');
  });

  it('is plain text after two that hung and were closed', async () => {
    for (let time = 0; time < 2; time += 1) {
      const chat = await use().another();
      await beginDrawing(chat);
      await chat.hangAndClose();
    }
    await (await openChat()).button('Try Rendering Again').waitFor();
  });

  it('is none whose pages were reloaded or closed while they drew', async () => {
    const drawing = await use().another();
    for (let time = 0; time < 4; time += 1) {
      await beginDrawing(drawing);
      await drawing.page.reload();
      await drawing.loaded();
    }
    await beginDrawing(drawing);
    const other = await openChat();
    await drawing.page.close({ runBeforeUnload: true });
    await other.page.locator('.markdown h1').waitFor();
    await until(async () => !(await isDrawing(other)), 'all to be drawn, formulas included');
    assert.equal(await other.page.locator('.katex').count(), 1);
  });
});
