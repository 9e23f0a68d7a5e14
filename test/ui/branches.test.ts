import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

describe('branches and checkpoints', () => {
  const use = useChat();
  const describes = async (name: string, description: string): Promise<void> => {
    await until(async () => {
      const rows = await use().workbench.tree.rows();
      // What follows is how long ago it was used.
      return rows.find((row) => row.name === name)?.description.startsWith(`${description} · `);
    }, `${name} to be described as ${description}`);
  };

  it('rewinds by the menu of a message; the next question goes on there, and the old branch is whole', async () => {
    const { chat, workbench } = use();
    await chat.ask('one');
    await chat.ask('two');
    await workbench.contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
    await chat.onBranch('main-v2');
    await chat.shows(['one', 'You said one']);
    await chat.ask('another two');
    await chat.shows(['one', 'You said one', 'another two', 'You said another two']);
    await until(
      async () => (await workbench.tree.outline()).join('\n') === 'one\n  main\n    another two',
      'both branches in the tree',
    );
    await describes('main', '4 messages');
    await describes('another two', 'active · 4 messages');
    await workbench.tree.row('another two').waitFor();
  });

  it('switches by a click on a branch, and the tree marks where one is', async () => {
    const { chat, workbench } = use();
    await workbench.tree.click('main');
    await chat.shows(['one', 'You said one', 'two', 'You said two']);
    await describes('main', 'active · 4 messages');
  });

  it('sets a checkpoint by the palette, and a click on it goes on from there on a new branch', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.createCheckpoint');
    await workbench.quickInput.shown('Create Checkpoint');
    await workbench.quickInput.type('after two');
    // A look at the conversation, or a page that takes the focus late, does not end the input.
    await chat.input.click();
    await workbench.quickInput.accept();
    await workbench.tree.row('after two').waitFor();
    await chat.frame.locator('.chip', { hasText: 'after two' }).waitFor();
    await chat.ask('three');
    await workbench.tree.click('after two');
    await chat.onBranch('main-v3');
    await chat.shows(['one', 'You said one', 'two', 'You said two']);
  });

  it('restores a checkpoint by the palette', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.restoreCheckpoint');
    await workbench.quickInput.choose('after two');
    await chat.onBranch('main-v3');
  });

  it('rewinds by the palette', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.rewind');
    await until(async () => (await workbench.quickInput.rows()).length === 2, 'the questions of the path');
    await workbench.quickInput.choose('two');
    await chat.shows(['one', 'You said one', 'two']);
    await chat.onBranch('main-v4');
    await until(async () => (await chat.input.inputValue()) === 'two', 'the question in the input');
  });

  it('switches by the palette', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.switchBranch');
    await workbench.quickInput.choose('another two');
    await until(
      async () => (await chat.input.inputValue()) === '',
      'the unchanged question to go with its branch',
    );
    await chat.shows(['one', 'You said one', 'another two', 'You said another two']);
  });

  it('goes back from a rewind by its notification', async () => {
    const { chat, workbench } = use();
    await workbench.notifications.clear();
    await workbench.contextMenu.pickOn(chat.messages.first(), 'Rewind to Here');
    await chat.shows(['one']);
    await workbench.notifications.press('Previous conversation kept', 'Undo');
    await chat.onBranch('main-v2');
    await chat.shows(['one', 'You said one', 'another two', 'You said another two']);
  });

  it('puts a question back into the input to be asked differently', async () => {
    const { chat, workbench } = use();
    await chat.input.fill('');
    await workbench.contextMenu.pickOn(chat.messages.first(), 'Edit and Branch');
    await chat.shows(['one']);
    await until(async () => (await chat.input.inputValue()) === 'one', 'the question in the input');
    await chat.ask('uno');
    await chat.shows(['uno', 'You said uno']);
  });
});
