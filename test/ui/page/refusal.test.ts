import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import { answer, conversation, question, streaming, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';
import { graphOf, useGraph } from './harness/graph.ts';

describe('a conversation that cannot be shown', () => {
  const use = useChat();
  const malformed = { type: 'conversationChanged', conversation: { ...conversation(turns(2)), branch: 7 } };

  it('leaves no other one on the page, says why, and takes no question', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    await chat.input.fill('meant for the next chat');
    await chat.tell(malformed);
    await chat.frame();
    assert.match((await chat.takeFaults()).join(), /The chat page got a message it cannot read/);
    assert.equal(await chat.messages.count(), 0);
    assert.equal(await chat.input.count(), 0);
    await chat.page.getByRole('alert').getByText('Couldn’t show this chat').waitFor();
    await chat.screenshot('refusal');
    await chat.button('Try Again').click();
    await until(
      async () => (await chat.sent()).filter(({ type }) => type === 'ready').length === 2,
      'it to ask',
    );
    // What was typed is still there once a chat is.
    await chat.show(conversation(turns(2, 4), { chat: { id: 'chat-2', title: 'Two' } }));
    assert.equal(await chat.input.inputValue(), 'meant for the next chat');
    await chat.button('Send').click();
    const asked = (await chat.sentOf()).find((message) => message.type === 'sendMessage');
    assert.deepEqual(asked?.place, { chatId: 'chat-2', branch: 'main' });
  });

  it('is told by the host as well', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    await chat.tell({ type: 'conversationFailed', reason: 'The chat is damaged.' });
    await chat.page.getByRole('alert').getByText('The chat is damaged.').waitFor();
    assert.equal(await chat.messages.count(), 0);
    assert.equal(await chat.input.count(), 0);
    await chat.show(conversation(turns(2)));
    assert.equal(await chat.messages.count(), 2);
    assert.equal(await chat.page.locator('.refusal').count(), 0);
  });

  it('gets no piece of an answer of another chat, nor earlier messages', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why?')], { running: streaming('a', 'So') }));
    const piece = { type: 'answerDelta', branch: 'main', messageId: 'a', partIndex: 0, offset: 2 };
    await chat.tell({ ...piece, chatId: 'other', part: { type: 'text', text: ' FOREIGN' } });
    await chat.tell({ ...piece, chatId: 'chat-1', part: { type: 'text', text: ' it is' } });
    await chat.page.getByText('So it is').waitFor();
    assert.equal(await chat.page.getByText('FOREIGN').count(), 0);
  });
});

describe('answers side by side that cannot be shown', () => {
  const use = useChat({ tries: true });

  it('leave the page without any, with the reason', async () => {
    const chat = use();
    await chat.tell({ type: 'conversationFailed', reason: 'The chat is damaged.' });
    await chat.page.getByRole('alert').getByText('The chat is damaged.').waitFor();
    await chat.tell({ type: 'triesChanged', place: { chatId: 'c', questionId: 'q' }, tries: { chatId: 7 } });
    await chat.page.getByRole('alert').getByText('Couldn’t show this chat').waitFor();
    await chat.takeFaults();
  });
});

describe('a graph that cannot be shown', () => {
  const use = useGraph();

  it('leaves the page without any, with the reason', async () => {
    const graph = use();
    await graph.show(graphOf([-1, 0]));
    assert.equal((await graph.page.locator('.graph-row').count()) > 0, true);
    await graph.tell({ type: 'graphFailed', reason: 'The chat is damaged.' });
    await graph.page.getByRole('alert').getByText('The chat is damaged.').waitFor();
    assert.equal(await graph.page.locator('.graph-row').count(), 0);
  });
});

describe('a chat that pages did not survive', () => {
  const use = useChat();
  const text = '# Title $x^2$ **bold**\n\n```js\nconst a = 1;\n```';

  it('is plain text with the way back to more', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why?'), answer('a', text)], { rendering: 'plain' }));
    assert.equal(await chat.page.locator('.markdown .plain').textContent(), text);
    assert.equal(await chat.page.locator('.markdown :is(h1, strong, pre, code, [data-tex])').count(), 0);
    await chat.screenshot('plain');
    await chat.button('Try Rendering Again').click();
    assert.deepEqual(
      (await chat.sentOf()).findLast(({ type }) => type === 'renderAgain'),
      {
        type: 'renderAgain',
        place: { chatId: 'chat-1', branch: 'main' },
      },
    );
    await chat.show(conversation([question('q', 'why?'), answer('a', text)]));
    await chat.page.locator('.markdown h1').waitFor();
    assert.equal(await chat.button('Try Rendering Again').count(), 0);
  });

  it('is known by what the page says once all is drawn, formulas included', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why?'), answer('a', text)]));
    const drawn = await until(
      async () => (await chat.sentOf()).find(({ type }) => type === 'drawn'),
      'the page to say that it has drawn',
    );
    assert.deepEqual(drawn, { type: 'drawn', chatId: 'chat-1' });
    assert.equal(await chat.page.locator('.katex').count(), 1);
  });
});
