import { defineForeignTool, type AgentTool } from './tool.ts';

/** A tool another program brings: an MCP server, or an extension. */
export interface ForeignTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema; undefined: it takes nothing. */
  readonly inputSchema: object | undefined;
  /** What it answers, as text. */
  invoke(input: object, signal: AbortSignal): Promise<string>;
}

/** What servers of models take as a name. */
const validName = /^[\w-]{1,64}$/u;

/** How many of them are offered: servers refuse more than 128 tools in all. */
const MAX_FOREIGN = 100;

/** What they may do is not known, so each asks the person before it is used. */
export function foreignTools(
  tools: readonly ForeignTool[],
  taken: ReadonlySet<string>,
): readonly AgentTool[] {
  return tools
    .filter(({ name }) => validName.test(name) && !taken.has(name))
    .slice(0, MAX_FOREIGN)
    .map((tool) =>
      defineForeignTool({
        name: tool.name,
        description: tool.description,
        jsonSchema: tool.inputSchema ?? { type: 'object', properties: {} },
        run: async (input, { approve, signal }) => {
          await approve({ kind: `tool:${tool.name}` });
          return { text: await tool.invoke(input, signal) };
        },
      }),
    );
}
