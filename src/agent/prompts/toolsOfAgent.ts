import type { AgentFile } from './agentFile.ts';
import { toolsOfPrompt, type NamedTools } from './promptFile.ts';

/** The tools that an agent file lets pass, and the names in it that match none. */
export function toolsOfAgent(
  { tools, disallowedTools }: Pick<AgentFile, 'tools' | 'disallowedTools'>,
  named: NamedTools,
): { readonly allows: (tool: string) => boolean; readonly missing: readonly string[] } {
  const wanted = tools === undefined || tools.includes('*') ? undefined : toolsOfPrompt(tools, named);
  // `Bash(rm *)` forbids part of what a tool does; here it forbids the tool.
  const { offered, reading, writing, commands, web = [], exploring = [], notes = [] } = named;
  const refused = toolsOfPrompt(
    disallowedTools.map((name) => name.replace(/\(.*$/su, '')),
    // Also those that are off now.
    { ...named, offered: [...offered, ...reading, ...writing, ...commands, ...web, ...exploring, ...notes] },
  );
  const allowed = wanted && new Set(wanted.tools);
  const off = new Set(refused.tools);
  return {
    allows: (tool) => !off.has(tool) && (allowed?.has(tool) ?? true),
    missing: wanted?.missing ?? [],
  };
}
