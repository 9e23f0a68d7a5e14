import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ConversationView } from '../../../src/protocol/chatFromHost.ts';
import type { Chat } from './harness/chat.ts';
import { answer, askingCall, conversation, question, streaming, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('the keyboard, when what has it goes away', () => {
  const use = useChat();

  /** What has the keyboard: a message, a named control, or the name of the element. */
  const focused = (chat: Chat): Promise<string> =>
    chat.page.evaluate<string>(
      "(({ dataset, tagName, ...element }) => dataset?.messageId ?? document.activeElement.getAttribute('aria-label') ?? tagName)(document.activeElement)",
    );

  it('goes to the input when a failure is dismissed', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    await chat.tell({ type: 'actionFailed', text: 'That did not work.' });
    await chat.button('Dismiss').focus();
    await chat.page.keyboard.press('Enter');
    await chat.button('Dismiss').waitFor({ state: 'detached' });
    assert.equal(await focused(chat), 'Message');
  });

  it('goes to the input when a side question is closed, and when an answer is stopped', async () => {
    const chat = use();
    const sideQuestion = { branch: 'main-v2', question: 'What time is it?', answer: answer('s1', 'Late.') };
    await chat.show(
      conversation(turns(2), { sideQuestions: [sideQuestion], running: streaming('m3', 'Once') }),
    );
    await chat.openPanel('sideQuestions');
    await chat.button('Close; the branch stays in the tree').focus();
    await chat.show(conversation(turns(2), { running: streaming('m3', 'Once') }));
    assert.equal(await focused(chat), 'Message');
    await chat.button('Stop').focus();
    await chat.page.keyboard.press('Enter');
    await chat.show(conversation([...turns(2), answer('m3', 'Once', { status: 'interrupted' })]));
    assert.equal(await focused(chat), 'Message');
  });

  it('stays at the message when a part of it is drawn differently', async () => {
    const chat = use();
    await chat.show(conversation([question('q1', 'word '.repeat(2_000)), answer('a1', 'Yes.')]));
    await chat.button('Show more').focus();
    await chat.page.keyboard.press('Enter');
    await chat.button('Show more').waitFor({ state: 'detached' });
    assert.equal(await focused(chat), 'q1');
  });

  it('stays where it is while an answer streams and ends', async () => {
    const chat = use();
    await chat.show(conversation(turns(3), { running: streaming('m3') }));
    await chat.page.locator('[data-message-id="m1"]').focus();
    await chat.delta('m3', 'So.', 0);
    assert.equal(await focused(chat), 'm1');
    await chat.show(conversation(turns(4)));
    assert.equal(await focused(chat), 'm1');
    await chat.page.locator('[data-message-id="m3"]').focus();
    await chat.show(conversation(turns(6)));
    assert.equal(await focused(chat), 'm3');
  });

  it('is not taken by what comes while the user types', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    await chat.input.focus();
    await chat.show(
      conversation(turns(2), { running: { ...streaming('m3'), parts: [askingCall('ask-1')] } }),
    );
    await chat.tell({ type: 'actionFailed', text: 'That did not work.' });
    await chat.frame();
    assert.equal(await focused(chat), 'Message');
  });
});

describe('what is typed', () => {
  const use = useChat();
  const aside = (id: string) => ({
    branch: id,
    branchId: `id of ${id}`,
    question: 'What time is it?',
    answer: answer(`answer ${id}`, 'Late.'),
  });
  const asides = [aside('side-1'), aside('side-2')];
  const running = streaming('m3', 'Once');
  const followUp = (chat: Chat, branch: string): Locator =>
    chat.page.locator(`[data-branch="${branch}"]`).getByRole('textbox', { name: 'Follow-up' });
  const show = async (chat: Chat, shown: ConversationView): Promise<void> => {
    await chat.show(shown);
    await chat.openPanel('sideQuestions');
  };
  const type = async (chat: Chat, text: string): Promise<void> => {
    await chat.page.keyboard.type(text);
    await chat.frame();
  };
  /** What each box of the page holds, by its name. */
  const boxes = (chat: Chat): Promise<string[]> =>
    chat.page.evaluate<string[]>(
      "[...document.querySelectorAll('textarea')].filter(({ value }) => value !== '').map(({ ariaLabel, value }) => `${ariaLabel}: ${value}`)",
    );

  it('goes into the composer after Stop, with side questions above it', async () => {
    const chat = use();
    await show(chat, conversation(turns(2), { sideQuestions: asides, running }));
    await chat.button('Stop').click();
    await chat.show(
      conversation([...turns(2), answer('m3', 'Once', { status: 'interrupted' })], { sideQuestions: asides }),
    );
    await type(chat, 'next');
    assert.deepEqual(await boxes(chat), ['Message: next']);
  });

  it('goes into the composer when the window gets the focus again, with side questions above it', async () => {
    const chat = use();
    await show(chat, conversation(turns(2), { sideQuestions: asides }));
    await chat.page.evaluate("document.activeElement.blur(); dispatchEvent(new Event('focus'));");
    await type(chat, 'next');
    assert.deepEqual(await boxes(chat), ['Message: next']);
  });

  it('goes into the box of a follow-up that was just sent by its button', async () => {
    const chat = use();
    await show(chat, conversation(turns(2), { sideQuestions: asides }));
    await followUp(chat, 'side-2').fill('why?');
    await chat.page.locator('[data-branch="side-2"]').getByRole('button', { name: 'Send Follow-up' }).click();
    await chat.expect('askSideQuestion');
    await type(chat, 'and');
    assert.equal(await followUp(chat, 'side-2').inputValue(), 'and');
  });

  it('goes into no other box when the one it was meant for goes away', async () => {
    const chat = use();
    await show(chat, conversation(turns(2), { sideQuestions: asides }));
    await followUp(chat, 'side-2').focus();
    await type(chat, 'one');
    await chat.show(conversation(turns(2), { sideQuestions: asides.slice(0, 1) }));
    await type(chat, 'two');
    assert.deepEqual(await boxes(chat), []);
    await chat.messages.first().focus();
    await chat.messages.first().getByRole('button', { name: 'Edit here, on a new branch' }).click();
    await chat.page.locator('.edit-box textarea:focus').waitFor();
    await chat.show(conversation(turns(4, 10), { branch: 'other', branchCount: 2 }));
    await type(chat, 'three');
    assert.deepEqual(await boxes(chat), []);
    await chat.input.focus();
    await chat.show(conversation(turns(2), { sideQuestions: asides, isReadOnly: true }));
    await type(chat, 'four');
    await chat.openPanel('sideQuestions');
    // That of before is a draft.
    assert.deepEqual(await boxes(chat), ['Follow-up: one']);
  });

  it('stays in its box when its branch gets another name', async () => {
    const chat = use();
    await show(chat, conversation(turns(2), { sideQuestions: asides }));
    await followUp(chat, 'side-2').focus();
    await type(chat, 'one');
    const renamed = { ...aside('side-2'), branch: 'time' };
    await chat.show(conversation(turns(2), { sideQuestions: [renamed] }));
    await type(chat, ' more');
    assert.deepEqual(await boxes(chat), ['Follow-up: one more']);
  });

  it('stays in its box when the composer gets back what could not be asked, or a file', async () => {
    const chat = use();
    await show(chat, conversation(turns(2), { sideQuestions: asides }));
    await followUp(chat, 'side-2').focus();
    await type(chat, 'one');
    await chat.tell({ type: 'composerFilled', text: 'refused', isReply: true });
    await type(chat, ' two');
    await chat.tell({ type: 'attached', attachments: [{ type: 'file', path: 'a.ts' }], isReply: true });
    await type(chat, ' three');
    assert.deepEqual(await boxes(chat), ['Follow-up: one two three', 'Message: refused']);
  });

  it('goes into the composer when the user asks for it, from any box', async () => {
    const chat = use();
    await show(chat, conversation(turns(2), { sideQuestions: asides }));
    await followUp(chat, 'side-2').focus();
    await chat.tell({ type: 'composerFocused', sideQuestion: false });
    await chat.page.locator('.composer textarea:focus').waitFor();
    await type(chat, 'one');
    await followUp(chat, 'side-2').focus();
    await chat.tell({ type: 'composerFilled', text: 'asked before', isStored: true });
    await chat.page.locator('.composer textarea:focus').waitFor();
    await type(chat, '!');
    assert.deepEqual(await boxes(chat), ['Message: asked before\n\none!']);
  });
});

describe('what a screen reader is told', () => {
  const use = useChat();

  it('names a message by whose it is, how far it got, and how it begins', async () => {
    const chat = use();
    await chat.show(
      conversation([
        question('q1', 'What is\na closure?'),
        answer('a1', 'x'.repeat(500)),
        question('q2', 'And?'),
        answer('a2', 'Half', { status: 'failed', error: 'The server closed the connection.' }),
      ]),
    );
    const names = await chat.messages.evaluateAll((all) =>
      all.map((each) => (each as unknown as { ariaLabel: string }).ariaLabel),
    );
    assert.deepEqual(names, [
      'Question: What is a closure?',
      `Answer: ${'x'.repeat(200)}…`,
      'Question: And?',
      'Answer that failed: Half',
    ]);
  });

  it('names an answer without the signs of its Markdown', async () => {
    const chat = use();
    const text =
      '## So\n\nLike **this**, with `code` and a [link](https://example.com):\n\n- *one* of 2 * 3\n\n```ts\nlet a;\n```';
    await chat.show(conversation([question('q1', 'what is **p?'), answer('a1', text)]));
    const names = await chat.messages.evaluateAll((all) =>
      all.map((each) => (each as unknown as { ariaLabel: string }).ariaLabel),
    );
    assert.deepEqual(names, [
      'Question: what is **p?',
      'Answer: So Like this, with code and a link: one of 2 * 3 let a;',
    ]);
  });

  it('tells of an answer that failed, and of one by the way, once', async () => {
    const chat = use();
    const region = chat.page.locator('[aria-live="polite"]').first();
    const side = (message: ReturnType<typeof answer>) => ({
      sideQuestions: [{ branch: 'main-v2', question: 'What time is it?', answer: message }],
    });
    await chat.show(conversation(turns(3), { running: streaming('m3'), ...side(streaming('s1')) }));
    const failed = answer('m3', '', { status: 'failed', error: 'The server closed the connection.' });
    await chat.show(conversation([...turns(3), failed], side(streaming('s1'))));
    assert.equal(await region.innerText(), 'The answer failed. The server closed the connection.');
    await chat.show(conversation([...turns(3), failed], side(answer('s1', 'Late.'))));
    assert.equal(await region.innerText(), 'The answer by the way has arrived.');
  });

  it('gives every control a name', async () => {
    const chat = use();
    await chat.show(
      conversation(turns(4), {
        branchCount: 3,
        running: { ...streaming('m5'), parts: [askingCall('ask-1')] },
        sideQuestions: [{ branch: 'main-v2', question: 'And there?', answer: streaming('s2', 'An hour') }],
      }),
    );
    const controls = await chat.page.locator('button, textarea, summary, [role="region"], [tabindex]').all();
    assert.ok(controls.length > 10);
    for (const control of controls) {
      if (!(await control.isVisible())) continue;
      const snapshot = await control.ariaSnapshot();
      const html = await control.evaluate(
        (element) => (element as unknown as { outerHTML: string }).outerHTML,
      );
      // A code block is its text.
      if (html.startsWith('<pre')) continue;
      assert.match(snapshot, /"[^"]+"|: \S/, html.slice(0, 200));
    }
    const branch = chat.page.getByRole('button', { name: 'Branch main 3 branches' });
    assert.equal(await branch.count(), 1);
  });
});

describe('text of other directions, and words without an end', () => {
  const use = useChat({ viewport: { width: 280, height: 700 } });

  it('is laid out block by block, each the way its own first letter is', async () => {
    const chat = use();
    await chat.show(
      conversation([
        question('q1', 'هل تعمل؟'),
        answer('a1', 'An answer that begins in English.\n\nهذه فقرة بالعربية\n\nAnd goes on in English.'),
      ]),
    );
    const sides = await chat.page.evaluate<
      string[]
    >(`[...document.querySelectorAll('[data-message-id="a1"] p')].map((p) => {
      const range = document.createRange();
      range.selectNodeContents(p);
      const text = range.getBoundingClientRect();
      const room = p.getBoundingClientRect();
      return text.left - room.left > room.right - text.right ? 'right' : 'left';
    })`);
    assert.deepEqual(sides, ['left', 'right', 'left']);
    await chat.screenshot('directions');
    await chat.show(conversation([question('q2', `שלום עולם ${'supercalifragilistic'.repeat(20)}`)]));
    const said = await chat.page.evaluate<unknown[]>(`(() => {
      const said = document.querySelector('[data-message-id="q2"] .said');
      return [getComputedStyle(said.querySelector('[dir]') ?? said).direction, said.scrollWidth <= said.clientWidth];
    })()`);
    assert.deepEqual(said, ['rtl', true]);
  });
});

describe('the chat page at 200 % in a narrow side bar', () => {
  // 280 pixels of the screen.
  const use = useChat({ viewport: { width: 140, height: 400 } });

  it('is not wider than it, and everything can be reached', async () => {
    const chat = use();
    const word = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(3);
    for (const shown of [
      conversation(),
      conversation(
        [
          question('q1', word),
          answer(
            'a1',
            `## ${word}\n\n${word}\n\n- ${word}\n\n\`${word}\`\n\n| a | b |\n| - | - |\n| 1 | 2 |`,
            {
              checkpoints: [word],
            },
          ),
        ],
        {
          branch: word,
          branchCount: 12,
          chat: { id: 'chat-1', title: word },
          running: { ...streaming('a2'), parts: [askingCall('ask-1', { title: word })] },
          banners: [{ id: '1', severity: 'warning', title: word, text: word }],
          sideQuestions: [{ branch: 'main-v2', question: word, answer: answer('s1', word) }],
        },
      ),
    ]) {
      await chat.show(shown);
      const tooWide = await chat.page.evaluate<string[]>(
        "[...document.querySelectorAll('body, main, .scroller, .message, .aside, .composer, .header, .banner, .approval, .empty')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.className + ' ' + e.scrollWidth)",
      );
      assert.deepEqual(tooWide, []);
      await chat.input.scrollIntoViewIfNeeded();
      assert.ok(await chat.input.isVisible());
    }
    await chat.screenshot('narrow at 200 %');
  });
});
