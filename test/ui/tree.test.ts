import { answer, lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

describe('the tree as a place to work in', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    return question === 'slow' ? [say('Slowly'), pause('slow')] : answer(`You said ${question}`);
  });
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
    await workbench.runCommand('Offshoot: Create Checkpoint');
    await workbench.quickInput.answer('herons');
    await workbench.tree.row('herons').waitFor();
    for (const [branch, question] of [
      ['main-v2', 'deux'],
      ['main-v2-v2', 'zwei'],
    ] as const) {
      await workbench.contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
      await chat.onBranch(branch);
      await chat.ask(question);
    }
    await shows(['one', '  main', '    herons', '    main-v2', '    main-v2-v2']);
  });

  it('says in each row what a branch is about', async () => {
    const { workbench } = use();
    await until(async () => {
      const rows = await workbench.tree.rows();
      const about = rows
        .slice(3)
        .map(({ label, description }) => [label, ...description.split(' · ').slice(0, 2)]);
      return about.join() === 'deux,main-v2,4 messages,zwei,main-v2-v2,active';
    }, 'what the branches are about');
  });

  it('is filtered by words as one types, says so, and shows everything again', async () => {
    const { workbench } = use();
    await workbench.runCommand('Offshoot: Filter Tree…');
    await workbench.quickInput.shown('Filter Tree');
    await workbench.quickInput.type('heron');
    await shows(['one', '  main', '    herons']);
    await workbench.quickInput.accept();
    await workbench.page.getByText('Filtered by “heron”: one found.').waitFor();
    await workbench.screenshot('tree filtered');
    await workbench.runCommand('Offshoot: Clear Filter of Tree');
    await shows(['one', '  main', '    herons', '    main-v2', '    main-v2-v2']);
  });

  it('compares two that are chosen, and puts several out of sight at once', async () => {
    const { chat, workbench } = use();
    const { tree } = workbench;
    await tree.click('main');
    await chat.onBranch('main');
    await tree.marks('main');
    await tree.row('main-v2').click({ modifiers: ['Control'] });
    // What one of them cannot have done to it is not offered: one is active.
    await workbench.contextMenu.pickOn(tree.row('main-v2'), 'Compare Branches…', ['Compare Branches…']);
    await workbench.page.getByRole('tab', { name: /Conversation \(main.* ↔ main.*\)/ }).waitFor();
    await tree.row('main-v2-v2').click({ modifiers: ['Control'] });
    await tree.row('main').click({ modifiers: ['Control'] });
    const both = ['Compare Branches…', 'Archive Branch'];
    await workbench.contextMenu.pickOn(tree.row('main-v2-v2'), 'Archive Branch', both);
    await shows(['one', '  main', '    herons']);
    await workbench.notifications.press('2 branches are out of sight', 'Undo');
    await shows(['one', '  main', '    herons', '    main-v2', '    main-v2-v2']);
  });

  it('knows the row whose menu is open though it and those around it are drawn anew meanwhile', async () => {
    const { chat, server, workbench } = use();
    const { tree, contextMenu } = workbench;
    // Only one is chosen.
    await tree.click('main');
    await chat.send('slow');
    await server.pauseReached('slow');
    const mainIs = (state: string): Promise<true> =>
      until(
        async () =>
          (await tree.rows()).some(
            ({ label, description }) => label === 'main' && description.includes(state),
          ),
        `main to say ${state}`,
      );
    await mainIs('5 messages');
    await contextMenu.open(tree.row('main-v2'));
    server.release('slow');
    await mainIs('6 messages');
    await contextMenu.pick('Rename Branch…');
    await workbench.quickInput.shown('Rename Branch');
    await workbench.quickInput.answer('second try');
    await shows(['one', '  main', '    herons', '    second try', '    main-v2-v2']);
  });
});
