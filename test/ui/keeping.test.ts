import assert from 'node:assert/strict';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

describe('keeping and letting go', () => {
  const use = useChat();
  const branches = async (expected: string[]): Promise<void> => {
    const { workbench } = use();
    await until(
      async () => {
        const outline = await workbench.tree.outline();
        const start = outline.indexOf('about herons') + 1;
        const next = outline.findIndex((row, index) => index >= start && !row.startsWith(' '));
        const below = outline.slice(start, next < 0 ? undefined : next).map((row) => row.trim());
        return below.join() === expected.join();
      },
      `the branches to be ${expected.join(', ')}`,
    );
  };

  it('finds what was said on another branch of another chat, and shows it there', async () => {
    const { chat, workbench } = use();
    await chat.ask('about herons');
    await workbench.contextMenu.pickOn(chat.messages.first(), 'Edit and Branch');
    await until(async () => (await chat.input.inputValue()) === 'about herons', 'the question in the input');
    await chat.ask('about storks');
    await workbench.runCommand('offshoot.newChat');
    await chat.shows([]);
    await chat.ask('about cranes');
    await workbench.runCommand('offshoot.search');
    await workbench.quickInput.shown('Search in All Chats');
    await workbench.quickInput.type('said "about her');
    const label = 'You said about herons';
    await workbench.quickInput.row(label).waitFor();
    const [row, ...others] = await workbench.quickInput.rows();
    assert.equal(row?.detail, 'about herons · Main line');
    assert.deepEqual(others, []);
    await workbench.quickInput.choose(label);
    await workbench.notifications.press('Previewing branch “Main line”', 'Switch to Branch');
    await chat.onBranch('main');
    await chat.shows(['about herons', 'You said about herons']);
    await until(
      async () => (await chat.frame.locator('.message:focus').allInnerTexts()).join().includes(label),
      'the keyboard on what was found',
    );
  });

  it('deletes a branch by its menu, and Undo brings it back', async () => {
    const { workbench } = use();
    await branches(['main', 'about storks']);
    await workbench.tree.pick('about storks', 'Delete Branch');
    await branches(['main']);
    await workbench.notifications.press('Moved “about storks” to trash (2 messages', 'Undo');
    await branches(['main', 'about storks']);
  });

  it('deletes a chat, and the trash brings it back', async () => {
    const { chat, workbench } = use();
    await workbench.tree.pick('about herons', 'Delete Chat…');
    await workbench.dialog.press('Delete');
    await chat.shows(['about cranes', 'You said about cranes']);
    await workbench.runCommand('offshoot.openTrash');
    await workbench.quickInput.choose('about herons');
    await chat.shows(['about herons', 'You said about herons']);
  });

  it('reports what takes room, and empties the trash from there', async () => {
    const { workbench } = use();
    await workbench.tree.pick('about cranes', 'Delete Chat…');
    await workbench.dialog.press('Delete');
    // A tree that is drawn anew takes the keyboard again: from a box, too, that opens in the same moment.
    await workbench.tree.row('about cranes').waitFor({ state: 'detached' });
    await workbench.runCommand('offshoot.storageReport');
    await workbench.quickInput.shown('Storage Report');
    const trash = workbench.quickInput.row('Trash…');
    await trash.waitFor();
    const rows = await workbench.quickInput.rows();
    assert.match(rows.find(({ label }) => label === 'Trash…')?.description ?? '', /^1 thing · 2 messages · /);
    assert.ok(
      rows.some(({ label, description }) => label === 'about herons' && description.includes('4 messages')),
    );
    await trash.click();
    await workbench.quickInput.shown('Trash');
    await workbench.quickInput.choose('Empty Trash…');
    await soon.equal(() => workbench.dialog.detail(), '1 thing with 2 messages. This cannot be undone.');
    await workbench.dialog.press('Empty Trash');
    await workbench.notifications.find('The trash is empty.');
  });
});
