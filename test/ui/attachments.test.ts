import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { answer } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { pastePicture, pixel } from './support/pastePicture.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

describe('attaching to a question', () => {
  const use = useChat(() => answer('I see.'));

  before('a file with a problem', () => writeFile(path.join(use().workbench.folder, 'broken.json'), '{"a":'));

  it('takes a pasted image, a file after an @ and the selection of the editor, and sends all of them', async () => {
    const { chat, workbench, server } = use();
    await chat.input.focus();
    await pastePicture(workbench);
    const tray = chat.frame.locator('.tray-item');
    await tray.locator('img').waitFor();
    await chat.input.pressSequentially('What is this? @gre');
    await chat.frame.getByRole('option', { name: /greet\.ts/u }).waitFor();
    await workbench.screenshot('attach completion');
    await chat.input.press('Enter');
    await until(async () => (await tray.count()) === 2, 'the file');
    await workbench.page.keyboard.press('Control+P');
    await workbench.quickInput.type('greet.ts');
    await workbench.quickInput.row('greet.ts').waitFor();
    await workbench.quickInput.accept();
    await workbench.page.locator('.monaco-editor .view-line').first().waitFor();
    await workbench.page.keyboard.press('Control+Home');
    await workbench.page.keyboard.press('Shift+ArrowDown');
    await workbench.runCommand('offshoot.addSelection');
    await until(async () => (await tray.count()) === 3, 'the selection');
    await soon.deepEqual(() => tray.allInnerTexts(), ['shot.png', 'src/greet.ts', 'src/greet.ts:1']);
    await workbench.screenshot('attached');
    await chat.input.press('Enter');
    await chat.answered(1);
    await chat.frame.locator('img.picture').waitFor();
    await workbench.screenshot('attached sent');
    const content = JSON.stringify(server.requests[0]?.body.messages.at(-1)?.content);
    assert.match(content, new RegExp(`image_url.*${pixel.slice(0, 40)}`, 'u'));
    assert.match(content, /The user attached src\/greet\.ts:\]/);
    assert.match(content, /The user attached src\/greet\.ts, lines 1–1 of/);
  });

  it('brings them back into the input when the question is edited', async () => {
    const { chat, workbench } = use();
    await workbench.contextMenu.pickOn(chat.messages.first(), 'Edit and Branch');
    await until(async () => (await chat.frame.locator('.tray-item').count()) === 3, 'the attachments');
    await until(async () => (await chat.input.inputValue()) === 'What is this?', 'the question in the input');
  });

  it('takes the problems of the editor and what git says was changed, after an @ or a #', async () => {
    const { chat, workbench, server } = use();
    const git = (...args: string[]) =>
      promisify(execFile)('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: workbench.folder,
      });
    await git('init', '-q');
    await git('add', '.');
    await git('commit', '-qm', 'first');
    await appendFile(path.join(workbench.folder, 'notes.md'), 'one line more\n');
    await workbench.runCommand('workbench.action.quickOpen');
    await workbench.quickInput.type('broken.json');
    await workbench.quickInput.choose('broken.json');
    await workbench.page.locator('.squiggly-error').first().waitFor();
    const changed = workbench.page.locator('.scm-viewlet-label, .action-item').locator('.badge-content');
    await changed.filter({ hasText: /^1$/ }).first().waitFor();
    await workbench.runCommand('offshoot.newChat');
    const tray = chat.frame.locator('.tray-item');
    await until(async () => (await tray.count()) === 0, 'an empty input');
    for (const [typed, name] of [
      ['Why? @prob', 'Problems'],
      ['Why? #chan', 'Git Changes'],
    ] as const) {
      await chat.input.fill('');
      await chat.input.pressSequentially(typed);
      await chat.frame.getByRole('option', { name }).waitFor();
      await chat.input.press('Enter');
      await tray.filter({ hasText: name }).waitFor();
    }
    await workbench.screenshot('attached context');
    await chat.input.press('Enter');
    await chat.answered(1);
    const content = JSON.stringify(server.requests.at(-1)?.body.messages.at(-1)?.content);
    assert.match(content, /The user attached the problems the editor shows:\].*broken\.json:1: error: /);
    assert.match(content, /The user attached the changes since the last commit:\].*\+one line more/);
    await chat.frame.locator('.message .chip', { hasText: 'Git Changes' }).waitFor();
    await workbench.screenshot('attached context sent');
  });

  it('takes files and folders of the Explorer, and what is selected in a terminal', async () => {
    const { chat, workbench, server } = use();
    const { page } = workbench;
    const tray = chat.frame.locator('.tray-item');
    await workbench.runCommand('workbench.files.action.focusFilesExplorer');
    const row = (name: string) =>
      page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
    await workbench.contextMenu.pickOn(row('src'), 'Add to Offshoot Chat');
    await tray.filter({ hasText: /^src\/$/ }).waitFor();
    await workbench.runCommand('workbench.files.action.focusFilesExplorer');
    await workbench.contextMenu.pickOn(row('notes.md'), 'Add to Offshoot Chat');
    await tray.filter({ hasText: 'notes.md' }).waitFor();
    await workbench.runCommand('workbench.action.terminal.new');
    await page.locator('.terminal-wrapper.active .xterm').first().waitFor();
    await page.keyboard.type('printf "%s-%s\\n" out put | tee shown.txt');
    await page.keyboard.press('Enter');
    const shown = path.join(workbench.folder, 'shown.txt');
    await until(async () => (await readFile(shown, 'utf8')) === 'out-put\n', 'the command to have run');
    const screen = page.locator('.terminal-wrapper.active .xterm-screen').first();
    await until(async () => {
      const { x, y, width, height } = (await screen.boundingBox()) ?? assert.fail('it is shown');
      await page.mouse.move(x + 2, y + 5);
      await page.mouse.down();
      await page.mouse.move(x + width - 5, y + height - 5, { steps: 5 });
      await page.mouse.up();
      await workbench.contextMenu.pickOn(screen, 'Add Terminal Selection to Offshoot Chat');
      await tray.nth(2).waitFor({ timeout: 2_000 });
      return true;
    }, 'the selection of the terminal');
    await chat.input.fill('What is this?');
    await chat.input.press('Enter');
    await chat.answered(2);
    const content = JSON.stringify(server.requests.at(-1)?.body.messages.at(-1)?.content);
    assert.match(content, /The user attached the list of the files in src:\].*src\/greet\.ts/);
    assert.match(content, /The user attached notes\.md:\]/);
    assert.match(content, /The user attached Terminal bash:\].*out-put/);
  });

  it('takes a branch of another chat, from the tree and after an @', async () => {
    const { chat, workbench, server } = use();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.ask('A question of its own');
    // A row that is drawn anew while its menu is open is lost to the menu.
    const isSettled = async (): Promise<boolean> =>
      (await workbench.tree.rows()).some(({ description }) => description.includes('active · 2 messages'));
    await until(isSettled, 'the tree to tell of the answer');
    await workbench.tree.isAtRest();
    await workbench.tree.pick('Main line', 'Add Branch or Checkpoint to Offshoot Chat…');
    const tray = chat.frame.locator('.tray-item');
    await until(async () => (await tray.count()) === 1, 'the branch');
    await soon.match(() => tray.innerText(), /^Main line · A question of its own/);
    await tray.getByRole('button').last().click();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.input.pressSequentially('What was said? @branch');
    await chat.frame.getByRole('option', { name: 'Branch or Checkpoint…' }).waitFor();
    await workbench.screenshot('attach branch');
    await chat.input.press('Enter');
    await workbench.quickInput.shown('Attach a branch or checkpoint');
    await workbench.quickInput.choose('A question of its own');
    await workbench.quickInput.choose('Main line');
    await until(async () => (await tray.count()) === 1, 'the branch');
    await chat.input.press('Enter');
    await chat.answered(1);
    const content = JSON.stringify(server.requests.at(-1)?.body.messages.at(-1)?.content);
    assert.match(content, /The user attached Main line · A question of its own:\]/);
    assert.match(content, /<message role=.{1,3}user.{1,3}>\\nA question of its own\\n<\/message>/);
    assert.match(content, /I see\./);
  });
});
