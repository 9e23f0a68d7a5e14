import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  answer,
  lastQuestion,
  toolResultsOf,
  useTools,
  type RecordedRequest,
  type Reply,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';

const HOOKS = '.github/hooks/guard.json';

const FILES: Readonly<Record<string, string>> = {
  '.github/skills/release/SKILL.md':
    '---\nname: release\ndescription: How this project is released.\n---\nTag with v and the version.\n',
  '.github/agents/reviewer.agent.md':
    '---\ndescription: Looks for faults.\ntools: [read_skill, run_command, remember]\n---\nBe brief, and name the line.\n',
  [HOOKS]: JSON.stringify({
    hooks: {
      PreToolUse: [
        { type: 'command', command: `grep -q precious && echo "precious is kept" >&2 && exit 2; exit 0` },
      ],
    },
  }),
};

/** Reads the skill, runs a command, and proposes to remember what it learned; each in a step. */
function release(request: RecordedRequest): Reply {
  if (lastQuestion(request) !== 'release it') return answer('Hello.');
  switch (toolResultsOf(request).length) {
    case 0:
      return useTools(['read_skill', { name: 'release' }]);
    case 1:
      return useTools(['run_command', { command: 'rm -rf precious' }]);
    case 2:
      return useTools(['remember', { fact: 'Tags begin with v', scope: 'project' }]);
    default:
      return answer('Released.');
  }
}

describe('what was written for other agents, in the workbench', () => {
  const use = useChat(release, { viewport: { width: 1_400, height: 1_000 } });
  const at = (file: string): string => path.join(use().workbench.folder, file);
  const requestFor = (question: string): RecordedRequest =>
    use().server.requests.findLast((request) => lastQuestion(request) === question) ??
    assert.fail(`nothing was asked with ${question}`);
  const instructionsFor = (question: string): string =>
    JSON.stringify(requestFor(question).body.messages[0]?.content);

  beforeEach(async () => {
    for (const [file, text] of Object.entries(FILES)) {
      await mkdir(path.dirname(at(file)), { recursive: true });
      await writeFile(at(file), text);
    }
  });
  afterEach(async () => {
    for (const folder of ['.github', '.offshoot']) await rm(at(folder), { recursive: true, force: true });
  });

  it('is a task with a skill, an agent, a hook that blocks a command, and something to remember', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    const { dialog, quickInput } = workbench;
    await chat.ask('hello');
    await step('hooks are run once the user has seen what they run', async () => {
      const banner = chat.frame.locator('.banner', { hasText: 'Hooks of this project are not run yet.' });
      await banner.getByRole('button', { name: 'Review Hooks…' }).click();
      await quickInput.choose(HOOKS);
      await workbench.screenshot('hooks-review');
      await dialog.press('Allow These Hooks');
      await banner.waitFor({ state: 'hidden' });
    });
    await step('an agent of the project is selected in place of a mode', async () => {
      await workbench.runCommand('offshoot.selectMode');
      await quickInput.shown('Select Mode');
      await workbench.screenshot('agents-pick');
      await quickInput.choose('reviewer');
      await chat.frame
        .getByRole('button', { name: /reviewer/u })
        .first()
        .waitFor();
    });
    await step(
      'the command is blocked, and what is to be remembered is shown before it is written',
      async () => {
        await chat.send('release it');
        const card = chat.frame.locator('.approval', { hasText: 'Tags begin with v' });
        await card.waitFor();
        await chat.frame.getByText('precious is kept').first().waitFor();
        await workbench.screenshot('setup-task');
        assert.equal(await readFile(at('.offshoot/memory.md'), 'utf8').catch(() => undefined), undefined);
        await chat.decide('Allow Once');
        await chat.message('Released.').waitFor();
      },
    );
    const results = toolResultsOf(requestFor('release it')).map(({ result }) => result);
    assert.match(results[0] ?? '', /Tag with v and the version/u);
    assert.match(results[1] ?? '', /blocked this call: precious is kept/u);
    assert.match(await readFile(at('.offshoot/memory.md'), 'utf8'), /^- Tags begin with v$/mu);
    const instructions = instructionsFor('release it');
    assert.match(instructions, /Be brief, and name the line/u);
    assert.match(instructions, /How this project is released/u);

    await step('a later chat begins with what was remembered', async () => {
      await chat.startNew();
      await chat.ask('hello again');
      await until(
        () => instructionsFor('hello again').includes('Tags begin with v'),
        'the fact in the prompt',
      );
    });
  });
});
