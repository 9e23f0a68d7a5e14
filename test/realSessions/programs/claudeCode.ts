import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Place } from '../confined.ts';
import type { Driver } from '../driver.ts';
import { PICTURE, SUMMARY, TITLE } from '../flows.ts';
import { lastQuestion } from '../said.ts';
import type { Terminal } from '../terminal.ts';

const VERSION = '2.1.197';
const KEY = 'sk-ant-invented-00000000000000000000';
const SETTINGS = ['--model', 'claude-scripted', '--dangerously-skip-permissions'];

/** What it draws after each answer. */
const ANSWERED = /✻ \S+ for \d+s/u;

/** Asks without a terminal. @returns the id of the session */
async function ask(
  place: Place,
  question: string,
  args: readonly string[] = [],
  input?: string,
): Promise<string> {
  const asked = input === undefined ? [question] : ['--input-format', 'stream-json', '--verbose'];
  const format = ['--output-format', input === undefined ? 'json' : 'stream-json'];
  const { stdout, stderr, status } = await place.run(['-p', ...asked, ...format, ...SETTINGS, ...args], {
    ...(input === undefined ? {} : { input }),
  });
  if (status !== 0) throw new Error(`claude ended with ${String(status)}: ${stdout}\n${stderr}`);
  return answer.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).session_id;
}

const answer = z.object({ session_id: z.string() });

async function askAll(place: Place, asks: readonly string[]): Promise<void> {
  let session: string | undefined;
  for (const question of asks) {
    session = await ask(place, question, session === undefined ? [] : ['--resume', session]);
  }
}

/** The program in a terminal, ready to be asked. */
async function opened(place: Place): Promise<Terminal> {
  const terminal = place.open(SETTINGS);
  await terminal.sees('bypass permissions on');
  return terminal;
}

async function left(terminal: Terminal): Promise<void> {
  terminal.press('ctrl-c');
  await terminal.sees('again to exit');
  terminal.press('ctrl-c');
  await terminal.ended();
}

export const claudeCode: Driver = {
  program: 'claude-code',
  name: 'Claude Code',
  packages: [{ name: '@anthropic-ai/claude-code', version: VERSION }],
  afterInstall: '@anthropic-ai/claude-code/install.cjs',
  command: 'claude',
  keeps: ['.claude/projects'],
  loses: { cutModel: 'an answer that was stopped is kept as one of the program' },
  tools: {
    read: (file) => ({ name: 'Read', input: { file_path: file } }),
    edit: (file, from, to) => ({
      name: 'Edit',
      input: { file_path: file, old_string: from, new_string: to },
    }),
    command: (command) => ({ name: 'Bash', input: { command } }),
    agent: (prompt) => ({
      name: 'Agent',
      input: { description: 'count', prompt, subagent_type: 'general-purpose' },
    }),
  },
  ofProgram: (request) => {
    const last = lastQuestion(request);
    if (last.startsWith('<session>')) return { text: JSON.stringify({ title: TITLE }), as: 'aside' };
    const isSummary = last.includes('create a detailed summary of the conversation');
    return isSummary ? { text: SUMMARY, as: 'summary' } : undefined;
  },
  env: ({ server }) => ({
    ANTHROPIC_BASE_URL: server.origin,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
    // Else it runs no tools as root, which is who one is in a namespace.
    IS_SANDBOX: '1',
  }),
  setUp: async (place) => {
    await place.write('.claude.json', {
      hasCompletedOnboarding: true,
      lastOnboardingVersion: VERSION,
      theme: 'dark',
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [place.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    });
    await place.write('.claude/settings.json', { skipDangerousModePermissionPrompt: true });
  },
  flows: {
    turns: askAll,
    tools: askAll,
    picture: async (place, [text = '']) => {
      const data = (await readFile(path.join(place.project, PICTURE))).toString('base64');
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
      const message = { role: 'user', content: [{ type: 'text', text }, image] };
      await ask(place, text, [], `${JSON.stringify({ type: 'user', message })}\n`);
    },
    resume: async (place, [first = '', second = '']) => {
      await ask(place, first);
      await ask(place, second, ['--continue']);
    },
    fork: async (place, [first = '', second = '', other = '']) => {
      const terminal = await opened(place);
      for (const question of [first, second]) {
        await terminal.say(question);
        await terminal.sees(ANSWERED);
      }
      terminal.press('escape', 'escape');
      await terminal.sees('Restore the code and/or conversation');
      terminal.press('up');
      await terminal.sees('❯');
      terminal.press('enter');
      await terminal.sees('Restore conversation');
      terminal.press('enter');
      await terminal.sees(second);
      // The question is there to be edited; of another one only the letters that differ are drawn.
      terminal.press('ctrl-u');
      await terminal.sees('to paste');
      terminal.type(other);
      await terminal.sees(other.slice(-8));
      terminal.press('enter');
      await terminal.sees(ANSWERED);
      await left(terminal);
    },
    compaction: async (place, [first = '', second = '', third = '']) => {
      const session = await ask(place, first);
      await ask(place, second, ['--resume', session]);
      await ask(place, '/compact', ['--resume', session]);
      await ask(place, third, ['--resume', session]);
    },
    abort: async (place, [first = '', second = '']) => {
      const terminal = await opened(place);
      await terminal.say(first);
      await place.server.isHolding();
      // It shows no part of a line, but counts what has come.
      await terminal.sees('↓');
      terminal.press('escape');
      await terminal.sees('Interrupted');
      await terminal.say(second);
      await terminal.sees(ANSWERED);
      await left(terminal);
    },
    subagent: askAll,
    second: async (place, [first = '', second = '']) => {
      await ask(place, first);
      await ask(place, second);
    },
  },
  resumes: async (place, [, ...args], question) => {
    await ask(place, question, args);
  },
  ids: /\ba[0-9a-f]{16}\b/gu,
  sampled: (name, content, neutral) =>
    name.endsWith('.jsonl') ? neutral(content.toString().split('\n').map(sampledLine).join('\n')) : undefined,
};

const sampledRecord = z.looseObject({
  slug: z.string().optional(),
  attachment: z.looseObject({ type: z.string() }).optional(),
});

/** Without the texts that the program gives the model with its first question, and without its invented name. */
function sampledLine(line: string): string {
  if (line === '') return line;
  const { slug: _slug, ...record } = sampledRecord.parse(JSON.parse(line));
  const { attachment } = record;
  return JSON.stringify(
    attachment && attachment.type !== 'queued_command'
      ? { ...record, attachment: { type: attachment.type } }
      : record,
  );
}
