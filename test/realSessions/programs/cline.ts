import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Place } from '../confined.ts';
import type { Driver } from '../driver.ts';

/** Where it keeps a folder for each session, below the user's. */
const SESSIONS = '.cline/data/sessions';

async function run(place: Place, ...args: readonly string[]): Promise<void> {
  const { status, stdout, stderr } = await place.run(args);
  if (status !== 0) throw new Error(`cline ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
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
    turns: async (place, [first = '', ...further]) => {
      await run(place, first);
      for (const ask of further) await run(place, '--id', await session(place), ask);
    },
    tools: async (place, [ask = '']) => run(place, ask),
    picture: { cannot: 'its command line takes no pictures' },
    resume: async (place, [first = '', second = '']) => {
      await run(place, first);
      await run(place, '--id', await session(place), second);
    },
    fork: { cannot: 'not tried' },
    compaction: { cannot: 'not tried' },
    abort: async (place, [long = '', short = '']) => {
      const child = place.start([long]);
      child.stdin.end();
      await place.server.isHolding();
      const closed = once(child, 'close');
      child.kill('SIGINT');
      await closed;
      await run(place, '--id', await session(place), short);
    },
    subagent: async (place, [ask = '']) => run(place, ask),
    second: async (place, [first = '', second = '']) => {
      await run(place, first);
      await run(place, second);
    },
  },
};
