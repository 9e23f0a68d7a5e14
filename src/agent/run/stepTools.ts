import type { ActiveRunOptions } from './activeRunOptions.ts';
import { isCycleTool } from '../checkpoints/agentCheckpoint.ts';
import type { AgentTool } from '../tools/tool.ts';

type RunKind = Pick<ActiveRunOptions, 'exploration' | 'isSubagent'>;

/** Whether an exploration must report in this step. */
export function isForReport(step: number, { exploration }: Pick<RunKind, 'exploration'>): boolean {
  return exploration !== undefined && step >= exploration.maxSteps;
}

/** The tools offered in a step of a run: only the user's agent gets checkpoints and explorations. */
export function offeredIn(step: number, tools: readonly AgentTool[], run: RunKind): readonly AgentTool[] {
  if (isForReport(step, run)) return [];
  if (!run.isSubagent) return tools;
  return tools.filter(({ name, startsRuns = false }) => !isCycleTool(name) && !startsRuns);
}
