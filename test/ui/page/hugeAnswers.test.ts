import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import type { Chat } from './harness/chat.ts';
import { answer, conversation, question, streaming, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

/** Begins to note how long each frame takes; what it gives ends that, and tells the times in milliseconds. */
async function watchFrames(chat: Chat): Promise<() => Promise<number[]>> {
  await chat.page.evaluate(`
    window.frames_ = [];
    window.watching = true;
    (function next(last) {
      requestAnimationFrame((now) => {
        window.frames_.push(now - last);
        if (window.watching) next(now);
      });
    })(performance.now());`);
  return async () => {
    await chat.frame();
    await chat.page.evaluate('window.watching = false');
    return chat.page.evaluate<number[]>('window.frames_');
  };
}

/** How long the page is busy with what it is told, until it has drawn it, in milliseconds; `longest`: without a pause. */
async function timeToShow(chat: Chat, text: string): Promise<{ time: number; longest: number }> {
  return chat.page.evaluate<{ time: number; longest: number }>(`new Promise((resolve) => {
    let longest = 0;
    const note = (list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    };
    new PerformanceObserver(note).observe({ type: 'longtask' });
    const conversation = ${JSON.stringify(conversation([question('q', 'why?'), answer('a', '')]))};
    conversation.messages[1].parts = [{ type: 'text', text: ${JSON.stringify(text)} }];
    const start = performance.now();
    postMessage({ type: 'conversationChanged', conversation }, '*');
    addEventListener('message', () =>
      requestAnimationFrame(() => setTimeout(() => {
        const time = performance.now() - start;
        // What is colored, laid out and asked for afterwards counts as well.
        setTimeout(() => resolve({ time, longest }), 500);
      })), { once: true });
  })`);
}

/** Far above what it takes, so that a busy machine does not matter; without limits it would be a minute and more. */
const LIMIT_MS = 2_000;

describe('an answer that is huge', () => {
  const use = useChat({ ownProcess: true });

  const prose = 'Some **bold** and `code` words in a [link](https://example.com) here.\n\n';
  const huge: Record<string, string> = {
    'has five million characters': prose.repeat(5_000_000 / prose.length),
    'has a line of a million characters': 'word '.repeat(200_000),
    'has a word of a million characters': 'x'.repeat(1_000_000),
    'has ten thousand code blocks': '```ts\nconst a = 1;\n```\n\n'.repeat(10_000),
    'has a code block of a million characters': `\`\`\`ts\n${'const a = 1;\n'.repeat(80_000)}\`\`\``,
    'has a code line of a million characters': `\`\`\`\n${'x'.repeat(1_000_000)}\n\`\`\``,
    'has a list of thirty thousand items': '- a\n'.repeat(30_000),
    'has a table of ten thousand rows': `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(10_000)}`,
    'has quotations in quotations without end': '>'.repeat(30_000),
    'has elements in elements without end': '<b><i>'.repeat(20_000),
    'has emphasis that never ends': '_a_b'.repeat(25_000),
    'has a hundred thousand codes for terminals': `\`\`\`\n${'\u001b[31ma\u001b[0m'.repeat(50_000)}\n\`\`\``,
    'has ten thousand names of files': '`src/a.ts:1` and src/b.ts '.repeat(10_000),
    'has ten thousand formulas': '$x^2$ and\n\n$$\ny\n$$\n\n'.repeat(5_000),
    'has fences, brackets and tags that are never closed':
      '```ts\n~~~\n<b>[a](<![x|\n|-\n$$\n\\[ <!-- '.repeat(3_000),
  };
  for (const [what, text] of Object.entries(huge)) {
    it(`is there at once when it ${what}`, async () => {
      const chat = use();
      await chat.show(conversation());
      const { time, longest } = await timeToShow(chat, text);
      const start = performance.now();
      await chat.input.fill('still there');
      const typing = performance.now() - start;
      // The question may be too far above to be drawn.
      assert.equal(await chat.messages.last().getAttribute('aria-setsize'), '2');
      assert.ok((await chat.messages.last().locator('.markdown').innerText()).length > 1);
      const count = await chat.page.evaluate<number>("document.querySelectorAll('*').length");
      console.log(
        `        ${time.toFixed()} ms to show, the longest task ${longest.toFixed()} ms, ${typing.toFixed()} ms to type, ${count} elements`,
      );
      assert.ok(time < LIMIT_MS, `it took ${time} ms`);
      assert.ok(longest < LIMIT_MS, `the longest task took ${longest} ms`);
      assert.ok(typing < LIMIT_MS, `typing took ${typing} ms`);
      assert.ok(count < 5_000, `there are ${count} elements`);
    });
  }

  it('streams without a freeze', async () => {
    const chat = use();
    const text = [
      huge['has ten thousand code blocks'],
      `${huge['has a word of a million characters']}\n\n`,
      '**_[a](<![x|\n\n'.repeat(50_000),
      prose.repeat(44_000),
    ].join('');
    await chat.show(conversation([question('q', 'why?')], { running: streaming('a') }));
    const longest = await chat.page.evaluate<number>(`(async () => {
      const text = ${JSON.stringify(text)};
      let longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
      }).observe({ type: 'longtask' });
      for (let offset = 0; offset < text.length; offset += 65_536) {
        const part = { type: 'text', text: text.slice(offset, offset + 65_536) };
        postMessage({ type: 'answerDelta', chatId: 'chat-1', branch: 'main', messageId: 'a', partIndex: 0, part, offset }, '*');
        await new Promise((resolve) => setTimeout(resolve));
      }
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return longest;
    })()`);
    await chat.messages.last().locator('.code-block').first().waitFor();
    const ended = answer('a', text);
    await chat.show(conversation([question('q', 'why?'), ended]));
    await chat.input.fill('still there');
    assert.equal(await chat.page.locator('.status.streaming').count(), 0);
    assert.ok(longest < LIMIT_MS, `the longest task took ${longest} ms`);
  });

  it('shows more on demand', async () => {
    const chat = use();
    await chat.show(conversation([answer('a', `${'word\n\n'.repeat(500)}the end`)]));
    assert.equal(await chat.page.getByText('the end').count(), 0);
    await chat.button('Show more').click();
    await chat.page.getByText('the end').waitFor();
    assert.equal(await chat.button('Show more').count(), 0);
  });

  it('does not offer half a code block for copying', async () => {
    const chat = use();
    await chat.show(conversation([answer('a', `\`\`\`ts\n${'const a = 1;\n'.repeat(10_000)}\`\`\``)]));
    await chat.button('Show more').waitFor();
    assert.equal(await chat.button('Copy code').count(), 0);
    await chat.button('Show more').click();
    await chat.button('Copy code').click();
    assert.equal((await chat.expect('copyText')).text.length, 13 * 10_000 - 1);
  });
});

describe('a question that is huge', () => {
  const use = useChat({ ownProcess: true });

  it('can be typed on and sent', async () => {
    const chat = use();
    await chat.show(conversation());
    // Playwright fills in line by line, which takes longer than all the rest.
    await chat.page.evaluate(`{
      const input = document.querySelector('textarea');
      input.value = 'a line of a log\\n'.repeat(50_000);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.focus();
      input.setSelectionRange(input.value.length, input.value.length);
    }`);
    await chat.frame();
    const start = performance.now();
    await chat.page.keyboard.type('end');
    await chat.frame();
    const time = performance.now() - start;
    await chat.page.keyboard.press('Enter');
    assert.equal((await chat.expect('sendMessage')).text.length, 16 * 50_000 + 3);
    console.log(`        ${time.toFixed()} ms to type`);
    assert.ok(time < LIMIT_MS, `it took ${time} ms`);
  });

  it('stays in the input where it is too long to be asked, and it is said so', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.fill('y'.repeat(1_000_001));
    await chat.input.press('Enter');
    await chat.page.locator('.banner.error', { hasText: 'too long' }).waitFor();
    assert.equal((await chat.input.inputValue()).length, 1_000_001);
    assert.ok((await chat.sent()).every(({ type }) => type !== 'sendMessage'));
    await chat.button('Dismiss').click();
    await chat.page.locator('.banner.error').waitFor({ state: 'detached' });
  });

  it('is shown in part, and in whole on demand', async () => {
    const chat = use();
    const text = `${'word '.repeat(50_000)}end`;
    await chat.show(conversation([question('q', text)]));
    assert.ok((await chat.page.locator('.said').innerText()).length < 10_000);
    await chat.button('Show more').click();
    assert.equal((await chat.page.locator('.said').textContent())?.length, text.length);
  });
});

describe('a fast answer', () => {
  const use = useChat({ ownProcess: true });

  const paragraph = 'It goes **on** and on, with `code` and [links](https://example.com), as answers do.\n\n';
  const long = Array.from({ length: 300 }, (_, index) =>
    index % 5 === 4 ? `\`\`\`ts\nconst n${index} = ${index};\n\`\`\`\n\n` : paragraph,
  ).join('');

  for (const [where, before] of [
    ['in a new conversation', 1],
    ['in a conversation of a thousand messages', 1_001],
  ] as const) {
    it(`of two thousand tokens a second is shown whole ${where}`, async () => {
      const chat = use();
      await chat.show(conversation(turns(before), { running: streaming('a') }));
      const stop = await watchFrames(chat);
      await chat.page.evaluate(`new Promise((resolve) => {
        const text = ${JSON.stringify(long)};
        let offset = 0;
        const start = performance.now();
        const timer = setInterval(() => {
          // Two thousand tokens of four characters each second, in pieces of a token.
          const due = Math.min(text.length, (performance.now() - start) * 8);
          while (offset < due) {
            const part = { type: 'text', text: text.slice(offset, offset + 4) };
            postMessage({ type: 'answerDelta', chatId: 'chat-1', branch: 'main', messageId: 'a', partIndex: 0, part, offset }, '*');
            offset += 4;
          }
          if (offset < text.length) return;
          clearInterval(timer);
          resolve();
        }, 4);
      })`);
      const frames = (await stop()).toSorted((a, b) => a - b);
      const median = frames[Math.floor(frames.length / 2)] ?? 0;
      const late = frames[Math.floor(frames.length * 0.95)] ?? 0;
      console.log(
        `        frames: ${median.toFixed(1)} ms, 95 % in ${late.toFixed(1)} ms, worst ${frames.at(-1)?.toFixed(1)} ms`,
      );
      const blocks = chat.messages.last().locator('.block');
      await until(async () => (await blocks.count()) === 300, 'the last piece to be drawn');
    });
  }
});
