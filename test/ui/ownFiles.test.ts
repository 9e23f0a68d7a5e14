import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  answer,
  lastQuestion,
  useTools,
  type RecordedRequest,
  type Reply,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { ChatPage } from './support/chatPage.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';
import type { Workbench } from './support/workbench.ts';

const POEM = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const LIST = 'a\nb\nc\nd\ne\nf\n';

/** Changes a line of one file, two places of another, and makes a third. */
function edit(request: RecordedRequest): Reply {
  const question = lastQuestion(request);
  if (question.startsWith('hello')) return answer('Hello.');
  if (request.body.messages.at(-1)?.role === 'tool') return answer(`Done: ${question}`);
  return useTools(
    ['write_file', { path: 'poem.txt', content: POEM.replace('two', `2 ${question}`) }],
    ['write_file', { path: 'list.txt', content: LIST.replace('a', 'A').replace('f', 'F') }],
    ['write_file', { path: `made ${question}.txt`, content: 'made\n' }],
  );
}

describe('files of a branch, in the workbench', () => {
  const use = useChat(edit, {
    viewport: { width: 1_400, height: 1_000 },
    settings: { 'offshoot.tools.edits': 'reviewAfterwards' },
  });
  const file = (name: string): string => path.join(use().workbench.folder, name);
  const holds = (name: string, text: string | undefined): Promise<unknown> =>
    until(
      async () => (await readFile(file(name), 'utf8').catch(() => undefined)) === text,
      `${name}: ${text}`,
    );
  const files = async (chat: string, entry: string): Promise<void> => {
    await use().workbench.tree.pick(`hello ${chat}`, ['Files', entry]);
  };
  const describes = (chat: string, pattern: RegExp): Promise<unknown> =>
    until(
      async () =>
        (await use().workbench.tree.rows()).some(
          ({ label, description }) => label === `hello ${chat}` && pattern.test(description),
        ),
      `a row that is described as ${pattern.source}`,
    );
  /** In a new chat with one branch, in its own files. */
  const change = async (question: string): Promise<void> => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await writeFile(file('poem.txt'), POEM);
    await writeFile(file('list.txt'), LIST);
    await chat.ask(`hello ${question}`);
    await files(question, 'Work in Its Own Files');
    await describes(question, /own files/u);
    await chat.send(question);
    await chat.message(`Done: ${question}`).waitFor();
    await describes(question, /own files \+4 −3/u);
  };
  const choose = async (button: string): Promise<void> => use().workbench.dialog.press(button);

  it('are kept with a conflict that is resolved in the merge editor, and Undo brings all of it back', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    await change('first');
    await writeFile(file('poem.txt'), POEM.replace('two', 'zwei'));
    await step('a conflict opens in the merge editor', async () => {
      await files('first', 'Keep in Workspace');
      await choose('Resolve in Merge Editor');
      await workbench.page.locator('.merge-editor .view-line', { hasText: 'zwei' }).first().waitFor();
      await workbench.screenshot('keep-conflict');
    });
    await step('nothing is written until it is resolved', async () => {
      await holds('made first.txt', undefined);
      await workbench.runCommand('merge.acceptAllInput2');
      await workbench.runCommand('mergeEditor.acceptMerge');
      await holds('poem.txt', POEM.replace('two', '2 first'));
      await holds('made first.txt', 'made\n');
    });
    await step('the branch works in the workspace, until that is undone', async () => {
      await until(
        async () =>
          !(await workbench.tree.rows()).some(({ description }) => description.includes('own files')),
        'no own files',
      );
      await workbench.runCommand('offshoot.undo');
      await holds('poem.txt', POEM.replace('two', 'zwei'));
      await holds('made first.txt', undefined);
      await describes('first', /own files \+4 −3/u);
      await chat.frame.getByRole('button', { name: 'own files +4 −3' }).waitFor();
    });
  });

  it('are opened as a folder in a window of their own', async function () {
    this.timeout(120_000);
    const { workbench } = use();
    await change('third');
    const opening = workbench.page.context().waitForEvent('page');
    await files('third', 'Open Folder in New Window');
    const window = await opening;
    const explorer = window.locator('.explorer-folders-view');
    await explorer.getByRole('treeitem', { name: 'made third.txt' }).waitFor();
    await window.close();
    await holds('made third.txt', undefined);
  });

  it('are kept one by one, and of a text only some places', async function () {
    this.timeout(120_000);
    const { workbench } = use();
    const { quickInput } = workbench;
    await change('second');
    await files('second', 'Keep Files…');
    await quickInput.toggle('made second.txt');
    await quickInput.pressOnRow('list.txt', 'Select Changes…');
    await quickInput.shown('Changes of list.txt');
    await quickInput.toggle('Line 6: F');
    await quickInput.accept();
    await quickInput.shown();
    await workbench.screenshot('keep-files');
    await quickInput.accept();
    await holds('list.txt', LIST.replace('a', 'A'));
    await holds('poem.txt', POEM.replace('two', '2 second'));
    await holds('made second.txt', undefined);
    await describes('second', /own files/u);
  });
});

describe('files of a branch, in two windows of one workspace', () => {
  const use = useChat(edit, {
    ownServer: true,
    viewport: { width: 1_400, height: 1_000 },
    settings: { 'offshoot.tools.edits': 'reviewAfterwards' },
  });
  let other: Workbench;
  const file = (name: string): string => path.join(use().workbench.folder, name);
  const text = (name: string): Promise<string | undefined> =>
    readFile(file(name), 'utf8').catch(() => undefined);

  before('open the other window', async function () {
    this.timeout(90_000);
    await writeFile(file('poem.txt'), POEM);
    await writeFile(file('list.txt'), LIST);
    await use().chat.ask('hello both');
    other = await use().workbench.anotherWindow();
    await other.openOffshoot();
    await new ChatPage(other).message('hello both').waitFor();
  });

  it('are seen by each as the other makes and changes them, and kept by both at once without a loss', async function () {
    this.timeout(180_000);
    const { chat, workbench } = use();
    const windows = [workbench, other];
    const bothSay = async (pattern: RegExp): Promise<void> => {
      for (const { tree } of windows) {
        await until(
          async () => (await tree.rows()).some(({ description }) => pattern.test(description)),
          `a row that is described as ${pattern.source}`,
          30_000,
        );
      }
    };
    for (const { tree } of windows) await tree.open();
    await workbench.tree.pick('hello both', ['Files', 'Work in Its Own Files']);
    await bothSay(/own files/u);
    await chat.send('change');
    await chat.message('Done: change').waitFor();
    await bothSay(/own files \+4 −3/u);
    await Promise.all(windows.map(({ tree }) => tree.pick('hello both', ['Files', 'Keep in Workspace'])));
    const kept = [POEM.replace('two', '2 change'), LIST.replace('a', 'A').replace('f', 'F'), 'made\n'];
    const names = ['poem.txt', 'list.txt', 'made change.txt'];
    await until(
      async () => JSON.stringify(await Promise.all(names.map(text))) === JSON.stringify(kept),
      'all of it to be in the workspace',
      30_000,
    );
  });
});
