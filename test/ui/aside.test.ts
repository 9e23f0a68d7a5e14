import { answer, lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { useChat } from './support/useChat.ts';

describe('a question by the way', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    // What summarizes the side question is asked for in longer words.
    if (question.includes('\n')) return answer('Both are settled.');
    return [say(`${question} begins`), pause(question), say(` and ${question} ends`)];
  });

  it('is answered on a branch of its own while the main answer streams, and neither disturbs the other', async () => {
    const { chat, workbench, server } = use();
    await chat.send('main');
    await chat.message('main begins').waitFor();

    await workbench.runCommand('offshoot.btw');
    await workbench.quickInput.answer('side');
    await chat.aside.getByText('side begins').waitFor();
    await chat.shows(['main', 'main begins']);
    await workbench.tree.row('side').waitFor();

    server.release('side');
    await chat.aside.getByText('side begins and side ends').waitFor();
    await chat.shows(['main', 'main begins']);

    server.release('main');
    await chat.answered(1);
    await chat.shows(['main', 'main begins and main ends']);
    await chat.onBranch('main');
  });

  it('can be gone on with', async () => {
    const { chat } = use();
    await chat.aside.getByRole('button', { name: 'Continue in Chat' }).click();
    await chat.onBranch('main-v2');
    await chat.shows(['main', 'side', 'side begins and side ends']);
  });

  it('is asked from the input while an answer streams, and its card can be closed', async () => {
    const { chat, server, workbench } = use();
    await chat.send('again');
    await chat.message('again begins').waitFor();
    await chat.input.fill('second side');
    await chat.frame.getByRole('button', { name: 'By the way', exact: true }).click();
    const card = chat.aside.filter({ hasText: 'second side begins' });
    await card.waitFor();
    server.release('second side');
    server.release('again');
    await card.getByText('second side ends').waitFor();
    await card.getByRole('button', { name: /^Close/ }).click();
    await card.waitFor({ state: 'detached' });
    await workbench.tree.row('second side').waitFor();
  });

  it('takes a follow-up in its card, and is discarded for good once the user is sure', async () => {
    const { chat, server, workbench } = use();
    await chat.input.fill('third side');
    await chat.frame.getByRole('button', { name: 'By the way', exact: true }).click();
    server.release('third side');
    const card = chat.aside.filter({ hasText: 'third side ends' });
    await card.waitFor();
    await card.getByRole('textbox', { name: 'Follow-up' }).fill('further');
    await card.getByRole('button', { name: 'Send Follow-up' }).click();
    server.release('further');
    await card.getByText('further ends').waitFor();
    await card.getByRole('button', { name: 'Discard', exact: true }).click();
    await workbench.dialog.press('Cancel');
    await workbench.tree.row('third side').waitFor();
    await card.getByRole('button', { name: 'Discard', exact: true }).click();
    await workbench.dialog.press('Discard');
    await card.waitFor({ state: 'detached' });
    await workbench.tree.row('third side').waitFor({ state: 'detached' });
  });

  it('is merged with its follow-up into the conversation', async () => {
    const { chat, server, workbench } = use();
    await chat.input.fill('fourth side');
    await chat.frame.getByRole('button', { name: 'By the way', exact: true }).click();
    server.release('fourth side');
    const card = chat.aside.filter({ hasText: 'fourth side ends' });
    await card.waitFor();
    await card.getByRole('textbox', { name: 'Follow-up' }).fill('more of it');
    await card.getByRole('button', { name: 'Send Follow-up' }).click();
    server.release('more of it');
    await card.getByText('more of it ends').waitFor();
    await card.getByRole('button', { name: 'Merge Summary…' }).click();
    await workbench.quickInput.choose('Have test-model Write a Summary');
    await workbench.page.getByRole('button', { name: 'Add Summary to This Branch' }).first().click();
    const report = chat.frame.locator('.report', { hasText: 'Merged from fourth side' });
    await report.getByText('Both are settled.').waitFor();
  });
});
