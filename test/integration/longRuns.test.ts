import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { stepRows } from '../../src/extension/branches/rewindCommands.ts';
import { ConversationReader } from '../../src/extension/chat/conversationReader.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import type { ConversationView } from '../../src/protocol/chatFromHost.ts';
import { answer, lastQuestion, toolResultsOf, useTools } from '../fixtures/openaiServer.ts';
import { soon } from '../fixtures/soon.ts';
import { until } from '../fixtures/until.ts';
import { FolderFiles } from './folderFiles.ts';
import { ask, offshoot, setSetting, useModelServer } from './support.ts';

const PLACE = 'long-run';
const FILE = `${PLACE}/greet.txt`;

/** The list with so many of its three entries done. */
const todos = (done: number): [string, Record<string, unknown>] => [
  'write_todos',
  {
    todos: ['Write', 'Test', 'Tell'].map((title, at) => ({
      title,
      status: at < done ? 'done' : at === done ? 'in_progress' : 'pending',
    })),
  },
];
const edit = (oldText: string, newText: string): [string, Record<string, unknown>] => [
  'edit_file',
  { path: FILE, oldText, newText },
];

describe('an answer of many steps in the extension host', () => {
  let api: Offshoot;
  const files = new FolderFiles(PLACE);
  useModelServer((request) => {
    const results = toolResultsOf(request);
    // The user has ticked one, or taken it back.
    if (results.at(-1)?.result.includes('The user has changed the list')) return useTools(todos(2));
    switch (results.length) {
      case 0:
        return useTools(['write_file', { path: FILE, content: 'one\r\n' }], todos(0));
      case 2:
        return useTools(edit('one', 'two'), todos(1));
      case 4:
        return useTools(['list_files', { path: PLACE }]);
      case 5:
        return useTools(['read_file', { path: FILE }]);
      case 6:
        return useTools(edit('two', 'three'), todos(2));
      default:
        return answer(`Done: ${lastQuestion(request)}`);
    }
  });

  before(async () => {
    api = await offshoot();
    await setSetting('tools.edits', 'reviewAfterwards');
    await setSetting('restoreFiles', 'always');
  });
  beforeEach(async () => {
    await api.parts.current.startNew();
    await files.makeFolder();
    await ask(api, 'greet');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await files.remove();
  });
  after(async () => {
    await setSetting('tools.edits', undefined);
    await setSetting('restoreFiles', undefined);
  });

  const read = (): Promise<ConversationView> => new ConversationReader(api.parts).read();
  /** What the file holds and how many entries of the list are done, which is read a moment after a move. */
  const stands = (text: string, count: string): Promise<void> =>
    soon.deepEqual(async () => {
      const { todos: shown = [] } = await read();
      const done = shown.filter(({ status }) => status === 'done').length;
      return [await files.text('greet.txt'), `${done}/${shown.length}`];
    }, [text, count]);
  const rewindTo = async (index: number): Promise<void> => {
    const { id } = (await api.parts.conversations.path())[index] ?? assert.fail();
    await vscode.commands.executeCommand('offshoot.rewindToHere', { messageId: id });
  };

  it('has its list, what only looked, what each step changed, and what all took', async () => {
    await stands('three\r\n', '2/3');
    const { messages } = await read();
    const calls = messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool' ? [part] : [])),
    );
    assert.deepEqual(
      calls.flatMap(({ reading }) => (reading ? [reading] : [])).map(({ kind }) => kind),
      ['folder', 'file'],
    );
    const steps = [
      `Created ${FILE} · Updated the todo list`,
      `Edited ${FILE} · Updated the todo list`,
      `Edited ${FILE} · Updated the todo list`,
    ];
    assert.deepEqual(
      stepRows(await api.parts.conversations.path()).map(({ label, description }) => [
        label,
        description?.slice(0, 2),
      ]),
      steps.map((label, at) => [label, `#${at + 1}`]),
    );
    assert.deepEqual(
      messages.flatMap(({ step }) => (step === undefined ? [] : [step])),
      steps.map((step) => step.replace(' · Updated the todo list', '')),
    );
    const { turn } = messages.at(-1) ?? {};
    assert.deepEqual([turn?.steps, turn?.usage?.inputTokens], [6, 60]);
  });

  it('goes back to the step that is picked', async () => {
    const { messages } = await read();
    const rewound = vscode.commands.executeCommand('offshoot.rewindToStep');
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return (await read()).messages.length < messages.length;
    }, 'the last step, which is proposed');
    await rewound;
    const { messages: left } = await read();
    assert.deepEqual([left.length, left.at(-1)?.canContinue], [messages.length - 1, true]);
  });

  it('has files and list as they were at a step, which is undone and done again', async () => {
    await rewindTo(1);
    await stands('one\r\n', '0/3');
    assert.equal((await read()).messages.at(-1)?.canContinue, true);
    await vscode.commands.executeCommand('offshoot.undo');
    await stands('three\r\n', '2/3');
    await vscode.commands.executeCommand('offshoot.redo');
    await stands('one\r\n', '0/3');
  });

  it('goes on from a step, with what the user ticked, which can be undone', async () => {
    const { conversations } = api.parts;
    await rewindTo(2);
    await stands('two\r\n', '1/3');
    await conversations.editTodos({ kind: 'mark', index: 1, title: 'Test', status: 'done' });
    await stands('two\r\n', '2/3');
    await vscode.commands.executeCommand('offshoot.undo');
    await stands('two\r\n', '1/3');
    await (
      await conversations.continueAnswer((await read()).branch)
    ).done;
    await stands('three\r\n', '2/3');
    assert.deepEqual((await read()).messages.at(-1)?.parts.at(-1), { type: 'text', text: 'Done: greet' });
  });
});
