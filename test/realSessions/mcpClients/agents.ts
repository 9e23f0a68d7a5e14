import { CHAT } from '../../fixtures/mcp/heronsFolder.ts';
import type { Place } from '../confined.ts';
import { codex } from '../programs/codex.ts';
import { texts, type Call, type ModelRequest, type Reply, type Said } from '../said.ts';
import { NOTE, type McpProgram, type Told } from './mcpProgram.ts';

const QUESTION = 'Where did we say that herons nest?';

/**
 * Asks the scripted model one question, to which it calls our tools, and gives their results as the model got them.
 * @param ask the arguments with which the program asks its model one question, and ends
 * @param callOf how its model calls one of our tools
 */
function asked(
  ask: (question: string) => readonly string[],
  callOf: (tool: string, input: unknown) => Call,
): (place: Place) => Promise<Told> {
  const calls = [
    callOf('list_branches', { chat: CHAT }),
    callOf('read_path', { chat: CHAT }),
    callOf('add_note', { chat: CHAT, text: NOTE }),
  ];
  return async (place) => {
    place.server.play((request) => replyTo(request, calls));
    const { status, stdout, stderr } = await place.run(ask(QUESTION));
    const last = place.server.record.findLast(({ as }) => as === 'turn');
    const results = resultsIn(last?.said ?? []);
    const [list = '', read = '', written = ''] = results;
    if (results.length !== calls.length) {
      throw new Error(
        `It ended with ${status}, and its model got ${results.length} results:\n${stdout}\n${stderr}`,
      );
    }
    return { list, read, written };
  };
}

/** Codex begins before a server does, and refuses the first calls of its tools: its model calls again. */
const NOT_YET = 'unsupported call';

function resultsIn(said: readonly Said[]): string[] {
  const texts = said.flatMap((each) => (each.kind === 'result' ? [each.text] : []));
  return texts.filter((text) => !text.startsWith(NOT_YET));
}

function replyTo(request: ModelRequest, calls: readonly Call[]): Reply {
  // Titles and the like are asked for without our tools, or without the question.
  const isOurs =
    texts(request.said, 'user').some((text) => text.includes(QUESTION)) && request.tools.length > 0;
  if (!isOurs) return { text: 'Herons', as: 'aside' };
  const call = calls[resultsIn(request.said).length];
  return call ? { calls: [call] } : { text: 'In tall trees.' };
}

const claudeCode: McpProgram = {
  program: 'claude-code',
  name: 'Claude Code',
  packages: [{ name: '@anthropic-ai/claude-code', version: '2.1.197' }],
  afterInstall: '@anthropic-ai/claude-code/install.cjs',
  command: 'claude',
  keeps: [],
  env: ({ server }) => ({
    ANTHROPIC_BASE_URL: server.origin,
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_MODEL: 'claude-scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
  }),
  connect: async (place, world) => {
    await place.writeInProject('.mcp.json', world.config);
    // What it keeps once the user allows the server of the project.
    await place.writeInProject('.claude/settings.local.json', { enabledMcpjsonServers: ['offshoot'] });
  },
  use: asked(
    (question) => ['-p', question, '--allowedTools', 'mcp__offshoot'],
    (tool, input) => ({ name: `mcp__offshoot__${tool}`, input }),
  ),
};

const codexCli: McpProgram = {
  ...codex,
  connect: async (place, { entry }) => {
    await place.run(['mcp', 'add', 'offshoot', '--', entry.command, ...entry.args]);
  },
  use: asked(
    (question) => ['exec', '--skip-git-repo-check', question],
    (name, input) => ({ name, namespace: 'mcp__offshoot', input }),
  ),
};

const geminiCli: McpProgram = {
  program: 'gemini',
  name: 'Gemini CLI',
  packages: [{ name: '@google/gemini-cli', version: '0.61.0' }],
  command: 'gemini',
  keeps: [],
  env: ({ server }) => ({
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: server.origin,
    GEMINI_MODEL: 'gemini-scripted',
    GEMINI_TELEMETRY_ENABLED: 'false',
  }),
  setUp: (place) =>
    place.write('.gemini/settings.json', {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
    }),
  connect: async (place, { entry }) => {
    await place.run(['mcp', 'add', 'offshoot', entry.command, ...entry.args]);
  },
  use: asked(
    (question) => ['--approval-mode', 'yolo', '-p', question],
    (tool, input) => ({ name: `mcp_offshoot_${tool}`, input }),
  ),
};

const opencode: McpProgram = {
  program: 'opencode',
  name: 'opencode',
  packages: [{ name: 'opencode-ai', version: '1.18.33' }],
  afterInstall: 'opencode-ai/postinstall.mjs',
  command: 'opencode',
  keeps: [],
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  setUp: (place) =>
    place.write('.config/opencode/opencode.json', {
      autoupdate: false,
      share: 'disabled',
      model: 'scripted/scripted',
      small_model: 'scripted/scripted',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Scripted',
          options: { baseURL: `${place.server.origin}/v1`, apiKey: 'none' },
          models: { scripted: { name: 'Scripted' } },
        },
      },
    }),
  connect: (place, { entry }) =>
    place.writeInProject('opencode.json', {
      mcp: { offshoot: { type: 'local', command: [entry.command, ...entry.args] } },
    }),
  use: asked(
    (question) => ['run', question],
    (tool, input) => ({ name: `offshoot_${tool}`, input }),
  ),
};

export const agents: readonly McpProgram[] = [claudeCode, codexCli, geminiCli, opencode];
