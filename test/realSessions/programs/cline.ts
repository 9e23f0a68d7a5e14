import { z } from 'zod';
import type { Place } from '../confined.ts';
import type { Driver } from '../driver.ts';

const record = z.record(z.string(), z.unknown());

/** Where it keeps a folder for each session, below the user's. */
const SESSIONS = '.cline/data/sessions';

async function run(place: Place, ...args: readonly string[]): Promise<void> {
  const { status, stdout, stderr } = await place.run(args);
  if (status !== 0) throw new Error(`cline ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
}

const TERMINAL = { cannot: 'it takes a session up only in its terminal, which is not driven yet' };

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
  sampled: (_name, content, neutral) => {
    const value = record.parse(JSON.parse(content.toString()));
    const cut = { system_prompt: 'instructions', pid: 1, team_name: 'team' };
    const own = Object.fromEntries(Object.entries(cut).filter(([name]) => name in value));
    return neutral(JSON.stringify({ ...value, ...own }, null, 2));
  },
  flows: {
    turns: TERMINAL,
    tools: async (place, [ask = '']) => run(place, ask),
    picture: { cannot: 'its command line takes no pictures' },
    resume: TERMINAL,
    fork: TERMINAL,
    compaction: TERMINAL,
    abort: TERMINAL,
    subagent: async (place, [ask = '']) => run(place, ask),
    second: async (place, [first = '', second = '']) => {
      await run(place, first);
      await run(place, second);
    },
  },
};
