import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { McpClient } from '../fixtures/mcp/mcpClient.ts';
import {
  answer,
  cut,
  hang,
  lastQuestion,
  pause,
  refuse,
  say,
  type Script,
} from '../fixtures/openaiServer.ts';
import { soon } from '../fixtures/soon.ts';
import { until } from '../fixtures/until.ts';
import { ChatPage } from './support/chatPage.ts';
import { pastePicture, pixel } from './support/pastePicture.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';
import { useWorkbench } from './support/useWorkbench.ts';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `Line ${from + index} of the answer.\n\n`).join('');

const script: Script = (request) => {
  const question = lastQuestion(request);
  if (question === 'stop me') return [say('The first words'), pause('stop'), say(' never'), hang()];
  if (question === 'break') return [say('Half an answer'), pause('cut'), cut()];
  if (question === 'no key') return refuse(401);
  if (question === 'at length') return answer(lines(0, 30));
  if (question !== 'slowly') return answer(`You said ${question}`);
  return [
    say(lines(0, 30)),
    pause('hidden'),
    say(lines(30, 40)),
    pause('moved'),
    say(lines(40, 50)),
    pause('end'),
    say('That is all.'),
  ];
};

describe('the chat where nothing is set up', () => {
  const workbench = useWorkbench({ settings: { 'offshoot.demo.pace': 0 } });
  const question = 'Tell me about closures with code';

  before('open the chat', async function () {
    this.timeout(90_000);
    await workbench().openOffshoot();
  });

  it('answers with the labelled demo, as Markdown, and has it again after a reload and a restart @vsix', async function () {
    this.timeout(240_000);
    const chat = new ChatPage(workbench());
    await chat.startNew();
    await chat.ask(question);
    const answered = chat.answers.first();
    await soon.equal(() => answered.locator('.tag').innerText(), 'Demo');
    assert.ok((await answered.locator('.markdown :is(h1, h2, h3)').count()) > 0);
    const texts = await chat.texts();

    await workbench().reload();
    await workbench().openOffshoot();
    await chat.shows(texts);

    await workbench().restartServer();
    await workbench().openOffshoot();
    await chat.shows(texts);
  });

  it('has the keyboard in its input as soon as its icon is clicked, with what was typed', async () => {
    const { activityBarItem, page } = workbench();
    const chat = new ChatPage(workbench());
    await chat.type('half a question');
    await page.locator('.activitybar a.action-label[aria-label^="Explorer"]').click();
    await page.locator('.explorer-folders-view').waitFor();
    await activityBarItem.click();
    // Where the tree was used with the mouse before, VS Code gives the keyboard to the tree.
    await chat.hasFocus();
    await page.keyboard.type('typed at once');
    await chat.frame.locator('.model-button').waitFor();
    await soon.match(() => chat.input.inputValue(), /^half a question.*typed at once$/s);
    await chat.type('');
  });

  it('lets other agents read it, by the server that comes with the extension @vsix', async () => {
    const { dataDir } = workbench();
    const chat = new ChatPage(workbench());
    await chat.startNew();
    await chat.ask(question);
    const files = await readdir(dataDir, { recursive: true });
    const lock = files.find((file) => file.endsWith('offshoot.db.lock'));
    assert.ok(lock !== undefined);
    const installed = files.find((file) =>
      /extensions.offshoot\.offshoot-[^/\\]+.dist.mcp\.mjs$/u.test(file),
    );
    const program = installed === undefined ? path.resolve('dist', 'mcp.mjs') : path.join(dataDir, installed);
    const args = [program, '--storage', path.join(dataDir, path.dirname(lock))];
    await using agent = await McpClient.start({ command: process.execPath, args });
    await soon.match(() => agent.read('search_conversations', { query: 'closures' }), /\[closures\]/iu);
  });
});

describe('the chat in the side bar', () => {
  const use = useChat(script, { settings: { 'offshoot.demo.pace': 0 } });

  before('a file with a problem', () => writeFile(path.join(use().workbench.folder, 'broken.json'), '{"a":'));
  beforeEach('begin a chat', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('workbench.action.closeAllEditors');
    await chat.startNew();
    await chat.type('');
  });

  it('keeps what has arrived of an answer, says what became of it, and leads to what can be done', async () => {
    const { chat, server, workbench } = use();
    await step('a stop', async () => {
      await chat.send('stop me');
      await chat.message('The first words').waitFor();
      await chat.stopButton.click();
      await chat.frame.locator('.status.interrupted').waitFor();
      server.release('stop');
      await chat.shows(['stop me', 'The first words']);
    });
    await step('a connection that breaks', async () => {
      await chat.send('break');
      await chat.message('Half an answer').waitFor();
      server.release('cut');
      const status = chat.answers.last().locator('.status.failed');
      await status.waitFor();
      await soon.match(() => status.innerText(), /connection|broke|ended|server/i);
      await soon.equal(async () => (await chat.texts()).at(-1), 'Half an answer');
    });
    await step('a server that wants a key', async () => {
      await chat.send('no key');
      const status = chat.answers.last().locator('.status.failed', { hasText: 'needs a key' });
      await status.getByRole('button', { name: 'Set API Key…' }).click();
      // It is known whose key is wanted.
      await workbench.quickInput.shown('API key for OpenAI-compatible server');
      await workbench.quickInput.dismiss();
    });
  });

  it('goes on in a new chat, and the old one is a click away in the tree', async () => {
    const { chat, workbench } = use();
    await chat.ask('an old chat');
    await chat.startNew();
    await chat.ask('a new beginning');
    await chat.shows(['a new beginning', 'You said a new beginning']);
    // A tree that is being redrawn would take its menu away.
    await until(
      async () =>
        (await workbench.tree.rows()).some(({ description }) =>
          description.startsWith('active · 2 messages'),
        ),
      'the tree to show the answer',
    );
    await workbench.tree.pick('an old chat', 'Open Chat…');
    await chat.shows(['an old chat', 'You said an old chat']);
  });

  it('asks for a key, keeps it secret, and sends it to the server it was given for', async () => {
    const { chat, workbench, server } = use();
    await workbench.runCommand('offshoot.setApiKey');
    await workbench.quickInput.choose('OpenAI-compatible server');
    await workbench.quickInput.answer('sk-secret-of-the-test');
    await workbench.quickInput.hidden();
    await chat.ask('with key');
    assert.equal(server.requests.at(-1)?.headers['authorization'], 'Bearer sk-secret-of-the-test');
  });

  it('picks another model', async () => {
    const { chat, workbench } = use();
    const pick = async (name: string): Promise<void> => {
      await workbench.runCommand('offshoot.selectModel');
      await workbench.quickInput.choose(name);
      await chat.frame.locator('.model-name').getByText(name).waitFor();
    };
    await pick('Offline demo');
    await chat.ask('who are you');
    await soon.equal(() => chat.answers.last().locator('.author-name').innerText(), 'Offline demo');
    await pick('test-model');
  });

  it('takes with a question a pasted image, a file after an @ and the selection of the editor, and has them again to edit', async function () {
    this.timeout(90_000);
    const { chat, workbench, server } = use();
    const { page, quickInput } = workbench;
    const tray = chat.frame.locator('.tray-item');
    await chat.input.focus();
    await pastePicture(workbench);
    await tray.locator('img').waitFor();
    await chat.input.pressSequentially('What is this? @gre');
    await chat.frame.getByRole('option', { name: /greet\.ts/u }).waitFor();
    await chat.input.press('Enter');
    await until(async () => (await tray.count()) === 2, 'the file');
    await page.keyboard.press('Control+P');
    await quickInput.type('greet.ts');
    await quickInput.row('greet.ts').waitFor();
    await quickInput.accept();
    await page.locator('.monaco-editor .view-line').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.locator('.statusbar-item', { hasText: /\(\d+ selected\)/ }).waitFor();
    await workbench.runCommand('offshoot.addSelection');
    await soon.deepEqual(() => tray.allInnerTexts(), ['shot.png', 'src/greet.ts', 'src/greet.ts:1']);
    await chat.input.press('Enter');
    await chat.answered(1);
    await chat.frame.locator('img.picture').waitFor();
    const content = JSON.stringify(server.requests.at(-1)?.body.messages.at(-1)?.content);
    assert.match(content, new RegExp(`image_url.*${pixel.slice(0, 40)}`, 'u'));
    assert.match(content, /The user attached src\/greet\.ts:\]/);
    assert.match(content, /The user attached src\/greet\.ts, lines 1–1 of/);
    await step('edit the question', async () => {
      await workbench.contextMenu.pickOn(chat.messages.first(), 'Edit Prompt');
      await until(async () => (await tray.count()) === 3, 'the attachments');
      await soon.equal(() => chat.input.inputValue(), 'What is this?', 'the question in the input');
    });
  });

  it('takes with a question the problems of the editor and what git says was changed, after an @ or a #', async () => {
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
    const tray = chat.frame.locator('.tray-item');
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
    await chat.input.press('Enter');
    await chat.answered(1);
    const content = JSON.stringify(server.requests.at(-1)?.body.messages.at(-1)?.content);
    assert.match(content, /The user attached the problems the editor shows:\].*broken\.json:1: error: /);
    assert.match(content, /The user attached the changes since the last commit:\].*\+one line more/);
    await chat.frame.locator('.message .chip', { hasText: 'Git Changes' }).waitFor();
  });

  it('takes with a question files and folders of the Explorer, and what is selected in a terminal', async () => {
    const { chat, workbench, server } = use();
    const { page } = workbench;
    const tray = chat.frame.locator('.tray-item');
    await workbench.runCommand('workbench.files.action.focusFilesExplorer');
    const row = (name: string) =>
      page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
    let last = '';
    await until(async () => {
      const now = await page.locator('.explorer-folders-view .monaco-list-rows').innerHTML();
      const isStill = now === last && (await row('notes.md').isVisible());
      last = now;
      return isStill;
    }, 'the rows to stand still, and the menu to be of the one that is clicked');
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
    await chat.answered(1);
    await workbench.runCommand('workbench.action.terminal.killAll');
    const content = JSON.stringify(server.requests.at(-1)?.body.messages.at(-1)?.content);
    assert.match(content, /The user attached the list of the files in src:\].*src\/greet\.ts/);
    assert.match(content, /The user attached notes\.md:\]/);
    assert.match(content, /The user attached Terminal bash:\].*out-put/);
  });

  it('takes with a question a branch of another chat, from the tree and after an @', async () => {
    const { chat, workbench, server } = use();
    await chat.ask('A question of its own');
    // A row that is redrawn while its menu is open is lost to the menu.
    const isSettled = async (): Promise<boolean> =>
      (await workbench.tree.rows()).some(({ description }) => description.includes('active · 2 messages'));
    await until(isSettled, 'the tree to tell of the answer');
    await workbench.tree.isAtRest();
    await workbench.tree.pick('A question of its own', 'Add to Chat');
    const tray = chat.frame.locator('.tray-item');
    await until(async () => (await tray.count()) === 1, 'the branch');
    await soon.match(() => tray.innerText(), /^Main line · A question of its own/);
    await tray.getByRole('button').last().click();
    await chat.startNew();
    await chat.input.pressSequentially('What was said? @branch');
    await chat.frame.getByRole('option', { name: 'Branch or Checkpoint…' }).waitFor();
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
    assert.match(content, /You said A question of its own/);
  });

  it('is whole and goes on where one had read when it was hidden or moved while an answer streams', async function () {
    this.timeout(120_000);
    const { chat, server, workbench } = use();
    const scroller = chat.frame.locator('.scroller');
    const answerHas = (text: string): Promise<void> =>
      chat.answers.last().getByText(text, { exact: true }).waitFor();
    /** How far one has scrolled, to ten pixels. */
    const place = (): Promise<number> =>
      scroller.evaluate((element) =>
        Math.round((element as unknown as { scrollTop: number }).scrollTop / 10),
      );
    await chat.ask('at length');
    await chat.send('slowly');
    await server.pauseReached('hidden');
    // What is still to be revealed in the tree would bring the side bar back.
    await workbench.tree.root.locator('.monaco-list-row.selected', { hasText: 'active' }).waitFor();
    await answerHas('Line 29 of the answer.');
    await scroller.evaluate((element) => {
      (element as unknown as { scrollTop: number }).scrollTop = 120;
    });
    await chat.frame.getByRole('button', { name: 'Jump to latest' }).waitFor();
    // Last, so that the page has kept its place, which it does a moment after one has scrolled.
    await chat.type('half a question');
    const before = await place();

    await step('hidden with the side bar, and shown again', async () => {
      await workbench.runCommand('workbench.action.closeSidebar');
      await workbench.page.locator('.part.sidebar').waitFor({ state: 'hidden' });
      server.release('hidden');
      await server.pauseReached('moved');
      await workbench.runCommand('workbench.view.extension.offshoot');
      await answerHas('Line 39 of the answer.');
      await soon.match(
        () => chat.answers.last().innerText(),
        /Line 0 of the answer\.[^]*Line 29 of the answer\./,
      );
      await chat.stopButton.waitFor();
      await soon.equal(place, before);
      await soon.equal(() => chat.input.inputValue(), 'half a question');
    });
    await step('moved to the secondary side bar', async () => {
      await workbench.runCommand('workbench.action.moveView');
      await workbench.quickInput.type('Chat');
      await workbench.quickInput.accept();
      await workbench.quickInput.type('New Secondary Side Bar Entry');
      await workbench.quickInput.accept();
      await workbench.page.locator('.part.auxiliarybar').waitFor();
      server.release('moved');
      await server.pauseReached('end');
      await answerHas('Line 49 of the answer.');
      await chat.stopButton.waitFor();
      await soon.equal(place, before);
      await soon.equal(() => chat.input.inputValue(), 'half a question');
      server.release('end');
      await answerHas('That is all.');
      await until(async () => (await chat.stopButton.count()) === 0, 'the answer to end');
      const text = await chat.answers.last().locator('.markdown').innerText();
      assert.equal(text.match(/Line \d+ of/gu)?.length, 50);
    });
    await workbench.runCommand('workbench.action.resetViewLocations');
    await workbench.openOffshoot();
  });
});
