import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, lastQuestion, say, toolResultsOf, useTools, type Script } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { themes, type Theme } from './support/settings.ts';
import { useChat } from './support/useChat.ts';

/** Puts the word of the question in the place of the greeting, and says how that went. */
const script: Script = (request) => {
  const word = lastQuestion(request);
  const questions = request.body.messages.filter(({ role }) => role === 'user').length;
  const results = toolResultsOf(request);
  if (results.length >= questions) return answer(`It said: ${results.at(-1)?.result}`);
  const edit = { path: 'notes.md', oldText: 'GREETING', newText: `${word} GREETING` };
  return [say('I change it.'), ...useTools(['edit_file', edit])];
};

describe('a tool that wants to write', () => {
  const use = useChat(script, { settings: { 'files.autoSave': 'off' } });
  const file = (): string => path.join(use().workbench.folder, 'notes.md');

  beforeEach(async () => {
    const { chat, workbench } = use();
    await writeFile(file(), 'GREETING to all\n');
    // A chat that is empty looks the same before and after, so that nothing would tell when the new one is there.
    if ((await chat.messages.count()) > 0) await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
  });

  it('asks, shows the change in the diff editor, and writes when it is allowed by keyboard', async () => {
    const { chat, workbench } = use();
    await chat.send('Hello');
    const question = chat.frame.getByRole('alert').filter({ hasText: 'Allow edit to notes.md?' });
    await question.waitFor();
    await workbench.tree.root.locator('.codicon-bell-dot').waitFor();
    const diff = workbench.page.locator('.tabs-container .tab', { hasText: 'notes.md (proposed)' });
    await diff.waitFor();
    await workbench.page
      .locator('.monaco-diff-editor .view-line', { hasText: /Hello\sGREETING\sto\sall/ })
      .waitFor();
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`approval ${theme}`);
    }
    assert.equal(await readFile(file(), 'utf8'), 'GREETING to all\n');

    await chat.input.focus();
    const focused = chat.frame.locator('.approval-button:focus');
    await workbench.page.keyboard.press('Shift+Tab');
    await until(async () => {
      await workbench.page.keyboard.press('Tab');
      return (await focused.allInnerTexts()).includes('Allow Once');
    }, 'the keyboard to reach the answer');
    await workbench.page.keyboard.press('Enter');
    await chat.message('It said: Changed notes.md.').waitFor();
    assert.equal(await readFile(file(), 'utf8'), 'Hello GREETING to all\n');
    await chat.frame.locator('.tool.done', { hasText: 'Edit notes.md' }).waitFor();
    await diff.waitFor({ state: 'detached' });
  });

  it('writes nothing when it is denied, and tells the model', async () => {
    const { chat } = use();
    await chat.send('Goodbye');
    await chat.decide('Deny');
    await chat.message('It said: The user did not allow this.').waitFor();
    await chat.frame.locator('.tool.denied').waitFor();
    assert.equal(await readFile(file(), 'utf8'), 'GREETING to all\n');
  });

  it('does not ask again in a chat where it was allowed, but in another', async () => {
    const { chat, workbench } = use();
    await chat.send('One');
    await chat.decide('Allow All Edits in This Chat');
    await chat.message('It said: Changed').waitFor();
    await chat.answered(2);
    await chat.send('Two');
    await chat.answered(4);
    assert.equal(await readFile(file(), 'utf8'), 'One Two GREETING to all\n');
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.send('Three');
    await chat.frame.getByRole('button', { name: 'Deny' }).waitFor();
    await chat.stopButton.click();
    await chat.frame.locator('.approval').waitFor({ state: 'detached' });
    assert.equal(await readFile(file(), 'utf8'), 'One Two GREETING to all\n');
  });

  it('shows the change again when asked to, and a stop takes the question back', async () => {
    const { chat, workbench } = use();
    await chat.send('Again');
    const diff = workbench.page.locator('.tabs-container .tab', { hasText: 'notes.md (proposed)' });
    await diff.waitFor();
    await workbench.runCommand('workbench.action.closeAllEditors');
    await diff.waitFor({ state: 'detached' });
    await chat.frame.getByRole('button', { name: 'Show Changes' }).click();
    await diff.waitFor();
    await chat.stopButton.click();
    await chat.frame.locator('.status.interrupted').waitFor();
    await diff.waitFor({ state: 'detached' });
    assert.equal(await readFile(file(), 'utf8'), 'GREETING to all\n');
  });

  it('edits what is typed and not saved in the editor, where it can be undone, and a rewind brings back what was typed', async () => {
    const { chat, workbench } = use();
    const { page } = workbench;
    await workbench.runCommand('workbench.action.quickOpen');
    await workbench.quickInput.type('notes.md');
    await workbench.quickInput.choose('notes.md');
    const line = (text: string) =>
      page.locator('.monaco-editor .view-line', { hasText: text.replaceAll(' ', '\u00A0') });
    await line('GREETING to all').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('typed and not saved');
    await line('typed and not saved').first().waitFor();
    await chat.send('Hello');
    const question = chat.frame.getByRole('alert').filter({ hasText: 'Allow edit to notes.md?' });
    await question.waitFor();
    assert.match(await question.innerText(), /What you have not saved of it is saved with the edit\./);
    await workbench.screenshot('approval of what is not saved');
    await chat.decide('Allow Once');
    await chat.message('It said: Changed notes.md.').waitFor();
    assert.equal(await readFile(file(), 'utf8'), 'Hello GREETING to all\ntyped and not saved');
    await workbench.contextMenu.pickOn(chat.message('Hello').first(), 'Edit and Branch');
    await workbench.quickInput.choose('Conversation and Files');
    await until(
      async () => (await readFile(file(), 'utf8')) === 'GREETING to all\ntyped and not saved',
      'what was typed',
    );
  });
});

describe('in a workspace that is not trusted', () => {
  const use = useChat(undefined, { untrusted: true });

  it('the model is offered no tools at all, and answers all the same', async () => {
    const { chat, server } = use();
    await chat.ask('Hello');
    await chat.shows(['Hello', 'You said Hello']);
    assert.equal(server.requests.at(-1)?.body.tools, undefined);
  });

  it('no prompt file is listed or run, and no instructions of files are sent', async () => {
    const { chat, server, workbench } = use();
    await mkdir(path.join(workbench.folder, '.offshoot/prompts'), { recursive: true });
    await writeFile(path.join(workbench.folder, '.offshoot/prompts/hidden.md'), 'Do something else.');
    await writeFile(path.join(workbench.folder, 'AGENTS.md'), 'Do something else.');
    await chat.input.focus();
    await chat.input.pressSequentially('/h');
    await chat.frame.getByRole('option', { name: /^\/help/u }).waitFor();
    await chat.input.fill('');
    await chat.ask('/hidden');
    assert.equal(await chat.frame.getByRole('option', { name: /hidden/u }).count(), 0);
    assert.doesNotMatch(JSON.stringify(server.requests.at(-1)?.body), /Do something else/u);
  });

  it('code of an answer is not applied, and the page says why', async () => {
    const { chat } = use();
    await chat.ask('this:\n\n```ts src/greet.ts\nexport {};\n```');
    const block = chat.answers.last().locator('.code-block');
    await block.hover();
    await block.getByRole('button', { name: 'Apply as diff' }).click();
    await chat.frame.locator('.banner.error', { hasText: 'workspace you do not trust' }).waitFor();
  });
});
