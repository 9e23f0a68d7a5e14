import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import type { Chat } from './harness/chat.ts';
import { conversation, streaming, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const line = 'Some more words of an answer that goes on.\n\n';

/** A long conversation whose answer streams. */
const opened = conversation(turns(41), { running: streaming('a') });

async function stream(chat: Chat, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index++) await chat.delta('a', line, index * line.length);
  await until(async () => (await chat.messages.last().locator('.block').count()) === to, `${to} paragraphs`);
  await chat.frame();
}

async function scrollTo(chat: Chat, top: number): Promise<void> {
  await chat.page.evaluate(`document.querySelector('.scroller').scrollTop = ${top}`);
  await chat.frame();
}

/** Where a message stands on the screen. */
async function topOf(chat: Chat, id: string): Promise<number> {
  return chat.page.evaluate<number>(
    `document.querySelector('[data-message-id="${id}"]').getBoundingClientRect().top`,
  );
}

describe('the conversation on the page', () => {
  const use = useChat();

  it('is shown from its end, and follows it while an answer streams', async () => {
    const chat = use();
    await chat.show(opened);
    await until(async () => (await chat.fromEnd()) < 2, 'the end to be shown');
    await stream(chat, 0, 40);
    assert.ok((await chat.fromEnd()) < 2);
    assert.equal(await chat.button('Jump to latest').count(), 0);
  });

  it('stays put while one reads further up, and jumps to the latest on demand', async () => {
    const chat = use();
    await chat.show(opened);
    await stream(chat, 0, 20);
    await scrollTo(chat, (await chat.scrollTop()) - 300);
    const before = await chat.scrollTop();
    await stream(chat, 20, 40);
    await chat.show(conversation(turns(41), { running: streaming('a', line.repeat(40)), branchCount: 2 }));
    assert.equal(await chat.scrollTop(), before);
    await chat.button('Jump to latest').click();
    await until(async () => (await chat.fromEnd()) < 2, 'the end to be shown');
    await stream(chat, 40, 50);
    assert.ok((await chat.fromEnd()) < 2);
  });

  it('is shown from its end upon another branch', async () => {
    const chat = use();
    await chat.show(conversation(turns(40)));
    await scrollTo(chat, 100);
    await chat.show(conversation(turns(30), { branch: 'main-v2', branchCount: 2 }));
    await until(async () => (await chat.fromEnd()) < 2, 'the end to be shown');
  });

  it('is shown from its end when one asks, wherever one was', async () => {
    const chat = use();
    await chat.show(conversation(turns(40)));
    await scrollTo(chat, 100);
    await chat.show(conversation(turns(41)));
    await until(async () => (await chat.fromEnd()) < 2, 'the end to be shown');
  });

  it('fetches earlier messages as one scrolls up, and what one reads stays where it is', async () => {
    const chat = use();
    await chat.show(conversation(turns(60, 100), { messageCount: 160 }));
    await scrollTo(chat, 200);
    const asked = await chat.expect('loadEarlier');
    assert.deepEqual(asked, { type: 'loadEarlier', request: 1, branch: 'main', beforeMessageId: 'm100' });
    const before = await topOf(chat, 'm102');
    await chat.tell({ type: 'earlierMessages', request: 1, branch: 'main', messages: turns(60, 40) });
    await chat.page.locator('[data-message-id="m40"]').waitFor({ state: 'attached' });
    await chat.frame();
    assert.ok(Math.abs((await topOf(chat, 'm102')) - before) <= 1);
    await scrollTo(chat, 0);
    const next = await until(async () => {
      const last = await chat.expect('loadEarlier');
      return last.request === 2 && last;
    }, 'the next earlier messages to be asked for');
    assert.equal(next.beforeMessageId, 'm40');
    await chat.tell({ type: 'earlierMessages', request: 2, branch: 'main', messages: turns(40) });
    await until(async () => (await chat.messages.count()) === 160, 'all messages');
    assert.equal(await chat.button('Show earlier messages').count(), 0);
  });

  it('asks for earlier messages once, however much one scrolls', async () => {
    const chat = use();
    await chat.show(conversation(turns(60, 100), { messageCount: 160 }));
    for (const top of [300, 200, 100, 150, 50]) await scrollTo(chat, top);
    assert.equal((await chat.sent()).filter(({ type }) => type === 'loadEarlier').length, 1);
  });

  it('asks for earlier messages again when they could not be had', async () => {
    const chat = use();
    await chat.show(conversation(turns(60, 100), { messageCount: 160 }));
    await scrollTo(chat, 0);
    await chat.expect('loadEarlier');
    await chat.tell({ type: 'actionFailed', text: 'The file could not be read.' });
    await chat.button('Show earlier messages').click();
    await until(async () => (await chat.expect('loadEarlier')).request === 2, 'a second question');
  });

  it('lets go of a long past when one is back at the end', async () => {
    const chat = use();
    await chat.show(conversation(turns(60, 400), { messageCount: 460 }));
    await scrollTo(chat, 100);
    await chat.tell({ type: 'earlierMessages', request: 1, branch: 'main', messages: turns(400) });
    await until(async () => (await chat.messages.count()) === 460, 'all messages');
    await chat.button('Jump to latest').click();
    await until(async () => (await chat.messages.count()) === 60, 'the earlier messages to go');
    assert.ok((await chat.fromEnd()) < 2);
  });

  it('brings a message that is looked for into view, and the keyboard to it', async () => {
    const chat = use();
    await chat.show(conversation(turns(60)));
    await chat.tell({ type: 'messageRevealed', messageId: 'm10' });
    await chat.page.locator('[data-message-id="m10"]:focus').waitFor();
    const top = await topOf(chat, 'm10');
    assert.ok(top > 0 && (await chat.fromEnd()) > 100, `m10 at ${top}`);
    await chat.frame();
    assert.equal((await chat.sent()).filter(({ type }) => type === 'loadEarlier').length, 0);
  });

  it('fetches a message that is looked for, with all that is between', async () => {
    const chat = use();
    await chat.show(conversation(turns(60, 400), { messageCount: 460 }));
    await chat.tell({ type: 'messageRevealed', messageId: 'm100' });
    const asked = await chat.expect('loadEarlier');
    assert.deepEqual([asked.beforeMessageId, asked.fromMessageId], ['m400', 'm100']);
    await chat.tell({ type: 'earlierMessages', request: 1, branch: 'main', messages: turns(310, 90) });
    await chat.page.locator('[data-message-id="m100"]:focus').waitFor();
    const top = await topOf(chat, 'm100');
    assert.ok(top > 0 && top < 600, `m100 at ${top}`);
  });

  it('keeps the places of messages far away and nothing else, and shows them when one is back', async () => {
    const chat = use();
    const state = (): Promise<{ elements: number; height: number; empty: number }> =>
      chat.page.evaluate(`({
        elements: document.querySelectorAll('*').length,
        height: document.querySelector('.messages').scrollHeight,
        empty: [...document.querySelectorAll('.message')].filter((message) => !message.firstChild).length,
      })`);
    await chat.show(conversation(turns(60, 940), { messageCount: 1_000 }));
    const before = await state();
    await scrollTo(chat, 0);
    await chat.tell({ type: 'earlierMessages', request: 1, branch: 'main', messages: turns(940) });
    await scrollTo(chat, 0);
    await until(async () => (await state()).empty > 700, 'what is far to be let go of');
    const after = await state();
    assert.ok(after.elements < before.elements * 6, `${before.elements}, ${after.elements}`);
    await chat.page.getByText('Question m0:').waitFor();
    assert.equal(await chat.messages.count(), 1_000);
    // Nothing moves: each has the height it had.
    await scrollTo(chat, 20_000);
    const shown = chat.page.locator('.message:not(:empty)', { hasText: 'm300:' });
    await until(
      async () => (await shown.count()) === 1 || (await scrollBy(chat, 2_000)),
      'a message far down',
    );
    await chat.button('Jump to latest').click();
    await chat.page.getByText('Answer m999:').waitFor();
  });
});

async function scrollBy(chat: Chat, pixels: number): Promise<false> {
  await scrollTo(chat, (await chat.scrollTop()) + pixels);
  return false;
}
