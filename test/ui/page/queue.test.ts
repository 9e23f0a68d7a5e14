import assert from 'node:assert/strict';
import type { QueuedView } from '../../../src/protocol/chatFromHost.ts';
import { conversation, question, streaming, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const queued = (text: string, isSteering = false): QueuedView => ({ id: `id of ${text}`, text, isSteering });

describe('messages that are queued', () => {
  const use = useChat();
  const running = { running: streaming('a', 'Because') };

  it('are sent by Enter or a button while an answer streams, and to its next step by Alt+Enter', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why?')], running));
    await chat.input.fill('and how?');
    await chat.page.getByText('Enter queues it').waitFor();
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.expect('sendMessage'), { type: 'sendMessage', text: 'and how?' });
    assert.equal(await chat.input.inputValue(), '');
    await chat.input.fill('quick');
    await chat.page.keyboard.press('Alt+Enter');
    await chat.input.fill('by mouse');
    await chat.button('Add to Queue').click();
    const sent = (await chat.sent()).filter(({ type }) => type === 'sendMessage');
    assert.deepEqual(sent.slice(1), [
      { type: 'sendMessage', text: 'quick', steers: true },
      { type: 'sendMessage', text: 'by mouse' },
    ]);
    // Of a conversation at rest there is no next step.
    await chat.show(conversation(turns(2)));
    await chat.input.fill('later');
    await chat.page.keyboard.press('Alt+Enter');
    assert.deepEqual((await chat.sent()).at(-1), { type: 'sendMessage', text: 'later' });
  });

  it('stand in order above the input, each with what can be done with it', async () => {
    const chat = use();
    const queue = [queued('two'), queued('three', true), queued('four')];
    await chat.show(conversation([question('q', 'why?')], { ...running, queue }));
    await chat.openPanel('queue');
    const rows = chat.page.locator('.queued');
    assert.deepEqual(await rows.locator('.queued-text').allInnerTexts(), [
      'Queued:\ntwo',
      'Sent at the next step:\nthree',
      'Queued:\nfour',
    ]);
    const press = async (index: number, name: string): Promise<unknown> => {
      await rows.nth(index).getByRole('button', { name, exact: true }).click();
      return (await chat.sent()).at(-1);
    };
    const id = 'id of three';
    assert.deepEqual(await press(1, 'Move Up'), { type: 'moveQueued', id, to: 0 });
    assert.deepEqual(await press(1, 'Move Down'), { type: 'moveQueued', id, to: 2 });
    assert.deepEqual(await press(1, 'Send at the next step of the response'), {
      type: 'steerQueued',
      id,
      steers: false,
    });
    assert.deepEqual(await press(1, 'Stop and Send Now'), { type: 'sendQueuedNow', id });
    assert.deepEqual(await press(1, 'Edit'), { type: 'editQueued', id });
    assert.deepEqual(await press(1, 'Remove'), { type: 'removeQueued', id });
    assert.ok(await rows.first().getByRole('button', { name: 'Move Up' }).isDisabled());
    assert.ok(await rows.last().getByRole('button', { name: 'Move Down' }).isDisabled());
    // What had the keyboard is gone: it goes on in the input.
    await rows.last().getByRole('button', { name: 'Remove' }).focus();
    await chat.show(conversation([question('q', 'why?')], running));
    assert.equal(await chat.page.evaluate('document.activeElement.tagName'), 'TEXTAREA');
  });

  it('say that they wait for the user where the answer did not come to its end', async () => {
    const chat = use();
    await chat.show(conversation(turns(2), { queue: [queued('<b>two</b>')] }));
    await chat.page.getByText('Queue paused: the last response stopped.').waitFor();
    assert.match(await chat.page.locator('.queued-text').innerText(), /<b>two<\/b>$/);
    assert.equal(await chat.page.getByRole('button', { name: 'Move Up' }).count(), 0);
  });
});

describe('earlier questions', () => {
  const use = useChat();

  it('come back by the Up arrow in an empty input, and go by the Down arrow', async () => {
    const chat = use();
    const words = ['first', 'second', 'second', 'third'];
    await chat.show(conversation(words.map((text, index) => question(`q${index}`, text))));
    await chat.input.focus();
    const press = async (key: string): Promise<string> => {
      await chat.page.keyboard.press(key);
      await chat.frame();
      return chat.input.inputValue();
    };
    assert.equal(await press('ArrowUp'), 'third');
    assert.equal(await press('ArrowUp'), 'second');
    assert.equal(await press('ArrowUp'), 'first');
    assert.equal(await press('ArrowUp'), 'first');
    assert.equal(await press('ArrowDown'), 'second');
    assert.equal(await press('ArrowDown'), 'third');
    assert.equal(await press('ArrowDown'), '');
    assert.equal(await press('ArrowDown'), '');
  });

  it('leave what is being typed alone', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why?')]));
    await chat.input.fill('mine');
    await chat.page.keyboard.press('ArrowUp');
    await chat.frame();
    assert.equal(await chat.input.inputValue(), 'mine');
    await chat.input.fill('');
    await chat.page.keyboard.press('ArrowUp');
    await chat.frame();
    await chat.page.keyboard.press('End');
    await chat.page.keyboard.type(' really');
    await chat.page.keyboard.press('ArrowUp');
    await chat.frame();
    assert.equal(await chat.input.inputValue(), 'why? really');
  });
});

describe('messages that are queued in a narrow side bar', () => {
  const use = useChat({ viewport: { width: 240, height: 900 } });

  it('take a line each, and show what can be done with the one that has the focus', async () => {
    const chat = use();
    const queue = ['First the tests of all of it', 'Then the documentation'].map((text) => queued(text));
    await chat.show(conversation([question('q', 'why?')], { running: streaming('a', 'Because'), queue }));
    await chat.openPanel('queue');
    const row = chat.page.locator('.queued').first();
    const height = (await row.boundingBox())?.height ?? 0;
    assert.ok(height > 0 && height < 30, `${height}`);
    const words = (await row.locator('.queued-text').boundingBox())?.width ?? 0;
    assert.ok(words > 150, `${words}`);
    const isSeen = (): Promise<boolean> =>
      row.locator('.queued-actions').evaluate((each) => getComputedStyle(each).opacity === '1');
    assert.equal(await isSeen(), false);
    await row.getByRole('button', { name: 'Edit' }).focus();
    assert.equal(await isSeen(), true);
  });
});
