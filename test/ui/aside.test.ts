import { lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { useChat } from './support/useChat.ts';

describe('a question by the way', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    return [say(`${question} begins`), pause(question), say(` and ${question} ends`)];
  });

  it('is answered on a branch of its own while the main answer streams, and neither disturbs the other', async () => {
    const { chat, workbench, server } = use();
    await chat.send('main');
    await chat.message('main begins').waitFor();

    await workbench.runCommand('Offshoot: By the Way…');
    await workbench.quickInput.answer('side');
    await chat.aside.getByText('side begins').waitFor();
    await chat.shows(['main', 'main begins']);
    await workbench.tree.row('main-v2').waitFor();

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
    await workbench.tree.row('main-v2-v2').waitFor();
  });
});
