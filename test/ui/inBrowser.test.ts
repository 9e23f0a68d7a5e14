import assert from 'node:assert/strict';
import {
  answer,
  lastQuestion,
  pause,
  say,
  startOpenAiServer,
  toolResultsOf,
  useTools,
  type Script,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { BrowserFolder } from './support/browserFolder.ts';
import { PickedFile } from './support/pickedFile.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

/** One question has files made and changed; `side` waits to be let go on. */
const script: Script = (request) => {
  const question = lastQuestion(request);
  if (question === 'side') return [say('side begins'), pause('side'), say(' and ends')];
  if (question !== 'work') return answer(`You said ${question}`);
  const steps = [
    useTools(
      ['list_files', {}],
      ['search_files', { query: 'greet', include: '*.ts' }],
      ['find_files', { pattern: '**/*.md' }],
    ),
    useTools(
      ['edit_file', { path: 'notes.md', oldText: 'To do', newText: 'Done' }],
      ['create_file', { path: 'made/for/it.txt', content: 'made\n' }],
    ),
  ];
  const rounds = request.body.messages.filter(({ tool_calls: calls }) => (calls ?? []).length > 0).length;
  return steps[rounds] ?? answer('The work is done');
};

describe('VS Code without a server', function () {
  this.timeout(90_000);
  const use = useChat(script, { web: true });
  const folder = new BrowserFolder(() => use().workbench.page);
  const file = new PickedFile(() => use().workbench.page);
  let notes = '';

  before('the files at first', async () => {
    notes = (await folder.text('notes.md')) ?? '';
    assert.match(notes, /To do/u);
    await file.use();
  });

  it('answers, rewinds, undoes, sets and restores checkpoints, and switches branches', async () => {
    const { chat, workbench } = use();
    await chat.ask('one');
    await chat.ask('two');
    await workbench.contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
    await chat.onBranch('main-v2');
    await workbench.runCommand('offshoot.undo');
    await chat.onBranch('main');
    await workbench.runCommand('offshoot.redo');
    await chat.onBranch('main-v2');
    await chat.ask('another two');
    await until(
      async () => (await workbench.tree.outline()).join('\n') === 'one\n  main\n    another two',
      'both branches in the tree',
    );
    await workbench.runCommand('offshoot.createCheckpoint');
    await workbench.quickInput.answer('here');
    await workbench.tree.row('here').waitFor();
    await workbench.tree.click('main');
    await chat.shows(['one', 'You said one', 'two', 'You said two']);
    await workbench.runCommand('offshoot.restoreCheckpoint');
    await workbench.quickInput.choose('here');
    await chat.shows(['one', 'You said one', 'another two', 'You said another two']);
  });

  it('answers a question by the way, and alternatives side by side', async () => {
    const { chat, server, workbench } = use();
    await workbench.runCommand('offshoot.btw');
    await workbench.quickInput.answer('side');
    await chat.aside.getByText('side begins').waitFor();
    server.release('side');
    await chat.aside.getByText('side begins and ends').waitFor();
    await workbench.contextMenu.pickOn(chat.answers.last(), 'Generate Alternatives…');
    await workbench.quickInput.shown('Generate Alternatives… (1/3)');
    await workbench.quickInput.row('test-model').waitFor();
    await workbench.quickInput.accept();
    await workbench.quickInput.answer('2');
    await workbench.quickInput.shown('Generate Alternatives… (3/3)');
    await workbench.quickInput.accept();
    const columns = workbench.panel.locator('.try');
    await until(async () => (await columns.count()) === 3, 'three answers');
    await columns.last().locator('p', { hasText: 'You said another two' }).waitFor();
    await columns.last().getByRole('button', { name: 'Use This Response' }).click();
    await until(async () => (await columns.count()) === 0, 'the page of answers to close');
  });

  it('compares branches, draws the graph, and finds what was said', async () => {
    const { workbench } = use();
    await workbench.runCommand('offshoot.compareBranches');
    await workbench.quickInput.choose('Main line');
    await workbench.quickInput.shown('Select a branch to compare Main line with');
    await workbench.quickInput.choose('another two');
    await workbench.page.getByRole('tab', { name: /Conversation \(Main line ↔/u }).waitFor();
    await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: 'You said two' }).waitFor();
    await workbench.runCommand('offshoot.showGraph');
    await workbench.panel.locator('.graph-row', { hasText: 'You said two' }).waitFor();
    await workbench.runCommand('offshoot.search');
    await workbench.quickInput.type('another');
    await workbench.quickInput.row('another two').first().waitFor();
    await workbench.quickInput.dismiss();
    await workbench.runCommand('workbench.action.closeAllEditors');
  });

  it('has an agent find, read and edit the files of the browser, and restores them with the conversation', async () => {
    const { chat, server, workbench } = use();
    const { quickInput } = workbench;
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.send('work');
    await chat.decide('Allow All Edits in This Chat');
    await chat.message('The work is done').waitFor();
    await folder.holds('notes.md', notes.replace('To do', 'Done'));
    await folder.holds('made/for/it.txt', 'made\n');
    const last = server.requests.at(-1);
    assert.ok(last);
    const [listed, found, named] = toolResultsOf(last).map(({ result }) => result);
    assert.match(listed ?? '', /^README\.md\nnotes\.md\nsrc\/$/u);
    assert.match(found ?? '', /^src\/greet\.ts:\d+: /u);
    assert.equal(named, 'README.md\nnotes.md');
    const tools = (last.body.tools as { function: { name: string } }[]).map((tool) => tool.function.name);
    for (const absent of ['run_command', 'fetch_page']) assert.ok(!tools.includes(absent), absent);
    await workbench.screenshot('browser agent done');

    await workbench.contextMenu.pickOn(chat.message('work'), 'Rewind to Here');
    await quickInput.shown('Rewind to “work”');
    await quickInput.choose('Conversation and Files');
    await folder.holds('notes.md', notes);
    await folder.holds('made/for/it.txt', undefined);
    await workbench.notifications.press('Rewound to', 'Undo');
    await folder.holds('notes.md', notes.replace('To do', 'Done'));
  });

  it('exports, imports, and keeps everything when it is reloaded', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.exportAll');
    await workbench.notifications.find('Exported to');
    for (const said of ['You said another two', 'The work is done']) {
      assert.ok((await file.text()).includes(said), said);
    }
    await workbench.tree.pick('one', 'Delete Chat…');
    await workbench.dialog.press('Delete');
    await until(async () => !(await workbench.tree.outline()).includes('one'), 'the chat to go');
    const before = await workbench.tree.outline();
    await workbench.reload();
    await file.use();
    await workbench.openOffshoot();
    await chat.message('The work is done').waitFor();
    await soon.deepEqual(() => workbench.tree.outline(), before);
    await folder.holds('notes.md', notes.replace('To do', 'Done'));
    await workbench.runCommand('offshoot.import');
    await workbench.quickInput.shown('Import');
    // All are selected at first; the other one is there already.
    await workbench.quickInput.row('one').waitFor();
    await workbench.page.keyboard.press('Enter');
    await until(async () => (await workbench.tree.outline()).includes('one'), 'the chat to be back');
    await workbench.runCommand('offshoot.search');
    // There is one such answer, on all branches; of the alternatives, another one than that in use would be previewed.
    await workbench.quickInput.type('said one');
    await workbench.quickInput.row('You said one').waitFor();
    await workbench.quickInput.accept();
    await chat.message('You said another two').waitFor();
  });

  it('says what to do where a server refuses browsers', async () => {
    const { chat, workbench } = use();
    await using refusing = await startOpenAiServer({ script });
    await workbench.changeSettings({
      'offshoot.openaiCompatible.baseUrl': refusing.baseUrl,
      'workbench.colorTheme': 'Default Dark Modern',
    });
    await chat.send('hello');
    const status = chat.answers.last().locator('.status.failed');
    await status.getByText('allow requests from').waitFor();
    await soon.match(
      () => status.innerText(),
      new RegExp(`${refusing.origin}.*${new URL(workbench.page.url()).origin}`, 'u'),
    );
    await workbench.screenshot('browser refused dark');
  });
});
