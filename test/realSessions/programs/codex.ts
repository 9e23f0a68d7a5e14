import { z } from 'zod';
import type { Place } from '../confined.ts';
import type { Drive, Driver } from '../driver.ts';
import { PICTURE, SUMMARY } from '../flows.ts';
import { lastQuestion } from '../said.ts';
import { CodexServer } from './codexServer.ts';

/** All of it: what the script has it run is known, and there is no sandbox within a sandbox. */
const exec = ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access'];

/** In one process, as in its terminal or an editor. */
function served(drive: (server: CodexServer, asks: readonly string[], place: Place) => Promise<void>): Drive {
  return async (place, asks) => {
    const server = await CodexServer.start(place);
    await drive(server, asks, place);
    await server.stop();
  };
}

async function run(place: Place, args: readonly string[]): Promise<void> {
  const { status, stdout, stderr } = await place.run(args);
  if (status !== 0) throw new Error(`codex ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
}

const record = z.looseObject({ type: z.string(), payload: z.looseObject({ type: z.string().optional() }) });
const spoken = z.looseObject({
  role: z.enum(['user', 'developer']),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});

/** What it tells the model about itself and the machine, by how such a text begins. */
const OWN_WORDS =
  /^(?:<(?:environment_context|skills_instructions|permissions instructions|tools)>|You are )/u;

/** A record without the program's instructions, and without its settings and counts. */
function shortened(text: string): object {
  const { metadata: _, ...read } = record.parse(JSON.parse(text));
  const { payload } = read;
  switch (read.type === 'event_msg' ? payload.type : read.type) {
    case 'session_meta':
      return { ...read, payload: { ...payload, base_instructions: { text: 'instructions' } } };
    case 'world_state':
    case 'token_usage_record':
    case 'token_count':
    case 'thread_settings_applied':
      return { ...read, payload: { type: payload.type } };
    case 'turn_context':
      return { ...read, payload: { turn_id: payload['turn_id'], model: payload['model'] } };
    case 'compacted':
      return { ...read, payload: { ...payload, replacement_history: [] } };
    case 'response_item': {
      const message = spoken.safeParse(payload).data;
      if (!message) return read;
      const content = message.content.map((part) =>
        message.role === 'developer' || OWN_WORDS.test(part.text ?? '')
          ? { ...part, text: (part.text ?? '').replace(/(?<=^<[^>]*>|^\w+)[^]*$/u, '…') }
          : part,
      );
      return { ...read, payload: { ...payload, content } };
    }
    default:
      return read;
  }
}

export const codex: Driver = {
  program: 'codex',
  name: 'Codex',
  packages: [{ name: '@openai/codex', version: '0.171.0' }],
  command: 'codex',
  tools: {
    read: (file) => ({ name: 'exec_command', input: { cmd: `cat ${file}` } }),
    edit: (file, from, to) => ({
      name: 'apply_patch',
      input: `*** Begin Patch\n*** Update File: ${file}\n@@\n-${from}\n+${to}\n*** End Patch\n`,
    }),
    command: (cmd) => ({ name: 'exec_command', input: { cmd } }),
    agent: (message) => ({ name: 'spawn_agent', namespace: 'multi_agent_v1', input: { message } }),
  },
  ofProgram: (request) =>
    lastQuestion(request).includes('CONTEXT CHECKPOINT COMPACTION')
      ? { text: SUMMARY, as: 'summary' }
      : undefined,
  env: ({ home }) => ({ CODEX_HOME: `${home}/.codex`, SCRIPTED_KEY: 'none' }),
  setUp: (place) =>
    place.write(
      '.codex/config.toml',
      `# A model of which it knows what tools to offer.
model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false
approval_policy = "never"
sandbox_mode = "danger-full-access"
[analytics]
enabled = false
[otel]
exporter = "none"
[model_providers.scripted]
name = "scripted"
base_url = "${place.server.origin}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[projects."${place.project}"]
trust_level = "trusted"
`,
    ),
  keeps: ['.codex/sessions', '.codex/archived_sessions'],
  loses: { cut: 'nothing of it is written' },
  sampled: (name, content, neutral) =>
    name.endsWith('.jsonl')
      ? neutral(content.toString().replaceAll(/[^\n]+/gu, (record) => JSON.stringify(shortened(record))))
      : undefined,
  resumes: async (place, [, ...args], ask) => run(place, [...exec, ...args, ask]),
  flows: {
    turns: served(async (server, asks) => {
      const thread = await server.thread();
      for (const ask of asks) await server.turn(thread, ask);
    }),
    tools: async (place, [ask = '']) => run(place, [...exec, ask]),
    picture: async (place, [ask = '']) => run(place, [...exec, '--image', PICTURE, '--', ask]),
    resume: async (place, [first = '', second = '']) => {
      await run(place, [...exec, first]);
      await run(place, [...exec, 'resume', '--last', second]);
    },
    fork: served(async (server, [first = '', second = '', other = '']) => {
      const thread = await server.thread();
      await server.turn(thread, first);
      const before = await server.turn(thread, second);
      await server.turn(await server.fork(thread, before), other);
    }),
    compaction: served(async (server, [first = '', second = '', third = '']) => {
      const thread = await server.thread();
      await server.turn(thread, first);
      await server.turn(thread, second);
      await server.compact(thread);
      await server.turn(thread, third);
    }),
    abort: served(async (server, [long = '', short = ''], { server: models }) => {
      const thread = await server.thread();
      const turn = await server.begin(thread, long);
      await models.isHolding();
      await server.interrupt(thread, turn);
      await server.turn(thread, short);
    }),
    subagent: served(async (server, [ask = '']) => {
      const thread = await server.thread();
      await server.turn(thread, ask);
      await server.agentEnded(thread);
    }),
    second: served(async (server, [first = '', second = '']) => {
      await server.turn(await server.thread(), first);
      const other = await server.thread();
      await server.turn(other, second);
      await server.archive(other);
    }),
  },
};
