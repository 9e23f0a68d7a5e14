import assert from 'node:assert/strict';
import { answer, lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { soon } from '../fixtures/soon.ts';
import { until } from '../fixtures/until.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';

describe('the tree as a place to work in', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    return question === 'slow' ? [say('Slowly'), pause('slow')] : answer(`You said ${question}`);
  });
  const startNew = async (): Promise<void> => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
  };
  /** Waits until this is all that the tree has of a chat: its row, and what is below it. */
  const shows = async (expected: readonly string[]): Promise<void> => {
    const { tree } = use().workbench;
    await soon.deepEqual(async () => {
      const all = await tree.outline();
      const start = all.indexOf(expected[0] ?? '');
      const next = all.findIndex((row, index) => index > start && !row.startsWith(' '));
      return all.slice(start, next < 0 ? undefined : next);
    }, [...expected]);
  };
  const whole = ['Birds', '  main', '    kingfisher', '    deux', '    zwei'];

  it('is filtered, changed by its keys and menus, and leads where its rows say', async function () {
    this.timeout(180_000);
    const { chat, server, workbench } = use();
    const { contextMenu, tree } = workbench;
    await startNew();
    await chat.ask('one');
    await chat.ask('two');
    await workbench.runCommand('offshoot.createCheckpoint');
    await workbench.quickInput.answer('kingfisher');
    await workbench.tree.row('kingfisher').waitFor();
    for (const [branch, question] of [
      ['main-v2', 'deux'],
      ['main-v3', 'zwei'],
    ] as const) {
      await workbench.contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
      await chat.onBranch(branch);
      await chat.ask(question);
    }
    await step('a chat is renamed by its menu', async () => {
      await tree.pick('one', 'Rename Chat…');
      await workbench.quickInput.shown('Rename Chat');
      await workbench.quickInput.answer('Birds');
      await shows(whole);
    });

    await step('each row says what a branch is about', async () => {
      await until(async () => {
        const rows = await workbench.tree.rows();
        const about = rows
          .slice(rows.findIndex(({ label }) => label === 'deux'))
          .slice(0, 2)
          .map(({ label, description }) => [label, ...description.split(' · ').slice(0, 1)]);
        return about.join() === 'deux,4 messages,zwei,active';
      }, 'what the branches are about');
    });

    await step('it is filtered by words as one types, says so, and shows everything again', async () => {
      await workbench.runCommand('offshoot.filterTree');
      await workbench.quickInput.shown('Filter Tree');
      await workbench.quickInput.type('kingf');
      await shows(['Birds', '  main', '    kingfisher']);
      await workbench.quickInput.accept();
      await workbench.page.getByText('Filtered by “kingf”: one found.').waitFor();
      await workbench.runCommand('offshoot.clearTreeFilter');
      await shows(whole);
    });

    await step('it is narrowed down to a kind of branches, says so, and shows everything again', async () => {
      await workbench.runCommand('offshoot.showOnlyInTree');
      await workbench.quickInput.shown('Show Only');
      await workbench.quickInput.toggle('Mine');
      await workbench.quickInput.toggle('Failed');
      await workbench.quickInput.accept();
      await workbench.tree.pane.getByText('Failed, Mine').waitFor();
      await shows(whole);
      await workbench.tree.pane.hover();
      await workbench.tree.pane.getByRole('button', { name: 'Clear Filter of Tree' }).click();
      await workbench.tree.pane.getByText('Failed, Mine').waitFor({ state: 'detached' });
    });

    await step('F2 renames, Delete deletes and Ctrl+Z brings back the row with the focus', async () => {
      const { keyboard } = workbench.page;
      const rename = async (name: string): Promise<void> => {
        // VS Code may learn of the focus later than the row has it: then the key does nothing.
        await until(async () => {
          await keyboard.press('F2');
          const isThere = workbench.quickInput.input.waitFor({ timeout: 3_000 }).then(() => true);
          return isThere.catch(() => undefined);
        }, 'the box for the name');
        await workbench.quickInput.shown('Rename Checkpoint');
        await workbench.quickInput.answer(name);
      };
      await workbench.runCommand('offshoot.tree.focus');
      await workbench.tree.goTo('kingfisher');
      await rename('egrets');
      await shows(['Birds', '  main', '    egrets', '    deux', '    zwei']);
      await rename('kingfisher');
      await shows(whole);
      await keyboard.press('Delete');
      await shows(['Birds', '  main', '    deux', '    zwei']);
      await keyboard.press('Control+z');
      await shows(whole);
      await workbench.tree.goTo('deux');
      await keyboard.press('Delete');
      await shows(['Birds', '  main', '    kingfisher', '    zwei']);
      await keyboard.press('Control+z');
      await shows(whole);
    });

    await step('two that are chosen are compared, and several archived at once', async () => {
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
      // The only branch that is left has no row of its own.
      await shows(['Birds', '  kingfisher']);
      await workbench.notifications.press('Archived 2 branches', 'Undo');
      await shows(whole);
    });

    await step(
      'a row whose menu is open is still known though it and those around it are redrawn',
      async () => {
        // Only one is chosen.
        await tree.click('main');
        await chat.onBranch('main');
        await chat.send('slow');
        await server.pauseReached('slow');
        const mainIs = (state: string): Promise<true> =>
          until(
            async () =>
              (await tree.rows()).some(
                ({ name, description }) => name === 'main' && description.includes(state),
              ),
            `main to say ${state}`,
          );
        await mainIs('5 messages');
        await contextMenu.open(tree.row('deux'));
        server.release('slow');
        await mainIs('6 messages');
        await contextMenu.pick('Rename Branch…');
        await workbench.quickInput.shown('Rename Branch');
        await workbench.quickInput.answer('second try');
        await shows(['Birds', '  main', '    kingfisher', '    second try', '    zwei']);
      },
    );

    await step('a button of a row restores, and the branch that is active comes into view', async () => {
      await tree.press('kingfisher', 'Restore Checkpoint');
      // The number of the branch that was renamed is not given again.
      await chat.onBranch('main-v4');
      await tree.root.locator('.monaco-list-row.selected', { hasText: 'New branch' }).waitFor();
    });
  });

  it('has deleted branches and chats in a trash, which is emptied where room is reported', async function () {
    this.timeout(180_000);
    const { chat, workbench } = use();
    const herons = 'about herons';

    await step('what was said on another branch of another chat is found, and shown there', async () => {
      await startNew();
      await chat.ask('about herons');
      await workbench.contextMenu.pickOn(chat.messages.first(), 'Edit Prompt');
      await until(
        async () => (await chat.input.inputValue()) === 'about herons',
        'the question in the input',
      );
      await chat.ask('about storks');
      await startNew();
      await chat.ask('about cranes');
      await workbench.runCommand('offshoot.search');
      await workbench.quickInput.shown('Search in All Chats');
      await workbench.quickInput.type('said "about her');
      const label = 'You said about herons';
      await workbench.quickInput.row(label).waitFor();
      const [row] = await workbench.quickInput.rows();
      assert.deepEqual([row?.label, row?.detail], [label, 'about herons · Main line']);
      await workbench.quickInput.choose(label);
      await workbench.notifications.press('Previewing branch “Main line”', 'Switch to Branch');
      await chat.onBranch('main');
      await chat.shows(['about herons', 'You said about herons']);
      await until(
        async () => (await chat.frame.locator('.message:focus').allInnerTexts()).join().includes(label),
        'the keyboard on what was found',
      );
    });

    await step('a branch is deleted by its menu, and Undo brings it back', async () => {
      await shows([herons, '  main', '  about storks']);
      await workbench.tree.pick('about storks', 'Delete Branch');
      await shows([herons]);
      await workbench.notifications.press('Moved “about storks” to trash (2 messages', 'Undo');
      await shows([herons, '  main', '  about storks']);
    });

    await step('a chat is deleted, and the trash brings it back', async () => {
      await workbench.tree.pick('about herons', 'Delete Chat');
      await chat.shows(['about cranes', 'You said about cranes']);
      await workbench.runCommand('offshoot.openTrash');
      await workbench.quickInput.choose('about herons');
      await chat.shows(['about herons', 'You said about herons']);
    });

    await step('what takes room is reported, and the trash emptied from there', async () => {
      await workbench.tree.pick('about cranes', 'Delete Chat');
      // A tree that is drawn again takes the keyboard again: from a box, too, that opens in the same moment.
      await workbench.tree.row('about cranes').waitFor({ state: 'detached' });
      await workbench.runCommand('offshoot.storageReport');
      await workbench.quickInput.shown('Storage Report');
      const trash = workbench.quickInput.row('Trash…');
      await trash.waitFor();
      const rows = await workbench.quickInput.rows();
      assert.match(
        rows.find(({ label }) => label === 'Trash…')?.description ?? '',
        /^1 item · 2 messages · /,
      );
      assert.ok(
        rows.some(({ label, description }) => label === 'about herons' && description.includes('4 messages')),
      );
      await trash.click();
      await workbench.quickInput.shown('Trash');
      await workbench.quickInput.choose('Empty Trash…');
      await soon.equal(() => workbench.dialog.detail(), '1 item with 2 messages. This cannot be undone.');
      await workbench.dialog.press('Empty Trash');
      await workbench.notifications.find('The trash is empty.');
    });
  });
});
