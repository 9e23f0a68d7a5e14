import type { Place } from '../confined.ts';
import type { Drive, Driver } from '../driver.ts';
import { PICTURE, SUMMARY, TITLE } from '../flows.ts';
import { texts } from '../said.ts';
import { sampledDatabase } from './opencodeSample.ts';
import { OpencodeServer } from './opencodeServer.ts';

/** The question comes by its input: in an argument, opencode puts what has blanks between quotation marks. */
async function run(place: Place, question: string, ...args: readonly string[]): Promise<void> {
  const { status, stdout, stderr } = await place.run(['run', ...args], { input: question });
  if (status !== 0) throw new Error(`opencode run ended with ${status}:\n${stdout}\n${stderr}`);
}

/** In one process, as in its terminal. */
function served(
  drive: (server: OpencodeServer, asks: readonly string[], place: Place) => Promise<void>,
): Drive {
  return async (place, asks) => {
    const server = await OpencodeServer.start(place);
    await drive(server, asks, place);
    await server.stop();
  };
}

const DATABASE = '.local/share/opencode/opencode.db';

const model = {
  name: 'scripted',
  attachment: true,
  reasoning: true,
  modalities: { input: ['text', 'image'], output: ['text'] },
  limit: { context: 100_000, output: 4_096 },
};

export const opencode: Driver = {
  program: 'opencode',
  name: 'opencode',
  packages: [{ name: 'opencode-ai', version: '1.18.33' }],
  afterInstall: 'opencode-ai/postinstall.mjs',
  command: 'opencode',
  tools: {
    read: (file) => ({ name: 'read', input: { filePath: file } }),
    edit: (file, from, to) => ({
      name: 'edit',
      input: { filePath: file, oldString: from, newString: to },
    }),
    command: (command) => ({ name: 'bash', input: { command, description: 'Looks at the notes' } }),
    agent: (prompt) => ({
      name: 'task',
      input: { description: 'Count birds', prompt, subagent_type: 'general' },
    }),
  },
  ofProgram: (request) => {
    const system = texts(request.said, 'system').join('\n');
    if (system.includes('You are a title generator')) return { text: TITLE, as: 'aside' };
    if (/summar/iu.test(system.slice(0, 300))) return { text: SUMMARY, as: 'summary' };
    return undefined;
  },
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  setUp: (place) =>
    place.write('.config/opencode/opencode.json', {
      autoupdate: false,
      share: 'disabled',
      model: 'scripted/scripted',
      small_model: 'scripted/scripted',
      permission: { edit: 'allow', bash: 'allow' },
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'scripted',
          options: { baseURL: `${place.server.origin}/v1`, apiKey: 'none' },
          models: { scripted: model },
        },
      },
    }),
  keeps: [DATABASE, `${DATABASE}-wal`],
  ids: /(?:ses|msg|prt)_[0-9a-f]{12}[0-9a-zA-Z]{14}/gu,
  sampled: (name, content, neutral, files) =>
    name === DATABASE ? sampledDatabase(content, files.get(`${DATABASE}-wal`), neutral) : undefined,
  // Its terminal takes its own model where the session's is not known; a run has to be told.
  resumes: async (place, [, ...args], question) => {
    if (args[0] === 'import') {
      const { status, stdout, stderr } = await place.run(args);
      if (status !== 0) throw new Error(`opencode import ended with ${status}:\n${stdout}\n${stderr}`);
    } else await run(place, question, ...args, '--model', 'scripted/scripted');
  },
  flows: {
    turns: async (place, [first = '', ...further]) => {
      await run(place, first);
      for (const ask of further) await run(place, ask, '--continue');
    },
    tools: async (place, [ask = '']) => run(place, ask),
    picture: async (place, [ask = '']) => run(place, ask, '--file', PICTURE),
    resume: async (place, [first = '', second = '']) => {
      await run(place, first);
      await run(place, second, '--continue');
    },
    fork: served(async (server, [first = '', second = '', other = '']) => {
      const id = await server.session();
      await server.ask(id, first);
      await server.ask(id, second);
      const [, from = ''] = await server.asked(id);
      await server.ask(await server.fork(id, from), other);
    }),
    compaction: served(async (server, [first = '', second = '', third = '']) => {
      const id = await server.session();
      await server.ask(id, first);
      await server.ask(id, second);
      await server.compact(id);
      await server.ask(id, third);
    }),
    abort: served(async (server, [long = '', short = ''], { server: models }) => {
      const id = await server.session();
      await server.begin(id, long);
      await models.isHolding();
      await server.abort(id);
      await server.ask(id, short);
    }),
    subagent: async (place, [ask = '']) => run(place, ask),
    second: async (place, [first = '', second = '']) => {
      await run(place, first);
      await run(place, second);
    },
  },
};
