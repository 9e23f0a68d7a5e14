import { once } from 'node:events';
import { z } from 'zod';
import type { Place } from '../confined.ts';
import type { Driver } from '../driver.ts';
import { PICTURE, SUMMARY } from '../flows.ts';
import { parsedInput } from '../protocols/wire.ts';
import { JsonLines, type JsonRecord } from '../jsonLines.ts';

const forkMessages = z.object({
  data: z.object({ messages: z.array(z.object({ entryId: z.string(), text: z.string() })) }),
});

/** pi's own protocol over pipes, which its other clients use. */
class Rpc {
  private readonly child;
  private readonly lines: JsonLines;
  private requests = 0;

  constructor(place: Place, args: readonly string[] = []) {
    this.child = place.start(['--mode', 'rpc', ...args]);
    this.lines = new JsonLines(this.child);
  }

  async ask(message: string): Promise<void> {
    const settled = this.settled();
    await this.command({ type: 'prompt', message });
    await settled;
  }

  /** Waits until nothing goes on any more that was going on, or is begun now. */
  async settled(): Promise<void> {
    const after = this.lines.records.length;
    await this.lines.next(({ type }) => type === 'agent_settled', 'the end of an answer', after);
  }

  async command(command: { readonly type: string; readonly [member: string]: unknown }): Promise<JsonRecord> {
    const id = `request ${++this.requests}`;
    this.lines.send({ id, ...command });
    const response = await this.lines.next((record) => record['id'] === id, `a response to ${command.type}`);
    if (response['success'] !== true) throw new Error(JSON.stringify(response));
    return response;
  }

  async end(): Promise<void> {
    const closed = once(this.child, 'close');
    this.child.stdin.end();
    await closed;
  }
}

async function askAll(place: Place, asks: readonly string[]): Promise<void> {
  const rpc = new Rpc(place);
  for (const ask of asks) await rpc.ask(ask);
  await rpc.end();
}

const entry = z.looseObject({
  message: z.looseObject({ role: z.string() }).optional(),
  systemMessage: z.unknown().optional(),
});

/** Its instructions and the descriptions of its tools are no part of a sample. */
function withoutInstructions(line: string): string {
  const read = entry.safeParse(parsedInput(line)).data;
  // The last line may be cut: the program was about to write it.
  if (line === '' || !read) return line;
  const { message, systemMessage, ...rest } = read;
  const cut = { role: 'system', content: '', sections: { preamble: 'Instructions.' }, toolsAdded: [] };
  return JSON.stringify({
    ...rest,
    ...(message
      ? { message: message.role === 'system' ? { ...cut, timestamp: message['timestamp'] } : message }
      : {}),
    ...(systemMessage === undefined ? {} : { systemMessage: cut }),
  });
}

export const pi: Driver = {
  program: 'pi',
  name: 'pi',
  packages: [{ name: '@earendil-works/pi-coding-agent', version: '1.6.0' }],
  command: 'pi',
  keeps: ['.pi/agent/sessions'],
  tools: {
    read: (file) => ({ name: 'read', input: { path: file } }),
    edit: (file, oldText, newText) => ({
      name: 'edit',
      input: { path: file, edits: [{ oldText, newText }] },
    }),
    command: (command) => ({ name: 'bash', input: { command } }),
  },
  ofProgram: ({ said }) =>
    JSON.stringify(said).includes('<conversation>') ? { text: SUMMARY, as: 'summary' } : undefined,
  env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0', SCRIPTED_KEY: 'none' }),
  setUp: async (place) => {
    await place.write('.pi/agent/models.json', {
      providers: {
        scripted: {
          baseUrl: place.server.origin,
          api: 'anthropic-messages',
          apiKey: 'none',
          models: [{ id: 'scripted', name: 'Scripted', reasoning: true, input: ['text', 'image'] }],
        },
      },
    });
    await place.write('.pi/agent/settings.json', {
      defaultProvider: 'scripted',
      defaultModel: 'scripted',
      // Less than the second question with its answer: else there is nothing to compact in a few messages.
      compaction: { keepRecentTokens: 15 },
    });
  },
  resumes: async (place, [, ...args], ask) => {
    await place.run([...args, '-p', ask]);
  },
  ids: /(?<=")[0-9a-f]{8}(?=")/gu,
  sampled: (_name, content, neutral) =>
    neutral(content.toString().split('\n').map(withoutInstructions).join('\n')),
  flows: {
    turns: askAll,
    tools: askAll,
    picture: async (place, [ask = '']) => {
      await place.run(['-p', `@${PICTURE}`, ask]);
    },
    resume: async (place, [first = '', second = '']) => {
      await place.run(['-p', first]);
      await place.run(['-p', '--continue', second]);
    },
    fork: async (place, [first = '', second = '', other = '']) => {
      const rpc = new Rpc(place);
      await rpc.ask(first);
      await rpc.ask(second);
      const { messages } = forkMessages.parse(await rpc.command({ type: 'get_fork_messages' })).data;
      const entryId = messages.find(({ text }) => text === second)?.entryId;
      await rpc.command({ type: 'fork', entryId });
      await rpc.ask(other);
      await rpc.end();
    },
    compaction: async (place, [first = '', second = '', third = '']) => {
      const rpc = new Rpc(place);
      await rpc.ask(first);
      await rpc.ask(second);
      await rpc.command({ type: 'compact' });
      await rpc.ask(third);
      await rpc.end();
    },
    abort: async (place, [first = '', second = '']) => {
      const rpc = new Rpc(place);
      const settled = rpc.settled();
      await rpc.command({ type: 'prompt', message: first });
      await place.server.isHolding();
      await rpc.command({ type: 'abort' });
      await settled;
      await rpc.ask(second);
      await rpc.end();
    },
    subagent: { cannot: 'it has none; an extension of it runs them without a session' },
    second: async (place, [first = '', second = '']) => {
      const rpc = new Rpc(place);
      await rpc.ask(first);
      await rpc.command({ type: 'new_session' });
      await rpc.ask(second);
      await rpc.end();
    },
  },
};
