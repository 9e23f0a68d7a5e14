import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { soon } from '../fixtures/soon.ts';
import { answer, lastQuestion, pause, say, toolResultsOf, useTools } from '../fixtures/openaiServer.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';

const TEST_LIMIT_MS = 120_000;

describe('the main flows in the workbench @vsix', () => {
  const use = useChat((request) => {
    const question = lastQuestion(request);
    if (question === 'slowly') return [say('It begins'), pause('slowly'), say(' and ends')];
    const edit =
      question === 'make it'
        ? useTools(['write_file', { path: 'made.txt', content: 'first\n' }])
        : question === 'change it'
          ? useTools(['edit_file', { path: 'made.txt', oldText: 'first', newText: 'second' }])
          : undefined;
    const questions = request.body.messages.filter(({ role }) => role === 'user').length;
    if (!edit || toolResultsOf(request).length >= questions) return answer(`You said ${question}`);
    return edit;
  });

  beforeEach('begin a chat', async () => {
    const { chat, workbench } = use();
    // A chat that is empty looks the same before and after, so that nothing would tell when the new one is there.
    if ((await chat.messages.count()) > 0) await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
  });

  it('asks, rewinds by a right click on a message, and goes to a branch by a click', async function () {
    this.timeout(TEST_LIMIT_MS);
    const { chat, workbench } = use();
    await step('ask in the side bar', async () => {
      await chat.ask('one');
      await chat.ask('two');
      await chat.shows(['one', 'You said one', 'two', 'You said two']);
    });
    await step('rewind to an answer, and ask something else there', async () => {
      await workbench.contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
      await chat.shows(['one', 'You said one']);
      await chat.ask('another two');
      await chat.shows(['one', 'You said one', 'another two', 'You said another two']);
      await workbench.tree.marks('another two');
    });
    await step('click the first branch', async () => {
      await workbench.tree.click('main');
      await chat.shows(['one', 'You said one', 'two', 'You said two']);
      await workbench.tree.marks('main');
    });
  });

  it('asks before it edits, sets a checkpoint by the palette, and restores it with the files', async function () {
    this.timeout(TEST_LIMIT_MS);
    const { chat, workbench } = use();
    const content = (): Promise<string> =>
      readFile(path.join(workbench.folder, 'made.txt'), 'utf8').catch(() => '');
    await step('allow an edit', async () => {
      await chat.send('make it');
      await chat.frame.getByRole('alert').filter({ hasText: 'made.txt' }).waitFor();
      await soon.equal(content, '');
      await chat.decide('Allow Once');
      await chat.message('You said make it').waitFor();
      await soon.equal(content, 'first\n');
    });
    await step('Create Checkpoint in the palette', async () => {
      await workbench.quickInput.pickCommand('Offshoot: Create Checkpoint');
      await workbench.quickInput.shown('Create Checkpoint');
      await workbench.quickInput.answer('made');
      await workbench.tree.row('made').waitFor();
    });
    await step('change the file', async () => {
      await chat.send('change it');
      await chat.decide('Allow Once');
      await chat.message('You said change it').waitFor();
      await soon.equal(content, 'second\n');
    });
    await step('restore the checkpoint with its files', async () => {
      await workbench.runCommand('offshoot.restoreCheckpoint');
      await workbench.quickInput.choose('made');
      await workbench.quickInput.choose('Conversation and Files');
      await soon.equal(content, 'first\n');
      await chat.message('You said change it').waitFor({ state: 'detached' });
      await chat.message('You said make it').waitFor();
    });
  });

  it('answers a question by the way while an answer streams', async function () {
    this.timeout(TEST_LIMIT_MS);
    const { chat, workbench, server } = use();
    await chat.send('slowly');
    await chat.message('It begins').waitFor();
    await workbench.runCommand('offshoot.btw');
    await workbench.quickInput.answer('by the way');
    await chat.aside.getByText('You said by the way').waitFor();
    await chat.shows(['slowly', 'It begins']);
    server.release('slowly');
    await chat.answered(1);
    await chat.shows(['slowly', 'It begins and ends']);
  });
});
