import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Place } from '../confined.ts';
import type { Driver } from '../driver.ts';
import { until } from '../../fixtures/until.ts';
import { PICTURE, SUMMARY } from '../flows.ts';
import { JsonLines } from '../jsonLines.ts';
import { texts, type ModelRequest } from '../said.ts';
import type { Terminal } from '../terminal.ts';

/** In its folder of agents, for the flow with one: those it brings say more to the model than their task. */
const AGENT = 'counter';

/** How long a key may take to be understood. */
const LIMIT_MS = 60_000;

const args = ['--yolo', '--model', 'gemini-scripted'] as const;

async function ask(place: Place, question: string, ...further: readonly string[]): Promise<void> {
  const { status, stderr } = await place.run([...args, ...further, '--prompt', question]);
  if (status !== 0) throw new Error(`It ended with ${status}: ${stderr}`);
}

/** In one session, which each question takes up again. */
async function askAll(place: Place, asks: readonly string[]): Promise<void> {
  for (const [at, question] of asks.entries()) {
    await ask(place, question, ...(at === 0 ? [] : ['--resume', 'latest']));
  }
}

async function opened(place: Place): Promise<Terminal> {
  const terminal = place.open(args);
  await terminal.sees('Type your message');
  return terminal;
}

/** Presses Enter until something came of it: close to other keys it is taken for a pasted line break. */
async function enter(terminal: Terminal, what: string, isDone: () => boolean): Promise<void> {
  const last = Date.now() + LIMIT_MS;
  for (;;) {
    terminal.press('enter');
    try {
      await until(isDone, what, 3_000);
      return;
    } catch (error) {
      if (Date.now() > last) throw error;
    }
  }
}

/** Waits until the answer is shown. */
async function say(place: Place, terminal: Terminal, question: string): Promise<void> {
  const before = place.server.record.length;
  const [words, last] = [question.slice(0, -1), question.slice(-1)];
  terminal.type(words);
  await terminal.sees(words);
  // Soon after the words it may be taken for the key that shows help, and while that is shown it is itself.
  terminal.type(last);
  await until(() => terminal.has(question) || terminal.has('Shortcuts See'), 'a question or help');
  if (!terminal.has(question)) {
    terminal.type(last);
    await terminal.sees(question);
  }
  // It sends what it had when it last listened, which is before it draws again.
  terminal.type(' ');
  await until(() => terminal.since !== '', 'what was typed');
  await enter(terminal, 'an answer', () => place.server.record.length > before);
  const answered = texts(place.server.record[before]?.answered ?? [], 'assistant').join('');
  await until(() => terminal.text.includes(answered.slice(-20)), 'an answer in a terminal');
}

async function command(terminal: Terminal, name: string, shown: string): Promise<void> {
  terminal.type(name);
  await terminal.sees(name);
  await enter(terminal, shown, () => terminal.has(shown));
}

async function left(terminal: Terminal): Promise<void> {
  terminal.type('/quit');
  await terminal.sees('/quit');
  await enter(terminal, 'its end', () => terminal.process.exitCode !== null);
}

function isSummarizing({ said }: ModelRequest): boolean {
  return texts(said, 'user').some((text) => /generate[^]*<state_snapshot>/iu.test(text));
}

export const gemini: Driver = {
  program: 'gemini',
  name: 'Gemini CLI',
  packages: [{ name: '@google/gemini-cli', version: '0.61.0' }],
  command: 'gemini',
  keeps: ['.gemini/tmp', '.gemini/projects.json'],
  // A conversation that is shorter than its summary is not compressed.
  inputTokens: 50_000,
  loses: {
    cut: 'it writes an answer when it is whole',
    cutMark: 'it writes nothing of an answer that was stopped',
  },
  tools: {
    read: (file) => ({ name: 'read_file', input: { file_path: file } }),
    edit: (file, from, to) => ({
      name: 'replace',
      input: { file_path: file, old_string: from, new_string: to, instruction: 'Bring it up to date.' },
    }),
    command: (command) => ({ name: 'run_shell_command', input: { command } }),
    agent: (task) => ({ name: 'invoke_agent', input: { agent_name: AGENT, prompt: task } }),
  },
  ofProgram: (request) => {
    const hasResults = request.said.some(({ kind }) => kind === 'result');
    // An agent ends with a call, and is asked for it otherwise.
    if (request.tools.includes('complete_task') && hasResults) {
      return { calls: [{ name: 'complete_task', input: { result: 'Herons and owls: two kinds.' } }] };
    }
    if (!isSummarizing(request)) return undefined;
    const snapshot = { text: `<state_snapshot>${SUMMARY}</state_snapshot>` };
    // It asks for one, and then whether anything is missing.
    const isLast = texts(request.said, 'user').some((text) => text.includes('Critically evaluate'));
    return { ...snapshot, as: isLast ? 'summary' : 'aside' };
  },
  env: ({ server }) => ({
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: server.origin,
    GEMINI_TELEMETRY_ENABLED: 'false',
    // Else a second process is the program, which is not stopped with the first.
    GEMINI_CLI_NO_RELAUNCH: 'true',
  }),
  setUp: async (place) => {
    await place.write('.gemini/settings.json', {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      ide: { enabled: false },
    });
    // What it keeps once the user trusts the folder; by an argument it leaves out the settings of the project.
    await place.write('.gemini/trustedFolders.json', { [place.project]: 'TRUST_FOLDER' });
    await place.write(
      `.gemini/agents/${AGENT}.md`,
      `---\nname: ${AGENT}\ndescription: Counts what files name.\ntools:\n  - read_file\n---\nYou count.\n`,
    );
  },
  sampled: (name, content, neutral) => {
    if (name.endsWith('/logs.json')) return undefined;
    const text = content
      .toString()
      .replaceAll(/<session_context>.*?<\/session_context>/gu, '<session_context>…');
    return neutral(text);
  },
  flows: {
    turns: async (place, asks) => {
      const terminal = await opened(place);
      for (const question of asks) await say(place, terminal, question);
      await left(terminal);
    },
    tools: askAll,
    picture: async (place, [question = '']) => {
      const picture = await readFile(path.join(place.project, PICTURE));
      const child = place.start([...args, '--acp']);
      const lines = new JsonLines(child);
      const request = async (id: number, method: string, params: object): Promise<unknown> => {
        lines.send({ jsonrpc: '2.0', id, method, params });
        const answer = await lines.next((record) => record['id'] === id, `an answer to ${method}`);
        if (answer['error'] !== undefined) throw new Error(JSON.stringify(answer));
        return answer['result'];
      };
      await request(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
      const session = await request(2, 'session/new', { cwd: place.project, mcpServers: [] });
      await request(3, 'session/prompt', {
        ...(session as object),
        prompt: [
          { type: 'text', text: question },
          { type: 'image', mimeType: 'image/png', data: picture.toString('base64') },
        ],
      });
      const closed = once(child, 'close');
      child.stdin.end();
      child.kill('SIGTERM');
      await closed;
    },
    resume: askAll,
    fork: async (place, [first = '', second = '', other = '']) => {
      const terminal = await opened(place);
      await say(place, terminal, first);
      await say(place, terminal, second);
      await command(terminal, '/rewind', 'Stay at current position');
      terminal.press('up');
      await terminal.sees(`● ${second}`);
      await enter(terminal, 'what it asks', () => terminal.has('Confirm Rewind'));
      // It offers the question again.
      await enter(terminal, 'the question', () => terminal.has(`* ${second}`));
      for (const _letter of second) terminal.press('backspace');
      await terminal.sees('Type your message');
      await say(place, terminal, other);
      await left(terminal);
    },
    compaction: async (place, [first = '', second = '', third = '']) => {
      const terminal = await opened(place);
      await say(place, terminal, first);
      await say(place, terminal, second);
      await command(terminal, '/compress', 'history compressed');
      await say(place, terminal, third);
      await left(terminal);
    },
    abort: async (place, [first = '', second = '']) => {
      const child = place.start([...args, '--prompt', first]);
      child.stdin.end();
      await place.server.isHolding();
      const closed = once(child, 'close');
      child.kill('SIGINT');
      await closed;
      await ask(place, second, '--resume', 'latest');
    },
    subagent: askAll,
    second: async (place, asks) => {
      for (const question of asks) await ask(place, question);
    },
  },
};
