import assert from 'node:assert/strict';
import {
  answer,
  finish,
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
import { BrowserStorage } from './support/browserStorage.ts';
import { ChatPage } from './support/chatPage.ts';
import { PickedFile } from './support/pickedFile.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

/** How long another window may take to write in the place of one that is gone, with all that the workbench shows. */
const TAKE_OVER_MS = 10_000;

/** One question has files made and changed; `side` and what is long wait to be released. */
const script: Script = (request) => {
  const question = lastQuestion(request);
  if (question === 'side') return [say('side begins'), pause('side'), say(' and ends'), finish()];
  if (question.startsWith('long')) {
    return [say(`${question} begins. `), pause(question), say('It ends.'), finish()];
  }
  if (question !== 'work') return answer(`You said ${question}`);
  const steps = [
    useTools(
      ['list_files', {}],
      ['search_files', { query: 'greet', include: '*.ts' }],
      ['find_files', { pattern: '**/*.md' }],
    ),
    useTools(
      ['edit_file', { path: 'notes.md', oldText: 'To do', newText: 'Done' }],
      ['write_file', { path: 'made/for/it.txt', content: 'made\n' }],
    ),
  ];
  const rounds = request.body.messages.filter(({ tool_calls: calls }) => (calls ?? []).length > 0).length;
  return steps[rounds] ?? answer('The work is done');
};

describe('VS Code without a server', function () {
  this.timeout(180_000);
  // High enough to show all that is said here.
  const use = useChat(script, { web: true, viewport: { width: 1280, height: 2_400 } });
  const folder = new BrowserFolder(() => use().workbench.page);
  const storage = new BrowserStorage(() => use().workbench.page);
  const file = new PickedFile(() => use().workbench.page);

  const startNew = async (): Promise<void> => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
  };

  // The first of all: it is said once in a browser.
  it('says once that the browser may delete what it keeps, and keeps what had arrived of an answer over a reload', async () => {
    const { chat, server, workbench } = use();
    const hint = 'These chats are kept in this browser';
    await step('it is said after some answers, with an offer to export them', async () => {
      await file.use();
      for (const question of ['hint 1', 'hint 2']) await chat.ask(question);
      assert.ok(!(await workbench.notifications.texts()).some((text) => text.includes(hint)));
      await chat.ask('hint 3');
      await workbench.notifications.find(hint);
      await workbench.notifications.press(hint, 'Export All');
      await workbench.notifications.find('Exported to');
      const exported = await file.text();
      for (const question of ['hint 1', 'hint 2', 'hint 3'])
        assert.ok(exported.includes(`You said ${question}`));
      await workbench.notifications.clear();
    });

    await step(
      'an answer that a reload cuts off has what had arrived, and nothing is said again',
      async () => {
        const before = await chat.texts();
        await chat.send('long until reload');
        await server.pauseReached('long until reload');
        await storage.holds('long until reload begins');
        const shown = await chat.texts();
        await workbench.reload();
        await workbench.openOffshoot();
        await chat.shows(shown);
        assert.deepEqual(shown.slice(0, before.length), before);
        const status = chat.answers.last().locator('.status.interrupted');
        await status.getByText('Partial response saved').waitFor();
        assert.equal(await chat.frame.locator('.status.streaming').count(), 0);
        // One more than it takes for the hint.
        for (const question of ['hint 4', 'hint 5', 'hint 6', 'hint 7']) await chat.ask(question);
        assert.equal((await chat.texts()).length, shown.length + 8);
        assert.ok(
          !(await workbench.notifications.texts()).some((text) => text.includes(hint)),
          'it was said once',
        );
      },
    );
  });

  it('has the main flows: branches, side questions, alternatives, files of an agent, exports', async () => {
    const { chat, server, workbench } = use();
    const notes = (await folder.text('notes.md')) ?? '';
    assert.match(notes, /To do/u);
    await file.use();
    await startNew();

    await step('answers, rewinds, undoes, sets and restores checkpoints, and switches branches', async () => {
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
        async () => (await workbench.tree.outline()).join('\n').startsWith('one\n  main\n    another two'),
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

    await step('answers a question by the way, and alternatives side by side', async () => {
      await workbench.runCommand('offshoot.btw');
      await workbench.quickInput.answer('side');
      await chat.aside.getByText('side begins').waitFor();
      server.release('side');
      await chat.aside.getByText('side begins and ends').waitFor();
      await workbench.contextMenu.pickOn(chat.answers.last(), ['Regenerate', 'Generate Alternatives…']);
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

    await step('compares branches, draws the graph, and finds what was said', async () => {
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

    await step(
      'has an agent find, read and edit the files of the browser, and restores them with the conversation',
      async () => {
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

        await workbench.contextMenu.pickOn(chat.message('work'), 'Rewind to Here');
        await workbench.quickInput.shown('Rewind to “work”');
        await workbench.quickInput.choose('Conversation and Files');
        await folder.holds('notes.md', notes);
        await folder.holds('made/for/it.txt', undefined);
        await workbench.notifications.press('Rewound to', 'Undo');
        await folder.holds('notes.md', notes.replace('To do', 'Done'));
      },
    );

    await step('exports, imports, and keeps everything when it is reloaded', async () => {
      // A long list of them shows only a part.
      await workbench.notifications.clear();
      await workbench.runCommand('offshoot.exportAll');
      await workbench.notifications.find('Exported to');
      for (const said of ['You said another two', 'The work is done']) {
        assert.ok((await file.text()).includes(said), said);
      }
      await workbench.tree.pick('one', 'Delete Chat');
      await until(async () => !(await workbench.tree.outline()).includes('one'), 'the chat to go');
      await workbench.reload();
      await file.use();
      await workbench.openOffshoot();
      await chat.message('The work is done').waitFor();
      await soon.deepEqual(async () => (await workbench.tree.outline()).slice(0, 1), ['work']);
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
  });

  it('shares its conversations among windows, of which another writes in the place of one that is gone', async () => {
    const { chat, server, workbench } = use();
    await startNew();
    await chat.ask('the first of all');
    let other = await workbench.anotherWindow();
    let second = new ChatPage(other);
    await other.openOffshoot();

    await step('each shows what the other asks, while it is answered', async () => {
      await second.message('You said the first of all').waitFor();
      const writer = await storage.writer();
      await second.ask('of the second');
      await chat.message('You said of the second').waitFor();
      await chat.send('long and live');
      await second.message('long and live begins').waitFor();
      await second.frame.getByText('Responding in another window…').waitFor();
      await server.pauseReached('long and live');
      server.release('long and live');
      await second.message('It ends.').waitFor();
      await second.answered(3);
      await chat.answered(3);
      await soon.deepEqual(() => second.texts(), await chat.texts());
      assert.equal(await storage.writer(), writer, 'one of them writes all the time');
    });

    for (const how of ['closed', 'crashed'] as const) {
      await step(`one writes in the place of one that is ${how}, and nothing said is lost`, async () => {
        if (how === 'crashed') {
          other = await workbench.anotherWindow();
          second = new ChatPage(other);
          await other.openOffshoot();
        }
        // The other one then writes.
        await workbench.reload();
        await workbench.openOffshoot();
        await second.message('You said of the second').waitFor();
        const before = await second.texts();
        await chat.shows(before);
        const writer = await storage.writer();
        const question = `long until ${how}`;
        await second.send(question);
        await server.pauseReached(question);
        await chat.message(`${question} begins`).waitFor();
        await storage.holds(`${question} begins`);
        const began = performance.now();
        if (how === 'closed') await other.page.close();
        else await other.crashWindow();
        await chat.answers.last().locator('.status.interrupted').waitFor();
        await chat.ask(`after it ${how}`);
        const took = performance.now() - began;
        assert.ok(took < TAKE_OVER_MS, `${took} ms`);
        const after = await chat.texts();
        assert.deepEqual(after.slice(0, before.length), before);
        const added = [question, `${question} begins.`, `after it ${how}`, `You said after it ${how}`];
        assert.deepEqual(after.slice(before.length), added);
        const now = await storage.writer();
        assert.ok(now !== undefined && now !== writer, 'this window writes');
      });
    }
  });

  it('writes everything again when the browser has deleted it, and says what to do', async () => {
    const { chat, workbench } = use();
    await startNew();
    await chat.ask('before it is deleted');
    const before = await chat.texts();
    await storage.clear();
    const told = 'The stored conversations were removed';
    await chat.frame.locator('.banner.warning', { hasText: told }).waitFor();
    await file.use();
    await workbench.notifications.press(told, 'Export All');
    await workbench.notifications.find('Exported to');
    assert.ok((await file.text()).includes('You said before it is deleted'));
    await chat.ask('after it was deleted');
    // What VS Code kept is deleted as well: it opens as at first.
    await workbench.page.reload();
    await workbench.openOffshoot();
    await chat.shows([...before, 'after it was deleted', 'You said after it was deleted']);
    await until(
      async () => (await workbench.page.locator('.sidebar .monaco-list .codicon-loading').count()) === 0,
      'the tree to be at rest',
    );
  });

  it('says what to do where a server refuses browsers', async () => {
    const { chat, server, workbench } = use();
    await startNew();
    await using refusing = await startOpenAiServer({ script });
    const askAt = (baseUrl: string) =>
      workbench.changeSettings({ 'offshoot.openaiCompatible.baseUrl': baseUrl });
    await askAt(refusing.baseUrl);
    await chat.send('hello');
    const status = chat.answers.last().locator('.status.failed');
    await status.getByText('allow requests from').waitFor();
    await soon.match(
      () => status.innerText(),
      new RegExp(`${refusing.origin}.*${new URL(workbench.page.url()).origin}`, 'u'),
    );
    await askAt(server.baseUrl);
  });
});
