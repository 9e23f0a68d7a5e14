import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import { busyConversation } from './harness/busyConversation.ts';
import type { Chat } from './harness/chat.ts';
import { answer, askingCall, conversation, question, streaming, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const names = (chat: Chat): Promise<(string | null)[]> =>
  chat.page
    .locator('[data-segment]')
    .evaluateAll((all) =>
      all.map((each) =>
        (each as unknown as { getAttribute(name: string): string }).getAttribute('aria-label'),
      ),
    );

/** The segments whose panel is open, as a user sees it. */
const open = (chat: Chat): Promise<string[]> =>
  chat.page
    .locator('[data-segment][aria-expanded="true"]')
    .evaluateAll((all) =>
      all.map((each) => (each as unknown as { dataset: { segment: string } }).dataset.segment),
    );

const focused = (chat: Chat): Promise<string> =>
  chat.page.evaluate<string>(
    "document.activeElement.dataset.segment ?? document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName",
  );

for (const width of [240, 400, 800]) {
  describe(`what stands next to the conversation, at a width of ${width} pixels`, () => {
    const use = useChat({ viewport: { width, height: 900 } });
    const heightOf = async (selector: string): Promise<number> =>
      (await use().page.locator(selector).boundingBox())?.height ?? 0;

    it('takes one line while it is closed, and leaves three fifths of the view while it is open', async () => {
      const chat = use();
      const asking = {
        id: 'w',
        severity: 'warning' as const,
        title: 'Read-only',
        text: 'Another window writes. '.repeat(20),
      };
      await chat.show(busyConversation());
      assert.deepEqual(await names(chat), [
        'No folder open',
        'Plan',
        '2 side questions',
        '2 queued',
        '2/5 todos, 2 of 5 done',
        '4 files changed',
      ]);
      assert.deepEqual(await open(chat), []);
      assert.ok((await heightOf('.tray')) <= 28, 'it is one line');
      assert.ok((await heightOf('.conversation')) >= 900 * 0.75);
      for (const id of ['plan', 'sideQuestions', 'queue', 'todos', 'review', 'notices'] as const) {
        await chat.openPanel(id);
        await chat.frame();
        assert.ok((await heightOf('.conversation')) >= 900 * 0.6, `with ${id} open`);
      }
      await chat.show(busyConversation({ banners: [asking] }));
      await chat.frame();
      assert.deepEqual(await open(chat), ['notices']);
      assert.ok((await heightOf('.conversation')) >= 900 * 0.6, 'with what opens by itself');
    });

    it('shows the words of all segments or of none, and the counts of all', async () => {
      const chat = use();
      const state = (): Promise<readonly (readonly [boolean, boolean])[]> =>
        chat.page.evaluate(`[...document.querySelectorAll('[data-segment]')].map((segment) => {
          const box = segment.getBoundingClientRect();
          const isIn = (part) => {
            const { top, right } = part.getBoundingClientRect();
            return top < box.bottom && right <= box.right + 1;
          };
          return [isIn(segment.querySelector('.tray-mark')), isIn(segment.querySelector('.tray-words'))];
        })`);
      await chat.show(busyConversation());
      const all = await state();
      assert.ok(all.every(([hasMark]) => hasMark));
      assert.equal(new Set(all.map(([, hasWords]) => hasWords)).size, 1);
      assert.equal(all[0]?.[1], width === 800);
      await chat.show(conversation(turns(2), { queue: [{ id: 'q', text: 'next', isSteering: false }] }));
      assert.deepEqual(await state(), [[true, true]], 'one has room at any width');
    });
  });
}

describe('what stands next to the conversation', () => {
  const use = useChat({ viewport: { width: 400, height: 700 } });

  it('opens one panel at a time, and closes it by its own button', async () => {
    const chat = use();
    await chat.show(busyConversation());
    for (const id of ['todos', 'review'] as const) {
      await chat.segment(id).click();
      assert.deepEqual(await open(chat), [id]);
      assert.equal(await chat.page.locator('.tray-panel').count(), 1);
    }
    await chat.segment('review').click();
    assert.deepEqual(await open(chat), []);
  });

  it('is one stop of the Tab key, walked by arrows, and Escape leads back to the segment and the input', async () => {
    const chat = use();
    await chat.show(busyConversation());
    await chat.segment('plan').focus();
    const { keyboard } = chat.page;
    for (const [key, id] of [
      ['ArrowRight', 'sideQuestions'],
      ['End', 'review'],
      ['ArrowRight', 'notices'],
      ['ArrowLeft', 'review'],
      ['Home', 'notices'],
    ] as const) {
      await keyboard.press(key);
      assert.equal(await focused(chat), id, `after ${key}`);
    }
    await keyboard.press('End');
    await keyboard.press('Enter');
    assert.deepEqual(await open(chat), ['review']);
    await keyboard.press('Tab');
    assert.equal(await chat.page.evaluate('document.activeElement.textContent'), 'Keep');
    await keyboard.press('Escape');
    assert.equal(await focused(chat), 'review');
    await until(async () => (await open(chat)).length === 0, 'the panel to be closed');
    await keyboard.press('Escape');
    assert.equal(await focused(chat), 'Message');
    const acts = (await chat.sent()).filter(({ type }) => type === 'stopAnswer' || type === 'runCommandHere');
    assert.deepEqual(acts, [], 'nothing was stopped or rewound');
  });

  it('opens by itself for what needs the user, once, and not under what is typed in another panel', async () => {
    const chat = use();
    const [, side] = busyConversation().sideQuestions;
    assert.ok(side);
    const at = (rest: object) => conversation(turns(2), { sideQuestions: [side], ...rest });
    const queue = [{ id: 'q', text: 'next', isSteering: false }];
    await chat.show(at({}));
    assert.deepEqual(await open(chat), []);
    await chat.show(at({ queue }));
    assert.deepEqual(await open(chat), ['queue'], 'it is paused');
    await chat.segment('queue').click();
    await chat.show(at({ queue: [...queue, { id: 'r', text: 'another', isSteering: false }] }));
    assert.deepEqual(await open(chat), [], 'the user has closed it');
    assert.equal((await names(chat))[1], '2 queued, needs your attention');
    await chat.openPanel('sideQuestions');
    const followUp = chat.page.getByRole('textbox', { name: 'Follow-up' });
    await followUp.fill('and');
    await chat.tell({ type: 'actionFailed', text: 'That did not work.' });
    await chat.frame();
    assert.deepEqual(await open(chat), ['sideQuestions']);
    await followUp.press('Escape');
    await until(async () => (await open(chat)).join() === 'notices', 'the failure');
  });

  it('clips no card by what opens by itself: not the one in the panel, nor what a tool asks', async () => {
    const chat = use();
    const { page } = chat;
    const call = askingCall('ask-1');
    const asking = { ...streaming('running', 'I change it.'), parts: [call] };
    const heightOfCard = async (): Promise<number> => {
      await chat.openPanel('sideQuestions');
      await chat.frame();
      return (await page.locator('.aside').first().boundingBox())?.height ?? 0;
    };
    await chat.show(busyConversation({ running: asking }));
    const before = await heightOfCard();
    const text = 'Another window writes. '.repeat(20);
    const notice = { id: 'w', severity: 'warning' as const, title: 'Read-only', text };
    await chat.show(busyConversation({ running: asking, banners: [notice] }));
    await until(async () => (await open(chat)).join() === 'notices', 'the notice to open');
    await chat.frame();
    assert.equal(await page.locator('.tray-panel .aside').count(), 0);
    for (const button of await page.locator('.approval-button').all()) {
      const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
      const hit = `document.elementFromPoint(${x + width / 2}, ${y + height / 2})?.closest('.approval-button') !== null`;
      assert.ok(await page.evaluate<boolean>(hit), (await button.textContent()) ?? '');
    }
    assert.equal(await heightOfCard(), before);
  });

  it('opens for a question that is asked by the way, and while its answer is written', async () => {
    const chat = use();
    const withSide = (message: ReturnType<typeof answer>) =>
      conversation(turns(2), {
        sideQuestions: [{ branch: 'b', branchId: 'side', question: 'And?', answer: message }],
      });
    await chat.show(conversation(turns(2)));
    await chat.input.fill('And?');
    await chat.page.keyboard.press('Control+Enter');
    await chat.expect('askSideQuestion');
    // One that is answered at once is never seen on its way.
    await chat.show(withSide(answer('s', 'So.')));
    assert.deepEqual(await open(chat), ['sideQuestions']);
    await chat.segment('sideQuestions').click();
    await chat.show(withSide(streaming('t', 'An')));
    assert.deepEqual(await open(chat), ['sideQuestions']);
  });

  it('folds what is done with the next question, and keeps what is not', async () => {
    const chat = use();
    const next = (count: number, rest: object = {}) => ({
      ...busyConversation(rest),
      messages: turns(count),
      messageCount: count,
    });
    await chat.show(next(2));
    await chat.openPanel('todos');
    await chat.show(next(2));
    assert.deepEqual(await open(chat), ['todos'], 'it is the same question');
    await chat.show(next(3));
    assert.deepEqual(await open(chat), []);
    const sideQuestions = [{ branch: 'b', branchId: 'side', question: 'And?', answer: streaming('s', 'So') }];
    await chat.show(next(4, { sideQuestions }));
    assert.deepEqual(await open(chat), ['sideQuestions']);
    await chat.show(next(5, { sideQuestions }));
    assert.deepEqual(await open(chat), ['sideQuestions'], 'it is still written');
    await chat.show(next(5, { sideQuestions: [{ ...sideQuestions[0], answer: answer('s', 'So.') }] }));
    await chat.show(next(7, { sideQuestions: [{ ...sideQuestions[0], answer: answer('s', 'So.') }] }));
    assert.deepEqual(await open(chat), []);
  });

  it('offers a plan that has just come, and folds it once the user has gone on', async () => {
    const chat = use();
    const plan = [question('q', 'How?'), answer('a', '1. Look.', { isPlan: true })];
    await chat.show(conversation(plan));
    assert.deepEqual(await open(chat), ['plan']);
    await chat.show(conversation([...plan, question('q2', 'Implement this plan.')]));
    assert.deepEqual(await open(chat), []);
  });

  it('has its counts read out once an answer has ended', async () => {
    const chat = use();
    const heard = chat.page.locator('.tray [aria-live]');
    const files = (count: number) => ({ review: { count, added: 1, removed: 0, files: [] } });
    await chat.show(conversation(turns(3), { running: streaming('m3', 'I'), ...files(1) }));
    assert.equal(await heard.innerText(), '');
    await chat.show(conversation(turns(4), files(2)));
    await until(async () => (await heard.innerText()) === '2 files changed', 'the counts');
  });

  it('names a branch once, where it stands among those it comes from', async () => {
    const chat = use();
    const name = 'How would you greet in another language?';
    const seen = (): Promise<number> =>
      chat.page.evaluate<number>(`[...document.querySelectorAll('.header *, .crumbs *')].filter((each) =>
        each.children.length === 0 && each.textContent === ${JSON.stringify(name)} && each.getBoundingClientRect().width > 1).length`);
    await chat.show(busyConversation());
    assert.equal(await seen(), 1);
    assert.match(await chat.page.locator('.branch-button').innerText(), /^3/, 'no part of the name');
    await chat.show(conversation(turns(2), { branchLabel: name, branchCount: 2 }));
    assert.equal(await seen(), 1);
    await chat.show(conversation(turns(2), { branchLabel: name }));
    assert.equal(await seen(), 0, 'the only one is the chat');
  });
});
