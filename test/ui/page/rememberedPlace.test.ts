import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import type { Chat } from './harness/chat.ts';
import { conversation, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('the page that was hidden and is shown again', () => {
  const use = useChat();

  /** How far a message is below the top of what one sees. */
  const offsetOf = (chat: Chat, id: string): Promise<number> =>
    chat.page.evaluate<number>(
      `document.querySelector('[data-message-id="${id}"]').getBoundingClientRect().top - document.querySelector('.scroller').getBoundingClientRect().top`,
    );
  /** What the page kept, and finds when it starts again. */
  const kept = (chat: Chat): Promise<{ messageId: string; offset: number }> =>
    chat.page.evaluate("JSON.parse(sessionStorage.getItem('state')).place");
  const scrollTo = async (chat: Chat, top: number): Promise<void> => {
    await chat.scroller.evaluate((scroller, value) => {
      (scroller as unknown as { scrollTop: number }).scrollTop = value;
    }, top);
    await chat.frame();
  };
  const isKept = (chat: Chat): Promise<boolean> =>
    chat.page.evaluate<boolean>("sessionStorage.getItem('state')?.includes('\"place\"') ?? false");
  /** A hidden page is gone; what it kept is not. */
  const reopen = async (chat: Chat): Promise<void> => {
    await chat.page.reload();
    await chat.loaded();
  };

  it('is where one read, with what was typed', async () => {
    const chat = use();
    await chat.show(conversation(turns(60)));
    await chat.input.fill('half a question');
    await scrollTo(chat, 400);
    await until(() => isKept(chat), 'the place to be kept');
    await reopen(chat);
    const { messageId, offset } = await kept(chat);
    await chat.show(conversation(turns(60)));
    await until(
      async () => Math.abs((await offsetOf(chat, messageId)) - offset) <= 2,
      `${messageId} to be where it was`,
    );
    assert.equal(await chat.input.inputValue(), 'half a question');
    await chat.button('Jump to latest').waitFor();
  });

  it('is there with the last conversation as with the whole of it, which follows', async () => {
    const chat = use();
    await chat.show(conversation(turns(60)));
    await scrollTo(chat, 1_200);
    await until(() => isKept(chat), 'the place to be kept');
    await reopen(chat);
    const { messageId, offset } = await kept(chat);
    await chat.show(conversation(turns(12, 48), { messageCount: 60 }));
    await chat.expect('loadEarlier');
    await chat.show(conversation(turns(50, 10), { messageCount: 60 }));
    await until(
      async () => Math.abs((await offsetOf(chat, messageId)) - offset) <= 2,
      `${messageId} to be where it was`,
    );
  });

  it('stays at the end when the whole follows the last conversation', async () => {
    const chat = use();
    await chat.show(conversation(turns(12, 48), { messageCount: 60 }));
    await until(async () => (await chat.fromEnd()) < 2, 'the end to be shown');
    await chat.show(conversation(turns(50, 10), { messageCount: 60 }));
    await chat.page.locator('[data-message-id]').nth(12).waitFor({ state: 'attached' });
    await until(async () => (await chat.fromEnd()) < 2, 'the end to be shown');
    assert.equal(await chat.button('Jump to latest').count(), 0);
  });

  it('fetches what one read when it is further up, and goes there', async () => {
    const chat = use();
    await chat.show(conversation(turns(60)));
    await scrollTo(chat, 300);
    await until(() => isKept(chat), 'the place to be kept');
    await reopen(chat);
    const { messageId, offset } = await kept(chat);
    await chat.show(conversation(turns(20, 40), { messageCount: 60 }));
    await chat.reply('loadEarlier', { messages: turns(40) });
    await until(
      async () => Math.abs((await offsetOf(chat, messageId)) - offset) <= 2,
      `${messageId} to be where it was`,
    );
  });

  it('is at the end when one was there, whatever came since, and on another branch as well', async () => {
    const chat = use();
    await chat.show(conversation(turns(40)));
    await until(async () => (await chat.fromEnd()) < 2, 'the end');
    await reopen(chat);
    await chat.show(conversation(turns(44)));
    await until(async () => (await chat.fromEnd()) < 2, 'the new end');
    await scrollTo(chat, 300);
    await until(() => isKept(chat), 'the place to be kept');
    await reopen(chat);
    await chat.show(conversation(turns(40), { branch: 'main-v2' }));
    await until(async () => (await chat.fromEnd()) < 2, 'the end of the other branch');
  });
});
