import assert from 'node:assert/strict';
import { access, chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  answer,
  conversationOf,
  lastQuestion,
  pause,
  say,
  toolResultsOf,
  useTools,
  type RecordedRequest,
  type Reply,
  type Script,
} from '../fixtures/openaiServer.ts';
import { pictureOf } from '../fixtures/realWorkspace.ts';
import { soon } from '../fixtures/soon.ts';
import { until } from '../fixtures/until.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';

/** The first question has two files made, the second has both changed. */
const makeAndChange: Script = (request) => {
  const question = lastQuestion(request);
  const isFirst = question === 'make them';
  if (toolResultsOf(request).length >= (isFirst ? 2 : 4)) return answer(`Done: ${question}`);
  const change = (name: string): [string, Record<string, string>] =>
    isFirst
      ? ['write_file', { path: name, content: 'first\n' }]
      : ['edit_file', { path: name, oldText: 'first', newText: 'second' }];
  return [say('I write.'), ...useTools(change('one.txt'), change('two.txt'))];
};

/** The first question has a file made that decides which programs run, the second has it changed. */
const writePackage: Script = (request) => {
  const question = lastQuestion(request);
  if (request.body.messages.at(-1)?.role === 'tool') return answer(`Done: ${question}`);
  return question.startsWith('make')
    ? useTools(['write_file', { path: 'package.json', content: 'first' }])
    : useTools(['edit_file', { path: 'package.json', oldText: 'first', newText: 'second' }]);
};

/** Puts the word of the question in front of the greeting, and says how that went. */
const greet: Script = (request) => {
  if (request.body.messages.at(-1)?.role === 'tool') {
    return answer(`It said: ${toolResultsOf(request).at(-1)?.result}`);
  }
  const change = { path: 'hall.md', oldText: 'GREETING', newText: `${lastQuestion(request)} GREETING` };
  return [say('I change it.'), ...useTools(['edit_file', change])];
};

const EVERYWHERE = 'Say goodbye instead of hello, everywhere.';
const CHANGED = ['crlf.txt', 'mark.txt', 'run.sh', 'bytes.dat'];

/** Everything a text tool could get wrong about a file. */
const files: Readonly<Record<string, Uint8Array>> = {
  'crlf.txt': Buffer.from('one\r\nhello\r\nthree, without an end'),
  'mark.txt': Buffer.from('\uFEFFhello\nwith a mark\r\nand both ends\n'),
  'run.sh': Buffer.from('#!/bin/sh\necho hello\n'),
  'bytes.dat': Buffer.from('\0\u0001hello\0\u007f\n\r'),
  'picture.png': Uint8Array.from({ length: 1_024 }, (_, index) => (index * 37) % 256),
};

const edit = (name: string): [string, unknown] => [
  'edit_file',
  { path: name, oldText: 'hello', newText: 'goodbye' },
];

/** A whole piece of work: the agent marks a point, reads, changes, reports, and goes on from there. */
const steps: readonly Reply[] = [
  [say('I look around first.'), ...useTools(['checkpoint', { goal: 'Find and change the greetings' }])],
  useTools(['list_files', {}], ['read_file', { path: 'crlf.txt' }], ['search_files', { query: 'hello' }]),
  useTools(
    ...CHANGED.map(edit),
    ['edit_file', { path: 'picture.png', oldText: 'hello', newText: 'goodbye' }],
    ['write_file', { path: 'made/for/it.txt', content: 'goodbye\n' }],
  ),
  useTools(['rewind', { report: 'Every greeting says **goodbye** now; `picture.png` holds none.' }]),
];

const changeGreetings: Script = (request) => {
  const isReported = conversationOf(request).some(({ text }) => text.includes('<report goal='));
  if (!isReported) return steps[toolRounds(request)] ?? answer('?');
  // What it read before the report is not there any more: it looks once more.
  const last = toolResultsOf(request).at(-1);
  if (last?.tool !== 'read_file') return useTools(['read_file', { path: 'crlf.txt' }]);
  return answer(`It is done. The file says: ${/goodbye|hello/u.exec(last.result)?.[0]}.`);
};

const exploration: readonly Reply[] = [
  [say('I look around first.'), ...useTools(['checkpoint', { goal: 'Find who says hello' }])],
  useTools(['search_files', { query: 'greet' }], ['read_file', { path: 'src/greet.ts' }]),
  useTools(['rewind', { report: 'It is `greet` in **src/greet.ts**.' }]),
];

/** How often the model has called tools. */
function toolRounds({ body }: RecordedRequest): number {
  return body.messages.filter(({ tool_calls: calls }) => (calls ?? []).length > 0).length;
}

describe('an agent at work on files', () => {
  const use = useChat(undefined, { settings: { 'files.autoSave': 'off' } });
  const file = (name: string): string => path.join(use().workbench.folder, name);
  const holds = (name: string, text: string): Promise<void> =>
    soon.equal(() => readFile(file(name), 'utf8').catch(() => ''), text);
  const isGone = (name: string): Promise<boolean> =>
    access(file(name)).then(
      () => false,
      () => true,
    );
  /** Begins a chat in which the model plays this. */
  const begin = async (script: Script): Promise<void> => {
    const { chat, server, workbench } = use();
    server.play(script);
    await workbench.runCommand('workbench.action.closeAllEditors');
    await chat.startNew();
  };

  it('asks before it writes, shows the change, and heeds what the user decides', async function () {
    this.timeout(90_000);
    const { chat, workbench } = use();
    const diff = workbench.page.locator('.tabs-container .tab', { hasText: 'hall.md (proposed)' });
    await begin(greet);
    await writeFile(file('hall.md'), 'GREETING to all\n');

    await step('allowed by keyboard', async () => {
      await chat.send('Hello');
      const question = chat.frame.getByRole('alert').filter({ hasText: 'Allow edit to hall.md?' });
      await question.waitFor();
      await workbench.tree.root.locator('.codicon-bell-dot').waitFor();
      await diff.waitFor();
      await workbench.page
        .locator('.monaco-diff-editor .view-line', { hasText: /Hello\sGREETING\sto\sall/ })
        .waitFor();
      assert.equal(await readFile(file('hall.md'), 'utf8'), 'GREETING to all\n');
      await chat.input.focus();
      const focused = chat.frame.locator('.approval-button:focus');
      await workbench.page.keyboard.press('Shift+Tab');
      await until(async () => {
        await workbench.page.keyboard.press('Tab');
        return (await focused.allInnerTexts()).includes('Allow Once');
      }, 'the keyboard to reach the answer');
      // A question takes none before it has stood still for a moment.
      await chat.frame.locator('.approval-button[aria-disabled="false"]:focus').waitFor();
      await workbench.page.keyboard.press('Enter');
      await chat.message('It said: Changed hall.md.').waitFor();
      assert.equal(await readFile(file('hall.md'), 'utf8'), 'Hello GREETING to all\n');
      await chat.frame.locator('.tool.done', { hasText: 'Edit hall.md' }).waitFor();
      await diff.waitFor({ state: 'detached' });
    });
    await step('denied, which the model is told', async () => {
      await chat.send('Goodbye');
      await chat.decide('Deny');
      await chat.message('It said: The user did not allow this.').waitFor();
      await chat.frame.locator('.tool.denied').waitFor();
      assert.equal(await readFile(file('hall.md'), 'utf8'), 'Hello GREETING to all\n');
    });
    await step('shown once more, and taken back by a stop', async () => {
      await chat.send('Again');
      await diff.waitFor();
      await workbench.runCommand('workbench.action.closeAllEditors');
      await diff.waitFor({ state: 'detached' });
      await chat.frame.getByRole('button', { name: 'Show Changes' }).click();
      await diff.waitFor();
      await chat.stopButton.click();
      await chat.frame.locator('.status.interrupted').waitFor();
      await diff.waitFor({ state: 'detached' });
      assert.equal(await readFile(file('hall.md'), 'utf8'), 'Hello GREETING to all\n');
    });
    await step('allowed for this chat, and not for another', async () => {
      await chat.send('One');
      await chat.decide('Allow All Edits in This Chat');
      await holds('hall.md', 'Hello One GREETING to all\n');
      await until(async () => (await chat.stopButton.count()) === 0, 'the answer to end');
      await chat.send('Two');
      await holds('hall.md', 'Hello One Two GREETING to all\n');
      await until(async () => (await chat.stopButton.count()) === 0, 'the answer to end');
      await chat.startNew();
      await chat.send('Three');
      await chat.frame.getByRole('button', { name: 'Deny' }).waitFor();
      await chat.stopButton.click();
      await chat.frame.locator('.approval').waitFor({ state: 'detached' });
      assert.equal(await readFile(file('hall.md'), 'utf8'), 'Hello One Two GREETING to all\n');
    });
  });

  it('has files go back with the conversation and come back, and skips what someone else changed', async function () {
    this.timeout(90_000);
    const { chat, workbench } = use();
    const { contextMenu, notifications, quickInput, tree } = workbench;
    await begin(makeAndChange);
    await chat.send('make them');
    await chat.decide('Allow All Edits in This Chat');
    await chat.message('Done: make them').waitFor();
    await chat.send('change them');
    await chat.message('Done: change them').waitFor();
    await holds('one.txt', 'second\n');
    await holds('two.txt', 'second\n');
    await writeFile(file('two.txt'), 'by hand\n');

    await step('what someone else changed is shown and skipped', async () => {
      await contextMenu.pickOn(chat.message('Done: make them'), 'Rewind to Here');
      await quickInput.shown('Rewind to “Done: make them”');
      const [both] = await quickInput.rows();
      const offer = { label: 'Conversation and Files', description: '1 of 2 changed files', detail: '' };
      assert.deepEqual(both, offer);
      await quickInput.choose('Conversation and Files');
      await quickInput.shown('Select files to restore');
      const rows = await quickInput.rows();
      assert.deepEqual(
        rows.map(({ label, description }) => [label, description]),
        [
          ['one.txt', 'is changed back'],
          ['two.txt', 'is changed back'],
        ],
      );
      assert.match(rows[1]?.detail ?? '', /Edited after the agent’s change/);
      await quickInput.pressOnRow('one.txt', 'Compare with what is there now');
      const compared = workbench.page.locator('.tabs-container .tab', {
        hasText: 'one.txt (now ↔ restored)',
      });
      await compared.waitFor();
      await quickInput.accept();
      await chat.onBranch('main-v2');
      await holds('one.txt', 'first\n');
      await holds('two.txt', 'by hand\n');
    });
    await step('they come back with Undo, and the conversation with them', async () => {
      const notification = await notifications.find('Rewound to “Done: make them”');
      assert.match(await notification.innerText(), /1 file restored\. 1 file skipped\./);
      await notifications.press('Rewound to “Done: make them”', 'Undo');
      await chat.onBranch('main');
      await holds('one.txt', 'second\n');
      await holds('two.txt', 'by hand\n');
    });
    await step('they stay when only the conversation moves', async () => {
      await contextMenu.pickOn(chat.message('make them'), 'Edit Prompt');
      await quickInput.choose('Conversation Only');
      await chat.shows([]);
      await soon.equal(() => chat.input.inputValue(), 'make them', 'the question in the input');
      await holds('one.txt', 'second\n');
      await tree.marks('New branch');
      await tree.click('main');
      await chat.message('Done: change them').waitFor();
    });
    await step('they go where nothing was when they are chosen', async () => {
      await contextMenu.pickOn(chat.message('make them'), 'Edit Prompt');
      await quickInput.choose('Files Only');
      await quickInput.shown('Select files to restore');
      await quickInput.toggle('two.txt');
      await quickInput.accept();
      for (const name of ['one.txt', 'two.txt']) await until(() => isGone(name), `${name} to go`);
      await chat.message('Done: change them').waitFor();
    });
  });

  it('asks each time for files that run programs, and selects none of them to go back', async () => {
    const { chat, workbench } = use();
    const { quickInput } = workbench;
    await begin(writePackage);
    for (const what of ['make package.json', 'change package.json']) {
      await chat.send(what);
      await chat.frame.locator('.approval-reason', { hasText: 'can run programs' }).waitFor();
      await soon.deepEqual(
        () => chat.frame.locator('.approval-button').allTextContents(),
        ['Allow Once', 'Deny'],
      );
      await chat.decide('Allow Once');
      await chat.message(`Done: ${what}`).waitFor();
    }
    await holds('package.json', 'second');
    await workbench.contextMenu.pickOn(chat.message('Done: make package.json'), 'Rewind to Here');
    await quickInput.choose('Conversation and Files');
    await quickInput.shown('Select files to restore');
    const [row] = await quickInput.rows();
    assert.equal(row?.label, 'package.json');
    assert.match(row.detail, /^Can run programs\./);
    await quickInput.accept();
    await chat.onBranch('main-v2');
    await holds('package.json', 'second');
  });

  it('edits what is typed and not saved in the editor, where it can be undone, and a rewind brings back what was typed', async () => {
    const { chat, workbench } = use();
    const { page } = workbench;
    await begin((request) =>
      request.body.messages.at(-1)?.role === 'tool'
        ? answer('It is changed.')
        : useTools(['edit_file', { path: 'typed.md', oldText: 'GREETING', newText: 'Hello GREETING' }]),
    );
    await writeFile(file('typed.md'), 'GREETING to all\n');
    await workbench.runCommand('workbench.action.quickOpen');
    await workbench.quickInput.type('typed.md');
    await workbench.quickInput.choose('typed.md');
    const line = (text: string) =>
      page.locator('.monaco-editor .view-line', { hasText: text.replaceAll(' ', '\u00A0') });
    await line('GREETING to all').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('typed and not saved');
    await line('typed and not saved').first().waitFor();
    await chat.send('Greet them');
    const question = chat.frame.getByRole('alert').filter({ hasText: 'Allow edit to typed.md?' });
    await question.waitFor();
    assert.match(await question.innerText(), /What you have not saved of it is saved with the edit\./);
    await chat.decide('Allow Once');
    await chat.message('It is changed.').waitFor();
    await holds('typed.md', 'Hello GREETING to all\ntyped and not saved');
    await workbench.contextMenu.pickOn(chat.message('Greet them'), 'Edit Prompt');
    await workbench.quickInput.choose('Conversation and Files');
    await holds('typed.md', 'GREETING to all\ntyped and not saved');
    // What is typed again is not saved: closing it would be asked about.
    await workbench.runCommand('workbench.action.files.saveAll');
  });

  it('explores, asks before it writes, reports, and is rewound and back byte for byte', async function () {
    this.timeout(120_000);
    const { chat, server, workbench } = use();
    const { folder, notifications, quickInput } = workbench;
    /** Waits until the folder is this, byte for byte, with every mode and no file more or less. */
    const isAgain = (expected: Record<string, string>, what: string): Promise<void> =>
      soon.deepEqual(() => pictureOf(folder), expected, what);
    await begin(changeGreetings);
    for (const [name, bytes] of Object.entries(files)) await writeFile(file(name), bytes);
    await chmod(file('run.sh'), 0o755);
    await mkdir(file('empty'), { recursive: true });
    const atFirst = await pictureOf(folder);

    await step('nothing is written before it is allowed', async () => {
      await chat.send(EVERYWHERE);
      await chat.frame.getByText('Allow edit to crlf.txt?').waitFor();
      await workbench.page.locator('.tabs-container .tab', { hasText: 'crlf.txt (proposed)' }).waitFor();
      await isAgain(atFirst, 'nothing written');
      await chat.decide('Allow Once');
      await chat.frame.getByText('Allow edit to mark.txt?').waitFor();
      await chat.decide('Allow All Edits in This Chat');
      await chat.onBranch('main-v2');
      await chat.message('It is done. The file says: goodbye.').waitFor();
    });
    const edited = await pictureOf(folder);
    await step('the files are changed in their words alone', async () => {
      const changed = Object.keys({ ...atFirst, ...edited }).filter((name) => atFirst[name] !== edited[name]);
      assert.deepEqual(changed.sort(), ['made', 'made/for', 'made/for/it.txt', ...CHANGED].sort());
      for (const name of CHANGED) {
        const was = Buffer.from(files[name] ?? []).toString('latin1');
        const is = (await readFile(file(name))).toString('latin1');
        assert.equal(is, was.replace('hello', 'goodbye'), name);
      }
      assert.equal((await stat(file('run.sh'))).mode & 0o777, 0o755);
    });
    await step('what was explored is out of the view of the model, and in the tree', async () => {
      const last = server.requests.at(-1) ?? assert.fail('nothing was asked');
      const reports = conversationOf(last).filter(({ text }) => text.includes('<report goal='));
      assert.equal(reports.length, 1);
      const results = toolResultsOf(last).map(({ tool }) => tool);
      assert.deepEqual(results, ['checkpoint', 'read_file']);
      await workbench.tree.row('Find and change the greetings').waitFor();
    });
    await step('the files are rewound with the conversation', async () => {
      await workbench.contextMenu.pickOn(chat.message(EVERYWHERE), 'Rewind to Here');
      await quickInput.shown(`Rewind to “${EVERYWHERE.slice(0, 39)}…”`);
      await quickInput.choose('Show the Files…');
      await quickInput.shown('Select files to restore');
      assert.deepEqual(
        (await quickInput.rows()).map(({ label, description, detail }) => [label, description, detail]),
        ['bytes.dat', 'crlf.txt', 'made/for/it.txt', 'mark.txt', 'run.sh'].map((name) => [
          name,
          name.startsWith('made') ? 'is removed' : 'is changed back',
          '',
        ]),
      );
      await quickInput.pressOnRow('crlf.txt', 'Compare with what is there now');
      await workbench.page
        .locator('.monaco-diff-editor .modified .view-line', { hasText: /^hello$/ })
        .waitFor();
      await quickInput.accept();
      await quickInput.choose('Conversation and Files');
      await chat.onBranch('main-v3');
      await isAgain(atFirst, 'the files as before');
      await chat.shows([]);
    });
    await step('Undo brings the edits and the conversation back', async () => {
      const rewound = `Rewound to “${EVERYWHERE.slice(0, 10)}`;
      const text = await (await notifications.find(rewound)).innerText();
      assert.match(text, /5 files restored\./);
      await notifications.press(rewound, 'Undo');
      await chat.onBranch('main-v2');
      await chat.message('It is done. The file says: goodbye.').waitFor();
      await isAgain(edited, 'the files as after the edits');
    });
  });

  it('shows each call folded, and opens it by keyboard and in the editor', async () => {
    const { chat, workbench } = use();
    await begin((request) =>
      toolResultsOf(request).length === 0
        ? [say('Let me read it.'), ...useTools(['read_file', { path: 'notes.md' }])]
        : answer('That is what the notes say.'),
    );
    await chat.ask('read the notes');
    const call = chat.frame.locator('.tool');
    assert.equal(await call.count(), 1);
    await soon.match(() => call.innerText(), /Read notes\.md/);
    await soon.match(() => call.locator('.tool-time').innerText(), /\d+(\.\d)? m?s/);
    assert.equal(await call.locator('.tool-body').count(), 0);
    await call.locator('summary').focus();
    await workbench.page.keyboard.press('Enter');
    await call.locator('.tool-body').getByText('notes.md, lines 1').waitFor();
    await soon.match(() => call.locator('pre').first().innerText(), /"path": "notes.md"/);
    await call.getByRole('button', { name: 'Open in Editor' }).click();
    const lines = workbench.page.locator('.editor-instance .view-line');
    await lines.filter({ hasText: /^Input\sof\sread_file$/ }).waitFor();
    await lines.filter({ hasText: /notes\.md,\slines\s1/ }).waitFor();
    await call.locator('summary').focus();
    await workbench.page.keyboard.press('Enter');
    await call.locator('.tool-body').waitFor({ state: 'detached' });
    await chat.shows(['read the notes', 'Let me read it.', 'That is what the notes say.']);
  });

  it('goes back to its checkpoint with a report; the tree shows what was explored by its goal', async () => {
    const { chat, server, workbench } = use();
    await begin((request) => {
      const isReported = conversationOf(request).some(({ text }) => text.includes('<report'));
      if (isReported) return answer('The function greet does.');
      const reply = exploration[toolRounds(request)] ?? answer('?');
      return toolRounds(request) === 2 && !('status' in reply) ? [pause('report'), ...reply] : reply;
    });
    await chat.send('who says hello?');
    await chat.frame.locator('.tool', { hasText: 'Checkpoint: Find who says hello' }).waitFor();
    await chat.frame.locator('.tool.done', { hasText: 'Read src/greet.ts' }).waitFor();
    await chat.onBranch('main');
    server.release('report');
    await chat.onBranch('main-v2');
    await chat.message('The function greet does.').waitFor();
    const note = chat.frame.locator('.report');
    await soon.match(() => note.innerText(), /Explored: Find who says hello/);
    assert.equal(await chat.frame.locator('.tool', { hasText: 'Read src/greet.ts' }).count(), 0);
    await workbench.tree.row('Find who says hello').filter({ hasText: 'explored' }).waitFor();
    await note.locator('summary').click();
    await note.getByText('It is greet in src/greet.ts.').waitFor();
    await note.getByRole('button', { name: 'Show what was explored' }).click();
    await chat.onBranch('main');
    await chat.frame.locator('.tool', { hasText: 'Rewind with a report' }).waitFor();
  });
});
