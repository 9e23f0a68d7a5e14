import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, lastQuestion, say, toolResultsOf, useTools, type Script } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

/** The first question has two files made, the second has both changed. */
const script: Script = (request) => {
  const question = lastQuestion(request);
  if (question.includes('package.json')) {
    const done = `Done: ${question}`;
    if (!JSON.stringify(request.body.messages.at(-1)?.content).includes(question)) return answer(done);
    const isMade = question.startsWith('make');
    const change = { path: 'package.json', oldText: 'first', newText: 'second' };
    return isMade
      ? useTools(['create_file', { path: 'package.json', content: 'first' }])
      : useTools(['edit_file', change]);
  }
  const isFirst = question === 'make them';
  const results = toolResultsOf(request).length;
  if (results >= (isFirst ? 2 : 4)) return answer(`Done: ${question}`);
  const change = (name: string): [string, Record<string, string>] =>
    isFirst
      ? ['create_file', { path: name, content: 'first\n' }]
      : ['edit_file', { path: name, oldText: 'first', newText: 'second' }];
  return [say('I write.'), ...useTools(change('one.txt'), change('two.txt'))];
};

describe('files that tools changed', () => {
  const use = useChat(script);
  const file = (name: string): string => path.join(use().workbench.folder, name);
  const holds = (name: string, text: string): Promise<unknown> =>
    until(async () => (await readFile(file(name), 'utf8').catch(() => '')) === text, `${name}: ${text}`);

  it('go back with the conversation; what somebody else changed is shown and skipped', async () => {
    const { chat, workbench } = use();
    const { quickInput } = workbench;
    await chat.send('make them');
    await chat.decide('Allow All Edits in This Chat');
    await chat.message('Done: make them').waitFor();
    await chat.send('change them');
    await chat.message('Done: change them').waitFor();
    await holds('one.txt', 'second\n');
    await holds('two.txt', 'second\n');
    await writeFile(file('two.txt'), 'by hand\n');

    await workbench.contextMenu.pickOn(chat.message('Done: make them'), 'Rewind to Here');
    await quickInput.shown('Rewind to “Done: make them”');
    const [both] = await quickInput.rows();
    assert.deepEqual(both, {
      label: 'Conversation and Files',
      description: '1 of 2 changed files',
      detail: '',
    });
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
    await workbench.page.locator('.tabs-container .tab', { hasText: 'one.txt (now ↔ restored)' }).waitFor();
    await quickInput.accept();
    await chat.onBranch('main-v2');
    await holds('one.txt', 'first\n');
    await holds('two.txt', 'by hand\n');
  });

  it('come back with Undo, and the conversation with them', async () => {
    const { chat, workbench } = use();
    const text = await (await workbench.notifications.find('Rewound to')).innerText();
    assert.match(text, /1 file restored\. 1 file skipped\./);
    await workbench.notifications.press('Rewound to', 'Undo');
    await chat.onBranch('main');
    await holds('one.txt', 'second\n');
    await holds('two.txt', 'by hand\n');
  });

  it('go where nothing was when they are chosen, and stay when only the conversation moves', async () => {
    const { chat, workbench } = use();
    const { quickInput } = workbench;
    await workbench.contextMenu.pickOn(chat.message('make them'), 'Edit and Branch');
    await quickInput.choose('Conversation Only');
    await until(async () => (await chat.texts()).length === 1, 'the question alone');
    // With it comes the focus, which would close a list that is open by then.
    await until(async () => (await chat.input.inputValue()) === 'make them', 'the question in the input');
    await holds('one.txt', 'second\n');
    await workbench.tree.marks('New branch');
    await workbench.tree.click('main');
    await chat.message('Done: change them').waitFor();
    await workbench.contextMenu.pickOn(chat.message('make them'), 'Edit and Branch');
    await quickInput.choose('Files Only');
    await quickInput.shown('Select files to restore');
    await quickInput.toggle('two.txt');
    await quickInput.accept();
    for (const name of ['one.txt', 'two.txt']) {
      await until(
        async () =>
          access(file(name)).then(
            () => false,
            () => true,
          ),
        `${name} to go`,
      );
    }
    await chat.message('Done: change them').waitFor();
  });

  it('and run programs are not chosen by themselves, and it is said why', async () => {
    const { chat, workbench } = use();
    const { quickInput } = workbench;
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
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
    assert.match(row.detail, /^This file can run programs on your computer\./);
    await workbench.screenshot('restore of a protected file');
    await quickInput.accept();
    await chat.onBranch('main-v2');
    await holds('package.json', 'second');
  });
});
