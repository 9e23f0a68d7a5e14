import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readConversation } from '../../src/extension/chat/conversationView.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { SelectedMode } from '../../src/extension/tools/selectedMode.ts';
import { answer, lastQuestion, toolResultsOf, useTools } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { ask, messageText, offshoot, sayOnPage, untilChanged, useModelServer } from './support.ts';

describe('a plan', () => {
  let api: Offshoot;
  const server = useModelServer((request) => {
    const isAsked = lastQuestion(request).startsWith('Implement');
    if (!isAsked) return answer('1. Greet in `src/greet.ts`.\n2. Run its test.');
    const titles = ['Greet in src/greet.ts', 'Run its test'];
    return toolResultsOf(request).length === 0
      ? useTools(['write_todos', { todos: titles.map((title) => ({ title, status: 'done' })) }])
      : answer('All of it is done.');
  });

  before(async () => {
    api = await offshoot();
  });
  let planId = '';
  beforeEach('ask for a plan', async () => {
    await api.parts.current.startNew();
    await api.parts.mode.select('plan');
    await ask(api, 'Greet by name');
    const plan = (await readConversation(api.parts)).messages.at(-1);
    assert.ok(plan?.isPlan);
    planId = plan.id;
  });
  afterEach(async () => {
    await api.parts.mode.select('agent');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const offered = (): string[] =>
    (server().requests.at(-1)?.body.tools ?? []).map((tool) => tool.function.name);
  const carriedOut = async (): Promise<void> => {
    const { current, runs } = api.parts;
    await untilChanged(
      api,
      async () =>
        (await messageText(api)).at(-1) === 'All of it is done.' &&
        runs.list(await current.chatId()).length === 0,
    );
  };

  it('is asked for with tools that only read', () => {
    assert.ok(offered().includes('read_file'));
    assert.ok(!offered().includes('edit_file'), offered().join());
  });

  it('is carried out on a branch of its own, with all tools', async () => {
    await sayOnPage(api, { type: 'runCommandHere', command: 'carryOutPlan', messageId: planId });
    await carriedOut();
    assert.ok((await messageText(api)).includes('Implement this plan.'));
    const { branch, mode } = await readConversation(api.parts);
    assert.deepEqual([branch, mode.id], ['main-v2', 'agent']);
    assert.ok(offered().includes('edit_file'));
  });

  /** Of the current branch. */
  const openPlan = async (): Promise<vscode.TextDocument> => {
    const { branchId = '' } = await readConversation(api.parts);
    await sayOnPage(api, { type: 'runCommandHere', command: 'editPlan', messageId: planId });
    return until(() => {
      const { document } = vscode.window.activeTextEditor ?? {};
      return document?.uri.scheme === 'offshoot-plan' && document.uri.query.includes(branchId) && document;
    }, `the plan of ${branchId} in an editor`);
  };
  const isOpen = (uri: vscode.Uri): boolean =>
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(
        ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
      ),
    );
  const shownPlan = async () => (await readConversation(api.parts)).plan;

  it('is carried out as it was edited, ticks itself, and a rewind brings the earlier one back', async () => {
    const document = await openPlan();
    const before = '1. [ ] Greet in `src/greet.ts`.\n2. [ ] Run its test.\n';
    assert.equal(document.getText(), before);
    assert.equal(document.languageId, 'markdown');
    const end = document.lineAt(document.lineCount - 1).range.end;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, end, '3. [x] Say so in the notes.\n');
    await vscode.workspace.applyEdit(edit);
    assert.ok(await document.save());
    const edited = document.getText();
    await untilChanged(api, async () => (await shownPlan())?.count === 3);
    assert.deepEqual(await shownPlan(), { done: 1, count: 3, isBegun: true });
    await vscode.commands.executeCommand('offshoot.carryOutEditedPlan', document.uri);
    await carriedOut();
    assert.ok((await messageText(api)).includes('Implement this plan.'));
    const { branch, todos } = await readConversation(api.parts);
    assert.equal(branch, 'main-v2');
    assert.deepEqual(
      todos?.map(({ title, status }) => [title, status]),
      [
        ['Greet in src/greet.ts.', 'done'],
        ['Run its test.', 'done'],
        ['Say so in the notes.', 'done'],
      ],
    );
    assert.deepEqual(await shownPlan(), { done: 3, count: 3, isBegun: true });
    const ofBranch = await openPlan();
    assert.notEqual(ofBranch.uri.query, document.uri.query, 'each branch has its own');
    await until(() => ofBranch.getText() === edited.replaceAll('[ ]', '[x]'), 'the ticks in the editor');
    await until(() => !isOpen(document.uri), 'the one before to be closed');
    await api.parts.conversations.rewind(planId);
    await untilChanged(api, async () => (await shownPlan())?.count === 2);
    assert.equal((await openPlan()).getText(), before);
  });

  it('is marked as one where it was asked for as one, and not the answer of another mode', async () => {
    await api.parts.mode.select('ask');
    await ask(api, 'What greets?');
    assert.ok(!offered().includes('edit_file'));
    const { messages } = await readConversation(api.parts);
    assert.deepEqual(
      messages.flatMap(({ role, isPlan }) => (role === 'assistant' ? [isPlan === true] : [])),
      [true, false],
    );
  });
});

describe('a question of the agent', () => {
  let api: Offshoot;
  const server = useModelServer((request) =>
    toolResultsOf(request).length === 0
      ? useTools([
          'ask_user',
          {
            questions: [
              { question: 'Which store?', options: [{ label: 'SQLite' }, { label: 'PostgreSQL' }] },
            ],
          },
        ])
      : answer('As you wish.'),
  );

  it('shows in the chat until it is answered there, and the answer stays', async () => {
    api = await offshoot();
    const { current, conversations } = api.parts;
    await current.startNew();
    const run = await conversations.ask('Store it');
    const asked = async () => {
      const { messages, running } = await readConversation(api.parts);
      const parts = [...messages, ...(running ? [running] : [])].flatMap((message) => message.parts);
      return parts.flatMap((part) => (part.type === 'tool' && part.questions ? [part.questions] : []))[0];
    };
    const { id = '' } = await until(async () => {
      const shown = await asked();
      return shown?.id !== undefined && shown;
    }, 'the question');
    await sayOnPage(api, { type: 'answerQuestions', id, answers: [{ chosen: [1], text: 'ours' }] });
    await run.done;
    assert.match(
      JSON.stringify(server().requests.at(-1)?.body.messages),
      /PostgreSQL.*In their own words: ours/u,
    );
    assert.deepEqual(await asked(), {
      asked: [
        {
          question: 'Which store?',
          options: [{ label: 'SQLite' }, { label: 'PostgreSQL' }],
          several: false,
          answer: { chosen: [1], text: 'ours' },
        },
      ],
      isAnswered: true,
    });
  });
});

describe('the mode', () => {
  it('is as it was selected for a window that opens with what was kept, and the agent’s where nothing else was', async () => {
    const kept = new Map<string, unknown>();
    const memory: vscode.Memento = {
      keys: () => [...kept.keys()],
      get: (key: string) => kept.get(key) as undefined,
      update: (key, value) => {
        kept.set(key, value);
        return Promise.resolve();
      },
    };
    const sandbox = {
      isUnasked: () => false,
      setUnasked: () => Promise.resolve(),
      whyNone: () => Promise.resolve(undefined),
    };
    const mode = new SelectedMode(memory, sandbox);
    assert.equal(mode.current, 'agent');
    await mode.select('ask');
    assert.equal(new SelectedMode(memory, sandbox).current, 'ask');
    await memory.update('offshoot.mode', 'a mode of a later version');
    assert.equal(mode.current, 'agent');
  });
});
