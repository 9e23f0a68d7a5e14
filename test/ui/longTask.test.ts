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
import { useChat } from './support/useChat.ts';

/** The three parts of the plan, each a file that is written after some others were read. */
const PARTS = ['one', 'two', 'three'];

/** How many files are read before each part: too many for the context window, all together. */
const READ_BEFORE_EACH = 6;

const todos = (done: number) =>
  PARTS.map((part, at) => ({
    title: `Write ${part}`,
    status: at < done ? 'done' : at === done ? 'in_progress' : 'pending',
  }));

/** The user's last words, which a summary before them leaves as they are. */
const askedIn = (request: RecordedRequest): string =>
  conversationOf(request).findLast(({ role }) => role === 'user')?.text ?? '';

describe('a long task: two designs explored, one merged, its plan carried out', () => {
  let step = 0;
  const carryOut = (): Reply => {
    const part = Math.floor(step / (READ_BEFORE_EACH + 1));
    const isToRead = step % (READ_BEFORE_EACH + 1) < READ_BEFORE_EACH;
    const name = PARTS[part];
    step += 1;
    if (name === undefined) return answer('All of it is done.');
    if (isToRead) return useTools(['read_file', { path: `source-${step}.txt` }]);
    return useTools(
      ['create_file', { path: `${name}.txt`, content: `${name}\r\n` }],
      ['write_todos', { todos: todos(part + 1) }],
    );
  };
  const script = (request: RecordedRequest): Reply => {
    if (lastQuestion(request).startsWith('Summarise this part'))
      return answer('Design B needs one file less.');
    const asked = askedIn(request);
    const hasResults = request.body.messages.at(-1)?.role === 'tool';
    if (asked.startsWith('Look into design ')) {
      const name = asked.slice(-2, -1).toLowerCase();
      return hasResults
        ? answer(`Design ${name.toUpperCase()} would do.`)
        : useTools(['read_file', { path: `design-${name}.md` }]);
    }
    if (asked.includes('Which design?')) {
      const tasks = ['A', 'B'].map((name) => ({
        title: `Design ${name}`,
        prompt: `Look into design ${name}.`,
      }));
      return hasResults ? answer('Both would do.') : useTools(['explore', { tasks }]);
    }
    if (asked.includes('Plan design B'))
      return answer(PARTS.map((part, at) => `${at + 1}. Write ${part}.`).join('\n'));
    return carryOut();
  };
  const use = useChat(script, {
    settings: {
      'offshoot.modelOverrides': { 'openai-compatible/test-model': { contextWindow: 14_000 } },
      'offshoot.tools.edits': 'reviewAfterwards',
    },
  });
  const file = (part: string): string => path.join(use().workbench.folder, `${part}.txt`);
  const isThere = (part: string): Promise<boolean> =>
    access(file(part)).then(
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
        (await use().chat.frame.locator('.todos .todos-count').innerText({ timeout: 1_000 })) === count,
      `${count} done`,
    );

  before('what is read', async () => {
    const { folder } = use().workbench;
    for (const name of ['a', 'b']) await writeFile(path.join(folder, `design-${name}.md`), `# ${name}\n`);
    for (let number = 1; number <= (READ_BEFORE_EACH + 1) * PARTS.length; number += 1) {
      await writeFile(path.join(folder, `source-${number}.txt`), `${number}\n${'word '.repeat(900)}\n`);
    }
    await use().workbench.setSidebarWidth(400);
  });

  it('explores both on branches of their own, and takes along what came out of one', async () => {
    const { chat, workbench } = use();
    await chat.ask('Which design?');
    await chat.message('Both would do.').waitFor();
    await workbench.tree.expand('Explorations');
    await workbench.tree.row('Design B').first().waitFor();
    await workbench.tree.pick('Design B', 'Merge Summary…');
    await workbench.quickInput.choose('Have test-model Write a Summary');
    await workbench.page.getByRole('button', { name: 'Add Summary to This Branch' }).first().click();
    await chat.frame.locator('.report', { hasText: 'Merged from Design B' }).waitFor();
    await chat.onBranch('main');
  });

  it('carries out a plan of it on a branch of its own, through two summaries', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    const mode = chat.frame.locator('.mode-button');
    await mode.click();
    await workbench.quickInput.choose('Plan');
    await mode.filter({ hasText: 'Plan' }).waitFor();
    await chat.ask('Plan design B');
    await chat.frame.getByRole('button', { name: 'Carry Out', exact: true }).click();
    await chat.message('All of it is done.').waitFor({ timeout: 90_000 });
    await areThere(PARTS);
    for (const part of PARTS) assert.equal(await readFile(file(part), 'utf8'), `${part}\r\n`);
    await isDone('3/3');
    const lines = chat.frame.locator('.report.compacted');
    await chat.frame.locator('.compacted-fold button').click();
    await until(async () => (await lines.count()) >= 2, 'two summaries');
    await workbench.screenshot('long task');
    assert.ok(
      (await workbench.tree.rows()).some(({ label }) => label === 'Explorations'),
      'what was explored is still there',
    );
  });

  it('goes back to each step with its files and its list, and forth again', async () => {
    const { chat, workbench } = use();
    const goAlong = async (): Promise<void> => {
      await workbench.quickInput.row('Conversation and Files').waitFor();
      await workbench.quickInput.choose('Conversation and Files');
    };
    await workbench.runCommand('offshoot.rewindToStep');
    await workbench.quickInput.choose('Created one.txt · Updated the todo list');
    await goAlong();
    await areThere(['one']);
    await isDone('1/3');
    await workbench.runCommand('offshoot.undo');
    await goAlong();
    await areThere(PARTS);
    await isDone('3/3');
    await chat.message('All of it is done.').waitFor();
  });
});
