import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import type { Chat } from './harness/chat.ts';
import { conversation, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('moving through the conversation from outside the page', () => {
  const use = useChat();

  const focused = (chat: Chat): Promise<string> =>
    chat.page.evaluate<string>(
      'document.activeElement?.dataset?.messageId ?? document.activeElement?.tagName',
    );
  const step = async (chat: Chat, direction: 'previous' | 'next'): Promise<string> => {
    await chat.tell({ type: 'questionStepped', direction });
    await chat.frame();
    return focused(chat);
  };

  it('goes from question to question, from the one where one is', async () => {
    const chat = use();
    await chat.show(conversation(turns(40)));
    await chat.input.focus();
    // The last one is at the top of what one sees, or above it.
    const first = await step(chat, 'previous');
    assert.match(first, /^m\d+$/);
    const number = Number(first.slice(1));
    assert.equal(number % 2, 0, 'a question');
    assert.equal(await step(chat, 'previous'), `m${number - 2}`);
    assert.equal(await step(chat, 'next'), first);
    const top = await chat.page.evaluate<number>(
      "document.activeElement.getBoundingClientRect().top - document.querySelector('.scroller').getBoundingClientRect().top",
    );
    assert.ok(top >= -1 && top < 400, `it is in view, ${top} pixels from the top`);
    await chat.page.locator('[data-message-id="m39"]').focus();
    assert.equal(await step(chat, 'next'), 'm39', 'there is none after the last');
    await chat.page.keyboard.press('Home');
    await chat.page.keyboard.press('ArrowDown');
    assert.equal(await focused(chat), 'm1');
    assert.equal(await step(chat, 'previous'), 'm0');
    assert.equal(await step(chat, 'previous'), 'm0', 'there is none before the first');
  });

  it('fetches what stands further up, and goes there once it has come', async () => {
    const chat = use();
    await chat.show(conversation(turns(4, 10), { messageCount: 14 }));
    await chat.page.locator('[data-message-id="m10"]').focus();
    assert.equal(await step(chat, 'previous'), 'm10');
    await chat.reply('loadEarlier', { messages: turns(10) });
    await until(async () => (await focused(chat)) === 'm8', 'the question before to have the keyboard');
  });

  it('previews a message without taking the keyboard, and goes back where it was', async () => {
    const chat = use();
    await chat.show(conversation(turns(40)));
    await until(async () => (await chat.fromEnd()) < 1, 'the end');
    await chat.input.focus();
    await chat.tell({ type: 'messagePreviewed', messageId: 'm4' });
    await chat.tell({ type: 'messagePreviewed', messageId: 'm2' });
    await chat.frame();
    assert.equal(await chat.page.locator('.previewed').getAttribute('data-message-id'), 'm2');
    assert.ok((await chat.fromEnd()) > 500);
    assert.equal(await focused(chat), 'TEXTAREA');
    await chat.tell({ type: 'previewEnded' });
    await until(async () => (await chat.fromEnd()) < 1, 'the end again');
    assert.equal(await chat.page.locator('.previewed').count(), 0);
  });

  it('fetches a message that is previewed and not there yet', async () => {
    const chat = use();
    await chat.show(conversation(turns(4, 10), { messageCount: 14 }));
    await chat.tell({ type: 'messagePreviewed', messageId: 'm3' });
    const { fromMessageId } = await chat.expect('loadEarlier');
    assert.equal(fromMessageId, 'm3');
    await chat.reply('loadEarlier', { messages: turns(10) });
    await chat.page.locator('[data-message-id="m3"].previewed').waitFor();
  });
});
