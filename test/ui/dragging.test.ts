import type { Locator } from 'playwright-core';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

describe('dragging from the tree onto the chat', () => {
  const use = useChat();

  const middleOf = async (target: Locator): Promise<{ x: number; y: number }> => {
    // VS Code takes rows away for a moment while it draws the tree anew.
    const box = await until(() => target.boundingBox(), 'it to be on the screen');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };

  /** Begins to drag a row. One that VS Code draws anew between the press and the move is not dragged, and taken again. */
  const takeHoldOf = async (row: Locator): Promise<void> => {
    const { page } = use().workbench;
    const begun = 'dragHasBegun';
    await until(async () => {
      const from = await middleOf(row);
      await page.evaluate(
        `window.${begun} = false;
         window.addEventListener('dragstart', () => { window.${begun} = true; }, { capture: true, once: true });`,
      );
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      // A drag begins with a few small moves on the row.
      await page.mouse.move(from.x + 10, from.y - 5, { steps: 5 });
      if ((await page.evaluate(`window.${begun}`)) === true) return true;
      await page.mouse.up();
      return false;
    }, 'the row to be dragged');
  };

  /** Holds a row of the tree above the chat, without Shift and then with it. */
  const holdAboveChat = async (row: Locator): Promise<void> => {
    const { chat, workbench } = use();
    const { mouse, keyboard } = workbench.page;
    await takeHoldOf(row);
    const to = await middleOf(chat.frame.locator('.scroller'));
    await mouse.move(to.x, to.y, { steps: 4 });
    await chat.frame.getByText('Hold Shift to drop it here').waitFor();
    await workbench.screenshot('dragging without Shift');
    await keyboard.down('Shift');
    // VS Code lets the page see the drag from the next move on.
    await mouse.move(to.x, to.y + 20, { steps: 4 });
    await chat.frame.getByText('Drop to continue from here').waitFor();
    await workbench.screenshot('dragging with Shift');
  };
  const drop = async (): Promise<void> => {
    const { page } = use().workbench;
    await page.mouse.up();
    await page.keyboard.up('Shift');
  };

  before('a chat with a checkpoint', async () => {
    const { chat, workbench } = use();
    await chat.ask('one');
    await workbench.runCommand('offshoot.createCheckpoint');
    await workbench.quickInput.answer('herons');
    await workbench.tree.row('herons').waitFor();
    await chat.ask('two');
    // VS Code asks for what is below a row anew when the row changes, and knows none of it meanwhile: until the row says
    // that the answer has ended, nothing below it can be dragged.
    const main = workbench.tree.row('main').filter({ hasText: 'active · 4 messages' });
    await main.locator('.codicon-circle-filled').waitFor();
  });

  it('goes on from a checkpoint, once the user knows that Shift is needed and holds it', async () => {
    const { chat, workbench } = use();
    await holdAboveChat(workbench.tree.row('herons'));
    await drop();
    await chat.onBranch('main-v2');
    await chat.shows(['one', 'You said one']);
    await chat.frame.locator('.drop-hint, .drop-target').waitFor({ state: 'detached' });
  });

  it('switches to a branch', async () => {
    const { chat, workbench } = use();
    await workbench.tree.marks('New branch');
    await holdAboveChat(workbench.tree.row('main'));
    await drop();
    await chat.onBranch('main');
    await chat.shows(['one', 'You said one', 'two', 'You said two']);
  });

  it('changes nothing where it is dropped without Shift', async () => {
    const { chat, workbench } = use();
    const { mouse } = workbench.page;
    await workbench.tree.marks('main');
    const to = await middleOf(chat.frame.locator('.scroller'));
    await takeHoldOf(workbench.tree.row('herons'));
    await mouse.move(to.x, to.y, { steps: 4 });
    await mouse.up();
    // The page learns from the mouse that nothing is dragged any more.
    await mouse.move(to.x, to.y + 10, { steps: 4 });
    await chat.frame.locator('.drop-hint').waitFor({ state: 'detached' });
    await chat.onBranch('main');
  });
});
