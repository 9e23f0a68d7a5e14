import { z } from 'zod';
import type { Place } from '../confined.ts';
import type { Driver } from '../driver.ts';
import { PICTURE, SUMMARY } from '../flows.ts';
import { lastQuestion } from '../said.ts';
import type { Terminal } from '../terminal.ts';

const SETTINGS = ['--auth-type', 'openai', '--yolo'];

/** Asks without a terminal. */
async function ask(place: Place, question: string, args: readonly string[] = []): Promise<void> {
  const { stdout, stderr, status } = await place.run([...SETTINGS, ...args, question]);
  if (status !== 0) throw new Error(`qwen ended with ${String(status)}: ${stdout}\n${stderr}`);
}

async function askAll(place: Place, asks: readonly string[]): Promise<void> {
  for (const [at, question] of asks.entries()) await ask(place, question, at === 0 ? [] : ['--continue']);
}

/** The program in a terminal, ready to be asked. */
async function opened(place: Place): Promise<Terminal> {
  const terminal = place.open(SETTINGS);
  await terminal.sees('YOLO mode');
  return terminal;
}

/** Alone, a question mark shows the keys: it is no first letter. */
async function say(terminal: Terminal, question: string): Promise<void> {
  terminal.type(question.slice(0, -1));
  await terminal.sees(question.slice(0, -1));
  await terminal.say(question.slice(-1));
}

async function answered(place: Place, terminal: Terminal, question: string): Promise<void> {
  const count = place.server.record.length;
  await say(terminal, question);
  await place.server.answered(count + 1);
  const last = place.server.record.at(-1)?.answered.findLast(({ kind }) => kind === 'text');
  if (last?.kind === 'text') await terminal.sees(last.text.slice(-20));
}

async function left(terminal: Terminal): Promise<void> {
  terminal.press('ctrl-c');
  await terminal.sees('again to exit');
  terminal.press('ctrl-c');
  await terminal.ended();
}

export const qwenCode: Driver = {
  program: 'qwen-code',
  name: 'Qwen Code',
  packages: [{ name: '@qwen-code/qwen-code', version: '0.15.10' }],
  command: 'qwen',
  keeps: ['.qwen/projects'],
  loses: { cutMark: 'an answer that was stopped is kept as any other' },
  // Else there is nothing to be won by compacting a few messages.
  inputTokens: 30_000,
  tools: {
    read: (file) => ({ name: 'read_file', input: { file_path: file } }),
    edit: (file, from, to) => ({
      name: 'edit',
      input: { file_path: file, old_string: from, new_string: to },
    }),
    command: (command) => ({ name: 'run_shell_command', input: { command, is_background: false } }),
  },
  ofProgram: (request) =>
    lastQuestion(request).includes('<state_snapshot>') ? { text: SUMMARY, as: 'summary' } : undefined,
  env: ({ server }) => ({
    OPENAI_API_KEY: 'invented',
    OPENAI_BASE_URL: `${server.origin}/v1`,
    OPENAI_MODEL: 'scripted',
  }),
  setUp: (place) =>
    place.write('.qwen/settings.json', {
      general: { enableAutoUpdate: false },
      memory: { enableManagedAutoMemory: false },
      model: { generationConfig: { modalities: { image: true } } },
      privacy: { usageStatisticsEnabled: false },
      security: { auth: { selectedType: 'openai' } },
      telemetry: { enabled: false },
    }),
  flows: {
    turns: askAll,
    tools: askAll,
    picture: (place, [question = '']) => ask(place, `${question} @${PICTURE}`),
    resume: askAll,
    fork: async (place, [first = '', second = '', other = '']) => {
      const terminal = await opened(place);
      await answered(place, terminal, first);
      await answered(place, terminal, second);
      await terminal.say('/rewind');
      await terminal.sees('to navigate');
      terminal.press('enter');
      await terminal.sees('to confirm');
      terminal.press('enter');
      await terminal.sees('Conversation rewound');
      // The question is there to be edited.
      terminal.press('ctrl-u');
      await terminal.sees('Type your message');
      await answered(place, terminal, other);
      await left(terminal);
    },
    compaction: async (place, [first = '', second = '', third = '']) => {
      await askAll(place, [first, second]);
      await ask(place, '/compress', ['--continue']);
      await ask(place, third, ['--continue']);
    },
    abort: async (place, [first = '', second = '']) => {
      const terminal = await opened(place);
      await say(terminal, first);
      await place.server.isHolding();
      await terminal.sees('Once a heron');
      terminal.press('escape');
      await terminal.sees('Request cancelled');
      await answered(place, terminal, second);
      await left(terminal);
    },
    subagent: { cannot: 'it keeps nothing of what its agents say' },
    second: async (place, [first = '', second = '']) => {
      await ask(place, first);
      await ask(place, second);
    },
  },
  sampled: (name, content, neutral) =>
    name.includes('/chats/')
      ? neutral(content.toString().replaceAll(/[^\n]+/gu, (line) => JSON.stringify(sampledRecord(line))))
      : undefined,
};

const record = z.looseObject({ subtype: z.string().optional() });

/** What it keeps for its own statistics is most of a session, and says nothing that is not said elsewhere. */
function sampledRecord(line: string): object {
  const read = record.parse(JSON.parse(line));
  return read.subtype === 'ui_telemetry' ? { ...read, systemPayload: {} } : read;
}
