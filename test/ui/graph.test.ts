import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

describe('the graph in an editor tab', () => {
  const use = useChat();
  const row = (text: string) => use().workbench.panel.locator('.graph-row', { hasText: text });

  it('draws the conversation, follows it, and shows where one is', async () => {
    const { chat, workbench } = use();
    await chat.ask('one');
    await chat.ask('two');
    await workbench.runCommand('offshoot.showGraph');
    await row('You said two').waitFor();
    await workbench.contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
    await chat.onBranch('main-v2');
    await chat.ask('another two');
    await workbench.panel.locator('.chip.here', { hasText: 'another two' }).waitFor();
    await row('You said another two').waitFor();
    await workbench.panel.getByText('6 messages · 2 branches').waitFor();
    await soon.equal(() => workbench.panel.locator('.graph-row').count(), 6);
    await workbench.page.getByRole('tab', { name: 'Graph: one' }).waitFor();
    await workbench.screenshot('graph tab');
  });

  it('previews what is clicked on another branch, and switches by a button that says so', async () => {
    const { chat, workbench } = use();
    await row('You said two').click();
    await workbench.panel.getByRole('button', { name: 'Switch to this branch' }).click();
    await chat.onBranch('main');
    await chat.shows(['one', 'You said one', 'two', 'You said two']);
    await row('another two').first().click();
    await workbench.panel.getByRole('button', { name: 'Switch Branch and Show' }).click();
    await chat.onBranch('main-v2');
    await until(
      async () => (await chat.frame.locator('.message:focus').innerText()).includes('another two'),
      'the message that was clicked',
    );
  });

  it('sets a checkpoint by the menu of a message, and marks it', async () => {
    const { workbench } = use();
    await workbench.contextMenu.pickOn(row('You said one'), 'Create Checkpoint Here');
    await workbench.quickInput.answer('the fork');
    await workbench.panel.locator('.chip.checkpoint', { hasText: 'the fork' }).waitFor();
  });

  it('previews what one is at, is walked by keyboard, and zooms', async () => {
    const { chat, workbench } = use();
    const preview = workbench.panel.locator('.graph-preview .preview-text');
    await row('You said another two').hover();
    await preview.getByText('You said another two').waitFor();
    await row('You said another two').click();
    const isAt = (text: string): Promise<unknown> =>
      until(
        async () => (await chat.frame.locator('.message:focus').innerText()).includes(text),
        `the chat to show “${text}”`,
      );
    await isAt('You said another two');
    const list = workbench.panel.getByRole('listbox');
    // The chat takes the focus for what was clicked, and may do so a moment after it shows it.
    await until(async () => {
      await list.press('Home');
      return preview.getByText('one', { exact: true }).isVisible();
    }, 'the keyboard to lead to the first message');
    await list.press('ArrowDown');
    await preview.getByText('You said one').waitFor();
    await list.press('Enter');
    await isAt('You said one');
    const size = async (): Promise<number> => (await row('You said one').boundingBox())?.height ?? 0;
    const before = await size();
    await row('You said one').hover();
    await workbench.page.keyboard.down('Control');
    await workbench.page.mouse.wheel(0, -300);
    await workbench.page.keyboard.up('Control');
    await until(async () => (await size()) > before, 'it to be larger');
    await workbench.panel.getByRole('button', { name: 'Reset zoom' }).click();
    await until(async () => (await size()) === before, 'it to be as large as before');
  });

  it('is there again after the window was reloaded', async () => {
    const { chat, workbench } = use();
    await workbench.reloadByCommand();
    await row('You said another two').waitFor();
    await chat.onBranch('main-v2');
    await row('two').last().waitFor();
  });
});
