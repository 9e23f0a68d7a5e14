import { CHAT } from '../../fixtures/mcp/heronsFolder.ts';
import type { Place } from '../confined.ts';
import { claudeCode } from '../programs/claudeCode.ts';
import { codex } from '../programs/codex.ts';
import { gemini } from '../programs/gemini.ts';
import { opencode } from '../programs/opencode.ts';
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

const claudeCodeClient: McpProgram = {
  ...claudeCode,
  connect: async (place, world) => {
    await place.writeInProject('.mcp.json', world.config);
    // What it keeps once the user allows the server of the project.
    await place.writeInProject('.claude/settings.local.json', { enabledMcpjsonServers: ['offshoot'] });
  },
  use: asked(
    (question) => ['-p', question, '--model', 'claude-scripted', '--allowedTools', 'mcp__offshoot'],
    (tool, input) => ({ name: `mcp__offshoot__${tool}`, input }),
  ),
};

const codexClient: McpProgram = {
  ...codex,
  connect: async (place, { entry }) => {
    await place.run(['mcp', 'add', 'offshoot', '--', entry.command, ...entry.args]);
  },
  use: asked(
    (question) => ['exec', '--skip-git-repo-check', question],
    (name, input) => ({ name, namespace: 'mcp__offshoot', input }),
  ),
};

const geminiClient: McpProgram = {
  ...gemini,
  connect: async (place, { entry }) => {
    await place.run(['mcp', 'add', 'offshoot', entry.command, ...entry.args]);
  },
  use: asked(
    (question) => ['--yolo', '--model', 'gemini-scripted', '--prompt', question],
    (tool, input) => ({ name: `mcp_offshoot_${tool}`, input }),
  ),
};

const opencodeClient: McpProgram = {
  ...opencode,
  connect: (place, { entry }) =>
    place.writeInProject('opencode.json', {
      mcp: { offshoot: { type: 'local', command: [entry.command, ...entry.args] } },
    }),
  use: asked(
    (question) => ['run', question],
    (tool, input) => ({ name: `offshoot_${tool}`, input }),
  ),
};

export const agents: readonly McpProgram[] = [claudeCodeClient, codexClient, geminiClient, opencodeClient];
