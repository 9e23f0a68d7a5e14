import { answer, cut, lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

describe('the tree as a place to work in', () => {
  const use = useChat(
    (request) => {
      const question = lastQuestion(request);
      // A title is asked for after each first answer; all but one stay what their first words are.
      if (question.startsWith('Give this a title')) {
        return answer(question.includes('birds') ? 'Of herons and cranes' : ' ');
      }
      if (question === 'break') return [say('Half'), cut()];
      return question === 'slow' ? [say('Slowly'), pause('slow')] : answer(`You said ${question}`);
    },
    { settings: { 'offshoot.titles': 'model' } },
  );
  const shows = async (expected: readonly string[]): Promise<void> => {
    const { tree } = use().workbench;
    let last: string[] = [];
    await until(
      async () => {
        last = await tree.outline();
        return JSON.stringify(last) === JSON.stringify(expected);
      },
      `the tree ${JSON.stringify(expected)}`,
    ).catch((error: unknown) => {
      throw new Error(`The tree is ${JSON.stringify(last)}.`, { cause: error });
    });
  };

  before('a chat with three branches and a checkpoint', async () => {
    const { chat, workbench } = use();
    await chat.ask('one');
    await chat.ask('two');
    await workbench.runCommand('offshoot.createCheckpoint');
    await workbench.quickInput.answer('herons');
    await workbench.tree.row('herons').waitFor();
    for (const [branch, question] of [
      ['main-v2', 'deux'],
      ['main-v3', 'zwei'],
    ] as const) {
      await workbench.contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
      await chat.onBranch(branch);
      await chat.ask(question);
    }
    await shows(['one', '  main', '    herons', '    deux', '    zwei']);
  });

  it('says in each row what a branch is about', async () => {
    const { workbench } = use();
    await until(async () => {
      const rows = await workbench.tree.rows();
      const about = rows
        .slice(3)
        .map(({ label, description }) => [label, ...description.split(' · ').slice(0, 1)]);
      return about.join() === 'deux,4 messages,zwei,active';
    }, 'what the branches are about');
  });

  it('is filtered by words as one types, says so, and shows everything again', async () => {
    const { workbench } = use();
    await workbench.runCommand('offshoot.filterTree');
    await workbench.quickInput.shown('Filter Tree');
    await workbench.quickInput.type('heron');
    await shows(['one', '  main', '    herons']);
    await workbench.quickInput.accept();
    await workbench.page.getByText('Filtered by “heron”: one found.').waitFor();
    await workbench.screenshot('tree filtered');
    await workbench.runCommand('offshoot.clearTreeFilter');
    await shows(['one', '  main', '    herons', '    deux', '    zwei']);
  });

  it('is narrowed down to a kind of branches, says so beside its title, and shows everything again', async () => {
    const { workbench } = use();
    await workbench.runCommand('offshoot.showOnlyInTree');
    await workbench.quickInput.shown('Show Only');
    await workbench.quickInput.toggle('Mine');
    await workbench.quickInput.toggle('Failed');
    await workbench.quickInput.accept();
    await workbench.tree.pane.getByText('Failed, Mine').waitFor();
    await shows(['one', '  main', '    herons', '    deux', '    zwei']);
    await workbench.screenshot('tree narrowed down');
    await workbench.tree.pane.hover();
    await workbench.tree.pane.getByRole('button', { name: 'Clear Filter of Tree' }).click();
    await workbench.tree.pane.getByText('Failed, Mine').waitFor({ state: 'detached' });
  });

  it('renames by F2 and deletes by Delete the row with the focus, and Ctrl+Z brings it back', async () => {
    const { workbench } = use();
    const { keyboard } = workbench.page;
    const rename = async (name: string): Promise<void> => {
      await keyboard.press('F2');
      await workbench.quickInput.shown('Rename Checkpoint');
      await workbench.quickInput.answer(name);
    };
    await workbench.runCommand('offshoot.tree.focus');
    await workbench.tree.goTo('herons');
    await rename('egrets');
    await shows(['one', '  main', '    egrets', '    deux', '    zwei']);
    await rename('herons');
    await shows(['one', '  main', '    herons', '    deux', '    zwei']);
    await keyboard.press('Delete');
    await shows(['one', '  main', '    deux', '    zwei']);
    await keyboard.press('Control+z');
    await shows(['one', '  main', '    herons', '    deux', '    zwei']);
    await workbench.tree.goTo('deux');
    await keyboard.press('Delete');
    await shows(['one', '  main', '    herons', '    zwei']);
    await keyboard.press('Control+z');
    await shows(['one', '  main', '    herons', '    deux', '    zwei']);
  });

  it('compares two that are chosen, and archives several at once', async () => {
    const { chat, workbench } = use();
    const { tree } = workbench;
    await tree.click('main');
    await chat.onBranch('main');
    await tree.marks('main');
    await tree.row('deux').click({ modifiers: ['Control'] });
    // What one of them cannot have done to it is not offered: one is active.
    await workbench.contextMenu.pickOn(tree.row('deux'), 'Compare Branches…', ['Compare Branches…']);
    await workbench.page.getByRole('tab', { name: /Conversation \(Main line ↔ deux\)/ }).waitFor();
    await tree.row('zwei').click({ modifiers: ['Control'] });
    await tree.row('main').click({ modifiers: ['Control'] });
    const both = ['Compare Branches…', 'Archive Branch'];
    await workbench.contextMenu.pickOn(tree.row('zwei'), 'Archive Branch', both);
    await shows(['one', '  main', '    herons']);
    await workbench.notifications.press('Archived 2 branches', 'Undo');
    await shows(['one', '  main', '    herons', '    deux', '    zwei']);
  });

  it('knows the row whose menu is open though it and those around it are drawn anew meanwhile', async () => {
    const { chat, server, workbench } = use();
    const { tree, contextMenu } = workbench;
    // Only one is chosen.
    await tree.click('main');
    await chat.onBranch('main');
    await chat.send('slow');
    await server.pauseReached('slow');
    const mainIs = (state: string): Promise<true> =>
      until(
        async () =>
          (await tree.rows()).some(({ name, description }) => name === 'main' && description.includes(state)),
        `main to say ${state}`,
      );
    await mainIs('5 messages');
    await contextMenu.open(tree.row('deux'));
    server.release('slow');
    await mainIs('6 messages');
    await contextMenu.pick('Rename Branch…');
    await workbench.quickInput.shown('Rename Branch');
    await workbench.quickInput.answer('second try');
    await shows(['one', '  main', '    herons', '    second try', '    zwei']);
  });

  it('shows how far the answer of a branch is: on its way, stopped, failed', async () => {
    const { chat, server, workbench } = use();
    const { tree } = workbench;
    const mainIs = async (icon: string, text: string): Promise<void> => {
      const row = tree.row('main');
      await row.locator(`.codicon-${icon}`).waitFor();
      await until(
        async () => ((await row.getAttribute('aria-label')) ?? '').includes(text),
        `main to be ${text}`,
      );
    };
    await tree.click('main');
    await chat.onBranch('main');
    await chat.send('slow');
    await server.pauseReached('slow');
    await mainIs('loading', 'answering');
    await chat.stopButton.click();
    await mainIs('circle-filled', 'interrupted');
    server.release('slow');
    await chat.send('break');
    await mainIs('error', 'failed');
    await workbench.screenshot('tree states');
  });

  it('switches and restores by the buttons of a row, and brings the branch that is active into view', async () => {
    const { chat, workbench } = use();
    const { tree } = workbench;
    await tree.press('herons', 'Restore Checkpoint');
    // The number of the branch that was renamed is not given again.
    await chat.onBranch('main-v4');
    await tree.root.locator('.monaco-list-row.selected', { hasText: 'New branch' }).waitFor();
  });

  it('takes the title that the model wrote', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.ask('which birds?');
    await workbench.tree.row('Of herons and cranes').waitFor();
    await workbench.tree.pick('Of herons and cranes', 'Rename Chat…');
    await workbench.quickInput.shown('Rename Chat');
    await workbench.quickInput.answer('Birds');
    await workbench.tree.row('Birds').waitFor();
  });
});
