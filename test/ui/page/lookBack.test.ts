import assert from 'node:assert/strict';
import type { MomentView } from '../../../src/protocol/views.ts';
import { until } from '../../fixtures/until.ts';
import type { Chat } from './harness/chat.ts';
import { answer, conversation, question } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const messages = [question('q', 'why?'), answer('a', 'Because'), question('r', 'how?'), answer('b', 'So')];
const moments: readonly MomentView[] = messages.map(({ id }, place) => ({
  ...{ messageId: id, place, count: 4, text: `text of ${id}`, files: place === 3 ? 0 : 2 },
}));

describe('looking back in the chat page', () => {
  const use = useChat({ viewport: { width: 240, height: 700 } });

  const bar = (chat: Chat) => chat.page.getByRole('region', { name: 'Look back' });
  const slider = (chat: Chat) => bar(chat).getByRole('slider');
  const reply = (chat: Chat, to: number | undefined): Promise<void> => {
    const moment = moments[to ?? 3];
    return chat.reply('lookBack', moment ? { moment } : {}, (asked) => asked.to === to);
  };
  const begin = async (chat: Chat): Promise<void> => {
    await chat.show(conversation(messages));
    await chat.button('Look back along this branch').click();
    await reply(chat, undefined);
    await slider(chat).waitFor();
  };
  const previewed = (chat: Chat, id: string) =>
    chat.page.locator(`.message.previewed[data-message-id="${id}"]`).waitFor();

  it('begins at the end, moves by keyboard, and shows each moment in the chat', async () => {
    const chat = use();
    await begin(chat);
    await until(
      () => slider(chat).evaluate((element) => element.ownerDocument.activeElement === element),
      'the slider to have the focus',
    );
    assert.equal(await slider(chat).getAttribute('aria-valuetext'), '4 of 4: text of b');
    assert.equal(await bar(chat).getByRole('button', { name: 'Rewind Here' }).isDisabled(), true);
    await slider(chat).press('ArrowLeft');
    await reply(chat, 2);
    await previewed(chat, 'r');
    assert.equal(await slider(chat).getAttribute('aria-valuetext'), '3 of 4: text of r');
    assert.match(await bar(chat).innerText(), /2 files are shown as they were/u);
    assert.equal(await chat.page.locator('.message.previewed').count(), 1);
  });

  it('asks for the last of several places, and not for those that were passed', async () => {
    const chat = use();
    await begin(chat);
    await slider(chat).press('ArrowLeft');
    await slider(chat).press('ArrowLeft');
    await slider(chat).press('Home');
    await reply(chat, 2);
    await reply(chat, 0);
    await previewed(chat, 'q');
    const asked = (await chat.sent()).flatMap((each) => (each.type === 'lookBack' ? [each.to] : []));
    assert.deepEqual(asked, [undefined, 2, 0]);
  });

  it('ends by Escape, which opens no list, and leads back', async () => {
    const chat = use();
    await begin(chat);
    await slider(chat).press('Home');
    await reply(chat, 0);
    await previewed(chat, 'q');
    await slider(chat).press('Escape');
    await chat.expect('lookBackEnded');
    await bar(chat).waitFor({ state: 'detached' });
    await chat.frame();
    assert.equal(await chat.page.locator('.message.previewed').count(), 0);
    await chat.page.keyboard.press('Escape');
    assert.ok((await chat.sent()).every(({ type }) => type !== 'runCommandHere'));
  });

  it('rewinds to the moment that is shown, after it has ended', async () => {
    const chat = use();
    await begin(chat);
    await slider(chat).press('Home');
    await reply(chat, 0);
    await previewed(chat, 'q');
    await bar(chat).getByRole('button', { name: 'Rewind Here' }).click();
    const { messageId } = await chat.expectCommand('rewindToHere');
    assert.equal(messageId, 'q');
    const order = (await chat.sent()).map(({ type }) => type);
    assert.ok(order.indexOf('lookBackEnded') < order.indexOf('runCommandHere'));
  });

  it('ends when another branch is shown, and a late reply opens nothing', async () => {
    const chat = use();
    await begin(chat);
    await slider(chat).press('Home');
    await chat.show(conversation(messages, { branch: 'other', branchId: 'other-id' }));
    await chat.expect('lookBackEnded');
    await reply(chat, 0);
    await chat.frame();
    assert.equal(await bar(chat).count(), 0);
  });

  it('ends as the host says, as by a key in an editor, and leads back', async () => {
    const chat = use();
    await begin(chat);
    await slider(chat).press('Home');
    await reply(chat, 0);
    await previewed(chat, 'q');
    await chat.tell({ type: 'previewEnded' });
    await chat.expect('lookBackEnded');
    await bar(chat).waitFor({ state: 'detached' });
    await until(
      async () => (await chat.page.locator('.message.previewed').count()) === 0,
      'no message of then',
    );
  });

  it('that the host refuses says why', async () => {
    const chat = use();
    await chat.show(conversation(messages));
    await chat.button('Look back along this branch').click();
    await chat.refuse('lookBack', 'The chat is gone.');
    await chat.page.getByText('The chat is gone.').waitFor();
    assert.equal(await bar(chat).count(), 0);
  });
});
