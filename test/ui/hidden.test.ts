import assert from 'node:assert/strict';
import { answer, lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `Line ${at}.`).join('\n\n');

describe('the side bar that is hidden and shown while an answer streams', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    if (question === 'slowly')
      return [say('It begins'), pause('meanwhile'), say(', goes on'), pause('end'), say(', ends.')];
    return answer(lines(60));
  });

  it('has the answer as far as it has come, what was typed, and the place one read at', async () => {
    const { chat, workbench, server } = use();
    await chat.ask('a long one');
    await chat.send('slowly');
    await chat.message('It begins').waitFor();
    await chat.input.fill('half a question');
    // Somewhere in the middle of the long answer.
    await chat.frame.getByText('Line 20.', { exact: true }).scrollIntoViewIfNeeded();
    await chat.frame.getByRole('button', { name: 'Jump to latest' }).waitFor();

    await workbench.activityBarItem.click();
    await workbench.page.locator('.part.sidebar').waitFor({ state: 'hidden' });
    server.release('meanwhile');
    await workbench.openOffshoot();

    await chat.message('It begins, goes on').waitFor({ state: 'attached' });
    assert.equal(await chat.input.inputValue(), 'half a question');
    const inView = chat.frame.getByText('Line 20.', { exact: true });
    await until(async () => {
      const box = await inView.boundingBox();
      const list = await chat.frame.locator('.scroller').boundingBox();
      return box && list && box.y >= list.y - 1 && box.y <= list.y + list.height;
    }, 'the place one read at');
    server.release('end');
    await chat.message('It begins, goes on, ends.').waitFor({ state: 'attached' });
    await chat.stopButton.waitFor({ state: 'detached' });
  });
});
