import assert from 'node:assert/strict';
import { until } from '../fixtures/until.ts';
import { themes, type Theme } from './support/settings.ts';
import { useChat } from './support/useChat.ts';

describe('what was done in the tree', () => {
  const use = useChat();

  it('is undone and done again step by step, by the palette and by keyboard', async () => {
    const { chat, workbench } = use();
    await chat.ask('one');
    await chat.ask('two');
    await workbench.contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
    await chat.onBranch('main-v2');
    await workbench.tree.marks('New branch');
    await workbench.tree.click('main');
    await chat.onBranch('main');

    await workbench.runCommand('offshoot.undo');
    await chat.onBranch('main-v2');
    await workbench.page.locator('.statusbar').getByText('Undone: switch to Main line').waitFor();
    await workbench.runCommand('offshoot.tree.focus');
    await workbench.tree.hasFocus();
    await workbench.page.keyboard.press('Control+z');
    await chat.onBranch('main');
    await workbench.page.locator('.statusbar').getByText('Undone: rewind').waitFor();
    await workbench.page.keyboard.press('Control+y');
    await chat.onBranch('main-v2');
  });

  it('can be undone after a reload of the window, too', async () => {
    const { chat, workbench } = use();
    await workbench.reload();
    await workbench.openOffshoot();
    await chat.onBranch('main-v2');
    await workbench.runCommand('offshoot.undo');
    await chat.onBranch('main');
    await workbench.runCommand('offshoot.redo');
    await chat.onBranch('main-v2');
    await workbench.runCommand('offshoot.redo');
    await chat.onBranch('main');
  });

  it('leaves the keys to the input while one types there', async () => {
    const { chat } = use();
    await chat.input.fill('a thought');
    // The page sends the key to the workbench, which has it undone where it saw the focus last: it looks four times a
    // second. What is typed before that would be undone instead.
    const isEmpty = async (): Promise<boolean> => (await chat.input.inputValue()) === '';
    await until(async () => {
      await chat.input.press('Control+z');
      return until(isEmpty, 'it to be empty', 2_000);
    }, 'what was typed to be undone');
    await chat.ask('three');
    await chat.onBranch('main');
    await chat.shows(['one', 'You said one', 'two', 'You said two', 'three', 'You said three']);
  });

  it('stands in the timeline, from which one goes where it happened', async () => {
    const { chat, workbench } = use();
    const { quickInput } = workbench;
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench.setTheme(theme);
      await workbench.runCommand('offshoot.showTimeline');
      await quickInput.shown('Timeline');
      await quickInput.row('Chat begun').waitFor();
      await workbench.screenshot(`timeline ${theme}`);
      await quickInput.dismiss();
    }
    await workbench.runCommand('offshoot.showTimeline');
    await quickInput.shown('Timeline');
    await quickInput.row('Chat begun').waitFor();
    const labels = (await quickInput.rows()).map(({ label }) => label);
    assert.deepEqual(
      labels.slice(-5),
      ['Rewound to “You said one”', 'You said two', 'two', 'You said one', 'one', 'Chat begun'].slice(-5),
    );
    await quickInput.type('Rewound');
    await quickInput.choose('Rewound to “You said one”');
    await chat.message('You said one').waitFor();
  });
});

describe('chats in lists', () => {
  const use = useChat();
  const chats = async (): Promise<string[]> =>
    (await use().workbench.tree.rows()).filter(({ level }) => level === 1).map(({ label }) => label);

  it('stand first when they are pinned, and are hidden when they are archived', async () => {
    const { chat, workbench } = use();
    const { tree, quickInput } = workbench;
    await chat.ask('older');
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.ask('newer');
    await until(async () => (await chats()).join() === 'newer,older', 'both chats');
    await tree.pick('older', 'Pin Chat');
    await until(async () => (await chats()).join() === 'older,newer', 'the pinned one first');
    await workbench.screenshot('pinned chat');

    await tree.pick('newer', 'Archive Chat');
    await until(async () => (await chats()).join() === 'older', 'the archived one to go');
    await chat.shows(['older', 'You said older']);
    await workbench.notifications.press('Archived “newer”', 'Undo');
    await until(async () => (await chats()).join() === 'older,newer', 'it to come back');
    await chat.shows(['newer', 'You said newer']);

    await tree.pick('newer', 'Archive Chat');
    await until(async () => (await chats()).join() === 'older', 'it to go again');
    await workbench.runCommand('offshoot.showArchivedChats');
    await quickInput.shown('Archived Chats');
    await quickInput.choose('newer');
    await chat.shows(['newer', 'You said newer']);
    await tree.pick('older', 'Unpin Chat');
    await until(async () => (await chats())[0] !== undefined && (await chats()).length === 2, 'both chats');
  });
});
