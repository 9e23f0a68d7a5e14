import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, finish, lastQuestion, pause, say, type Script } from '../fixtures/openaiServer.ts';
import { startProviderServer, type ProviderServer } from '../fixtures/providerServer.ts';
import { events, startRawServer, type RawReply, type RawServer } from '../fixtures/rawServer.ts';
import { soon } from '../fixtures/soon.ts';
import { until } from '../fixtures/until.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';

const KEY = 'sk-right-key-of-the-test';

const script: Script = (request) => {
  const question = lastQuestion(request);
  if (question.startsWith('long')) {
    return [say(`${question} begins`), pause(question), say(' and ends'), finish()];
  }
  if (question.startsWith('Plan')) return answer('1. Greet in `src/greet.ts`.\n2. Run its test.');
  if (question.startsWith('Implement')) return answer('All of it is done.');
  const { temperature } = request.body;
  if (temperature === 0.4)
    return [say(`You said ${question} at `), pause('alternative'), say('0.4'), finish()];
  return answer(`You said ${question}`);
};

const json = (status: number, body: object): RawReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  pieces: [JSON.stringify(body)],
});

/** Wants a key, lists two models, and answers below two addresses. */
const startLmStudio = (): Promise<RawServer> =>
  startRawServer(({ path: asked, headers }) => {
    if (!/^(?:\/api)?\/v1\//.test(asked)) return json(404, { error: 'Unexpected endpoint or method.' });
    if (headers.authorization !== `Bearer ${KEY}`) return json(401, { error: 'Unauthorized' });
    if (asked.endsWith('/v1/models')) return json(200, { data: [{ id: 'small-one' }, { id: 'big-one' }] });
    return events(
      { id: '1', choices: [{ index: 0, delta: { content: 'Good day' }, finish_reason: 'stop' }] },
      '[DONE]',
    );
  });

describe('the chat, by boxes, keys and editors of VS Code', () => {
  let providers: ProviderServer;
  let lmStudio: RawServer;
  const settings: Record<string, unknown> = {};
  before('start the providers', async () => {
    providers = await startProviderServer({ key: KEY });
    lmStudio = await startLmStudio();
    settings['offshoot.baseUrls'] = providers.baseUrls;
  });
  after('stop the providers', async () => {
    await providers.close();
    await lmStudio.close();
  });
  const use = useChat(script, { settings, viewport: { width: 1400, height: 1000 } });

  beforeEach('begin a chat', async () => {
    const { chat, workbench } = use();
    await workbench.tree.open();
    await workbench.runCommand('offshoot.newChat');
    await until(async () => (await chat.messages.count()) === 0, 'a new chat');
  });

  const modelName = (name: string): Promise<void> =>
    use().chat.frame.locator('.model-name').getByText(name, { exact: true }).waitFor();
  const modeButton = () => use().chat.frame.locator('.mode-button');
  const selectMode = async (name: string): Promise<void> => {
    await modeButton().click();
    await use().workbench.quickInput.choose(name);
    await modeButton().filter({ hasText: name }).waitFor();
  };
  const offered = (): string[] =>
    (use().server.requests.at(-1)?.body.tools ?? []).map((tool) => tool.function.name);
  const columns = () => use().workbench.panel.locator('.try');
  /** The branches of a chat in the tree. */
  const branchesOf = async (title: string): Promise<string[]> => {
    const rows = await use().workbench.tree.rows();
    const below = rows.slice(rows.findIndex(({ label }) => label === title) + 1);
    const end = below.findIndex(({ level }) => level === 1);
    return below.slice(0, end < 0 ? undefined : end).map(({ label }) => label);
  };

  it('has Ctrl+Z undo steps in the tree and words in the input, and leads from the timeline to them', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    const { page, quickInput, tree } = workbench;
    const said = (text: string) => page.locator('.statusbar').getByText(text);
    await step('the steps', async () => {
      await chat.ask('one');
      await chat.ask('two');
      const messageId = await chat.message('You said one').getAttribute('data-message-id');
      await workbench.runCommand('offshoot.rewindToHere', { messageId });
      await chat.onBranch('main-v2');
      await tree.marks('New branch');
      await tree.click('main');
      await chat.onBranch('main');
    });
    await step('undo by the command, and by keys in the tree', async () => {
      await workbench.runCommand('offshoot.undo');
      await chat.onBranch('main-v2');
      await said('Undone: switch to Main line').waitFor();
      await workbench.runCommand('offshoot.tree.focus');
      await tree.hasFocus();
      await page.keyboard.press('Control+z');
      await chat.onBranch('main');
      await said('Undone: rewind').waitFor();
      await page.keyboard.press('Control+y');
      await chat.onBranch('main-v2');
    });
    await step('the timeline', async () => {
      await workbench.runCommand('offshoot.showTimeline');
      await quickInput.shown('Timeline');
      await quickInput.row('Chat begun').waitFor();
      const labels = (await quickInput.rows()).map(({ label }) => label);
      assert.ok(labels.includes('Rewound to “You said one”'), labels.join());
      assert.deepEqual(labels.slice(-5), ['You said two', 'two', 'You said one', 'one', 'Chat begun']);
      // The chat shows the moment of the focused row while the list is open.
      for (let row = 0; row < labels.indexOf('You said one'); row += 1)
        await page.keyboard.press('ArrowDown');
      await chat.frame.locator('.message.previewed', { hasText: 'You said one' }).waitFor();
      await quickInput.choose('You said two');
      await chat.onBranch('main');
      await chat.message('You said two').waitFor();
    });
    await step('undo in the input', async () => {
      await chat.type('a thought');
      // The page sends the key to the workbench, which has it undone where it saw the focus last: it looks four times
      // a second. What is typed before that would be undone instead.
      const isEmpty = async (): Promise<boolean> => (await chat.input.inputValue()) === '';
      await until(async () => {
        await chat.input.press('Control+z');
        return until(isEmpty, 'it to be empty', 2_000);
      }, 'what was typed to be undone');
      await chat.onBranch('main');
      await chat.shows(['one', 'You said one', 'two', 'You said two']);
    });
  });

  it('has a plan asked for in its mode, edited in an editor, and carried out by the button over it', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    const { page } = workbench;
    await selectMode('Plan');
    await chat.ask('Plan to greet by name');
    assert.ok(offered().includes('read_file') && !offered().includes('edit_file'), offered().join());
    await chat.frame.getByRole('button', { name: 'Open Plan' }).click();
    const editor = page.locator('.editor-instance .view-lines', { hasText: 'src/greet.ts' });
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('3. [ ] Say so in the notes.');
    await page.getByRole('button', { name: 'Implement This Plan' }).first().click();
    await chat.onBranch('main-v2');
    await chat.message('All of it is done.').waitFor();
    await soon.match(async () => (await chat.texts()).at(-2) ?? '', /^Implement this plan\./);
    assert.match(JSON.stringify(use().server.requests.at(-1)?.body.messages), /Say so in the notes/);
    await editor.filter({ hasText: 'Say so in the notes' }).waitFor();
    await modeButton().filter({ hasText: 'Agent' }).waitFor();
  });

  it('has tools selected one by one, and as sets that are saved', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    const { contextView, quickInput, tree } = workbench;
    const title = quickInput.widget.locator('.quick-input-title');
    const count = (text: string): Promise<unknown> =>
      until(async () => (await title.innerText()).includes(text), text);
    const press = (button: string): Promise<void> =>
      quickInput.widget.getByRole('button', { name: button }).click();
    await chat.ask('first');
    const all = offered().length;
    assert.ok(offered().includes('search_files'), offered().join());
    await step('one is turned off', async () => {
      await workbench.runCommand('offshoot.selectTools');
      await soon.match(() => title.innerText(), new RegExp(`\\(${all} of ${all}, [\\d,]+ tokens\\)`));
      await quickInput.toggle('Search Files');
      await count(`(${all - 1} of ${all},`);
    });
    await step('a set is saved, and used again', async () => {
      await press('Save as a Set…');
      await quickInput.shown('Save as a Set');
      await quickInput.answer('Without search');
      await count(`(${all - 1} of ${all},`);
      await quickInput.toggle('Problems');
      await count(`(${all - 2} of ${all},`);
      await press('Use a Saved Set…');
      await quickInput.shown('Use a Saved Set');
      await quickInput.choose('Without search');
      await count(`(${all - 1} of ${all},`);
      await quickInput.accept();
      await quickInput.hidden();
    });
    await step('the Context view says what is off, and leads there', async () => {
      await tree.fold();
      await contextView.open();
      await contextView.expand('Tools');
      await until(async () => {
        const rows = await contextView.rows();
        return rows.some((row) => row.label === 'search_files' && row.description === 'You turned it off.');
      }, 'the tool that is off');
      await contextView.press('Tools', 'Select Tools…');
      await count(`(${all - 1} of ${all},`);
      await quickInput.dismiss();
      await contextView.fold();
    });
    await chat.ask('second');
    assert.ok(!offered().includes('search_files'), offered().join());
    assert.equal(offered().length, all - 1);
  });

  it('has prompt files made by a word after a slash, which lists them then', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    await chat.send('/prompt');
    await workbench.quickInput.choose('.offshoot/prompts');
    await workbench.quickInput.shown('Create Prompt File');
    await workbench.quickInput.answer('my review');
    await workbench.page.locator('.tab', { hasText: 'my-review.prompt.md' }).waitFor();
    const file = path.join(workbench.folder, '.offshoot/prompts/my-review.prompt.md');
    assert.ok((await readFile(file, 'utf8')).includes('${selection}'));
    await chat.input.focus();
    await chat.input.pressSequentially('/my');
    await chat.frame.getByRole('option', { name: /^\/my-review/u }).waitFor();
    await chat.type('');
  });

  it('has a question answered several times side by side, and by another temperature', async function () {
    this.timeout(120_000);
    const { chat, workbench, server } = use();
    const { contextMenu, notifications, quickInput, tree } = workbench;
    const question = 'How would you split it?';
    await step('the number and a temperature are asked for', async () => {
      await chat.ask(question);
      await contextMenu.pickOn(chat.answers.first(), ['Regenerate', 'Generate Alternatives…']);
      await quickInput.shown('Generate Alternatives… (1/3)');
      await quickInput.row('test-model').waitFor();
      await quickInput.accept();
      await quickInput.shown('Generate Alternatives… (2/3)');
      await quickInput.type('9');
      await soon.match(() => quickInput.message(), /from 2 to 8/);
      await quickInput.answer('2');
      await quickInput.shown('Generate Alternatives… (3/3)');
      await quickInput.answer('0.4');
      await soon.equal(() => columns().count(), 3);
    });
    await step('they stream side by side, and one is stopped', async () => {
      const texts = columns().locator('.markdown');
      await texts
        .filter({ hasText: `You said ${question} at` })
        .nth(1)
        .waitFor();
      await soon.equal(() => columns().locator('.codicon-loading').count(), 2);
      await columns().nth(2).getByRole('button', { name: 'Stop this answer' }).click();
      await columns().nth(2).getByText('Stopped. Partial response saved.').waitFor();
      // The server may not have noticed yet that nobody listens to the one that was stopped.
      for (let streaming = 0; streaming < 2; streaming++) server.release('alternative');
      await texts.filter({ hasText: `You said ${question} at 0.4` }).waitFor();
      await soon.equal(() => columns().locator('.codicon-loading').count(), 0);
      await chat.onBranch('main');
    });
    await step('one is kept, and the others are archived and brought back', async () => {
      const kept = (await columns().nth(1).getAttribute('data-branch')) ?? '';
      await columns().nth(1).getByRole('button', { name: 'Use This Response' }).click();
      await chat.onBranch(kept);
      await soon.equal(() => columns().count(), 0);
      await chat.answers.first().getByText('temp. 0.4').waitFor();
      await notifications.press('The 2 other answers stay in the tree.', 'Archive the Others');
      // A chat with one branch is one row.
      await until(async () => (await branchesOf(question)).length === 0, 'the others to be archived');
      await notifications.press('Archived Main line, ', 'Undo');
      await until(async () => (await branchesOf(question)).length === 3, 'the others to be back');
      await tree.isAtRest();
    });
    await step('another temperature is asked for', async () => {
      const before = server.requests.length;
      await chat.answers.first().hover();
      await chat.answers
        .first()
        .getByRole('button', { name: 'Regenerate with another model or temperature' })
        .click();
      await quickInput.shown('Regenerate With…');
      await quickInput.row('test-model').waitFor();
      await quickInput.accept();
      await quickInput.widget.getByText('Temperature, from 0').waitFor();
      await quickInput.type('3');
      await soon.match(() => quickInput.message(), /Enter a number from 0 to 2/);
      await quickInput.answer('1,5');
      await chat.answers.first().getByText('temp. 1.5').waitFor();
      const asked = () => server.requests.slice(before).map(({ body }) => body['temperature']);
      await soon.deepEqual(asked, [1.5]);
    });
  });

  it('has a chat pinned and archived by the menu of its row, and the latter undone', async () => {
    const { chat, workbench } = use();
    const { notifications, tree } = workbench;
    const title = 'put away';
    await chat.ask(title);
    await tree.pick(title, 'Pin Chat');
    await until(async () => (await tree.rows())[0]?.label === title, 'it to stand first');
    await tree.pick(title, 'Archive Chat');
    await tree.row(title).waitFor({ state: 'detached' });
    await chat.message(`You said ${title}`).waitFor({ state: 'detached' });
    await notifications.press(`Archived “${title}”`, 'Undo');
    await chat.shows([title, `You said ${title}`]);
    await tree.pick(title, 'Unpin Chat');
  });

  it('is as it was after a reload: the mode, what is queued, what can be undone, answers side by side', async function () {
    this.timeout(150_000);
    const { chat, workbench } = use();
    const queued = chat.frame.locator('.queued');
    await step('before it', async () => {
      await chat.ask('one');
      await workbench.runCommand('offshoot.regenerate');
      await chat.onBranch('main-v2');
      await chat.answered(1);
      await workbench.runCommand('offshoot.compareAnswers');
      await soon.equal(() => columns().count(), 2);
      await chat.frame.getByRole('button', { name: /^Version 1 of 2/ }).click();
      await chat.onBranch('main');
      await selectMode('Ask');
      await chat.send('long two');
      await chat.message('long two begins').waitFor();
      for (const text of ['three', 'four']) await chat.send(text);
      await chat.openPanel('queue');
      await queued.nth(1).waitFor();
    });
    await workbench.reloadByCommand();
    await workbench.openOffshoot();
    await step('the mode, and the answers side by side', async () => {
      await modeButton().filter({ hasText: 'Ask' }).waitFor();
      await soon.equal(() => columns().count(), 2);
    });
    await step('the queue, of which one is edited and one is sent', async () => {
      await chat.frame.getByText('Queue paused: the last response stopped.').waitFor();
      await queued.filter({ hasText: 'three' }).getByRole('button', { name: 'Edit' }).click();
      await queued.filter({ hasText: 'three' }).waitFor({ state: 'detached' });
      await soon.equal(() => chat.input.inputValue(), 'three');
      await queued.filter({ hasText: 'four' }).getByRole('button', { name: 'Stop and Send Now' }).click();
      await chat.message('You said four').waitFor();
      await soon.equal(() => queued.count(), 0);
      assert.ok(offered().includes('read_file') && !offered().includes('edit_file'), offered().join());
    });
    await step('what was done', async () => {
      await workbench.runCommand('offshoot.undo');
      await chat.onBranch('main-v2');
      await workbench.runCommand('offshoot.redo');
      await chat.onBranch('main');
    });
    await selectMode('Agent');
    await workbench.runCommand('workbench.action.closeAllEditors');
  });

  it('has a provider set up by its key, which answers, is waited for, and is forgotten again', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    const { quickInput } = workbench;
    await step('the key', async () => {
      await workbench.runCommand('offshoot.selectModel');
      await quickInput.choose('Set up Anthropic…');
      await quickInput.shown('API key for Anthropic');
      await quickInput.answer('sk-wrong');
      await soon.match(() => quickInput.message(), /Anthropic refused this key/);
      await quickInput.answer(KEY);
      await quickInput.shown('Select Model');
      // The list is long, and begins at the current model.
      await quickInput.type('Claude Opus');
      await quickInput.row('Claude Opus 5.5').waitFor();
      const row = (await quickInput.rows()).find(({ label }) => label === 'Claude Opus 5.5');
      assert.equal(
        row?.detail,
        'Anthropic · 1,000,000 tokens · tools · images · reasoning · $4 in ($0.20 cached), $20 out per million',
      );
      // The list opens at the model in use: what is above it has to be looked for.
      await quickInput.type('Claude Opus 5.5');
      await quickInput.choose('Claude Opus 5.5');
      await modelName('Claude Opus 5.5');
    });
    await step('what its answer cost', async () => {
      await chat.ask('hello');
      const last = chat.answers.last();
      await last.getByText('Good day').waitFor();
      assert.equal(await last.locator('details.reasoning').getAttribute('open'), null);
      await soon.equal(() => last.locator('.usage').innerText(), '$0.0080');
      assert.match(
        (await last.locator('.usage').getAttribute('title')) ?? '',
        /1,000 input tokens, 200 output tokens, \$0\.008000 estimated/,
      );
      const ring = chat.frame.locator('.usage-ring');
      await soon.match(
        async () => (await ring.getAttribute('aria-label')) ?? '',
        /^Context: [\d,]+ of 1,000,000 tokens \([\s\S]+Cost of this path: \$0\.0080/,
      );
    });
    await step('a busy server', async () => {
      providers.refusals.push({ status: 429, headers: { 'retry-after': '50' } });
      await chat.send('busy?');
      await chat.frame.locator('.status.streaming', { hasText: 'Retrying in 50 s (1/4)…' }).waitFor();
      await chat.stopButton.click();
      await chat.frame.locator('.status.interrupted').waitFor();
    });
    await step('no key', async () => {
      await workbench.runCommand('offshoot.removeApiKey');
      await quickInput.choose('Anthropic');
      await quickInput.hidden();
      await workbench.runCommand('offshoot.selectModel');
      await quickInput.row('Set up Anthropic…').waitFor();
      await quickInput.dismiss();
    });
  });

  it('has a model server added by its kind, its address and its key, asked for once for each server', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    const { quickInput } = workbench;
    await step('the first address', async () => {
      await workbench.runCommand('offshoot.addModelServer');
      await quickInput.shown('Select a model server');
      await quickInput.choose('LM Studio');
      await quickInput.shown('Address of the server');
      await soon.equal(() => quickInput.value(), 'http://localhost:1234/v1');
      await quickInput.answer(lmStudio.origin);
      await quickInput.shown('API key for LM Studio');
      await quickInput.answer(KEY);
      await quickInput.shown('Select a model');
      assert.deepEqual(
        (await quickInput.rows()).map(({ label }) => label),
        ['small-one', 'big-one'],
      );
      await quickInput.choose('big-one');
      await modelName('big-one');
      const isQuestion = ({ path: asked }: { readonly path: string }) => asked.endsWith('/completions');
      const before = lmStudio.requests.filter(isQuestion).length;
      await chat.ask('hello');
      await chat.answers.last().getByText('Good day').waitFor();
      assert.equal(lmStudio.requests.filter(isQuestion).length, before + 1);
    });
    await step('another one of the same server', async () => {
      await workbench.runCommand('offshoot.addModelServer');
      await quickInput.choose('LM Studio');
      await quickInput.shown('Address of the server');
      await quickInput.answer(`${lmStudio.origin}/api/v1`);
      await quickInput.shown('Select a model');
      await quickInput.choose('small-one');
      await modelName('small-one');
      await chat.ask('again');
      const { path: asked, headers } = lmStudio.requests.at(-1) ?? assert.fail();
      assert.deepEqual([asked, headers.authorization], ['/api/v1/chat/completions', `Bearer ${KEY}`]);
    });
  });
});
