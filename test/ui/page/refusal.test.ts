import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import { conversation, question, streaming, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';
import { graphOf, useGraph } from './harness/graph.ts';

describe('a conversation that cannot be shown', () => {
  const use = useChat();
  const malformed = { type: 'conversationChanged', conversation: { ...conversation(turns(2)), branch: 7 } };

  it('leaves no other one on the page, says why, and takes no question', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    await chat.input.fill('meant for this chat');
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
    // What was typed is still there once its chat is.
    await chat.show(conversation(turns(2, 4), { branchId: 'another', chat: { id: 'chat-2', title: 'Two' } }));
    assert.equal(await chat.input.inputValue(), '');
    await chat.show(conversation(turns(2)));
    assert.equal(await chat.input.inputValue(), 'meant for this chat');
    await chat.button('Send').click();
    const asked = (await chat.sentOf()).find((message) => message.type === 'sendMessage');
    assert.deepEqual(asked?.place, { chatId: 'chat-1', branch: 'main' });
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

  it('offers to try again now or to go back to local chats while the shared store is away', async () => {
    const chat = use();
    await chat.tell({ type: 'conversationFailed', reason: 'It can’t be reached.', isAway: true });
    await chat.page.getByRole('alert').getByText('It can’t be reached.').waitFor();
    assert.equal(await chat.button('New Chat').count(), 0);
    await chat.button('Try Again').click();
    await chat.expectCommand('openStorageAgain');
    await chat.button('Use Local Chats…').click();
    await chat.expectCommand('disconnectSharedStore');
    await chat.show(conversation(turns(2)));
    await chat.tell({ type: 'conversationFailed', reason: 'The chat is damaged.' });
    await chat.button('New Chat').waitFor();
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
  const use = useChat({ alternatives: true });

  it('leave the page without any, with the reason', async () => {
    const chat = use();
    await chat.tell({ type: 'conversationFailed', reason: 'The chat is damaged.' });
    await chat.page.getByRole('alert').getByText('The chat is damaged.').waitFor();
    await chat.tell({
      type: 'alternativesChanged',
      place: { chatId: 'c', questionId: 'q' },
      alternatives: { chatId: 7 },
    });
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
