import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  answer,
  lastQuestion,
  pause,
  toolResultsOf,
  useTools,
  type Script,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

/** The list with so many of its three entries done. */
const todos = (done: number) => {
  const statuses = ['pending', 'pending', 'pending'].map((status, at) =>
    at < done ? 'done' : at === done ? 'in_progress' : status,
  );
  return ['Write', 'Test', 'Tell'].map((title, at) => ({ title, status: statuses[at] }));
};
const edit = (oldText: string, newText: string) =>
  ['edit_file', { path: 'greet.txt', oldText, newText }] as const;

/** Writes a file in three steps, with a look at it in between. */
const script: Script = (request) => {
  const question = lastQuestion(request);
  const count = toolResultsOf(request).length;
  if (question === 'protected') {
    return request.body.messages.at(-1)?.role === 'tool'
      ? answer('Done: protected')
      : useTools(['create_file', { path: '.vscode/tasks.json', content: '{}' }]);
  }
  if (question === 'away') {
    return request.body.messages.at(-1)?.role === 'tool'
      ? [pause('away'), ...answer('Done: away')]
      : useTools(['list_files', {}]);
  }
  // The user has ticked one, or taken it back.
  const isNoticed = toolResultsOf(request).at(-1)?.result.includes('The user has changed the list');
  if (isNoticed === true) return useTools(['write_todos', { todos: todos(2) }]);
  switch (count) {
    case 0:
      return useTools(
        ['create_file', { path: 'greet.txt', content: 'one\r\n' }],
        ['write_todos', { todos: todos(0) }],
      );
    case 2:
      return useTools(edit('one', 'two'), ['write_todos', { todos: todos(1) }]);
    case 4:
      return useTools(['list_files', {}]);
    case 5:
      return useTools(['read_file', { path: 'greet.txt' }]);
    case 6:
      return useTools(['run_command', { command: 'printf tested' }], edit('two', 'three'), [
        'write_todos',
        { todos: todos(2) },
      ]);
    default:
      return answer(`Done: ${question}`);
  }
};

describe('an answer of many steps in the workbench', () => {
  const use = useChat(script, {
    settings: { 'offshoot.tools.edits': 'reviewAfterwards', 'offshoot.commands.allow': ['printf'] },
  });
  const holds = (text: string): Promise<unknown> =>
    until(async () => {
      const file = path.join(use().workbench.folder, 'greet.txt');
      return (await readFile(file, 'utf8').catch(() => '')) === text;
    }, `greet.txt: ${text}`);
  const list = () => use().chat.frame.getByRole('region', { name: 'Todos' });
  const isDone = (count: string): Promise<unknown> =>
    until(
      async () => (await list().locator('.todos-count').innerText({ timeout: 1_000 })) === count,
      `${count} done`,
    );
  const goAlong = async (): Promise<void> => {
    const { quickInput } = use().workbench;
    await quickInput.row('Conversation and Files').waitFor();
    await quickInput.choose('Conversation and Files');
  };

  it('shows what there is to do, what was looked at in one row, what each step changed, and what all took', async () => {
    const { chat, workbench } = use();
    await chat.send('greet');
    await chat.message('Done: greet').waitFor();
    await holds('three\r\n');
    await isDone('2/3');
    const { frame } = chat;
    await until(async () => {
      const [row, ...others] = await frame.locator('.readings .tool-title').allInnerTexts();
      return row === 'Listed 1 folder, read 1 file' && others.length === 0;
    }, 'one row of what was looked at');
    await soon.deepEqual(
      () => frame.locator('.step-text:visible').allInnerTexts(),
      ['Created greet.txt', 'Edited greet.txt', 'Edited greet.txt · Ran printf tested'],
    );
    await soon.match(() => frame.locator('.turn').innerText(), /^.+ · 6 steps · 60 in, .* out$/u);
    await list().locator('.todos-toggle').click();
    await workbench.screenshot('steps of an answer');
  });

  it('goes back to a step with files, list and state as they were there, which is undone and done again', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.rewindToStep');
    await workbench.quickInput.shown('Rewind to Step');
    const rows = await workbench.quickInput.rows();
    assert.deepEqual(
      rows.map(({ label, description }) => [label, description.slice(0, 2)]),
      [
        ['Created greet.txt · Updated the todo list', '#1'],
        ['Edited greet.txt · Updated the todo list', '#2'],
        ['Edited greet.txt · Ran printf tested · Updated the todo list', '#3'],
      ],
    );
    await workbench.screenshot('steps to rewind to');
    await workbench.quickInput.choose('Edited greet.txt · Updated the todo list');
    await goAlong();
    await chat.frame.getByText('The answer stops after this step.').waitFor();
    await holds('two\r\n');
    await isDone('1/3');
    for (const [command, text, done] of [
      ['offshoot.undo', 'three\r\n', '2/3'],
      ['offshoot.redo', 'two\r\n', '1/3'],
    ] as const) {
      await workbench.runCommand(command);
      await goAlong();
      await holds(text);
      await isDone(done);
    }
  });

  it('goes on from there, over a reload, with what the user ticked, which can be undone', async () => {
    const { chat, workbench } = use();
    await list().getByRole('checkbox').nth(1).click();
    await isDone('2/3');
    await workbench.reload();
    await workbench.openOffshoot();
    await isDone('2/3');
    await workbench.runCommand('offshoot.undo');
    await isDone('1/3');
    await chat.frame.getByRole('button', { name: 'Continue', exact: true }).click();
    await chat.message('Done: greet').waitFor();
    await holds('three\r\n');
    await isDone('2/3');
  });

  it('is rewound to between two steps, from its menu as well', async () => {
    const { chat, workbench } = use();
    const first = chat.messages.nth(1);
    await first.hover();
    await first.getByRole('button', { name: /^Rewind to Here: Created greet.txt/u }).click();
    await goAlong();
    await holds('one\r\n');
    await isDone('0/3');
    await workbench.runCommand('offshoot.undo');
    await goAlong();
    await chat.message('Done: greet').waitFor();
    await holds('three\r\n');
    await workbench.contextMenu.pickOn(chat.messages.nth(2).locator('.tool-title').first(), 'Rewind to Here');
    await goAlong();
    await holds('two\r\n');
    await isDone('1/3');
  });

  it('is told of once where nobody sees it end or ask, without a word of it', async () => {
    const { chat, workbench, server } = use();
    const { notifications } = workbench;
    await notifications.clear();
    const explorer = workbench.page.locator('.activitybar a.action-label[aria-label^="Explorer"]');
    await chat.send('away');
    await until(async () => (await chat.frame.locator('.tool').count()) > 0, 'the answer to begin');
    await explorer.click();
    server.release('away');
    await notifications.find('The answer in “greet” is ready.');
    await workbench.screenshot('notification of an answer');
    assert.deepEqual(await notifications.texts(), ['The answer in “greet” is ready.']);
    await notifications.press('The answer in “greet” is ready.', 'Show Chat');
    await chat.message('Done: away').waitFor();

    await chat.send('protected');
    await explorer.click();
    await notifications.find('“greet” is waiting for your approval.');
    const badge = workbench.activityBarItem.locator('xpath=..').locator('.badge-content');
    await until(async () => (await badge.innerText()) === '1', 'the badge');
    await notifications.press('“greet” is waiting for your approval.', 'Show Chat');
    await chat.decide('Deny');
    await chat.message('Done: protected').waitFor();
    assert.deepEqual(await notifications.texts(), [], 'what was seen is not told of');
  });
});
