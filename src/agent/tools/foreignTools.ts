import type { LeftOutTool } from '../../models/requests/tools.ts';
import { defineMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';
import { sha256 } from '../../engine/bytes.ts';
import { beyondBounds, type JsonBounds } from '../../models/messages/jsonBounds.ts';
import { startOf } from './textLimits.ts';
import { defineForeignTool, type AgentTool, type ToolContext, type ToolOutput } from './tool.ts';
import { ToolError } from './toolError.ts';

/** A tool from another program: an MCP server, or an extension. */
export interface ForeignTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema; undefined: no input. */
  readonly inputSchema: object | undefined;
  invoke(input: object, call: ForeignCall): Promise<string | ToolOutput>;
}

/** What a call of it may need to ask the user while it runs. */
export type ForeignCall = Pick<ToolContext, 'approve' | 'callId' | 'chatId' | 'signal'>;

/** The tool names that model servers accept. */
const validName = /^[\w-]{1,64}$/u;

/** How many external tools are offered: servers refuse more than 128 tools in total. */
const MAX_FOREIGN = 100;

/** The longest tool description for a model: it is sent with each request. */
const MAX_DESCRIPTION = 10_000;
const SCHEMA_BOUNDS: JsonBounds = { depth: 60, values: 5_000, text: 100_000 };

export const turnedOffReason = defineMessage('You turned it off.');

export interface ForeignTools {
  /** Tools a user can select from: those offered unless turned off or over the limit. */
  readonly selectable: readonly AgentTool[];
  readonly offered: readonly AgentTool[];
  readonly leftOut: readonly LeftOutTool[];
}

/**
 * The external tools that are available now. Their effects are unknown, so each use needs the user's approval. An
 * approval covers a tool's name, description and schema: a different tool with the same name asks again. A tool that
 * cannot be offered is left out, without affecting the others.
 * @param tools the tools available now; read again when one is called
 */
export function foreignTools(
  tools: () => readonly ForeignTool[],
  taken: ReadonlySet<string>,
  isOff: (name: string) => boolean = () => false,
): ForeignTools {
  // Providers may list tools in any order; a stable order lets a request be served from a cache.
  const now = tools().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const counts = new Map<string, number>();
  for (const { name } of now) counts.set(name, (counts.get(name) ?? 0) + 1);
  const selectable: AgentTool[] = [];
  const offered: AgentTool[] = [];
  const leftOut: LeftOutTool[] = [];
  for (const foreign of now) {
    const { name } = foreign;
    const problem = problemOf(foreign, taken, counts.get(name) ?? 0);
    if (problem) {
      leftOut.push({ name, reason: problem });
      continue;
    }
    const tool = offeredTool(foreign, tools);
    selectable.push(tool);
    if (isOff(name)) leftOut.push({ name, reason: turnedOffReason });
    else if (offered.length < MAX_FOREIGN) offered.push(tool);
    else {
      const reason = defineMessage('Models take at most {0} tools of others.', MAX_FOREIGN);
      leftOut.push({ name, reason });
    }
  }
  return { selectable, offered, leftOut };
}

function problemOf(
  { name, inputSchema }: ForeignTool,
  taken: ReadonlySet<string>,
  count: number,
): MessageDescriptor | undefined {
  if (!validName.test(name)) return defineMessage('Models don’t take this name.');
  if (taken.has(name)) return defineMessage('Offshoot has a tool of this name.');
  // If several share a name, the one used would be arbitrary: none is offered.
  if (count > 1) return defineMessage('{0} tools have this name.', count);
  if (beyondBounds(inputSchema, SCHEMA_BOUNDS)) return defineMessage('Its input schema is too large.');
  return undefined;
}

function offeredTool(
  { name, description, inputSchema }: ForeignTool,
  tools: () => readonly ForeignTool[],
): AgentTool {
  return defineForeignTool({
    name,
    description: startOf(description, MAX_DESCRIPTION),
    jsonSchema: inputSchema ?? { type: 'object', properties: {} },
    run: async (input, context) => {
      const family = `tool:${name}`;
      const asked = await kindOf(family, find(tools(), name));
      await context.approve({ kind: asked, family });
      // Another tool may have taken its name while the user decided.
      const tool = find(tools(), name);
      if ((await kindOf(family, tool)) !== asked) {
        throw new ToolError(
          `“${name}” changed while the user was asked. Call it again if it still fits.`,
          'tool-changed',
        );
      }
      const answer = await tool.invoke(input, context);
      return typeof answer === 'string' ? { text: answer } : answer;
    },
  });
}

function find(tools: readonly ForeignTool[], wanted: string): ForeignTool {
  const [tool, ...others] = tools.filter(({ name }) => name === wanted);
  if (!tool) throw new ToolError(`There is no tool “${wanted}” any more.`, 'tool-gone');
  if (others.length > 0)
    throw new ToolError(`There are several tools called “${wanted}” now.`, 'tool-changed');
  return tool;
}

/** What an approval covers: the exact tool as it is now, as far as visible from outside. */
async function kindOf(family: string, { description, inputSchema }: ForeignTool): Promise<string> {
  if (beyondBounds(inputSchema, SCHEMA_BOUNDS)) {
    throw new ToolError('The schema of this tool is too large by now.', 'tool-changed');
  }
  const described = JSON.stringify([description, sorted(inputSchema ?? null)]);
  return `${family}:${await sha256(new TextEncoder().encode(described))}`;
}

/** The value in canonical form: only the order of members is ignored. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['array', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ['object', ...members.map(([name, member]) => [name, sorted(member)])];
}

interface ToolOrigins {
  /** The tools that installed extensions declare. */
  readonly ofExtensions: ReadonlySet<string>;
}

/** The prefix of MCP server tools in VS Code. */
const OF_MCP = 'mcp_';

/** Whether VS Code has it from an MCP server. */
export function isOfMcp(name: string): boolean {
  return name.startsWith(OF_MCP);
}

/** Tools of VS Code's own chat, some of them from built-in extensions. */
const OWN_PREFIX = /^(copilot|vscode)_/u;

/** They fail outside that chat: tried in VS Code 1.139. */
const OWN: ReadonlySet<string> = new Set([
  'run_in_terminal',
  'get_terminal_output',
  'kill_terminal',
  'send_to_terminal',
  'terminal_selection',
  'terminal_last_command',
  'run_task',
  'get_task_output',
  'create_and_run_task',
  'runSubagent',
  'manage_todo_list',
  'task_complete',
  'inline_chat_exit',
  'setup_tools_createNewWorkspace',
  'renderMermaidDiagram',
  'testFailure',
]);

/** VS Code's own tools that were tried and work for others. */
const WORKING: ReadonlySet<string> = new Set(['runTests']);

/** Offshoot's own tools for other agents, as an extension and as an MCP server. */
const OFFSHOOT =
  /^(?:mcp_)?offshoot_(?:search_conversations|list_branches|read_path|list_checkpoints|compare_branches|explain_line|create_checkpoint|add_note|merge_summary)$/u;

/**
 * Whether a tool that VS Code lists can be offered: tools of MCP servers and extensions, and only those of VS Code's
 * own that are known to work. A tool of unknown origin is VS Code's own, perhaps of a later version.
 */
export function canBeOffered(name: string, { ofExtensions }: ToolOrigins): boolean {
  if (WORKING.has(name)) return true;
  if (OFFSHOOT.test(name) || OWN.has(name) || OWN_PREFIX.test(name)) return false;
  return isOfMcp(name) || ofExtensions.has(name);
}
