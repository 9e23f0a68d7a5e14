import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

describe('versions of questions and answers', () => {
  const use = useChat();

  it('come of editing a question in place, and one goes between them where one had been', async () => {
    const { chat, workbench } = use();
    await chat.ask('one');
    await chat.ask('two');
    await chat.messages.nth(2).hover();
    await chat.messages.nth(2).getByRole('button', { name: 'Edit here, on a new branch' }).click();
    const box = chat.frame.getByRole('textbox', { name: 'Edit the question' });
    await box.fill('deux');
    await box.press('Enter');
    await chat.onBranch('main-v2');
    await chat.shows(['one', 'You said one', 'deux', 'You said deux']);
    await chat.ask('trois');
    await workbench.screenshot('versions');
    await chat.frame.getByRole('button', { name: 'Version 1 of 2: two' }).click();
    await chat.onBranch('main');
    await chat.shows(['one', 'You said one', 'two', 'You said two']);
    // The last head used below the other one: what was said there since is there.
    await chat.frame.getByRole('button', { name: 'Version 2 of 2: deux' }).click();
    await chat.shows(['one', 'You said one', 'deux', 'You said deux', 'trois', 'You said trois']);
  });

  it('show where the branch comes from, and lead back', async () => {
    const { chat } = use();
    const crumbs = chat.frame.getByRole('navigation', { name: 'Where this branch comes from' });
    await until(
      async () => (await crumbs.getByRole('button').allInnerTexts()).join(' › ') === 'main › main-v2',
      'the branches',
    );
    await crumbs.getByRole('button', { name: 'main', exact: true }).click();
    await chat.onBranch('main');
    await crumbs.waitFor({ state: 'detached' });
  });
});
