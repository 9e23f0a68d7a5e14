import { answer, finish, lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

describe('messages queued during a long answer', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    if (!question.startsWith('long')) return answer(`You said ${question}`);
    return [say(`${question} begins`), pause(question), say(' and ends'), finish()];
  });

  it('are sent one after the other once it has ended', async () => {
    const { chat, server } = use();
    await chat.send('long one');
    await chat.message('long one begins').waitFor();
    for (const text of ['two', 'three', 'four']) await chat.send(text);
    const queued = chat.frame.locator('.queued');
    await queued.nth(2).waitFor();
    await queued.filter({ hasText: 'four' }).getByRole('button', { name: 'Move Up' }).click();
    await queued.nth(1).getByText('four').waitFor();
    await chat.shows(['long one', 'long one begins']);
    server.release('long one');
    await chat.shows([
      ...['long one', 'long one begins and ends', 'two', 'You said two'],
      ...['four', 'You said four', 'three', 'You said three'],
    ]);
    await soon.equal(() => queued.count(), 0);
  });

  it('survive a reload, and can be edited and sent then', async () => {
    const { chat, workbench } = use();
    await chat.send('long five');
    await chat.message('long five begins').waitFor();
    await chat.send('six');
    await chat.send('seven');
    const queued = chat.frame.locator('.queued');
    await queued.nth(1).waitFor();
    await workbench.reloadByCommand();
    await workbench.openOffshoot();
    await chat.frame.getByText('Send them when you are ready').waitFor();
    await queued.filter({ hasText: 'six' }).getByRole('button', { name: 'Edit' }).click();
    await queued.filter({ hasText: 'six' }).waitFor({ state: 'detached' });
    await until(async () => (await chat.input.inputValue()) === 'six', 'the text in the input');
    await queued.filter({ hasText: 'seven' }).getByRole('button', { name: 'Stop and Send Now' }).click();
    await chat.message('You said seven').waitFor();
    await soon.equal(() => queued.count(), 0);
  });
});
