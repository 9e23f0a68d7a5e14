import type { AgentTool } from '../tools/tool.ts';

/** Tools that can be named as a group. */
export interface NamedTools {
  /** The tools a question may use now. */
  readonly offered: readonly AgentTool[];
  readonly reading: readonly AgentTool[];
  readonly writing: readonly AgentTool[];
  readonly commands: readonly AgentTool[];
  /** The user's own sets, by name. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
}

type Group = 'reading' | 'writing' | 'commands';

/** VS Code's names for tools and tool sets, mapped to the equivalents here. */
const groups: ReadonlyMap<string, Group> = new Map([
  ...['search', 'codebase', 'read', 'usages', 'problems'].map((name) => [name, 'reading'] as const),
  ...['edit', 'editFiles'].map((name) => [name, 'writing'] as const),
  ...['execute', 'runCommands'].map((name) => [name, 'commands'] as const),
]);

/** The tools that a prompt asks for, and the names that match no tool. */
export function toolsOfPrompt(
  wanted: readonly string[],
  tools: NamedTools,
): { readonly tools: string[]; readonly missing: string[] } {
  const offered = new Set(tools.offered.map(({ name }) => name));
  const found = new Set<string>();
  const missing: string[] = [];
  for (const written of wanted) {
    const named = namesFor(written.replace(/^#/u, ''), tools).filter((name) => offered.has(name));
    for (const name of named) found.add(name);
    if (named.length === 0) missing.push(written);
  }
  return { tools: [...found], missing };
}

function namesFor(wanted: string, tools: NamedTools): readonly string[] {
  if (tools.offered.some(({ name }) => name === wanted)) return [wanted];
  if (Object.hasOwn(tools.sets, wanted)) return tools.sets[wanted] ?? [];
  const [first = '', second] = wanted.split('/');
  const group = groups.get(first);
  if (group !== undefined) return tools[group].map(({ name }) => name);
  if (second === undefined) return [];
  // VS Code's name for the tools of an MCP server.
  const prefix = `mcp_${first}_`;
  return second === '*'
    ? tools.offered.map(({ name }) => name).filter((name) => name.startsWith(prefix))
    : [`${prefix}${second}`];
}
