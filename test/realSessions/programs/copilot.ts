import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Place } from '../confined.ts';
import type { Driver } from '../driver.ts';
import { until } from '../../fixtures/until.ts';
import { PICTURE, SUMMARY } from '../flows.ts';
import { texts } from '../said.ts';
import type { Terminal } from '../terminal.ts';

/** How long keys may take to be understood. */
const LIMIT_MS = 60_000;

const args = ['--allow-all', '--no-auto-update', '--no-color'] as const;

async function ask(place: Place, question: string, ...further: readonly string[]): Promise<void> {
  const { status, stderr } = await place.run([...args, ...further, '--prompt', question]);
  if (status !== 0) throw new Error(`It ended with ${status}: ${stderr}`);
}

/** In one session, which each question takes up again. */
async function askAll(place: Place, asks: readonly string[]): Promise<void> {
  for (const [at, question] of asks.entries())
    await ask(place, question, ...(at === 0 ? [] : ['--continue']));
}

async function opened(place: Place, ...further: readonly string[]): Promise<Terminal> {
  const terminal = place.open([...args, ...further]);
  await terminal.sees('Do you trust');
  terminal.press('enter');
  await terminal.sees('? help');
  return terminal;
}

/** Waits until the answer is shown. */
async function say(place: Place, terminal: Terminal, question: string): Promise<void> {
  const before = place.server.record.length;
  await terminal.say(question);
  await place.server.answered(before + 1);
  const answered = texts(place.server.record[before]?.answered ?? [], 'assistant').join('');
  // It is drawn in pieces.
  await terminal.sees(answered.split(' ').at(-1) ?? '');
  await terminal.sees('? help');
}

/** Two presses of Escape, of which the second has to come while it says so. */
async function interrupted(terminal: Terminal): Promise<void> {
  const last = Date.now() + LIMIT_MS;
  for (;;) {
    terminal.press('escape');
    try {
      await until(() => terminal.has('again') || terminal.has('cancelled by user'), 'a hint', 3_000);
      if (!terminal.has('cancelled by user')) terminal.press('escape');
      await terminal.sees('cancelled by user', 3_000);
      return;
    } catch (error) {
      if (Date.now() > last) throw error;
    }
  }
}

async function left(terminal: Terminal): Promise<void> {
  await terminal.say('/exit');
  await terminal.ended();
}

const event = z.looseObject({ type: z.string(), data: z.record(z.string(), z.unknown()) });

/** What is long in an event and says nothing of the conversation. */
const long = new Set([
  'accountingSnapshot',
  'agentMetrics',
  'modelCacheState',
  'modelMetrics',
  'promptCacheBreakState',
  'providerModelMetrics',
  'toolTelemetry',
  'tools',
  'usage',
]);

/** An event without instructions, figures and copies of the conversation. */
function shortened(line: string): string {
  if (line.trim() === '') return line;
  const { type, data, ...rest } = event.parse(JSON.parse(line));
  if (type.startsWith('model.')) return JSON.stringify({ type, data: {}, ...rest });
  const kept = Object.fromEntries(Object.entries(data).filter(([name]) => !long.has(name)));
  const isInstructions = type === 'system.message';
  return JSON.stringify({ type, data: isInstructions ? { ...kept, content: '…' } : kept, ...rest });
}

export const copilot: Driver = {
  program: 'copilot',
  name: 'Copilot CLI',
  packages: [{ name: '@github/copilot', version: '1.0.102' }],
  command: 'copilot',
  keeps: ['.copilot/session-state'],
  loses: {
    cut: 'it writes an answer when it is whole',
    resultPictures: 'it keeps a picture of a result that it does not send',
    cutMark: 'it writes nothing of an answer that was stopped',
  },
  tools: {
    read: (file) => ({ name: 'view', input: { path: file } }),
    edit: (file, from, to) => ({ name: 'edit', input: { path: file, old_str: from, new_str: to } }),
    command: (command) => ({ name: 'bash', input: { command, description: 'Looks at the notes' } }),
    agent: (task) => ({
      name: 'task',
      input: {
        agent_type: 'explore',
        name: 'counter',
        description: 'Count birds',
        prompt: task,
        mode: 'sync',
      },
    }),
  },
  ofProgram: ({ said }) =>
    texts(said, 'user').some((text) => text.includes('The history is being compacted'))
      ? { text: SUMMARY, as: 'summary' }
      : undefined,
  env: ({ server }) => ({
    // Without GitHub's servers: no account, no telemetry, no updates.
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${server.origin}/v1`,
    COPILOT_PROVIDER_API_KEY: 'none',
    // The tools it offers go by the name of the model.
    COPILOT_MODEL: 'claude-scripted',
  }),
  sampled: (name, content, neutral) => {
    if (name.endsWith('/workspace.yaml')) return neutral(content.toString());
    if (!name.endsWith('/events.jsonl')) return undefined;
    return neutral(content.toString().split('\n').map(shortened).join('\n'));
  },
  flows: {
    turns: async (place, asks) => {
      const terminal = await opened(place);
      for (const question of asks) await say(place, terminal, question);
      await left(terminal);
    },
    tools: askAll,
    picture: (place, [question = '']) => ask(place, question, '--attachment', PICTURE),
    resume: askAll,
    // A rewind takes what comes after out of its file, and is no fork.
    fork: async (place, [first = '', second = '', other = '']) => {
      const session = randomUUID();
      await ask(place, first, '--session-id', session);
      const terminal = await opened(place, `--resume=${session}`);
      await terminal.say('/fork');
      await terminal.sees('Forked from');
      await terminal.sees('? help');
      await say(place, terminal, second);
      // With two sessions open it does not leave at once.
      terminal.process.kill();
      await terminal.ended();
      await ask(place, other, '--session-id', session);
    },
    compaction: async (place, [first = '', second = '', third = '']) => {
      const terminal = await opened(place);
      await say(place, terminal, first);
      await say(place, terminal, second);
      await terminal.say('/compact');
      await terminal.sees('Compaction completed');
      await say(place, terminal, third);
      await left(terminal);
    },
    abort: async (place, [first = '', second = '']) => {
      const terminal = await opened(place);
      await terminal.say(first);
      await place.server.isHolding();
      await interrupted(terminal);
      await say(place, terminal, second);
      await left(terminal);
    },
    subagent: askAll,
    second: async (place, asks) => {
      for (const question of asks) await ask(place, question);
    },
  },
};
