import type { Program, Place } from '../confined.ts';
import { codex as codexDriver } from '../programs/codex.ts';
import type { Call } from '../said.ts';
import type { McpWorld } from './mcpWorld.ts';

/** A program that uses our MCP server, with a model that is scripted. */
export interface McpClientProgram extends Program {
  readonly name: string;
  readonly packages: readonly { readonly name: string; readonly version: string }[];
  /** How its model calls one of our tools. */
  readonly call: (tool: string, input: unknown) => Call;
  /** Adds the server as docs/mcp.md tells. */
  readonly connect: (place: Place, world: McpWorld) => Promise<void>;
  /** The arguments with which it asks its model one question, and ends. */
  readonly ask: (question: string) => readonly string[];
}

const claudeCode: McpClientProgram = {
  name: 'Claude Code',
  packages: [{ name: '@anthropic-ai/claude-code', version: '2.1.197' }],
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
  call: (tool, input) => ({ name: `mcp__offshoot__${tool}`, input }),
  connect: async (place, world) => {
    await place.write('../project/.mcp.json', world.config);
    // What its dialog keeps once the user allows the server of the project.
    await place.write('../project/.claude/settings.local.json', { enabledMcpjsonServers: ['offshoot'] });
  },
  ask: (question) => ['-p', question, '--allowedTools', 'mcp__offshoot'],
};

const codex: McpClientProgram = {
  ...codexDriver,
  call: (name, input) => ({ name, namespace: 'mcp__offshoot', input }),
  connect: async (place, { entry }) => {
    await place.run(['mcp', 'add', 'offshoot', '--', entry.command, ...entry.args]);
  },
  ask: (question) => ['exec', '--skip-git-repo-check', question],
};

const gemini: McpClientProgram = {
  name: 'Gemini CLI',
  packages: [{ name: '@google/gemini-cli', version: '0.61.0' }],
  command: 'gemini',
  keeps: [],
  env: ({ server }) => ({
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: server.origin,
    GEMINI_MODEL: 'gemini-scripted',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
  }),
  setUp: (place) =>
    place.write('.gemini/settings.json', {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
    }),
  call: (tool, input) => ({ name: `mcp_offshoot_${tool}`, input }),
  connect: async (place, { entry }) => {
    await place.run(['mcp', 'add', 'offshoot', entry.command, ...entry.args]);
  },
  ask: (question) => ['--approval-mode', 'yolo', '-p', question],
};

const opencode: McpClientProgram = {
  name: 'opencode',
  packages: [{ name: 'opencode-ai', version: '1.18.33' }],
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
          name: 'scripted',
          options: { baseURL: `${place.server.origin}/v1`, apiKey: 'none' },
          models: { scripted: { name: 'scripted' } },
        },
      },
    }),
  call: (tool, input) => ({ name: `offshoot_${tool}`, input }),
  connect: async (place, { entry }) => {
    await place.write('../project/opencode.json', {
      mcp: { offshoot: { type: 'local', command: [entry.command, ...entry.args] } },
    });
  },
  ask: (question) => ['run', question],
};

export const mcpClients: readonly McpClientProgram[] = [claudeCode, codex, gemini, opencode];
