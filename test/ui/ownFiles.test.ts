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
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';

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

  it('are kept one by one, and of a text only some places', async function () {
    this.timeout(120_000);
    const { workbench } = use();
    const { quickInput } = workbench;
    await change('second');
    await files('second', 'Keep Files…');
    await quickInput.toggle('made second.txt');
    await quickInput.pressOnRow('list.txt', 'Select Changes…');
    await quickInput.shown('Keep Changes of list.txt');
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
