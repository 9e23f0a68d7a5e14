import type { Fragment } from '../../engine/fragments/index.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import type { AgentTool } from '../tools/tool.ts';

/** A custom agent as a run works with it. It narrows what is allowed and never widens it. */
export interface AgentProfile {
  readonly name: string;
  readonly description: string | undefined;
  /** Its part of the system prompt. */
  readonly fragments: readonly Fragment[];
  /** By the names of tools; asked only for those that are offered in any case. */
  readonly allows: (tool: string) => boolean;
  /** The models it asks for, in the order of preference; empty: the selected one. */
  readonly models: readonly string[];
  /** The first of them that is there. */
  readonly findModel: () => Promise<ChatModel | undefined>;
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

export function narrowedTools(
  agent: AgentProfile | undefined,
  tools: readonly AgentTool[],
): readonly AgentTool[] {
  return agent ? tools.filter(({ name }) => agent.allows(name)) : tools;
}
