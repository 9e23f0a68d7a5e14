import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from '../../src/host/node/liveProcesses.ts';
import { answer, lastQuestion, toolResultsOf, useTools, type Script } from '../fixtures/openaiServer.ts';
import { findShell, type TriedShell } from '../fixtures/shells.ts';
import { until } from '../fixtures/until.ts';
import { useChat, type ChatFixture } from './support/useChat.ts';

/** What is run for each question. */
const commands = new Map<string, string>();

const script: Script = (request) => {
  const command = commands.get(lastQuestion(request)) ?? '';
  return request.body.messages.at(-1)?.role === 'tool'
    ? answer('That was it.')
    : useTools(['run_command', { command }]);
};

/** A workbench whose terminals have this shell, with a home folder of its own. */
function useShell(shell: TriedShell, home: Readonly<Record<string, string>>): () => ChatFixture {
  const env: Record<string, string> = {};
  const settings: Record<string, unknown> = {};
  before('make a home', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-home-'));
    for (const [name, text] of Object.entries(home)) await writeFile(path.join(folder, name), text);
    const found = findShell(shell);
    Object.assign(env, { HOME: folder, ZDOTDIR: folder, SHELL: found });
    Object.assign(settings, {
      'terminal.integrated.defaultProfile.linux': 'tried',
      'terminal.integrated.profiles.linux': { tried: { path: found } },
    });
  });
  const use = useChat(script, { env, settings });
  after('remove the home', async () => {
    await rm(env['HOME'] ?? assert.fail('there is no home'), { recursive: true, force: true });
  });
  return use;
}

/** Has a command run in a new chat, and so in a new terminal, and allows it. */
async function run({ chat }: ChatFixture, command: string): Promise<void> {
  const question = `question ${commands.size}`;
  commands.set(question, command);
  await chat.startNew();
  await chat.send(question);
  await chat.decide('Allow Once');
}

async function resultOf(fixture: ChatFixture, command: string): Promise<string> {
  await run(fixture, command);
  const { chat, server } = fixture;
  await chat.message('That was it.').waitFor();
  const last = server.requests.at(-1) ?? assert.fail('nothing was asked');
  return toolResultsOf(last).at(-1)?.result ?? '';
}

describe('a command in a terminal of VS Code, where bash is the shell', () => {
  const use = useShell('bash', { '.bash_history': 'ls\nfalse; touch from-history.txt\n' });

  it('is run as it was shown: exclamation marks are no history', async () => {
    assert.match(await resultOf(use(), 'echo "feat!: new"'), /^Exit code 0 .*\n\nfeat!: new$/);
    assert.match(await resultOf(use(), 'echo hi !false'), /^Exit code 0 .*\n\nhi !false$/);
    assert.equal(existsSync(path.join(use().workbench.folder, 'from-history.txt')), false);
  });

  it('may be the first of its terminal and end the shell', async () => {
    assert.match(await resultOf(use(), 'test -f nothing.txt || exit 1'), /^Exit code 1 .*wrote nothing/s);
    assert.match(await resultOf(use(), 'echo still here'), /^Exit code 0 .*\n\nstill here$/);
  });

  it('that writes nothing is told of at its row, where it is stopped', async function () {
    this.timeout(60_000);
    const { chat } = use();
    await run(use(), "printf 'Password: '; read -s word");
    const waiting = chat.frame.locator('.tool-waiting');
    await waiting.getByText('It seems to wait for a password.', { exact: false }).waitFor();
    await waiting.getByRole('button', { name: 'Stop Command' }).click();
    await chat.message('That was it.').waitFor();
    await until(async () => (await waiting.count()) === 0, 'the notice to go');
  });

  it('ends with its answer where the window is reloaded, and does not outlive it', async () => {
    const { chat, workbench } = use();
    const file = path.join(workbench.folder, 'process.txt');
    await run(use(), 'echo $$ > process.txt; exec sleep 1000');
    const command = await until(
      async () => Number(await readFile(file, 'utf8').catch(() => '')) || undefined,
      'it to run',
    );
    await chat.frame.locator('.tool-title', { hasText: 'Run echo' }).waitFor();
    await workbench.reloadByCommand();
    await workbench.openOffshoot();
    await chat.frame.getByRole('button', { name: 'Continue', exact: true }).waitFor();
    await until(() => !isAlive(command), 'the process to be gone');
  });
});

describe('a command in a terminal of VS Code, where zsh is the shell', () => {
  const use = useShell('zsh', { '.zshrc': 'PS1="%~ %# "\n' });

  it('is run as it was shown, and what it wrote comes back unchanged', async () => {
    for (const [command, written] of [
      ["echo hi # it's a comment", 'hi'],
      ['echo "fix!: x"', 'fix!: x'],
      ['printf 1.2.3', '1.2.3'],
      ['for x in a b\ndo echo $x\ndone', 'a\nb'],
    ] as const) {
      const result = await resultOf(use(), command);
      assert.equal(result.replace(/^Exit code 0 after [\d.]+ s\.\n\n/, ''), written);
    }
  });
});
