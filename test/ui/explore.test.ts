import assert from 'node:assert/strict';
import { answer, lastQuestion, pause, say, toolResultsOf, useTools } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { themes, type Theme } from './support/settings.ts';
import { useChat } from './support/useChat.ts';

const design = (name: string) => ({ title: `Design ${name}`, prompt: `Look into design ${name}.` });
const designs = [design('A'), design('B')];

describe('designs that are explored at once', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    const hasResults = request.body.messages.at(-1)?.role === 'tool';
    if (question.startsWith('Look into design ')) {
      const name = question.slice(-2, -1);
      if (!hasResults) return useTools(['read_file', { path: 'README.md' }]);
      return [say(`Design ${name} begins`), pause(name), ...answer(` and is fine.`)];
    }
    if (!hasResults) return useTools(['explore', { tasks: designs }]);
    return answer('Both are fine.');
  });
  const task = (name: string) => use().chat.frame.locator('.task', { hasText: `Design ${name}` });
  const rowSays = (label: string, text: string): Promise<unknown> =>
    until(
      async () =>
        (await use().workbench.tree.rows()).some(
          (row) => row.label === label && row.description.includes(text),
        ),
      `the row of ${label} to say ${text}`,
    );

  it('show what they do, in the answer and in the tree; one is opened, and both report', async () => {
    const { chat, server, workbench } = use();
    await chat.send('Which design is better?');
    for (const name of ['A', 'B']) await server.pauseReached(name);
    await task('A').getByText('Writing the report · 2 steps').waitFor();
    await task('B').getByText('Writing the report · 2 steps').waitFor();
    await rowSays('Explorations', '2 of 2 running');
    await rowSays('Design A', 'exploring… 2 steps');
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`explore running ${theme}`);
    }

    await task('A').getByRole('button', { name: 'Design A', exact: true }).click();
    await chat.onBranch('main-v2');
    await chat.shows(['Which design is better?', 'Look into design A.', 'Design A begins']);
    await chat.frame.getByText('Task from the agent.').waitFor();
    await workbench.screenshot('explore opened');
    server.release('A');
    await chat.message('Design A begins and is fine.').waitFor();
    await workbench.tree.click('main');
    await chat.onBranch('main');
    await task('A').getByText('done', { exact: true }).waitFor({ state: 'attached' });
    server.release('B');
    await chat.message('Both are fine.').waitFor();
    const answered = toolResultsOf(server.requests.at(-1) ?? assert.fail('nothing was asked'));
    assert.deepEqual(answered, [
      {
        tool: 'explore',
        result:
          '## Design A (branch main-v2)\nDesign A begins and is fine.\n\n' +
          '## Design B (branch main-v3)\nDesign B begins and is fine.',
      },
    ]);
    await rowSays('Design A', 'explored');
    await rowSays('Design B', 'explored');
    await workbench.runCommand('offshoot.showGraph');
    await workbench.panel.locator('.chip.branch .codicon-telescope').nth(1).waitFor();
    await workbench.screenshot('explore graph');
  });

  it('stop one by one, and all with Stop', async () => {
    const { chat, server } = use();
    await chat.send('And now?');
    for (const name of ['A', 'B']) await server.pauseReached(name);
    const now = chat.frame.locator('.message').last().locator('.task');
    await now.nth(0).getByRole('button', { name: 'Stop “Design A”' }).click();
    await now.nth(0).getByText('stopped', { exact: true }).waitFor({ state: 'attached' });
    assert.equal(await now.nth(1).getByText('running').count(), 1);
    await chat.stopButton.click();
    await now.nth(1).getByText('interrupted', { exact: true }).waitFor({ state: 'attached' });
    await server.clientHungUp(2);
  });

  it('are interrupted by a reload in the middle, each on its branch, which still opens', async function () {
    this.timeout(120_000);
    const { chat, server, workbench } = use();
    const before = server.requests.length;
    await chat.send('Once more?');
    await server.requestReceived(before + 5);
    for (const name of ['A', 'B']) await server.pauseReached(name);
    await chat.frame.locator('.message').last().getByText('Writing the report').nth(1).waitFor();
    // What is older than a second survives.
    const times = chat.frame
      .locator('.message')
      .last()
      .locator('.task', { hasText: /0:0[2-9]/ });
    await until(async () => (await times.count()) === 2, 'both to have run for two seconds');
    // A page that comes back may be that of the chat or that of the graph, and says of neither which it is.
    await workbench.runCommand('workbench.action.closeAllEditors');
    await workbench.reloadByCommand();
    await workbench.openOffshoot();
    const now = chat.frame.locator('.message').last().locator('.task');
    for (const number of [0, 1]) {
      await now.nth(number).getByText('interrupted', { exact: true }).first().waitFor({ state: 'attached' });
    }
    await workbench.screenshot('explore interrupted');
    await now.nth(1).getByRole('button', { name: 'Design B', exact: true }).click();
    await chat.frame.getByText('Design B begins').waitFor();
  });
});
