import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  answer,
  conversationOf,
  say,
  toolResultsOf,
  useTools,
  type RecordedRequest,
  type Reply,
} from '../fixtures/openaiServer.ts';
import { pictureOf } from '../fixtures/realWorkspace.ts';
import { until } from '../fixtures/until.ts';
import { themes, type Theme } from './support/settings.ts';
import { useChat } from './support/useChat.ts';

const QUESTION = 'Say goodbye instead of hello, everywhere.';
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
    ['create_file', { path: 'made/for/it.txt', content: 'goodbye\n' }],
  ),
  useTools(['rewind', { report: 'Every greeting says **goodbye** now; `picture.png` holds none.' }]),
];

function script(request: RecordedRequest): Reply {
  const isReported = conversationOf(request).some(({ text }) => text.includes('<report goal='));
  const results = toolResultsOf(request);
  if (!isReported) {
    const rounds = request.body.messages.filter(({ tool_calls: calls }) => (calls ?? []).length > 0).length;
    return steps[rounds] ?? answer('?');
  }
  // What it read before the report is not there any more: it looks once more.
  if (results.at(-1)?.tool !== 'read_file') return useTools(['read_file', { path: 'crlf.txt' }]);
  return answer(`It is done. The file says: ${results.at(-1)?.result.match(/goodbye|hello/u)?.[0]}.`);
}

describe('an agent at work', () => {
  const use = useChat(script);
  const folder = (): string => use().workbench.folder;
  let atFirst: Record<string, string>;
  let edited: Record<string, string>;

  /** Waits until the folder is this, byte for byte, with every mode and no file more or less. */
  const isAgain = async (expected: Record<string, string>, what: string): Promise<void> => {
    let now: Record<string, string> = {};
    await until(async () => {
      now = await pictureOf(folder());
      return JSON.stringify(now) === JSON.stringify(expected);
    }, what).catch(() => assert.deepEqual(now, expected));
  };

  before('files of every kind', async () => {
    for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder(), name), bytes);
    await chmod(path.join(folder(), 'run.sh'), 0o755);
    await mkdir(path.join(folder(), 'empty'));
    atFirst = await pictureOf(folder());
  });

  it('explores from a checkpoint, asks before it writes, goes back with a report and goes on', async () => {
    const { chat, server, workbench } = use();
    await chat.send(QUESTION);
    await chat.frame.getByText('Allow edit to crlf.txt?').waitFor();
    await workbench.page.locator('.tabs-container .tab', { hasText: 'crlf.txt (proposed)' }).waitFor();
    await isAgain(atFirst, 'nothing written before it is allowed');
    await workbench.screenshot('agent asks');
    await chat.decide('Allow Once');
    await chat.frame.getByText('Allow edit to mark.txt?').waitFor();
    await chat.decide('Allow All Edits in This Chat');
    await chat.onBranch('main-v2');
    await chat.message('It is done. The file says: goodbye.').waitFor();

    edited = await pictureOf(folder());
    const changed = Object.keys({ ...atFirst, ...edited }).filter((name) => atFirst[name] !== edited[name]);
    assert.deepEqual(changed.sort(), ['made', 'made/for', 'made/for/it.txt', ...CHANGED].sort());
    for (const name of CHANGED) {
      const was = Buffer.from(files[name] ?? []).toString('latin1');
      const is = (await readFile(path.join(folder(), name))).toString('latin1');
      assert.equal(is, was.replace('hello', 'goodbye'), name);
    }
    assert.equal((await stat(path.join(folder(), 'run.sh'))).mode & 0o777, 0o755);

    const last = server.requests.at(-1);
    assert.ok(last);
    const texts = conversationOf(last).map(({ text }) => text);
    assert.equal(texts.filter((text) => text.includes('<report goal=')).length, 1);
    const results = toolResultsOf(last).map(({ tool }) => tool);
    assert.deepEqual(results, ['checkpoint', 'read_file'], 'what was explored is not in view any more');
    await workbench.tree.row('Find and change the greetings').waitFor();
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`agent done ${theme}`);
    }
  });

  it('is rewound together with its files, which are byte for byte as before', async () => {
    const { chat, workbench } = use();
    const { quickInput } = workbench;
    await workbench.contextMenu.pickOn(chat.message(QUESTION), 'Rewind to Here');
    await quickInput.shown(`Rewind to “${QUESTION.slice(0, 39)}…”`);
    await quickInput.choose('Show the Files…');
    await quickInput.shown('Select files to restore');
    const rows = await quickInput.rows();
    assert.deepEqual(
      rows.map(({ label, description, detail }) => [label, description, detail]),
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
    await workbench.screenshot('agent files');
    await quickInput.accept();
    await quickInput.choose('Conversation and Files');
    await chat.onBranch('main-v3');
    await isAgain(atFirst, 'the files as before');
    await chat.shows([QUESTION]);
  });

  it('comes back with Undo, byte for byte as after the edits, and the conversation with it', async () => {
    const { chat, workbench } = use();
    const text = await (await workbench.notifications.find('Rewound to')).innerText();
    assert.match(text, /5 files restored\./);
    await workbench.notifications.press('Rewound to', 'Undo');
    await chat.onBranch('main-v2');
    await chat.message('It is done. The file says: goodbye.').waitFor();
    await isAgain(edited, 'the files as after the edits');
  });
});
