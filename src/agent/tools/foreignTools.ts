import { defineMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';
import { sha256 } from '../../engine/sha256.ts';
import { beyondBounds, type JsonBounds } from './jsonBounds.ts';
import { startOf } from './storedStrings.ts';
import { defineForeignTool, type AgentTool, type ToolOutput } from './tool.ts';
import { ToolError } from './toolError.ts';

/** A tool another program brings: an MCP server, or an extension. */
export interface ForeignTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema; undefined: it takes nothing. */
  readonly inputSchema: object | undefined;
  /** What it answers: text, or text with files. */
  invoke(input: object, signal: AbortSignal): Promise<string | ToolOutput>;
}

/** What servers of models take as a name. */
const validName = /^[\w-]{1,64}$/u;

/** How many of them are offered: servers refuse more than 128 tools in all. */
const MAX_FOREIGN = 100;

/** How much a model is sent of a tool: it goes along with each request. */
const MAX_DESCRIPTION = 10_000;
const SCHEMA_BOUNDS: JsonBounds = { depth: 60, values: 5_000, text: 100_000 };

/** A tool that is there and is not offered. */
export interface LeftOutTool {
  readonly name: string;
  readonly reason: MessageDescriptor;
}

/** Why a tool is left out that the user does not want. */
export const turnedOffReason = defineMessage('You turned it off.');

export interface ForeignTools {
  /** Those a user can select from: offered, unless they are turned off or too many. */
  readonly selectable: readonly AgentTool[];
  readonly offered: readonly AgentTool[];
  readonly leftOut: readonly LeftOutTool[];
}

/**
 * The tools of others that are there now. What they may do is not known, so each asks the user before it is used. What
 * is allowed is this tool, by its name, its description and its schema: another one under the same name asks again.
 * One that cannot be offered is left out, and does not keep the others from it.
 * @param tools those there are at the moment; asked again when one is called
 * @param isOff whether the user has turned off one of this name
 */
export function foreignTools(
  tools: () => readonly ForeignTool[],
  taken: ReadonlySet<string>,
  isOff: (name: string) => boolean = () => false,
): ForeignTools {
  // Whoever brings them may do so in any order; a request whose tools stand as they did is read from a cache.
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
  // Which of several with one name would be used is not for luck to decide: none is.
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
    run: async (input, { approve, signal }) => {
      const family = `tool:${name}`;
      const asked = await kindOf(family, find(tools(), name));
      await approve({ kind: asked, family });
      // While the user made up their mind, another one may have taken its name.
      const tool = find(tools(), name);
      if ((await kindOf(family, tool)) !== asked) {
        throw new ToolError(
          `“${name}” changed while the user was asked. Call it again if it still fits.`,
          'tool-changed',
        );
      }
      const answer = await tool.invoke(input, signal);
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

/** What an allowance covers: exactly what the tool is now, as far as can be seen from outside. */
async function kindOf(family: string, { description, inputSchema }: ForeignTool): Promise<string> {
  if (beyondBounds(inputSchema, SCHEMA_BOUNDS)) {
    throw new ToolError('The schema of this tool is too large by now.', 'tool-changed');
  }
  const described = JSON.stringify([description, sorted(inputSchema ?? null)]);
  return `${family}:${await sha256(new TextEncoder().encode(described))}`;
}

/** The value in a form in which the order of members makes no difference, and everything else does. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['array', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ['object', ...members.map(([name, member]) => [name, sorted(member)])];
}
