import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  answer,
  cut,
  lastQuestion,
  pause,
  refuse,
  say,
  toolResultsOf,
  useTools,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

describe('branching that nobody asked for', () => {
  let refusals = 0;
  const use = useChat((request) => {
    const question = lastQuestion(request);
    if (question === 'fail once' && refusals++ === 0) return refuse(400, { message: 'no' });
    if (question.includes('Continue from exactly')) return answer('All three are written.');
    if (question !== 'write three files') return answer(`You said ${question}`);
    if (toolResultsOf(request).length === 0) {
      return useTools(
        ...['one', 'two', 'three'].map((name): [string, Record<string, string>] => [
          'create_file',
          { path: `${name}.txt`, content: name },
        ]),
      );
    }
    return [say('The first two'), pause('broken'), cut()];
  });
  /** What numbers name is in tooltips, and nowhere to be read. */
  const showsNoNumbers = async (): Promise<void> => {
    const { chat, workbench } = use();
    const text = [
      await chat.frame.locator('body').innerText(),
      await workbench.page.locator('.sidebar').innerText(),
      await workbench.page.locator('.statusbar').innerText(),
    ].join('\n');
    assert.doesNotMatch(text, /main-v\d/);
  };

  it('leaves a tree that can be read after twenty rewinds', async () => {
    const { chat, workbench } = use();
    await chat.ask('one');
    await chat.ask('two');
    for (let count = 0; count < 20; count += 1) {
      const at = count % 2 === 0 ? 1 : 0;
      await workbench.contextMenu.pickOn(chat.messages.nth(at), 'Rewind to Here');
      await chat.shows(count % 2 === 0 ? ['one', 'You said one'] : ['one']);
      // A menu that is open while the input gets the focus closes.
      await chat.hasFocus();
      if (count % 2 === 0) continue;
      await workbench.tree.marks('New branch');
      await workbench.tree.click('main');
      await chat.shows(['one', 'You said one', 'two', 'You said two']);
      await workbench.tree.marks('main');
    }
    await until(
      async () => (await workbench.tree.outline()).join() === 'one,  main',
      'the one branch on which something was said',
    );
    await showsNoNumbers();
    await workbench.screenshot('twenty rewinds');
  });

  it('goes from a wrong answer to a corrected question and its answer', async () => {
    const { chat, workbench } = use();
    await workbench.contextMenu.pickOn(chat.messages.nth(2), 'Rewind to Here');
    await until(async () => (await chat.input.inputValue()) === 'two', 'the question in the input');
    await chat.shows(['one', 'You said one', 'two']);
    await chat.input.fill('two, corrected');
    await chat.input.press('Enter');
    await chat.shows(['one', 'You said one', 'two, corrected', 'You said two, corrected']);
    await chat.frame.getByRole('group', { name: 'Version 2 of 2' }).waitFor();
    await until(
      async () => (await workbench.tree.outline()).join() === 'one,  main,    two, corrected',
      'both versions in the tree',
    );
    await showsNoNumbers();
  });

  it('answers in place what failed before its first word', async () => {
    const { chat, workbench } = use();
    await chat.send('fail once');
    await chat.frame.locator('.status.failed').waitFor();
    await chat.frame.getByRole('button', { name: 'Try Again' }).click();
    await chat.message('You said fail once').waitFor();
    await soon.deepEqual(async () => (await chat.texts()).slice(-2), ['fail once', 'You said fail once']);
    assert.equal(await chat.frame.locator('.status.failed').count(), 0);
    assert.equal((await workbench.tree.outline()).length, 3);
    await showsNoNumbers();
  });

  it('lists the questions when Escape is pressed twice', async () => {
    const { chat, workbench } = use();
    await until(
      async () => (await chat.frame.locator('.status.streaming').count()) === 0,
      'the answer to end',
    );
    await chat.input.press('Escape');
    await chat.input.press('Escape');
    await workbench.quickInput.shown('Rewind');
    const labels = (await workbench.quickInput.rows()).map(({ label }) => label);
    assert.deepEqual(labels, ['one', 'two, corrected', 'fail once']);
    await workbench.quickInput.dismiss();
  });

  it('goes on where the connection broke after three edits, and makes none of them again', async () => {
    const { chat, server, workbench } = use();
    const branches = await workbench.tree.outline();
    await chat.send('write three files');
    await chat.decide('Allow All Edits in This Chat');
    await chat.message('The first two').waitFor();
    server.release('broken');
    await chat.frame.locator('.status.failed').waitFor();
    await chat.frame.getByRole('button', { name: 'Continue', exact: true }).click();
    await chat.message('All three are written.').waitFor();
    const last = server.requests.at(-1);
    assert.equal(last?.body.messages.filter(({ role }) => role === 'tool').length, 3);
    for (const name of ['one', 'two', 'three']) {
      assert.equal(await readFile(path.join(workbench.folder, `${name}.txt`), 'utf8'), name);
    }
    assert.deepEqual(await workbench.tree.outline(), branches);
    await showsNoNumbers();
  });

  it('needs no mouse', async () => {
    const { chat, workbench } = use();
    const { keyboard } = workbench.page;
    const inInput = (text: string): Promise<unknown> =>
      until(async () => (await chat.input.inputValue()) === text, `“${text}” in the input`);
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.frame.locator('textarea:focus').waitFor();
    await keyboard.type('by keys');
    await keyboard.press('Enter');
    await chat.message('You said by keys').waitFor();
    await chat.answered(1);
    await keyboard.press('Escape');
    await keyboard.press('Escape');
    await workbench.quickInput.shown('Rewind');
    await keyboard.press('Enter');
    await inInput('by keys');
    await keyboard.press('End');
    await keyboard.type(' alone');
    await keyboard.press('Enter');
    await chat.shows(['by keys alone', 'You said by keys alone']);
    await chat.frame.getByRole('group', { name: 'Version 2 of 2' }).waitFor();
    await keyboard.press('ArrowUp');
    await inInput('by keys alone');
    await keyboard.press('Control+z');
    await inInput('');
    await workbench.runCommand('offshoot.createCheckpoint');
    await workbench.quickInput.shown('Create Checkpoint');
    await keyboard.type('Kept by keys');
    await keyboard.press('Enter');
    await workbench.tree.row('Kept by keys').waitFor();
    await showsNoNumbers();
  });
});
