import path from 'node:path';
import { z } from 'zod';
import type { Place } from '../confined.ts';
import type { Driver } from '../driver.ts';
import { until } from '../../fixtures/until.ts';
import { PICTURE, SUMMARY } from '../flows.ts';
import { texts } from '../said.ts';
import type { Terminal } from '../terminal.ts';

const record = z.record(z.string(), z.unknown());

/** Below the user's folder. */
const DATA = '.cline/data';

/** Where it keeps a folder for each session. */
const SESSIONS = `${DATA}/sessions`;

/** How long it may take to understand a key, and to write what was said. */
const LIMIT_MS = 60_000;

/** A folder given to it keeps it from starting a server in the background, which outlives it. */
function inFolder(place: Place): readonly string[] {
  return ['--data-dir', path.join(place.home, DATA)];
}

async function run(place: Place, ask: string): Promise<void> {
  const { status, stdout, stderr } = await place.run([...inFolder(place), ask]);
  if (status !== 0) throw new Error(`cline ${ask} ended with ${status}:\n${stdout}\n${stderr}`);
}

async function opened(place: Place, ...further: readonly string[]): Promise<Terminal> {
  const terminal = place.open(['--tui', ...inFolder(place), ...further]);
  await terminal.sees('Auto-approve');
  return terminal;
}

/** It draws only what differs, so that what was typed need not be in what it draws. */
async function typed(terminal: Terminal, text: string): Promise<void> {
  terminal.type(text);
  await until(() => terminal.since !== '', 'what was typed');
}

/** Presses Enter until something came of it: close to other keys it may be taken for a line break. */
async function enter(
  terminal: Terminal,
  what: string,
  isDone: () => boolean | Promise<boolean>,
): Promise<void> {
  const last = Date.now() + LIMIT_MS;
  for (;;) {
    terminal.press('enter');
    try {
      await until(isDone, what, 5_000);
      return;
    } catch (error) {
      if (Date.now() > last) throw error;
    }
  }
}

/** Waits until a file of a session has a text. */
async function keeps(place: Place, text: string): Promise<void> {
  const has = async (): Promise<boolean> =>
    [...(await place.kept()).values()].some((content) => content.includes(text));
  await until(has, `“${text}” in a session`, LIMIT_MS);
}

/** Waits until the answer is kept. */
async function say(place: Place, terminal: Terminal, question: string): Promise<void> {
  const asked = place.server.record.length;
  await typed(terminal, question);
  await enter(terminal, 'an answer', () => place.server.record.length > asked);
  const answered = texts(place.server.record[asked]?.answered ?? [], 'assistant').join('');
  await keeps(place, answered);
}

async function sayAll(place: Place, asks: readonly string[], ...further: readonly string[]): Promise<void> {
  const terminal = await opened(place, ...further);
  for (const question of asks) await say(place, terminal, question);
  await left(terminal);
}

async function left(terminal: Terminal): Promise<void> {
  await typed(terminal, '/quit');
  await enter(terminal, 'its end', () => terminal.process.exitCode !== null);
}

/** The names of the sessions, the oldest first. */
async function sessions(place: Place): Promise<string[]> {
  const names = [...(await place.kept()).keys()].map((name) => path.basename(path.dirname(name)));
  return [...new Set(names)].sort();
}

export const cline: Driver = {
  program: 'cline',
  name: 'Cline CLI',
  packages: [{ name: 'cline', version: '3.0.65' }],
  command: 'cline',
  tools: {
    read: (file) => ({ name: 'read_files', input: { files: [{ path: file }] } }),
    edit: (file, from, to) => ({ name: 'editor', input: { path: file, old_text: from, new_text: to } }),
    command: (line) => ({ name: 'run_commands', input: { commands: [line] } }),
    agent: (task) => ({ name: 'spawn_agent', input: { systemPrompt: 'You count birds.', task } }),
  },
  env: () => ({ CLINE_NO_AUTO_UPDATE: '1', CLINE_SESSION_BACKEND_MODE: 'local' }),
  ofProgram: ({ said }) =>
    texts(said, 'user').some((text) => text.startsWith('Summarize this session'))
      ? { text: SUMMARY, as: 'summary' }
      : undefined,
  setUp: async (place) => {
    await place.write(`${DATA}/settings/cli-notices.json`, {
      shown: { 'cline-cli-cline-pass-intro': true, 'cline-cli-desktop-launch': true, 'cline-cli-zen': true },
    });
    await place.write(`${DATA}/settings/providers.json`, {
      version: 1,
      lastUsedProvider: 'openai-compatible',
      modes: {},
      providers: {
        'openai-compatible': {
          settings: {
            provider: 'openai-compatible',
            apiKey: 'none',
            model: 'scripted',
            baseUrl: `${place.server.origin}/v1`,
          },
          updatedAt: '2026-01-01T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    });
  },
  keeps: [SESSIONS],
  loses: {
    cut: 'it keeps nothing of an answer that was stopped',
    cutMark: 'it keeps nothing of an answer that was stopped',
  },
  ids: /\b(?:\d{13}_[\w-]{5}|msg_[\w-]{8})(?![\w-])/gu,
  sampled: (_name, content, neutral) => {
    const value = record.parse(JSON.parse(content.toString()));
    const cut = { system_prompt: 'instructions', pid: 1, team_name: 'team' };
    const own = Object.fromEntries(Object.entries(cut).filter(([name]) => name in value));
    return neutral(JSON.stringify({ ...value, ...own }, null, 2));
  },
  flows: {
    turns: sayAll,
    tools: async (place, [ask = '']) => run(place, ask),
    picture: async (place, [question = '']) => {
      const terminal = await opened(place);
      await typed(terminal, `${question} @${PICTURE.slice(0, 2)}`);
      // The first Enter takes the file that it finds.
      await terminal.sees(PICTURE);
      terminal.press('enter');
      await terminal.sees(`./${PICTURE}`);
      await enter(terminal, 'an answer', () => place.server.record.length > 0);
      await place.server.answered(2);
      await keeps(place, texts(place.server.record[1]?.answered ?? [], 'assistant').join(''));
      await left(terminal);
    },
    resume: async (place, [first = '', second = '']) => {
      await sayAll(place, [first]);
      const [session = ''] = await sessions(place);
      await sayAll(place, [second], '--id', session);
    },
    fork: async (place, [first = '', second = '', other = '']) => {
      const terminal = await opened(place);
      await say(place, terminal, first);
      const [session = ''] = await sessions(place);
      await typed(terminal, '/fork');
      await enter(terminal, 'two sessions', async () => (await sessions(place)).length > 1);
      await say(place, terminal, second);
      await left(terminal);
      await sayAll(place, [other], '--id', session);
    },
    compaction: async (place, [first = '', second = '', third = '']) => {
      const terminal = await opened(place);
      await say(place, terminal, first);
      await say(place, terminal, second);
      await typed(terminal, '/compact');
      await enter(terminal, 'a summary', () => place.server.record.length > 2);
      // Until it says so it sends the whole, though the summary is kept by then.
      await terminal.sees('(manual)');
      await say(place, terminal, third);
      await left(terminal);
    },
    abort: async (place, [first = '', second = '']) => {
      const terminal = await opened(place);
      await typed(terminal, first);
      await enter(terminal, 'an answer', () => place.server.isHolding().then(() => true));
      terminal.press('escape');
      await place.server.answered(1);
      await say(place, terminal, second);
      await left(terminal);
    },
    subagent: async (place, [ask = '']) => run(place, ask),
    second: async (place, [first = '', second = '']) => {
      await run(place, first);
      await run(place, second);
    },
  },
};
