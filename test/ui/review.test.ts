import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, lastQuestion, useTools, type Script } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

const POEM = 'one\ntwo\nthree\nfour\nfive\nsix\n';

/** Changes two places of one file and makes another one. */
const script: Script = (request) => {
  const question = lastQuestion(request);
  if (request.body.messages.at(-1)?.role === 'tool') return answer(`Done: ${question}`);
  if (question === 'arranged') {
    return useTools(
      ['delete_file', { path: 'poem.txt' }],
      ['rename_file', { from: 'made first.txt', to: 'moved/here.txt' }],
    );
  }
  if (question === 'protected')
    return useTools(['create_file', { path: '.vscode/tasks.json', content: '{}' }]);
  return useTools(
    [
      'edit_file',
      {
        path: 'poem.txt',
        edits: [
          { oldText: 'two\n', newText: `2 ${question}\n` },
          { oldText: 'five\n', newText: '' },
        ],
      },
    ],
    ['create_file', { path: `made ${question}.txt`, content: 'a\nb\n' }],
  );
};

describe('edits that are reviewed afterwards', () => {
  const use = useChat(script, { settings: { 'offshoot.tools.edits': 'reviewAfterwards' } });
  const file = (name: string): string => path.join(use().workbench.folder, name);
  const holds = (name: string, text: string | undefined): Promise<unknown> =>
    until(
      async () => (await readFile(file(name), 'utf8').catch(() => undefined)) === text,
      `${name}: ${text}`,
    );
  const bar = () => use().chat.frame.getByRole('region', { name: 'Edits to review' });
  const says = (count: string, added: string, removed: string): Promise<unknown> =>
    until(async () => {
      const line = bar().locator('.review-toggle');
      const parts = [line.getByText(count, { exact: true }), line.locator('ins'), line.locator('del')];
      const texts = await Promise.all(parts.map((part) => part.innerText({ timeout: 1_000 })));
      return texts.join() === [count, added, removed].join();
    }, `${count} ${added} ${removed}`);
  const press = (name: string): Promise<void> => bar().getByRole('button', { name, exact: true }).click();
  const change = async (question: string): Promise<void> => {
    await writeFile(file('poem.txt'), POEM);
    await use().chat.send(question);
    await use().chat.message(`Done: ${question}`).waitFor();
  };

  it('land at once, and stand above the input', async () => {
    const { workbench } = use();
    await change('first');
    await holds('poem.txt', 'one\n2 first\nthree\nfour\nsix\n');
    await holds('made first.txt', 'a\nb\n');
    await says('2 files', '+3', '−2');
    await bar().getByRole('button', { name: '2 files' }).click();
    await bar().getByText('poem.txt').waitFor();
    await workbench.screenshot('review bar');
  });

  it('open as one comparison of all files', async () => {
    const { workbench } = use();
    await press('Review');
    const editor = workbench.page.locator('.multiDiffEditor');
    await editor
      .locator('.view-line', { hasText: '2 first'.replaceAll(' ', '\u00A0') })
      .first()
      .waitFor();
    await workbench.screenshot('review comparison');
    await workbench.page.keyboard.press('Control+w');
    await editor.waitFor({ state: 'detached' });
  });

  it('are kept and undone one by one, in the editor', async () => {
    const { workbench } = use();
    await bar().getByRole('button', { name: 'Keep made first.txt' }).click();
    await says('1 file', '+1', '−2');
    await workbench.runCommand('workbench.action.quickOpen');
    await workbench.quickInput.type('poem.txt');
    await workbench.quickInput.choose('poem.txt');
    const lens = (name: string) => workbench.page.locator('.codelens-decoration a', { hasText: name });
    await until(async () => (await lens('Keep').count()) === 2, 'two hunks');
    await workbench.screenshot('review hunks');
    await lens('Keep').first().click();
    await says('1 file', '+0', '−1');
    await until(async () => (await lens('Undo').count()) === 1, 'one hunk');
    await lens('Undo').first().click();
    await holds('poem.txt', 'one\n2 first\nthree\nfour\nfive\nsix\n');
    await bar().waitFor({ state: 'detached' });
  });

  it('are undone together, which can be undone', async () => {
    const { workbench } = use();
    await change('second');
    await says('2 files', '+3', '−2');
    await press('Undo');
    await holds('poem.txt', POEM);
    await holds('made second.txt', undefined);
    await bar().waitFor({ state: 'detached' });
    await workbench.notifications.press('2 files restored.', 'Undo');
    await holds('made second.txt', 'a\nb\n');
    await says('2 files', '+3', '−2');
    await press('Keep');
    await bar().waitFor({ state: 'detached' });
    await holds('made second.txt', 'a\nb\n');
  });

  it('are not undone over what somebody else wrote, unless that is selected', async () => {
    const { workbench } = use();
    await change('third');
    await says('2 files', '+3', '−2');
    await writeFile(file('poem.txt'), 'by hand\n');
    await press('Undo');
    await workbench.quickInput.shown('Select files to restore');
    const rows = await workbench.quickInput.rows();
    assert.match(
      rows.find(({ label }) => label === 'poem.txt')?.detail ?? '',
      /Edited after the agent’s change/,
    );
    await workbench.quickInput.accept();
    await holds('made third.txt', undefined);
    await holds('poem.txt', 'by hand\n');
  });

  it('of files that were deleted and moved are undone as well', async () => {
    const { workbench } = use();
    await press('Keep');
    await bar().waitFor({ state: 'detached' });
    await change('arranged');
    await holds('poem.txt', undefined);
    await holds('moved/here.txt', 'a\nb\n');
    await says('3 files', '+2', '−8');
    await workbench.screenshot('review arranged');
    await press('Undo');
    await holds('poem.txt', POEM);
    await holds('made first.txt', 'a\nb\n');
    await holds('moved/here.txt', undefined);
    await bar().waitFor({ state: 'detached' });
  });

  it('of files that are protected are asked about all the same', async () => {
    const { chat } = use();
    await chat.send('protected');
    await chat.decide('Deny');
    await chat.message('Done: protected').waitFor();
    await bar().waitFor({ state: 'detached' });
  });
});
