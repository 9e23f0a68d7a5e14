import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import { answer, conversation, streaming } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('what a model thinks', () => {
  const use = useChat();

  it('is folded below the time it takes, as long as it goes on', async () => {
    const chat = use();
    const running = streaming('a');
    const part = { type: 'reasoning' as const, text: '', startedAt: Date.now() - 65_000 };
    await chat.show(conversation([], { running: { ...running, parts: [part] } }));
    const shown = chat.page.locator('.reasoning');
    const seconds = async (): Promise<number> => {
      const [, minutes, rest] = /^Thinking… (\d+) min (\d+) s$/u.exec(await shown.innerText()) ?? [];
      return Number(minutes) * 60 + Number(rest);
    };
    const first = await seconds();
    assert.ok(first >= 65 && first < 120, `${first}`);
    await until(async () => (await seconds()) > first, 'the time going on');
    await chat.tell({
      type: 'answerPart',
      chatId: 'chat-1',
      branch: 'main',
      messageId: 'a',
      partIndex: 0,
      part: { type: 'reasoning', text: 'Because.', duration: 66_000 },
    });
    await until(
      async () => (await shown.innerText()).startsWith('Thought for 1 min 6 s'),
      'the time it took',
    );
    assert.equal(await shown.getAttribute('open'), null);
    await shown.locator('summary').click();
    await until(() => chat.page.getByText('Because.').isVisible(), 'the thoughts');
  });

  it('leaves its time where its provider hides it, and nothing where there is nothing to tell', async () => {
    const chat = use();
    const thought = (id: string, duration: number | undefined) =>
      answer(id, '', {
        parts: [
          { type: 'reasoning', text: '', ...(duration === undefined ? { startedAt: 5 } : { duration }) },
          { type: 'text', text: `Answer ${id}` },
        ],
      });
    await chat.show(
      conversation([thought('long', 4_200), thought('short', 20), thought('stopped', undefined)]),
    );
    assert.deepEqual(await chat.page.locator('.reasoning').allInnerTexts(), ['Thought for 4.2 s']);
  });
});

describe('the reasoning effort', () => {
  const use = useChat();

  it('stands next to the model where it has one, and is asked for there', async () => {
    const chat = use();
    const model = { id: 'openai:gpt-5.1', label: 'gpt-5.1', isDemo: false };
    await chat.show(conversation([], { model }));
    assert.equal(await chat.page.locator('.effort-button').count(), 0);
    await chat.show(conversation([], { model: { ...model, effort: 'High' } }));
    const button = chat.page.getByRole('button', { name: 'Reasoning effort: High' });
    await button.click();
    assert.deepEqual((await chat.sent()).at(-1), { type: 'runCommand', command: 'selectReasoningEffort' });
  });

  it('stands at an answer that was asked for with one', async () => {
    const chat = use();
    await chat.show(
      conversation([answer('a', 'Hi', { model: { label: 'gpt-5.1', isDemo: false, effort: 'Low' } })]),
    );
    await until(() => chat.page.getByTitle('Reasoning effort: Low').isVisible(), 'the effort');
  });
});
