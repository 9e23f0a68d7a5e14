import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  answer,
  conversationOf,
  lastQuestion,
  useTools,
  type RecordedRequest,
  type Reply,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';

const POEM = 'one\ntwo\nthree\nfour\nfive\nsix\n';

/** Changes two places of one file and makes another one. */
function edit(request: RecordedRequest): Reply {
  const question = lastQuestion(request);
  if (request.body.messages.at(-1)?.role === 'tool') return answer(`Done: ${question}`);
  if (question === 'arranged') {
    return useTools(
      ['delete_file', { path: 'poem.txt' }],
      ['rename_file', { from: 'to move.txt', to: 'moved/here.txt' }],
    );
  }
  if (question === 'protected')
    return useTools(['write_file', { path: '.vscode/tasks.json', content: '{}' }]);
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
    ['write_file', { path: `made ${question}.txt`, content: 'a\nb\n' }],
  );
}

/** The three parts of a plan, each a file that is written after some others were read. */
const PARTS = ['one', 'two', 'three'];

/** How many files are read before each part: too many for the context window, all together. */
const READ_BEFORE_EACH = 6;

/** The user's last words, which a summary before them leaves as they are. */
const askedIn = (request: RecordedRequest): string =>
  conversationOf(request).findLast(({ role }) => role === 'user')?.text ?? '';

/** Explores two designs, plans one of them, and carries the plan out. */
class LongTask {
  private step = 0;

  /** Undefined for what is no part of the task. */
  answer(request: RecordedRequest): Reply | undefined {
    if (lastQuestion(request).startsWith('Summarize this part'))
      return answer('Design B needs one file less.');
    const asked = askedIn(request);
    const hasResults = request.body.messages.at(-1)?.role === 'tool';
    if (asked.startsWith('Look into design ')) {
      const name = asked.slice(-2, -1).toLowerCase();
      return hasResults
        ? answer(`Design ${name.toUpperCase()} would do.`)
        : useTools(['read_file', { path: `design-${name}.md` }]);
    }
    if (lastQuestion(request).startsWith('Which design?')) {
      const tasks = ['A', 'B'].map((name) => ({
        title: `Design ${name}`,
        prompt: `Look into design ${name}.`,
      }));
      return hasResults ? answer('Both would do.') : useTools(['explore', { tasks }]);
    }
    // What a summary keeps of it is no question.
    if (lastQuestion(request).startsWith('Plan design B'))
      return answer(PARTS.map((part, at) => `${at + 1}. Write ${part}.`).join('\n'));
    return undefined;
  }

  carryOut(): Reply {
    const part = Math.floor(this.step / (READ_BEFORE_EACH + 1));
    const isToRead = this.step % (READ_BEFORE_EACH + 1) < READ_BEFORE_EACH;
    const name = PARTS[part];
    this.step += 1;
    if (name === undefined) return answer('All of it is done.');
    if (isToRead) return useTools(['read_file', { path: `source-${this.step}.txt` }]);
    const todos = PARTS.map((each, at) => ({
      title: `Write ${each}`,
      status: at <= part ? 'done' : at === part + 1 ? 'in_progress' : 'pending',
    }));
    return useTools(
      ['write_file', { path: `${name}.txt`, content: `${name}\r\n` }],
      ['write_todos', { todos }],
    );
  }
}

const EDITS = ['first', 'second', 'third', 'arranged', 'protected', 'looked back'];

describe('edits that are reviewed afterwards', () => {
  const task = new LongTask();
  const use = useChat(
    (request) =>
      EDITS.includes(lastQuestion(request)) ? edit(request) : (task.answer(request) ?? task.carryOut()),
    {
      settings: {
        'offshoot.modelOverrides': { 'openai-compatible/test-model': { contextWindow: 14_000 } },
        'offshoot.tools.edits': 'reviewAfterwards',
      },
    },
  );
  const file = (name: string): string => path.join(use().workbench.folder, name);
  const holds = (name: string, text: string | undefined): Promise<unknown> =>
    until(
      async () => (await readFile(file(name), 'utf8').catch(() => undefined)) === text,
      `${name}: ${text}`,
    );
  const bar = () => use().chat.frame.getByRole('region', { name: 'Edits to review' });
  const says = (count: string, added: string, removed: string): Promise<unknown> =>
    until(async () => {
      await use().chat.openPanel('review');
      const line = bar().locator('.tray-head');
      const parts = [use().chat.segment('review'), line.locator('ins'), line.locator('del')];
      const texts = await Promise.all(parts.map((part) => part.innerText({ timeout: 1_000 })));
      return texts.join().replaceAll(/\s+/g, ' ') === [`${count} changed`, added, removed].join();
    }, `${count} ${added} ${removed}`);
  const press = async (name: string): Promise<void> => {
    await use().chat.openPanel('review');
    await bar().getByRole('button', { name, exact: true }).click();
  };
  const isGone = (): Promise<void> => use().chat.segment('review').waitFor({ state: 'detached' });
  const startNew = async (): Promise<void> => {
    const { chat, workbench } = use();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
  };
  /** Asks in a new chat for what {@link edit} does. */
  const change = async (question: string): Promise<void> => {
    const { chat } = use();
    await startNew();
    await writeFile(file('poem.txt'), POEM);
    await chat.send(question);
    await chat.message(`Done: ${question}`).waitFor();
  };

  it('land at once, are compared in one editor, and are kept and undone one by one', async () => {
    const { workbench } = use();
    await change('first');
    await holds('poem.txt', 'one\n2 first\nthree\nfour\nsix\n');
    await holds('made first.txt', 'a\nb\n');
    await says('2 files', '+3', '−2');
    await bar().getByText('poem.txt').waitFor();

    await press('Review');
    const editor = workbench.page.locator('.multiDiffEditor');
    await editor
      .locator('.view-line', { hasText: '2 first'.replaceAll(' ', '\u00A0') })
      .first()
      .waitFor();
    await workbench.runCommand('workbench.action.closeActiveEditor');
    await editor.waitFor({ state: 'detached' });

    await bar().getByRole('button', { name: 'Keep made first.txt' }).click();
    await says('1 file', '+1', '−2');
    await workbench.runCommand('workbench.action.quickOpen');
    await workbench.quickInput.type('poem.txt');
    await workbench.quickInput.choose('poem.txt');
    const lens = (name: string) => workbench.page.locator('.codelens-decoration a', { hasText: name });
    await until(async () => (await lens('Keep').count()) === 2, 'two hunks');
    await lens('Keep').first().click();
    await says('1 file', '+0', '−1');
    await until(async () => (await lens('Undo').count()) === 1, 'one hunk');
    await lens('Undo').first().click();
    await holds('poem.txt', 'one\n2 first\nthree\nfour\nfive\nsix\n');
    await isGone();
    await workbench.runCommand('workbench.action.closeActiveEditor');
  });

  it('are seen as the file was at each moment, by keyboard along the branch, and nothing is written', async () => {
    const { chat, workbench } = use();
    await change('looked back');
    await workbench.runCommand('workbench.action.quickOpen');
    await workbench.quickInput.type('poem.txt');
    await workbench.quickInput.choose('poem.txt');
    const lines = (text: string) =>
      workbench.page
        .locator('.editor-instance .view-line')
        .getByText(text.replaceAll(' ', '\u00A0'), { exact: true });
    await lines('2 looked back').waitFor();
    await chat.frame.getByRole('button', { name: 'Look back along this branch' }).click();
    const slider = chat.frame.getByRole('slider', { name: 'Point of this branch' });
    await slider.press('Home');
    await lines('two').waitFor();
    await lines('five').waitFor();
    await chat.frame.getByText('1 file is shown as it was').waitFor();
    await chat.frame.locator('.message.previewed', { hasText: 'looked back' }).waitFor();
    await workbench.screenshot('look back');
    await slider.press('End');
    await lines('2 looked back').waitFor();
    await slider.press('Home');
    await lines('two').waitFor();
    const tabs = workbench.page.locator('.tabs-container .tab');
    const isBack = async (): Promise<void> => {
      await lines('2 looked back').waitFor();
      await until(async () => (await tabs.count()) === 1, 'the file alone');
      assert.equal((await tabs.textContent())?.trim(), 'poem.txt');
    };
    await slider.press('Escape');
    await isBack();
    const toStart = async (): Promise<void> => {
      await chat.frame.getByRole('button', { name: 'Look back along this branch' }).click();
      await slider.press('Home');
      await lines('two').waitFor();
      await chat.frame.locator('.message.previewed').waitFor();
    };

    await step('Escape in the editor leads back, once it has nothing else to close there', async () => {
      await toStart();
      await lines('two').click();
      await workbench.page.keyboard.press('Control+f');
      const find = workbench.page.locator('.editor-instance .find-widget.visible');
      await find.waitFor();
      await workbench.page.keyboard.press('Escape');
      await find.waitFor({ state: 'hidden' });
      await lines('two').click();
      await workbench.page.keyboard.press('Escape');
      await isBack();
      await slider.waitFor({ state: 'detached' });
      assert.equal(await chat.frame.locator('.message.previewed').count(), 0);
      // The keyboard is in the file.
      await workbench.page
        .locator('.editor-instance[aria-label^="poem.txt"] .monaco-editor.focused')
        .waitFor();
    });

    await step('a chat that was hidden comes back to the present, with the editors', async () => {
      await toStart();
      await workbench.runCommand('workbench.view.explorer');
      await workbench.openOffshoot();
      await isBack();
    });
    await holds('poem.txt', 'one\n2 looked back\nthree\nfour\nsix\n');
    await press('Keep');
    await isGone();
    await workbench.runCommand('workbench.action.closeActiveEditor');
  });

  it('are undone together, which can be undone, and not over what someone else wrote', async () => {
    const { workbench } = use();
    await change('second');
    await says('2 files', '+3', '−2');
    await press('Undo');
    await holds('poem.txt', POEM);
    await holds('made second.txt', undefined);
    await isGone();
    await workbench.notifications.press('2 files restored.', 'Undo');
    await holds('made second.txt', 'a\nb\n');
    await says('2 files', '+3', '−2');
    await press('Keep');
    await isGone();
    await holds('made second.txt', 'a\nb\n');

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
    await press('Keep');
    await isGone();
  });

  it('of files that were deleted and moved are undone as well, and protected ones are asked about', async () => {
    const { chat } = use();
    await writeFile(file('to move.txt'), 'a\nb\n');
    await change('arranged');
    await holds('poem.txt', undefined);
    await holds('moved/here.txt', 'a\nb\n');
    await says('3 files', '+2', '−8');
    await press('Undo');
    await holds('poem.txt', POEM);
    await holds('to move.txt', 'a\nb\n');
    await holds('moved/here.txt', undefined);
    await isGone();

    await chat.send('protected');
    await chat.decide('Deny');
    await chat.message('Done: protected').waitFor();
    await isGone();
  });

  it('come along in a long task: two designs explored, one merged, its plan carried out', async function () {
    this.timeout(180_000);
    const { chat, workbench } = use();
    const isThere = (part: string): Promise<boolean> =>
      access(file(`${part}.txt`)).then(
        () => true,
        () => false,
      );
    const areThere = (expected: readonly string[]): Promise<unknown> =>
      until(
        async () =>
          (await Promise.all(PARTS.map(isThere))).every(
            (each, at) => each === expected.includes(PARTS[at] ?? ''),
          ),
        `just these files: ${expected.join()}`,
      );
    const isDone = (count: string): Promise<unknown> =>
      until(
        async () =>
          (await chat.segment('todos').locator('.tray-mark').innerText({ timeout: 1_000 })) === count,
        `${count} done`,
      );
    for (const name of ['a', 'b']) await writeFile(file(`design-${name}.md`), `# ${name}\n`);
    for (let number = 1; number <= (READ_BEFORE_EACH + 1) * PARTS.length; number += 1) {
      await writeFile(file(`source-${number}.txt`), `${number}\n${'word '.repeat(900)}\n`);
    }
    await workbench.setSidebarWidth(400);
    await startNew();

    await step('explores both on branches of their own, and takes along what came out of one', async () => {
      await chat.ask('Which design?');
      await chat.message('Both would do.').waitFor();
      await workbench.tree.expand('Explorations');
      await workbench.tree.row('Design B').first().waitFor();
      await workbench.runCommand('offshoot.bringBack');
      await workbench.quickInput.choose('Design B');
      await workbench.quickInput.choose('Summarize with test-model');
      await workbench.page.getByRole('button', { name: 'Add Summary to This Branch' }).first().click();
      await chat.frame.locator('.report', { hasText: 'Merged from Design B' }).waitFor();
      await chat.onBranch('main');
    });

    await step('carries out a plan of it on a branch of its own, through two summaries', async () => {
      const mode = chat.frame.locator('.mode-button');
      await mode.click();
      await workbench.quickInput.choose('Plan');
      await mode.filter({ hasText: 'Plan' }).waitFor();
      await chat.ask('Plan design B');
      await chat.frame.getByRole('button', { name: 'Implement', exact: true }).click();
      await chat.message('All of it is done.').waitFor({ timeout: 90_000 });
      await areThere(PARTS);
      for (const part of PARTS) assert.equal(await readFile(file(`${part}.txt`), 'utf8'), `${part}\r\n`);
      await isDone('3/3');
      const lines = chat.frame.locator('.report.compacted');
      await chat.frame.locator('.compacted-fold button').click();
      await until(async () => (await lines.count()) >= 2, 'two summaries');
      assert.ok(
        (await workbench.tree.rows()).some(({ label }) => label === 'Explorations'),
        'what was explored is still there',
      );
    });

    await step('goes back to each step with its files and its list, and forth again', async () => {
      const takeFilesToo = async (): Promise<void> => {
        await workbench.quickInput.row('Conversation and Files').waitFor();
        await workbench.quickInput.choose('Conversation and Files');
      };
      await workbench.runCommand('offshoot.rewindToStep');
      await workbench.quickInput.choose('Created one.txt · Updated the todo list');
      await takeFilesToo();
      await areThere(['one']);
      await isDone('1/3');
      await workbench.runCommand('offshoot.undo');
      await areThere(PARTS);
      await isDone('3/3');
      await chat.message('All of it is done.').waitFor();
    });
  });
});
