import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Place } from '../confined.ts';
import type { Driver } from '../driver.ts';
import type { Terminal } from '../terminal.ts';

/** Where it keeps a folder for each session, below the user's. */
const SESSIONS = '.cline/data/sessions';

async function run(place: Place, ...args: readonly string[]): Promise<void> {
  const { status, stdout, stderr } = await place.run(args);
  if (status !== 0) throw new Error(`cline ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
}

async function opened(place: Place, ...args: readonly string[]): Promise<Terminal> {
  const terminal = place.open(args.length === 0 ? ['-i'] : args);
  // What its empty input says.
  await terminal.sees(/What can I do for you\?|Ask anything/u);
  return terminal;
}

async function say(place: Place, terminal: Terminal, question: string): Promise<void> {
  const before = place.server.record.length;
  await terminal.say(question);
  await place.server.answered(before + 1);
  // It counts what the answer cost.
  await terminal.sees('Auto-approve all');
}

async function left(terminal: Terminal): Promise<void> {
  terminal.press('ctrl-c', 'ctrl-c');
  await terminal.ended();
}

/** The newest one. */
async function session(place: Place): Promise<string> {
  const names = await readdir(path.join(place.home, SESSIONS));
  return names.toSorted().at(-1) ?? '';
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
  setUp: (place) =>
    place.write('.cline/data/settings/providers.json', {
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
    }),
  keeps: [SESSIONS],
  flows: {
    turns: async (place, asks) => {
      const terminal = await opened(place);
      for (const ask of asks) await say(place, terminal, ask);
      await left(terminal);
    },
    tools: async (place, [ask = '']) => run(place, ask),
    picture: { cannot: 'its command line takes no pictures' },
    resume: async (place, [first = '', second = '']) => {
      await run(place, first);
      const terminal = await opened(place, '--id', await session(place));
      await say(place, terminal, second);
      await left(terminal);
    },
    fork: { cannot: 'not tried' },
    compaction: async (place, [first = '', second = '', third = '']) => {
      const terminal = await opened(place);
      await say(place, terminal, first);
      await say(place, terminal, second);
      await say(place, terminal, '/compact');
      await say(place, terminal, third);
      await left(terminal);
    },
    abort: async (place, [long = '', short = '']) => {
      const terminal = await opened(place);
      await terminal.say(long);
      await place.server.isHolding();
      terminal.press('escape');
      await place.server.answered(1);
      await say(place, terminal, short);
      await left(terminal);
    },
    subagent: async (place, [ask = '']) => run(place, ask),
    second: async (place, [first = '', second = '']) => {
      await run(place, first);
      await run(place, second);
    },
  },
};
