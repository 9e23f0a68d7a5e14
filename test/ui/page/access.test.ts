import assert from 'node:assert/strict';
import axe from 'axe-core';
import { until } from '../../fixtures/until.ts';
import { accessFaults } from './harness/accessFaults.ts';
import type { Chat } from './harness/chat.ts';
import {
  answer,
  askingCall,
  conversation,
  question,
  streaming,
  toolCall,
  turns,
} from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const everything = [
  '## Closures',
  'A **closure** keeps the `variables` of the [scope](https://example.com/scope) it was made in.',
  '1. one\n\n   ```ts\n   function counter(): () => number { return () => ++count; }\n   ```\n\n2. two\n   - deeper',
  '- [x] done\n- [ ] to do',
  '| what | how long it lives and why |\n| - | - |\n| count | as long as the function that uses it |',
  '> AVeryLongWordThatHasNoPlaceToBreakButHasToBeBrokenAllTheSameOrElseThePageWouldScrollSideways',
  '<kbd>Ctrl</kbd>\n\n---\n\nThe end.',
].join('\n\n');

const rich = conversation(
  [
    question('q1', 'What is a closure, and what would I use it for?'),
    answer('a1', everything, {
      parts: [
        { type: 'reasoning', text: 'They ask about closures.' },
        { type: 'text', text: everything },
      ],
      checkpoints: ['before the examples', 'a name that is so long that it does not fit into one line'],
    }),
    question('q2', 'And now?'),
    answer('a2', 'This far', { status: 'failed', error: 'The server closed the connection.' }),
    question('q3', 'هل تعمل؟'),
    answer('a3', 'This', {
      status: 'interrupted',
      model: { label: 'a-model-with-a-long-name', isDemo: false },
    }),
  ],
  {
    branchCount: 12,
    running: streaming('a4', 'Once'),
    banners: [
      { id: '1', severity: 'info', title: 'No folder', text: 'No folder is open.' },
      { id: '2', severity: 'warning', title: 'Read-only', text: 'Another window writes.' },
      { id: '3', severity: 'error', title: 'Recovered', text: 'A damaged file was set aside.' },
    ],
    sideQuestions: [
      { branch: 'main-v2', question: 'What time is it?', answer: answer('s1', 'Late. `date` knows.') },
      { branch: 'main-v3', question: 'And there?', answer: streaming('s2', 'An hour') },
    ],
  },
);

const withTools = conversation(
  [
    question('q1', 'Who says hello?'),
    answer('a1', '', {
      parts: [
        { type: 'text', text: 'I look around.' },
        toolCall({ name: 'checkpoint', title: 'Checkpoint: Find who says hello', icon: 'bookmark' }),
      ],
    }),
    {
      ...answer('n1', 'It is `greet` in **src/greet.ts**.'),
      role: 'note',
      report: { goal: 'Find who says hello, wherever that may be', exploredBranch: 'main' },
    },
    answer('a2', '', {
      parts: [
        toolCall({ title: 'Read src/a/path/that/is/so/long/that/it/does/not/fit/into/the/side/bar.ts' }),
        toolCall({ state: 'failed', output: 'There is no such file.', title: 'Read none.ts' }),
        toolCall({ state: 'denied', title: 'Edit .vscode/tasks.json', icon: 'edit' }),
        { type: 'text', text: 'Done.' },
      ],
      notice: { text: 'It took 50 steps and waits for you.', canContinue: true },
    }),
  ],
  {
    running: {
      ...streaming('a4'),
      parts: [toolCall({ state: 'preparing', output: '' }), askingCall('ask-1')],
    },
  },
);

/** What is wider than the room it has, in pixels. */
const TOO_WIDE = `[...document.querySelectorAll('body, main, .scroller, .message, .aside, .composer, .header')]
  .filter((e) => e.scrollWidth > e.clientWidth)
  .map((e) => e.className + ' is ' + (e.scrollWidth - e.clientWidth) + ' too wide')`;

/** The texts of a message whose lines its actions lie on, by more than the space between lines. */
const COVERED_TEXTS = `(message) => {
  const actions = message.querySelector('.message-actions');
  const over = actions.getBoundingClientRect();
  const texts = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
  const covered = [];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (actions.contains(text) || text.parentElement.closest('.visually-hidden')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const isApart = right <= over.left || left >= over.right;
      if (!isApart && Math.min(bottom, over.bottom) - Math.max(top, over.top) > 4) covered.push(text.data.trim());
    }
  }
  return covered;
}`;

for (const width of [280, 400, 800]) {
  describe(`the chat page at a width of ${width} pixels`, () => {
    const use = useChat({ viewport: { width, height: 1000 }, script: axe.source });
    const banners = [
      { id: '1', severity: 'warning' as const, title: 'Read-only', text: 'Another window writes.' },
    ];

    for (const [what, shown] of Object.entries({
      'an empty chat': conversation(),
      'an answer on its way': conversation(turns(2), { running: streaming('m3') }),
      'a chat to read': conversation(turns(2), { isReadOnly: true, banners }),
      'an empty chat to read': conversation([], { isReadOnly: true, banners }),
    })) {
      it(`can be used by everybody, in every theme: ${what}`, async () => {
        const chat = use();
        await chat.show(shown);
        assert.deepEqual(await accessFaults(chat.page), []);
      });
    }

    it('fits, and can be used by everybody, in every theme: calls of tools', async () => {
      const chat = use();
      await chat.show(withTools);
      for (const opened of [
        chat.page.locator('.tool summary').last(),
        chat.page.locator('.report summary'),
      ]) {
        await opened.click();
      }
      await chat.page.locator('.approval').scrollIntoViewIfNeeded();
      assert.deepEqual(await accessFaults(chat.page, TOO_WIDE), []);
    });

    it('fits, and can be used by everybody, in every theme: all that an answer may have', async () => {
      const chat = use();
      await chat.show(rich);
      await chat.tell({ type: 'actionFailed', text: 'That did not work.' });
      for (const id of ['a1', 'a4']) {
        const message = chat.page.locator(`[data-message-id="${id}"]`);
        await message.scrollIntoViewIfNeeded();
        await message.hover();
        await chat.frame();
        assert.deepEqual(await accessFaults(chat.page, TOO_WIDE), [], id);
      }
    });
  });
}

describe('the actions of a message', () => {
  const use = useChat({ viewport: { width: 280, height: 1000 } });

  it('cover no text of the message they belong to', async () => {
    const chat = use();
    for (const shown of [withTools, rich]) {
      await chat.show(shown);
      const ids = (await chat.messages.evaluateAll((all) =>
        all.map(
          (message) => (message as unknown as { dataset: Record<string, string> }).dataset['messageId'],
        ),
      )) as string[];
      for (const id of ids) {
        const message = chat.page.locator(`[data-message-id="${id}"]`);
        if ((await message.locator('.message-actions').count()) === 0) continue;
        await message.scrollIntoViewIfNeeded();
        await message.hover({ position: { x: 30, y: 12 } });
        const covered = await chat.page.evaluate<string[]>(
          `(${COVERED_TEXTS})(document.querySelector('[data-message-id="${id}"]'))`,
        );
        assert.deepEqual(covered, [], `of ${id}`);
      }
    }
  });
});

describe('the chat page by keyboard alone', () => {
  const use = useChat();

  const focused = async (chat: Chat): Promise<string> =>
    chat.page.evaluate<string>(
      "document.activeElement?.dataset?.messageId ?? document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''",
    );

  it('leads from the input to the last message and its actions, and by arrows to the others', async () => {
    const chat = use();
    await chat.show(conversation(turns(6)));
    await chat.input.focus();
    await chat.page.keyboard.press('Shift+Tab');
    assert.equal(await focused(chat), 'm5');
    await chat.page.keyboard.press('Tab');
    assert.equal(await focused(chat), 'Rewind to here');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.expectCommand('rewindToHere'), {
      type: 'runCommandHere',
      command: 'rewindToHere',
      messageId: 'm5',
    });
    await chat.page.keyboard.press('Shift+Tab');
    for (const [key, id] of [
      ['ArrowUp', 'm4'],
      ['ArrowUp', 'm3'],
      ['ArrowDown', 'm4'],
      ['Home', 'm0'],
      ['ArrowUp', 'm0'],
      ['End', 'm5'],
    ] as const) {
      await chat.page.keyboard.press(key);
      assert.equal(await focused(chat), id, `after ${key}`);
    }
  });

  it('leads to the message past all that stands between, and back by Tab over its tool calls', async () => {
    const chat = use();
    const sideQuestion = { branch: 'main-v2', question: 'What time is it?', answer: answer('s1', 'Late.') };
    await chat.show(
      conversation([question('q', 'Read it'), answer('a', '', { parts: [toolCall()] })], {
        sideQuestions: [sideQuestion],
        banners: [
          {
            id: '1',
            severity: 'info',
            title: 'Restricted',
            text: 'Restricted.',
            limit: { action: 'manageTrust' },
          },
        ],
      }),
    );
    await chat.openPanel('notices');
    await chat.input.focus();
    await chat.page.keyboard.press('Shift+Tab');
    assert.equal(await focused(chat), 'a');
    const visited: string[] = [];
    await until(async () => {
      await chat.page.keyboard.press('Tab');
      visited.push(await focused(chat));
      return visited.at(-1) === 'Message';
    }, 'the input to be reached again');
    assert.ok(
      visited.some((at) => at.includes('Read src/greet.ts')),
      visited.join(),
    );
    assert.ok(visited.includes('Manage Workspace Trust'));
  });

  it('reaches one message by Tab, the one where one was', async () => {
    const chat = use();
    await chat.show(conversation(turns(6)));
    await chat.page.locator('[data-message-id="m2"]').focus();
    await chat.input.focus();
    const ids: string[] = [];
    for (let press = 0; press < 20; press++) {
      await chat.page.keyboard.press('Shift+Tab');
      const at = await focused(chat);
      if (/^m\d$/.test(at)) ids.push(at);
    }
    assert.deepEqual([...new Set(ids)], ['m2']);
  });

  it('reaches by Tab what one answer took, and of the others nothing', async () => {
    const chat = use();
    const costing = [1, 2, 3].flatMap((cost) => [
      question(`q${cost}`, 'And?'),
      answer(`a${cost}`, 'So', { usage: { inputTokens: 10, outputTokens: 1, cost } }),
    ]);
    await chat.show(conversation(costing));
    await chat.page.locator('[data-message-id="a2"]').focus();
    await chat.input.focus();
    const costs: string[] = [];
    await chat.page.keyboard.press('Shift+Tab');
    assert.equal(await focused(chat), 'a2');
    for (let press = 0; press < 25; press++) {
      await chat.page.keyboard.press('Tab');
      const at = await focused(chat);
      if (at.startsWith('$')) costs.push(at);
    }
    assert.deepEqual([...new Set(costs)], ['$2.00']);
  });

  it('opens the menu of the message that has the focus', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    await chat.page.evaluate(
      "addEventListener('contextmenu', ({ target }) => { window.menu = target.closest('[data-vscode-context]')?.dataset.vscodeContext; })",
    );
    await chat.page.locator('[data-message-id="m1"]').focus();
    await chat.page.keyboard.press('Shift+F10');
    const context = await until(
      () => chat.page.evaluate<string | undefined>('window.menu'),
      'the menu to be asked for',
    );
    assert.equal((JSON.parse(context) as { messageId: string }).messageId, 'm1');
  });

  it('tells a screen reader once that the answer has come', async () => {
    const chat = use();
    const region = chat.page.locator('[aria-live="polite"]').first();
    await chat.show(conversation(turns(2)));
    assert.equal(await region.innerText(), '', 'an old answer is no news');
    await chat.show(conversation(turns(3), { running: streaming('m3') }));
    await chat.delta('m3', 'So.', 0);
    assert.equal(await region.innerText(), '');
    await chat.show(conversation(turns(4)));
    await until(async () => (await region.innerText()) === 'The answer has arrived.', 'the news');
  });
});

describe('the chat page of a user who wants no motion', () => {
  const use = useChat();

  it('moves nothing', async () => {
    const chat = use();
    await chat.page.emulateMedia({ reducedMotion: 'reduce' });
    await chat.show(rich);
    const moving = await chat.page.evaluate<number>('document.getAnimations().length');
    assert.equal(moving, 0);
  });
});
