import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  answer,
  lastQuestion,
  toolResultsOf,
  useTools,
  type RecordedRequest,
  type Reply,
  type Script,
} from '../fixtures/openaiServer.ts';
import { makeSampleProject, projectFiles, usesOldName } from './support/sampleProject.ts';
import { themes, type Theme } from './support/settings.ts';
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

/** More than one line: it is not typed into a shell. */
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
  if (question === 'the notes') return answer('none');
  const done = answer(`Done: ${question}`);
  const step = stepsSince(request);
  const task = tasks[question];
  if (question === 'ask me') return step === 0 ? useTools(run(asks)) : done;
  if (task) return task[step] ?? done;
  return step === 0 ? useTools(run(question)) : done;
};

/** How many requests were answered with calls since the last question. */
function stepsSince({ body: { messages } }: RecordedRequest): number {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(last).filter(({ tool_calls: calls }) => calls !== undefined).length;
}

describe('commands that the agent runs', () => {
  const use = useChat(script, {
    settings: { 'offshoot.tools.edits': 'reviewAfterwards', 'offshoot.commands.allow': ['npm test', 'pwd'] },
  });
  before('make a project', () => makeSampleProject(use().workbench.folder));

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

  it('are asked for with the exact text, and run in a terminal of VS Code', async () => {
    const { chat, workbench } = use();
    const command = 'printf "hello\\n%s\\n" "$PWD"; exit_code() { return 3; }; exit_code';
    await chat.send(command);
    const question = chat.frame.getByRole('alert').filter({ hasText: 'Allow running this command?' });
    await question.waitFor();
    await soon.equal(() => question.locator('.approval-command').innerText(), command);
    await soon.match(() => question.innerText(), /more than programs with arguments/);
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`command approval ${theme}`);
    }
    await chat.decide('Allow Once');
    await done(command);
    assert.match(results()[0] ?? '', /^Exit code 3 after [\d.]+ s\.\n\nhello\n\//);
    await row('Run printf').getByText('exit code 3').waitFor();
    await open('Run printf');
    await row('Run printf').getByText('hello', { exact: false }).first().waitFor();
    await row('Run printf').getByRole('button', { name: 'Show Terminal' }).click();
    await workbench.page
      .locator('.terminal-tabs-entry, .single-terminal-tab', { hasText: 'Offshoot Agent' })
      .waitFor();
    await workbench.screenshot('command terminal');
    await workbench.runCommand('workbench.action.togglePanel');
  });

  it('are not asked for where a setting allows how they begin', async () => {
    const { chat } = use();
    await chat.send('pwd');
    await done('pwd');
    assert.match(results().at(-1) ?? '', /^Exit code 0 .*\n\n\//);
  });

  it('show what they write, and are stopped from their row', async () => {
    const { chat, workbench } = use();
    const command = 'while true; do echo again; sleep 0.1; done';
    await chat.send(command);
    await chat.decide('Allow Once');
    await open('Run while');
    await row('Run while').getByText('again\nagain\nagain').waitFor();
    await workbench.screenshot('command running');
    await row('Run while').getByRole('button', { name: 'Stop Command' }).click();
    await done(command);
    assert.match(results().at(-1) ?? '', /^Stopped after .*\n\nagain\nagain/);
  });

  it('are left running, and stopped in their terminal', async () => {
    const { chat } = use();
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

  it('that are several lines have a plain terminal, where their questions can be answered', async () => {
    const { chat, workbench } = use();
    await chat.send('ask me');
    await chat.decide('Allow Once');
    await open('Run echo Who?');
    await row('Run echo Who?').getByText('Who?', { exact: true }).waitFor();
    await row('Run echo Who?').getByRole('button', { name: 'Show Terminal' }).click();
    await workbench.page.locator('.terminal-wrapper.active .xterm').waitFor();
    await workbench.screenshot('command in a plain terminal');
    await workbench.page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus();
    await workbench.page.keyboard.type('world');
    await workbench.page.keyboard.press('Enter');
    await done('ask me');
    assert.match(results().at(-1) ?? '', /^Exit code 0 .*\n\nWho\?\nHello, world$/);
    await workbench.runCommand('workbench.action.togglePanel');
  });

  for (const task of Object.keys(tasks)) {
    it(`do a long task: ${task}`, async function () {
      this.timeout(90_000);
      const { chat, workbench } = use();
      const { folder } = workbench;
      await workbench.runCommand('offshoot.newChat');
      await chat.frame.getByText('A conversation that branches').waitFor();
      const before = await projectFiles(folder);
      await chat.send('the notes');
      await chat.message('none').waitFor();
      await chat.send(task);
      if (task === 'rename it') {
        await chat.frame.getByText('sed -i s/oldName/newName/', { exact: false }).first().waitFor();
        await chat.decide('Allow Once');
      }
      await done(task);
      const texts = results().filter((each) => each.startsWith('Exit code'));
      assert.match(texts[0] ?? '', /^Exit code 1 .*AssertionError/s, 'the tests fail first');
      assert.match(texts.at(-1) ?? '', /^Exit code 0 .*all passed$/s);
      const after = await projectFiles(folder);
      await workbench.screenshot(`task ${task}`);

      await workbench.contextMenu.pickOn(chat.message('none'), 'Rewind to Here');
      await workbench.quickInput.choose('Conversation and Files');
      const report = await readFile(path.join(folder, 'report.txt'), 'base64');
      await soon.deepEqual(
        () => projectFiles(folder),
        { ...before, 'report.txt': report },
        'the project as it was, but for what git ignores',
      );
      await workbench.notifications.press('Rewound to', 'Undo');
      await soon.deepEqual(() => projectFiles(folder), after, 'the project as the task left it');
    });
  }
});
