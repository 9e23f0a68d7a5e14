import type { AgentTool } from '../../agent/tools/tool.ts';

export interface ToolGroup {
  readonly label: string;
  readonly tools: readonly AgentTool[];
}

/** MCP servers are identified by VS Code's prefix of their tools. */
const ofServer = /^mcp_([^_]+)_/u;

/** In the user's language. */
export interface GroupNames {
  /** For an MCP server. */
  readonly server: (name: string) => string;
  /** For tools of unknown origin. */
  readonly others: string;
}

/**
 * By extension, then by MCP server, as far as that is known.
 * @param extensions by the names of their tools
 */
export function groupForeign(
  tools: readonly AgentTool[],
  extensions: ReadonlyMap<string, { readonly extension: string }>,
  names: GroupNames,
): ToolGroup[] {
  const groups = new Map<string, AgentTool[]>();
  for (const tool of tools) {
    const server = ofServer.exec(tool.name)?.[1];
    const label =
      extensions.get(tool.name)?.extension ?? (server === undefined ? names.others : names.server(server));
    groups.set(label, [...(groups.get(label) ?? []), tool]);
  }
  return [...groups]
    .map(([label, grouped]) => ({ label, tools: grouped }))
    .sort((a, b) => Number(a.label === names.others) - Number(b.label === names.others) || compare(a, b));
}

/** Unavailable tools stay as they were. */
export function turnedOff(
  before: readonly string[],
  known: readonly AgentTool[],
  selected: ReadonlySet<string>,
): string[] {
  const names = new Set(known.map(({ name }) => name));
  const off = [...names].filter((name) => !selected.has(name));
  return [...new Set([...before.filter((name) => !names.has(name)), ...off])].sort();
}

function compare(a: ToolGroup, b: ToolGroup): number {
  return a.label < b.label ? -1 : 1;
}
