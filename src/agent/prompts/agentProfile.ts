import type { ChatModel } from '../../models/chatModel.ts';
import type { AgentTool } from '../tools/tool.ts';
import type { AgentFile } from './agentFile.ts';
import { agentKey } from './findAgents.ts';
import { toolsOfPrompt, type NamedTools } from './promptFile.ts';

/** A custom agent as a run works with it. It narrows what is allowed and never widens it. */
export interface AgentProfile {
  readonly name: string;
  readonly description: string | undefined;
  readonly instructions: string;
  /** By the names of tools; asked only for those that are offered in any case. */
  readonly allows: (tool: string) => boolean;
  /** Undefined: the selected one. */
  readonly model: ChatModel | undefined;
  /** The names of those that may explore for it; undefined: all. */
  readonly agents: readonly string[] | undefined;
}

/** The agents of one run. */
export interface RunAgents {
  /** Undefined: one of the modes is selected. */
  readonly selected: AgentProfile | undefined;
  /** Those that may explore. */
  readonly named: readonly AgentProfile[];
}

export const NO_AGENTS: RunAgents = { selected: undefined, named: [] };

/** The tools that an agent file lets pass, and the names in it that match none. */
export function toolsOfAgent(
  { tools, disallowedTools }: Pick<AgentFile, 'tools' | 'disallowedTools'>,
  named: NamedTools,
): { readonly allows: (tool: string) => boolean; readonly missing: readonly string[] } {
  const wanted = tools === undefined || tools.includes('*') ? undefined : toolsOfPrompt(tools, named);
  // `Bash(rm *)` forbids part of what a tool does; here it forbids the tool.
  const refused = toolsOfPrompt(
    disallowedTools.map((name) => name.replace(/\(.*$/su, '')),
    named,
  );
  const allowed = wanted && new Set(wanted.tools);
  const off = new Set(refused.tools);
  return {
    allows: (tool) => !off.has(tool) && (allowed?.has(tool) ?? true),
    missing: wanted?.missing ?? [],
  };
}

export function narrowedTools(
  agent: AgentProfile | undefined,
  tools: readonly AgentTool[],
): readonly AgentTool[] {
  return agent ? tools.filter(({ name }) => agent.allows(name)) : tools;
}

/** Those that may explore for the selected one. */
export function explorersFor({ selected, named }: RunAgents): readonly AgentProfile[] {
  const allowed = selected?.agents && new Set(selected.agents.map(agentKey));
  return allowed ? named.filter(({ name }) => allowed.has(agentKey(name))) : named;
}
