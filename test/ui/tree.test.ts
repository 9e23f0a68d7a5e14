import assert from 'node:assert/strict';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

describe('the tree as a place to work in', () => {
  const use = useChat();
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
    const descriptions = (await workbench.tree.rows()).map(({ description }) =>
      description.split(' · ').slice(0, 2).join(' · '),
    );
    assert.deepEqual(descriptions.slice(3), ['deux · 4 messages', 'zwei · active']);
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
    await tree.row('main-v2').click({ modifiers: ['Control'] });
    await tree.row('main').click({ modifiers: ['Control'] });
    await tree.row('main-v2-v2').click({ modifiers: ['Control'] });
    await workbench.contextMenu.openOn(tree.row('main-v2-v2'));
    assert.deepEqual(await workbench.contextMenu.entries(), ['Compare Branches…', 'Archive Branch']);
    await workbench.contextMenu.pick('Compare Branches…');
    await workbench.page
      .getByRole('tab', { name: /Conversation \(main-v2(-v2)? ↔ main-v2(-v2)?\)/ })
      .waitFor();
    await workbench.contextMenu.pickOn(tree.row('main-v2-v2'), 'Archive Branch');
    await shows(['one', '  main', '    herons']);
    await workbench.notifications.press('2 branches are out of sight', 'Undo');
    await shows(['one', '  main', '    herons', '    main-v2', '    main-v2-v2']);
  });

  it('lets a checkpoint be dragged onto the chat', async () => {
    const { chat, workbench } = use();
    const { page, tree } = workbench;
    const from = await tree.row('herons').boundingBox();
    const to = await chat.frame.locator('.scroller').boundingBox();
    assert.ok(from && to);
    await page.mouse.move(from.x + 60, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y - 10, { steps: 3 });
    // As everywhere in VS Code, a page takes what is dropped while Shift is held.
    await page.keyboard.down('Shift');
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
    await chat.frame.getByText('Drop to go on from here').waitFor();
    await workbench.screenshot('tree drag');
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await chat.onBranch('main-v3');
  });
});
