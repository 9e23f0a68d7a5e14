import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import { answer, conversation, question, streaming, toolCall } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const code = 'if (level != "user\u202e \u2066// only admins\u2069 \u2066") {\n  grant\u200b();\n}';

/** The codes of the marks in a part of the page, in order. */
const CODES = '(marks) => marks.map((mark) => mark.dataset.code)';
const codes = ['‹U+202E›', '‹U+2066›', '‹U+2069›', '‹U+2066›', '‹U+200B›'];

describe('characters that hide', () => {
  const use = useChat({ ownProcess: true });

  for (const language of ['js', '']) {
    it(`are shown in a code block ${language === '' ? 'without' : 'with'} a language, and handed over as they are`, async () => {
      const chat = use();
      await chat.show(conversation([answer('a', `\`\`\`${language}\n${code}\n\`\`\``)]));
      const block = chat.page.locator('.code-block');
      if (language !== '') await block.locator('.hljs-string').first().waitFor();
      const marks = block.locator('.hidden-character');
      assert.deepEqual(
        await chat.page.evaluate(
          `(${CODES})([...document.querySelectorAll('.code-block .hidden-character')])`,
        ),
        codes,
      );
      assert.equal(await marks.count(), codes.length);
      await block.getByRole('note').getByText('Contains hidden characters').waitFor();
      assert.equal(await block.locator('pre').textContent(), code);
      await block.hover();
      await chat.button('Copy code').click();
      assert.equal((await chat.expect('copyText')).text, code);
      await chat.screenshot(`hidden characters ${language}`);
      // Nothing is turned round: each letter stands to the right of the one before it.
      const lefts = await chat.page.evaluate<number[]>(`(() => {
        const lefts = [];
        const texts = document.createTreeWalker(document.querySelector('.code-block pre'), NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          if (texts.currentNode.parentElement.closest('.hidden-character')) continue;
          const line = texts.currentNode.data.split('\\n')[0];
          for (let at = 0; at < line.length; at += 1) {
            const range = document.createRange();
            range.setStart(texts.currentNode, at);
            range.setEnd(texts.currentNode, at + 1);
            lefts.push(range.getBoundingClientRect().left);
          }
          if (texts.currentNode.data.includes('\\n')) break;
        }
        return lefts;
      })()`);
      assert.deepEqual(
        lefts,
        lefts.toSorted((a, b) => a - b),
      );
    });
  }

  it('are shown in words, names, questions, titles, and in what goes into tools and comes out of them', async () => {
    const chat = use();
    const hostile = 'a\u202eb';
    await chat.show(
      conversation(
        [
          question('q', hostile, { hidden: hostile }),
          answer('a', `${hostile} \`${hostile}\` &#x202e; **${hostile}**`, {
            parts: [
              { type: 'text', text: `${hostile} \`${hostile}\` &#x202e;` },
              toolCall({
                title: hostile,
                input: `{"cmd": "${hostile}\u009b31m rm"}`,
                output: `\u001b[31m${hostile}\u001b[0m`,
              }),
            ],
          }),
          answer('b', '', { status: 'failed', error: hostile }),
        ],
        { chat: { id: 'chat-1', title: hostile }, running: streaming('c', hostile) },
      ),
    );
    await chat.page.locator('.hidden-content summary').click();
    assert.equal(await chat.page.locator('.hidden-content pre').textContent(), 'a‹U+202E›b');
    await chat.page.locator('.tool-call summary').click();
    for (const [where, count] of Object.entries({
      '.said': 1,
      '.chat-title': 1,
      '.markdown p > .hidden-character': 3,
      '.markdown code': 1,
      '.tool-title': 1,
      '.tool-call .tool-body pre:first-of-type': 2,
      '.tool-call .tool-body pre:last-of-type': 1,
      '.status.failed': 1,
    })) {
      const marks = where.includes('.hidden')
        ? chat.page.locator(where)
        : chat.page.locator(`${where} .hidden-character`);
      await until(async () => (await marks.count()) === count, `${count} marks in ${where}`);
    }
    // A code that a terminal would swallow is part of what goes in.
    const input = chat.page.locator('.tool-call .tool-body pre').first();
    assert.equal(await input.textContent(), `{"cmd": "${hostile}\u009b31m rm"}`);
  });

  it('are not marked where scripts and emoji need them', async () => {
    const chat = use();
    await chat.show(conversation([answer('a', 'می‌خواهم 👨‍👩‍👧‍👦 ❤️ क्‍ष\n\n```\n👩🏽‍💻 می‌خواهم\n```')]));
    assert.equal(await chat.page.locator('.hidden-character').count(), 0);
    assert.equal(await chat.page.locator('.code-warning').count(), 0);
  });

  it('do not hold up the page where there are very many', async () => {
    const chat = use();
    const start = performance.now();
    await chat.show(conversation([answer('a', `\`\`\`\n${'a\u200b'.repeat(20_000)}\n\`\`\``)]));
    await chat.input.fill('still there');
    assert.ok(performance.now() - start < 3_000, `${performance.now() - start} ms`);
    assert.ok((await chat.page.evaluate<number>("document.querySelectorAll('*').length")) < 6_000);
  });
});
