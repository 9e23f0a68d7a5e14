import { answer, lastQuestion } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

describe('summaries, bringing back and cherry-picking', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    return answer(question.startsWith('Summarise this part') ? 'A fine gist.' : `You said ${question}`);
  });
  const report = (text: string) => use().chat.frame.locator('.report').filter({ hasText: text });

  before('a conversation', async () => {
    const { chat, workbench } = use();
    await workbench.setSidebarWidth(400);
    for (const question of ['one', 'two', 'three']) await chat.ask(question);
  });

  it('shows branch and tokens in the status bar; a click opens the Context view', async () => {
    const { workbench } = use();
    const item = workbench.page.locator('.statusbar-item').filter({ hasText: /Main line · [\d.,]+k?/ });
    await item.waitFor();
    await item.click();
    await workbench.contextView.row('System prompt').waitFor();
    await workbench.contextView.fold();
  });

  it('puts a summary in place of what came before, by the menu of a message, and leads to the full text', async () => {
    const { chat, workbench } = use();
    await workbench.contextMenu.pickOn(chat.message('You said two'), 'Summarize Up to Here…');
    await chat.onBranch('main-v2');
    await chat.shows(['three', 'You said three']);
    await report('A fine gist.').getByText('Summary of 4 earlier messages').waitFor();
    await workbench.screenshot('summaries up to here');
    await report('A fine gist.')
      .getByRole('button', { name: 'Show the full text, in branch Main line' })
      .click();
    await chat.onBranch('main');
    await chat.shows(['one', 'You said one', 'two', 'You said two', 'three', 'You said three']);
  });

  it('puts a summary in place of what came after, by the menu of a message', async () => {
    const { chat, workbench } = use();
    await workbench.contextMenu.pickOn(chat.messages.nth(2), 'Summarize From Here…');
    await report('A fine gist.').getByText('Summary of 4 later messages').waitFor();
    await chat.shows(['one', 'You said one']);
    await report('A fine gist.')
      .getByRole('button', { name: 'Show the full text, in branch Main line' })
      .click();
    await chat.onBranch('main');
  });

  it('brings another branch back as the user has edited it', async () => {
    const { chat, workbench } = use();
    await workbench.contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
    await chat.onBranch('main-v4');
    await chat.ask('aside');
    await workbench.tree.click('main');
    await chat.onBranch('main');
    // A tree that is drawn anew under its menu loses what the menu is for.
    await until(
      async () =>
        (await workbench.tree.rows()).some(({ description }) => description.startsWith('active · 6')),
      'the tree to show where one is',
    );
    await workbench.tree.pick('aside', 'Merge Summary…');
    await workbench.quickInput.choose('Have test-model Write a Summary');
    const editor = workbench.page.locator('.editor-instance .view-lines', {
      hasText: 'A\u00A0fine\u00A0gist.',
    });
    await editor.click();
    await workbench.page.keyboard.type('Edited. ');
    await workbench.screenshot('summaries draft');
    await workbench.page.getByRole('button', { name: 'Add Summary to This Branch' }).first().click();
    await chat.onBranch('main');
    await report('Merged from aside').getByText('Edited.').waitFor();
    await report('Merged from aside').getByText('test-model, edited').waitFor();
    await workbench.screenshot('summaries brought back');
  });

  it('takes one question and its answer along', async () => {
    const { chat, workbench } = use();
    await workbench.tree.click('main');
    await chat.onBranch('main');
    await workbench.runCommand('offshoot.cherryPick');
    await workbench.quickInput.choose('aside');
    await workbench.quickInput.choose('aside');
    await chat.onBranch('main-v5');
    await soon.deepEqual(async () => (await chat.texts()).slice(-2), ['aside', 'You said aside']);
  });
});
