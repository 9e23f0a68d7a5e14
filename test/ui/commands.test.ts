import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  answer,
  lastQuestion,
  pause,
  say,
  toolResultsOf,
  useTools,
  type RecordedRequest,
  type Reply,
  type Script,
} from '../fixtures/openaiServer.ts';
import { makeSampleProject, projectFiles, usesOldName } from './support/sampleProject.ts';
import { until } from '../fixtures/until.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

const run = (command: string, more: object = {}) => ['run_command', { command, ...more }] as const;
const rename = (name: string) =>
  [
    'edit_file',
    {
      path: name,
      edits: [
        { oldText: '{ oldName }', newText: '{ newName }' },
        { oldText: 'exports = oldName', newText: 'exports = newName' },
      ],
    },
  ] as const;

const asks = 'echo Who?\nread name\necho "Hello, $name"';

/** What the model does for each question, request by request. */
const tasks: Readonly<Record<string, readonly Reply[]>> = {
  'fix the test': [
    useTools(run('npm test')),
    useTools(['read_file', { path: 'sum.js' }]),
    useTools(['edit_file', { path: 'sum.js', oldText: 'a - b', newText: 'a + b' }]),
    useTools(run('npm test')),
  ],
  'rename it': [
    useTools(['search_files', { query: 'oldName' }]),
    useTools(...usesOldName.map(rename)),
    useTools(run('npm test')),
    useTools(run('sed -i s/oldName/newName/ names.js && cp names.js copy.js && rm README.md')),
    useTools(run('npm test')),
  ],
};

const script: Script = (request) => {
  const question = lastQuestion(request);
  if (question.startsWith('the notes')) return answer(`none of ${question}`);
  const done = answer(`Done: ${question}`);
  const taken = stepsSince(request);
  const task = tasks[question];
  if (question === 'ask me') return taken === 0 ? useTools(run(asks)) : done;
  if (task) return task[taken] ?? done;
  return taken === 0 ? useTools(run(question)) : done;
};

/** How many requests were answered with calls since the last question. */
function stepsSince({ body: { messages } }: RecordedRequest): number {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(last).filter(({ tool_calls: calls }) => calls !== undefined).length;
}

const design = (name: string) => ({ title: `Design ${name}`, prompt: `Look into design ${name}.` });

const exploreDesigns: Script = (request) => {
  const question = lastQuestion(request);
  const hasResults = request.body.messages.at(-1)?.role === 'tool';
  // A ledger of the conversation may stand before a task.
  const name = /Look into design (.)\.$/u.exec(question)?.[1];
  if (name !== undefined) {
    if (!hasResults) return useTools(['read_file', { path: 'README.md' }]);
    return [say(`Design ${name} begins`), pause(name), ...answer(` and is fine.`)];
  }
  return hasResults ? answer('Both are fine.') : useTools(['explore', { tasks: [design('A'), design('B')] }]);
};

describe('what the agent has done by others', () => {
  const use = useChat(script, {
    settings: { 'offshoot.tools.edits': 'reviewAfterwards', 'offshoot.commands.allow': ['npm test', 'pwd'] },
  });
  before('make a project', () => makeSampleProject(use().workbench.folder));
  beforeEach('begin a chat', async () => {
    const { chat, server, workbench } = use();
    server.play(script);
    await workbench.runCommand('workbench.action.closeAllEditors');
    await chat.startNew();
  });

  const row = (title: string) => use().chat.frame.locator('.tool', { hasText: title }).last();
  /** Opens the row of a command that runs: while it is asked for it is open, and a click would fold it. */
  const open = async (title: string): Promise<void> => {
    await use().chat.frame.locator('.approval').waitFor({ state: 'detached' });
    await row(title).locator('summary').click();
  };
  const results = (): string[] => {
    const { server } = use();
    const last = server.requests.at(-1) ?? assert.fail('nothing was asked');
    return toolResultsOf(last).map(({ result }) => result);
  };
  const done = (question: string): Promise<void> => use().chat.message(`Done: ${question}`).waitFor();

  it('are commands: asked for, run in terminals, stopped and left running', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    const { page } = workbench;
    await step('asked for with the exact text, and run in a terminal of VS Code', async () => {
      const command = 'printf "hello\\n%s\\n" "$PWD"; exit_code() { return 3; }; exit_code';
      await chat.send(command);
      const question = chat.frame.getByRole('alert').filter({ hasText: 'Allow running this command?' });
      await question.waitFor();
      await soon.equal(() => question.locator('.approval-command').innerText(), command);
      await soon.match(() => question.innerText(), /Can run any program\./);
      await chat.decide('Allow Once');
      await done(command);
      assert.match(results()[0] ?? '', /^Exit code 3 after [\d.]+ s\.\n\nhello\n\//);
      await row('Run printf').getByText('exit code 3').waitFor();
      await open('Run printf');
      await row('Run printf').getByText('hello', { exact: false }).first().waitFor();
      await row('Run printf').getByRole('button', { name: 'Show Terminal' }).click();
      await page
        .locator('.terminal-tabs-entry.is-active, .single-terminal-tab', { hasText: 'Offshoot Agent' })
        .waitFor();
      await workbench.runCommand('workbench.action.togglePanel');
    });
    await step('not asked for where a setting allows how they begin', async () => {
      await chat.send('pwd');
      await done('pwd');
      assert.match(results().at(-1) ?? '', /^Exit code 0 .*\n\n\//);
    });
    await step('stopped from their row, which shows what they write', async () => {
      const command = 'while true; do echo again; sleep 0.1; done';
      await chat.send(command);
      await chat.decide('Allow Once');
      await open('Run while');
      await row('Run while').getByText('again\nagain\nagain').waitFor();
      await row('Run while').getByRole('button', { name: 'Stop Command' }).click();
      await done(command);
      assert.match(results().at(-1) ?? '', /^Stopped after .*\n\nagain\nagain/);
    });
    await step('left running, while another one has another terminal', async () => {
      await chat.send('sleep 1000');
      await chat.decide('Allow This Command in This Chat');
      await open('Run sleep');
      await row('Run sleep').getByRole('button', { name: 'Leave Running' }).click();
      await done('sleep 1000');
      assert.match(results().at(-1) ?? '', /^Still running after/);
      await chat.send('echo $$');
      await chat.decide('Allow Once');
      await done('echo $$');
      assert.match(results().at(-1) ?? '', /^Exit code 0 .*\n\n\d+$/, 'in another terminal');
    });
    await step('of several lines, in a terminal where their questions can be answered', async () => {
      await chat.send('ask me');
      await chat.decide('Allow Once');
      await open('Run echo Who?');
      await row('Run echo Who?').getByText('Who?', { exact: true }).waitFor();
      await row('Run echo Who?').getByRole('button', { name: 'Show Terminal' }).click();
      await page.locator('.terminal-wrapper.active .xterm').waitFor();
      await page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus();
      await page.keyboard.type('world');
      await page.keyboard.press('Enter');
      await done('ask me');
      assert.match(results().at(-1) ?? '', /^Exit code 0 .*\n\nWho\?\nworld\nHello, world$/);
      await workbench.runCommand('workbench.action.togglePanel');
    });
  });

  for (const task of Object.keys(tasks)) {
    it(`is a long task, which is rewound and back: ${task}`, async function () {
      this.timeout(90_000);
      const { chat, workbench } = use();
      const { folder } = workbench;
      // Only the one task is about the mistake in it.
      const sign = task === 'fix the test' ? '-' : '+';
      await writeFile(path.join(folder, 'sum.js'), `exports.sum = (a, b) => a ${sign} b;\n`);
      const before = await projectFiles(folder);
      await chat.ask(`the notes on: ${task}`);
      await chat.send(task);
      if (task === 'rename it') {
        await chat.frame.getByText('sed -i s/oldName/newName/', { exact: false }).first().waitFor();
        await chat.decide('Allow Once');
      }
      await done(task);
      const texts = results().filter((each) => each.startsWith('Exit code'));
      assert.match(texts[0] ?? '', /^Exit code 1 .*AssertionError/s, 'the tests fail first');
      assert.match(texts.at(-1) ?? '', /^Exit code 0 .*\nall passed$/ms);
      const after = await projectFiles(folder);

      await workbench.contextMenu.pickOn(chat.message('none of'), 'Rewind to Here');
      await workbench.quickInput.choose('Conversation and Files');
      await soon.deepEqual(() => projectFiles(folder), before, 'the project as it was');
      await workbench.notifications.press(`Rewound to “none of the notes on: ${task}”`, 'Undo');
      await soon.deepEqual(() => projectFiles(folder), after, 'the project as the task left it');
    });
  }

  it('are tasks that are explored at once, shown, opened, stopped and interrupted', async function () {
    this.timeout(180_000);
    const { chat, server, workbench } = use();
    const last = chat.messages.last().locator('.task');
    const task = (name: string) => chat.frame.locator('.task', { hasText: `Design ${name}` });
    const rowSays = (label: string, text: string): Promise<unknown> =>
      until(
        async () =>
          (await workbench.tree.rows()).some((row) => row.label === label && row.description.includes(text)),
        `the row of ${label} to say ${text}`,
      );
    const bothPause = async (): Promise<void> => {
      for (const name of ['A', 'B']) await server.pauseReached(name);
    };
    server.play(exploreDesigns);

    await step(
      'show what they do, in the answer and in the tree; one is opened, and both report',
      async () => {
        await chat.send('Which design is better?');
        await bothPause();
        await task('A').getByText('Writing the report · 2 steps').waitFor();
        await task('B').getByText('Writing the report · 2 steps').waitFor();
        await rowSays('Explorations', '2 of 2 running');
        await rowSays('Design A', 'exploring… 2 steps');
        await task('A').getByRole('button', { name: 'Design A', exact: true }).click();
        await chat.onBranch('main-v2');
        await chat.shows(['Which design is better?', 'Look into design A.', 'Design A begins']);
        await chat.frame.getByText('Task from the agent.').waitFor();
        server.release('A');
        await chat.message('Design A begins and is fine.').waitFor();
        await workbench.tree.click('main');
        await chat.onBranch('main');
        await task('A').getByText('done', { exact: true }).waitFor({ state: 'attached' });
        server.release('B');
        await chat.message('Both are fine.').waitFor();
        const answered = toolResultsOf(server.requests.at(-1) ?? assert.fail('nothing was asked'));
        assert.deepEqual(answered, [
          {
            tool: 'explore',
            result:
              '## Design A (branch main-v2)\nDesign A begins and is fine.\n\n' +
              '## Design B (branch main-v3)\nDesign B begins and is fine.',
          },
        ]);
        // Once they have ended, they are folded below the chat.
        await rowSays('Explorations', '2');
        await workbench.tree.isAtRest();
        await workbench.tree.expand('Explorations');
        await rowSays('Design A', 'explored');
        await rowSays('Design B', 'explored');
        await workbench.runCommand('offshoot.showGraph');
        await workbench.panel.locator('.chip.branch .codicon-telescope').nth(1).waitFor();
        // A page that comes back may be that of the chat or that of the graph, and says of neither which it is.
        await workbench.runCommand('workbench.action.closeAllEditors');
      },
    );
    await step('stop one by one, and all with Stop', async () => {
      await chat.send('And now?');
      await bothPause();
      await last.nth(0).getByRole('button', { name: 'Stop “Design A”' }).click();
      await last.nth(0).getByText('stopped', { exact: true }).waitFor({ state: 'attached' });
      assert.equal(await last.nth(1).getByText('running').count(), 1);
      await chat.stopButton.click();
      await last.nth(1).getByText('interrupted', { exact: true }).waitFor({ state: 'attached' });
      await server.clientHungUp(2);
    });
    await step(
      'are interrupted by a reload in the middle, each on its branch, which still opens',
      async () => {
        const before = server.requests.length;
        await chat.send('Once more?');
        await server.requestReceived(before + 5);
        await bothPause();
        await chat.messages.last().getByText('Writing the report').nth(1).waitFor();
        // What is older than a second survives.
        const times = last.filter({ hasText: /0:0[2-9]/ });
        await until(async () => (await times.count()) === 2, 'both to have run for two seconds');
        await workbench.reloadByCommand();
        await workbench.openOffshoot();
        for (const number of [0, 1]) {
          const interrupted = last.nth(number).getByText('interrupted', { exact: true });
          await interrupted.first().waitFor({ state: 'attached' });
        }
        await last.nth(1).getByRole('button', { name: 'Design B', exact: true }).click();
        await chat.frame.getByText('Design B begins').waitFor();
      },
    );
  });
});
