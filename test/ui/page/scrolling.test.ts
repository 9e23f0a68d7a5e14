import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { until } from '../../fixtures/until.ts';
import type { Chat } from './harness/chat.ts';
import { answer, conversation, question, streaming, toolCall, turns } from './harness/conversations.ts';
import { line, opened, stream } from './harness/growingAnswer.ts';
import { useChat } from './harness/useChat.ts';

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

  it('stays at its end while the answer by the way grows there, and when it ends', async () => {
    const chat = use();
    const aside = (message: ReturnType<typeof streaming>) =>
      conversation(turns(40), {
        sideQuestions: [{ branch: 'main-v2', question: 'What time is it?', answer: message }],
      });
    await chat.show(aside(streaming('s', 'Late.')));
    await until(async () => (await chat.fromEnd()) < 2, 'the end to be shown');
    await chat.delta('s', '\n\nVery.'.repeat(5), 5);
    await chat.page.locator('.aside').getByText('Very.').last().waitFor();
    assert.ok((await chat.fromEnd()) < 2);
    await chat.show(
      aside(answer('s', 'Late.', { status: 'failed', error: 'The server closed the connection.' })),
    );
    await chat.page.locator('.aside .status.failed').waitFor();
    assert.ok((await chat.fromEnd()) < 2);
    assert.equal(await chat.button('Jump to latest').count(), 0);
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
    assert.deepEqual(asked, { type: 'loadEarlier', branch: 'main', beforeMessageId: 'm100' });
    const before = await topOf(chat, 'm102');
    await chat.reply('loadEarlier', { messages: turns(60, 40) });
    await chat.page.locator('[data-message-id="m99"]').waitFor({ state: 'attached' });
    await chat.frame();
    assert.ok(Math.abs((await topOf(chat, 'm102')) - before) <= 1);
    await scrollTo(chat, 0);
    await until(async () => (await timesAsked(chat)) === 2, 'the next earlier messages to be asked for');
    assert.equal((await chat.expect('loadEarlier')).beforeMessageId, 'm40');
    await chat.reply('loadEarlier', { messages: turns(40) });
    await chat.button('Show earlier messages').waitFor({ state: 'detached' });
    await scrollTo(chat, 0);
    await chat.page.getByText('Question m0:').waitFor();
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
    await chat.refuse('loadEarlier', 'The file could not be read.');
    await chat.page.getByText('The file could not be read.').waitFor();
    await chat.button('Show earlier messages').click();
    await until(async () => (await timesAsked(chat)) === 2, 'a second question');
  });

  it('releases a long past when one is back at the end', async () => {
    const chat = use();
    await chat.show(conversation(turns(60, 400), { messageCount: 460 }));
    await scrollTo(chat, 100);
    await chat.reply('loadEarlier', { messages: turns(400) });
    await chat.button('Show earlier messages').waitFor({ state: 'detached' });
    await chat.button('Jump to latest').click();
    await chat.button('Show earlier messages').waitFor({ state: 'attached' });
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
    await chat.reply('loadEarlier', { messages: turns(310, 90) });
    await chat.page.locator('[data-message-id="m100"]:focus').waitFor();
    const top = await topOf(chat, 'm100');
    assert.ok(top > 0 && top < 600, `m100 at ${top}`);
  });

  it('draws what is near and nothing else, and holds none of what is far', async () => {
    const chat = use();
    const all = turns(1_000);
    await chat.answerEarlier(all);
    await chat.show(conversation(all.slice(940), { messageCount: 1_000 }));
    const elements = (): Promise<number> =>
      chat.page.evaluate<number>("document.querySelectorAll('*').length");
    const before = await elements();
    await readUpTo(chat, 'm0');
    assert.ok((await elements()) < before * 3, `${before}, ${await elements()}`);
    assert.equal(await chat.page.locator('[data-message-id="m0"]').getAttribute('aria-posinset'), '1');
    assert.equal(await chat.messages.last().getAttribute('aria-posinset'), '1000');
    assert.equal(await chat.messages.last().getAttribute('aria-setsize'), '1000');
    // Down again, what one passes is asked for again and stands where it stood.
    const asked = (await chat.sent()).length;
    const height = await chat.page.evaluate<number>("document.querySelector('.scroller').scrollHeight");
    await until(async () => {
      await scrollTo(chat, 0);
      await scrollTo(chat, height / 2);
      return (await chat.sent()).length > asked;
    }, 'what is near now to be asked for');
    await until(async () => (await visibleIds(chat)).length > 0, 'visible messages');
    await chat.frame();
    const now = await chat.page.evaluate<number>("document.querySelector('.scroller').scrollHeight");
    assert.ok(Math.abs(now - height) < height / 20, `${height} became ${now}`);
    await chat.button('Jump to latest').click();
    await chat.page.getByText('Answer m999:').waitFor();
    await until(async () => (await chat.fromEnd()) < 2, 'the end to be shown');
  });

  it('shows no gap and no jump while one scrolls through messages of every height', async () => {
    const chat = use();
    const all = turns(160).map((message, index) =>
      index % 2 === 0
        ? message
        : answer(message.id, `${`Part of ${message.id}.\n\n`.repeat((index * 7) % 40)}The end.`),
    );
    await chat.answerEarlier(all);
    await chat.show(conversation(all.slice(110), { messageCount: 160 }));
    for (const by of [-350, 350]) {
      const { jumps, blanks, steps } = await glide(chat, by);
      assert.deepEqual([jumps, blanks], [[], 0], `by ${by}`);
      assert.ok(steps > 60, `${steps} steps by ${by}`);
    }
  });

  it('keeps what is being edited and what is selected, however far one scrolls', async () => {
    const chat = use();
    const all = turns(300);
    await chat.answerEarlier(all);
    await chat.show(conversation(all.slice(240), { messageCount: 300 }));
    const edited = chat.page.locator('[data-message-id="m298"]');
    await edited.focus();
    await edited.getByRole('button', { name: 'Edit here, on a new branch' }).click();
    // Once it has the keyboard, its cursor is where it is to be.
    await edited.locator('textarea:focus').waitFor();
    await edited.getByRole('textbox').fill('asked differently');
    await chat.input.focus();
    await chat.page.evaluate(
      'getSelection().selectAllChildren(document.querySelector(\'[data-message-id="m297"] .markdown\'))',
    );
    await readUpTo(chat, 'm0');
    assert.equal(await chat.page.locator('[data-message-id="m290"]').count(), 0);
    assert.match(await chat.page.evaluate<string>('getSelection().toString()'), /Answer m297/);
    await chat.button('Jump to latest').click();
    assert.equal(await edited.getByRole('textbox').inputValue(), 'asked differently');
  });

  it('leaves open what was opened, however far one scrolls', async () => {
    const chat = use();
    const paragraphs = Array.from({ length: 400 }, (_, index) => `Paragraph ${index}.`).join('\n\n');
    const all = [
      ...turns(297),
      answer('said', paragraphs),
      question('asked', `${'so '.repeat(2_000)}much`),
      answer('used', '', { parts: [toolCall(), { type: 'reasoning', text: 'Because.' }] }),
    ];
    await chat.answerEarlier(all);
    await chat.show(conversation(all.slice(240), { messageCount: 300 }));
    const of = (id: string): Locator => chat.page.locator(`[data-message-id="${id}"]`);
    const more = (id: string): Locator => of(id).getByRole('button', { name: 'Show more' });
    await of('used').getByText('Read src/greet.ts', { exact: true }).click();
    await of('used').getByText('Reasoning').click();
    await more('asked').click();
    // It is far above by now, and is drawn only near what is in view.
    await until(async () => {
      if (await more('said').isVisible()) {
        await more('said').click({ timeout: 2_000 });
        return true;
      }
      await chat.page.evaluate("document.querySelector('.scroller').scrollBy(0, -400)");
      return false;
    }, 'more of the answer to be asked for');
    await readUpTo(chat, 'm0');
    assert.equal(await of('asked').count(), 0);
    await chat.button('Jump to latest').click();
    await of('used').locator('.tool-body').waitFor();
    await of('used').getByText('Because.').waitFor();
    await of('asked').getByText('much').waitFor();
    await of('said').getByText('Paragraph 399.').waitFor();
    assert.equal(await chat.page.getByRole('button', { name: 'Show more' }).count(), 0);
  });

  it('leads the keyboard to messages that are not drawn', async () => {
    const chat = use();
    const all = turns(200);
    await chat.answerEarlier(all);
    await chat.show(conversation(all.slice(140), { messageCount: 200 }));
    await readUpTo(chat, 'm0');
    const focus = (id: string): Promise<void> =>
      chat.page.locator(`[data-message-id="${id}"]:focus`).waitFor();
    await chat.messages.last().focus();
    await chat.page.keyboard.press('Home');
    await focus('m0');
    await chat.page.keyboard.press('End');
    await focus('m199');
    await until(async () => {
      // Going to the end may not have come to rest yet.
      await scrollTo(chat, 0);
      return (await chat.page.locator('[data-message-id="m198"]').count()) === 0;
    }, 'the end to go');
    await chat.page.keyboard.press('ArrowUp');
    await focus('m198');
    await scrollTo(chat, 0);
    await chat.tell({ type: 'questionStepped', direction: 'previous' });
    await focus('m196');
    await chat.tell({ type: 'messageRevealed', messageId: 'm100' });
    await focus('m100');
    assert.ok((await visibleIds(chat)).includes('m100'));
  });
});

/** Scrolls to the beginning, which is further and further up, until a message is visible. */
async function readUpTo(chat: Chat, id: string): Promise<void> {
  await until(async () => {
    await scrollTo(chat, 0);
    return (await visibleIds(chat)).includes(id);
  }, `${id} to be visible`);
}

/** The messages of which something can be seen. */
async function visibleIds(chat: Chat): Promise<string[]> {
  return chat.page.evaluate<string[]>(`{
    const { top, bottom } = document.querySelector('.scroller').getBoundingClientRect();
    [...document.querySelectorAll('.message')]
      .filter((message) => message.getBoundingClientRect().bottom > top && message.getBoundingClientRect().top < bottom)
      .map((message) => message.dataset.messageId);
  }`);
}

/**
 * Scrolls by so much each frame until it goes no further. What is visible has to move by just that: `jumps` are the
 * frames in which it did not, by how much; `blanks` those in which nothing was visible.
 */
async function glide(chat: Chat, by: number): Promise<{ jumps: number[]; blanks: number; steps: number }> {
  return chat.page.evaluate(`(async () => {
    const scroller = document.querySelector('.scroller');
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const seen = () => {
      const { top, bottom } = scroller.getBoundingClientRect();
      const places = new Map();
      for (const message of document.querySelectorAll('.message')) {
        const box = message.getBoundingClientRect();
        if (box.bottom > top && box.top < bottom) places.set(message.dataset.messageId, box.top);
      }
      return places;
    };
    const jumps = [];
    let blanks = 0, steps = 0, still = 0;
    while (still < 20) {
      const before = seen();
      const top = scroller.scrollTop;
      scroller.scrollTop += ${by};
      const moved = scroller.scrollTop - top;
      do await painted();
      while (window.unanswered > 0);
      const after = seen();
      if (after.size === 0) blanks++;
      const shared = [...before.keys()].find((id) => after.has(id));
      const off = shared === undefined ? 0 : before.get(shared) - after.get(shared) - moved;
      if (Math.abs(off) > 2) jumps.push(off);
      still = Math.abs(moved) < 1 ? still + 1 : 0;
      steps++;
    }
    return { jumps, blanks, steps };
  })()`);
}

/** How often the page asked for earlier messages. */
async function timesAsked(chat: Chat): Promise<number> {
  return (await chat.sent()).filter(({ type }) => type === 'loadEarlier').length;
}
