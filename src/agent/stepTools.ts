import type { ActiveRunOptions } from './activeRunOptions.ts';
import { isCycleTool } from './cycle/agentCheckpoint.ts';
import type { AgentTool } from './tools/tool.ts';

type RunKind = Pick<ActiveRunOptions, 'exploration' | 'isSubagent'>;

/** Whether a step is the one in which an exploration has to report. */
export function isForReport(step: number, { exploration }: Pick<RunKind, 'exploration'>): boolean {
  return exploration !== undefined && step >= exploration.maxSteps;
}

/** The tools that a step of a run is offered: checkpoints and explorations are those of the agent the user talks to. */
export function offeredIn(step: number, tools: readonly AgentTool[], run: RunKind): readonly AgentTool[] {
  if (isForReport(step, run)) return [];
  if (!run.isSubagent) return tools;
  return tools.filter(({ name, startsRuns = false }) => !isCycleTool(name) && !startsRuns);
}
