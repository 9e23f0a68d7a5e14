import assert from 'node:assert/strict';
import type { QuestionsView } from '../../../src/protocol/views.ts';
import { askingCall, conversation, question, streaming, toolCall } from './harness/conversations.ts';
import { askedQuestions, questionsCall } from './harness/questionStates.ts';
import { useChat } from './harness/useChat.ts';

const asking = (id = 'ask-1', asked: QuestionsView['asked'] = askedQuestions) =>
  conversation([question('q', 'Store it')], {
    running: { ...streaming('a'), parts: [questionsCall({ id, asked, isAnswered: false })] },
  });

describe('questions of the agent', () => {
  const use = useChat({ viewport: { width: 240, height: 900 } });

  it('are answered by the keyboard alone: one of several, several, and in own words', async () => {
    const chat = use();
    await chat.show(asking());
    const { page } = chat;
    await page.getByRole('radio', { name: 'SQLite' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    assert.ok(await page.getByRole('radio', { name: 'PostgreSQL' }).isChecked());
    await page.keyboard.press('Tab');
    await page.keyboard.type('Whichever is there');
    for (const [index, name] of ['Windows', 'macOS', 'Linux'].entries()) {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.closest("label").innerText'), name);
      if (index !== 1) await page.keyboard.press('Space');
    }
    await page.keyboard.press('Control+Enter');
    const { answers } = await chat.expect('answerQuestions');
    assert.deepEqual(answers, [
      { chosen: [1], text: 'Whichever is there' },
      { chosen: [0, 2], text: '' },
    ]);
  });

  it('are groups with a name for those who hear the page, and read out as they come', async () => {
    const chat = use();
    await chat.show(asking());
    const { page } = chat;
    const group = page.getByRole('radiogroup', { name: 'Where should the chats be stored?' });
    assert.equal(await group.getByRole('radio').count(), 2);
    assert.equal(await page.getByRole('group', { name: 'Which systems?' }).getByRole('checkbox').count(), 3);
    assert.match(
      await page.getByRole('alert').innerText(),
      /Where should the chats be stored\? Which systems\?/u,
    );
    assert.equal(await page.getByRole('textbox', { name: 'In your own words: Which systems?' }).count(), 1);
    assert.equal(await chat.page.locator('.tool-state').getByText('waiting for your answer').count(), 1);
  });

  it('can be left to the model, and are sent only once something is answered', async () => {
    const chat = use();
    await chat.show(asking());
    const send = chat.button('Send Answers');
    assert.equal(await send.getAttribute('aria-disabled'), 'true');
    await send.click({ force: true });
    await chat.page.keyboard.press('Control+Enter');
    assert.ok(!(await chat.sent()).some(({ type }) => type === 'answerQuestions'));
    await chat.button('Decide for Me').click();
    assert.deepEqual(await chat.expect('answerQuestions'), { type: 'answerQuestions', id: 'ask-1' });
    assert.equal(await chat.page.evaluate('document.activeElement.matches(".tool > summary")'), true);
  });

  it('keep what is chosen and typed over a reload, each their own', async () => {
    const chat = use();
    await chat.show(asking());
    const { page } = chat;
    await page.getByRole('radio', { name: 'SQLite' }).check();
    await page.getByRole('checkbox', { name: 'Linux' }).check();
    await page.getByRole('textbox', { name: 'In your own words: Which systems?' }).fill('and BSD');
    await page.reload();
    await chat.show(asking());
    assert.ok(await page.getByRole('radio', { name: 'SQLite' }).isChecked());
    assert.ok(await page.getByRole('checkbox', { name: 'Linux' }).isChecked());
    assert.equal(
      await page.getByRole('textbox', { name: 'In your own words: Which systems?' }).inputValue(),
      'and BSD',
    );
    await chat.show(asking('ask-2'));
    assert.ok(!(await page.getByRole('radio', { name: 'SQLite' }).isChecked()));
  });

  it('stay readable with their answers, and cannot be answered where they were or another window asks', async () => {
    const chat = use();
    const answered = askedQuestions.map((each, index) => ({
      ...each,
      ...(index === 0 ? { answer: { chosen: [1], text: 'On a server' } } : {}),
    }));
    const shown = (questions: QuestionsView) =>
      conversation([question('q', 'Store it')], {
        running: {
          ...streaming('a'),
          parts: [toolCall({ name: 'ask_user', title: 'Ask 2 questions', input: '', output: '', questions })],
        },
      });
    await chat.show(shown({ asked: answered, isAnswered: true }));
    const list = chat.page.locator('.answered');
    assert.deepEqual((await list.innerText()).split(/\n+/u), [
      'Where should the chats be stored?',
      'PostgreSQL',
      'On a server',
      'Which systems?',
      'Left to the model',
    ]);
    await chat.show(shown({ asked: askedQuestions, isAnswered: false }));
    assert.match(await list.innerText(), /SQLite, PostgreSQL/u);
    assert.equal(await chat.page.getByRole('radio').count(), 0);
  });

  it('are text, whatever they hold, and fit a narrow page', async () => {
    const chat = use();
    const hostile = '<img src=x onerror=alert(1)> **bold** \u202egnp.exe ' + 'x'.repeat(200);
    await chat.show(
      asking('ask-1', [
        {
          question: hostile,
          options: [
            { label: hostile, detail: hostile },
            { label: '[link](command:x)', detail: 'b' },
          ],
          several: false,
        },
      ]),
    );
    const { page } = chat;
    assert.equal(await page.locator('.questions img, .questions a, .questions strong').count(), 0);
    assert.match(await page.locator('.asked legend').innerText(), /<img src=x/u);
    assert.ok(
      (await page.locator('.asked legend .hidden-character').count()) > 0,
      'what is hidden is spelled out',
    );
    assert.deepEqual(
      await page.evaluate(
        '[...document.querySelectorAll(".questions *")].filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.className)',
      ),
      [],
    );
  });

  it('come next to approvals, which stay as they are', async () => {
    const chat = use();
    await chat.show(
      conversation([question('q', 'Go')], { running: { ...streaming('a'), parts: [askingCall('x')] } }),
    );
    assert.equal(await chat.page.locator('.questions').count(), 0);
    assert.equal(await chat.button('Deny').count(), 1);
  });
});
