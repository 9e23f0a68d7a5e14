import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import { answer, askingCall, conversation, question, streaming } from './harness/conversations.ts';
import { coverOf, laidOut } from './harness/cover.ts';
import { useChat } from './harness/useChat.ts';

const box = '\\colorbox{white}{\\rule{18em}{16em}}';

/** Formulas and markup that are painted far from where they stand. */
const attacks: Record<string, string> = {
  'a box lowered and of no height': `$$\\smash{\\raisebox{-14em}{${box}}}$$`,
  'a box lowered in a line': `so $\\smash{\\raisebox{-14em}{${box}}}$ it is`,
  'a box raised': `$$\\smash{\\raisebox{1em}{${box}}}$$`,
  'a box raised in a line': `so $\\rlap{\\smash{\\raisebox{2em}{${box}}}}$ it is`,
  'a box of no width, lowered': `so $\\rlap{\\smash{\\raisebox{-12em}{${box}}}}$ it is`,
  'boxes moved to the left': `x $\\kern-15em\\rlap{\\smash{\\raisebox{-10em}{${box}}}}$`,
  'boxes moved to the right': `$\\mathllap{\\kern15em\\smash{\\raisebox{-12em}{${box}}}}$`,
  'markup raised over and over': `${'<sup>'.repeat(40)}covers${'</sup>'.repeat(40)} ${'<sub>'.repeat(40)}covers${'</sub>'.repeat(40)}`,
  'letters with stacked accents': `a${'\u0300\u0316\u035b'.repeat(300)}`,
};

for (const width of [280, 480, 900]) {
  describe(`what a model writes, at a width of ${width} pixels`, () => {
    const use = useChat({ viewport: { width, height: 900 } });

    for (const [what, text] of Object.entries(attacks)) {
      it(`covers no question for leave: ${what}`, async () => {
        const chat = use();
        const attack = { type: 'text' as const, text };
        await chat.show(
          conversation([question('q1', 'why?'), answer('a1', text), question('q2', text)], {
            running: {
              ...streaming('a2'),
              parts: [attack, askingCall('ask-1'), attack, askingCall('ask-2'), attack],
            },
            sideQuestions: [{ branch: 'main-v2', question: 'And?', answer: answer('s1', text) }],
          }),
        );
        await chat.openPanel('sideQuestions');
        await laidOut(chat);
        for (const id of [0, 1]) {
          assert.deepEqual(
            await chat.page.evaluate(coverOf(`.tool-call:nth-of-type(${id * 2 + 2}) .approval`)),
            [],
          );
        }
        assert.deepEqual(await chat.page.evaluate(coverOf('.composer')), []);
      });
    }

    it('covers no other code, nor its buttons', async () => {
      const chat = use();
      const texts = Object.values(attacks).join('\n\n');
      await chat.show(conversation([answer('a1', `${texts}\n\n\`\`\`sh\nrm -rf /\n\`\`\`\n\n${texts}`)]));
      await laidOut(chat);
      assert.deepEqual(await chat.page.evaluate(coverOf('.code-block')), []);
    });
  });
}

describe('what a model writes to cover a question', () => {
  const use = useChat({ viewport: { width: 480, height: 900 } });

  it('would reach it if nothing contained it', async () => {
    const chat = use();
    const attack = { type: 'text' as const, text: attacks['a box of no width, lowered'] ?? '' };
    await chat.show(
      conversation([question('q1', 'why?')], {
        running: { ...streaming('a2'), parts: [attack, askingCall('ask-1')] },
      }),
    );
    await laidOut(chat);
    const reaches = await chat.page.evaluate<boolean>(`(() => {
      const { top, left, right } = document.querySelector('.approval').getBoundingClientRect();
      return [...document.querySelectorAll('.katex-html *')].some((each) => {
        const box = each.getBoundingClientRect();
        return box.bottom > top + 20 && box.left < right && box.right > left;
      });
    })()`);
    assert.ok(reaches);
  });
});

describe('a question for leave', () => {
  const use = useChat();
  const asking = conversation([question('q1', 'why?')], {
    running: { ...streaming('a2', 'So:'), parts: [{ type: 'text', text: 'So:' }, askingCall('ask-1')] },
  });

  it('takes no answer in the moment in which it appears, by mouse or keyboard', async () => {
    const chat = use();
    await chat.show(asking);
    // At once, in the page itself: a click or a key was meant for what was there before.
    await chat.page.evaluate(`{
      const button = document.querySelector('.approval-button');
      button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
      button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 0 }));
    }`);
    assert.equal(await chat.button('Allow Once').getAttribute('aria-disabled'), 'true');
    assert.ok(!(await chat.sent()).some(({ type }) => type === 'answerApproval'));
    await chat.button('Allow Once').click();
    assert.equal((await chat.expect('answerApproval')).choice, 'once');
  });

  it('takes no click in the moment in which it has moved', async () => {
    const chat = use();
    await chat.show(asking);
    await until(
      async () => (await chat.page.locator('.approval-button[aria-disabled="false"]').count()) > 0,
      'it',
    );
    await chat.page.evaluate(`new Promise((resolve) => {
      postMessage({ type: 'answerDelta', chatId: 'chat-1', branch: 'main', messageId: 'a2', partIndex: 0, offset: 3,
        part: { type: 'text', text: '\\n\\nand\\n\\nso\\n\\non'.repeat(9) } }, '*');
      const button = document.querySelector('.approval-button');
      const { top } = button.getBoundingClientRect();
      (function wait() {
        if (Math.abs(button.getBoundingClientRect().top - top) < 20) return requestAnimationFrame(wait);
        button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
        resolve();
      })();
    })`);
    assert.ok(!(await chat.sent()).some(({ type }) => type === 'answerApproval'));
    // Bringing it into view moves it as well.
    await chat.button('Deny').scrollIntoViewIfNeeded();
    await chat.frame();
    await chat.page.locator('.approval-button[aria-disabled="true"]').first().waitFor({ state: 'detached' });
    await chat.button('Deny').click();
    assert.equal((await chat.expect('answerApproval')).choice, 'deny');
  });

  it('shows what hides in it', async () => {
    const chat = use();
    const [, call] = asking.running?.parts ?? [];
    assert.ok(call?.type === 'tool' && call.approval);
    const hostile = { ...call, approval: { ...call.approval, question: 'Allow edit to a\u202egnp.js?' } };
    await chat.show({
      ...asking,
      ...(asking.running ? { running: { ...asking.running, parts: [hostile] } } : {}),
    });
    const mark = chat.page.locator('.approval .hidden-character');
    assert.equal(await mark.getAttribute('data-code'), '‹U+202E›');
  });
});
