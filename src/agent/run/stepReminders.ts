import type { AnswerMetadata } from './answerMetadata.ts';
import type { AgentTool } from '../tools/tool.ts';
import { REWIND_TOOL, isCycleTool, type AgentCheckpoint } from '../checkpoints/agentCheckpoint.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { createNotice } from '../../models/errors/notice.ts';
import type { ActiveRunOptions } from './activeRunOptions.ts';

/** How a step failed in a way the model can retry, and what the model is sent about it. */
export interface BrokenStep {
  /** The result for each call that was started in it. */
  readonly callResult: string;
  /** The same, for a step without a call to carry the result. */
  readonly reminder: string;
}

/** How many of these in a row a run accepts; a model that cannot recover is not asked forever. */
const MAX_IN_A_ROW = 2;

const CUT_OFF =
  'This call was cut off when the response reached its output limit, and was not carried out. ' +
  'Call again with less at once: write a large file in several parts.';

const UNREADABLE =
  'The last response held a tool call that could not be read, and nothing was carried out. ' +
  'Call the tool again, with arguments that are one valid JSON object.';

export class BrokenSteps {
  private inARow = 0;

  /**
   * @param code how the step ended; undefined: successfully
   * @returns what to send the model before it continues; undefined when the answer ends, or ended successfully
   */
  next(code: string | undefined, callCount: number): BrokenStep | undefined {
    const broken = brokenStep(code, callCount);
    this.inARow = broken ? this.inARow + 1 : 0;
    return this.inARow > MAX_IN_A_ROW ? undefined : broken;
  }
}

function brokenStep(code: string | undefined, callCount: number): BrokenStep | undefined {
  if (code === 'output-limit' && callCount > 0) return { callResult: CUT_OFF, reminder: CUT_OFF };
  if (code === 'malformed-call') return { callResult: UNREADABLE, reminder: UNREADABLE };
  return undefined;
}

/** The result of a call that the answer's end left without one. */
export function callLeftBy(code: string | undefined): string {
  return code === 'output-limit'
    ? CUT_OFF
    : 'The response ended before this call was complete; it was not carried out.';
}

/** How often in one run the model is reminded of a missing report before the user is notified instead. */
export const MAX_REMINDERS = 2;

export function hasRewindTool(tools: readonly AgentTool[]): boolean {
  return tools.some(({ name }) => name === REWIND_TOOL);
}

export function checkpointReminder({ goal }: AgentCheckpoint): string {
  return (
    `<system-reminder>\nYour checkpoint is still active. Its goal: ${goal}\n` +
    'If you have found out what you wanted to know, call rewind now with a concise report, and then answer. ' +
    'If not, go on with the investigation first.\n</system-reminder>'
  );
}

export function openCheckpointNotice({ goal }: AgentCheckpoint): AnswerMetadata['notice'] {
  return createNotice(
    'checkpoint-open',
    defineMessage(
      'The model ended its answer without reporting on its checkpoint “{0}”, though it was asked twice. What it explored stays in this conversation; ask it to report, or rewind yourself.',
      goal,
    ),
  );
}

type RunKind = Pick<ActiveRunOptions, 'exploration' | 'isSubagent'>;

export function isForReport(step: number, { exploration }: Pick<RunKind, 'exploration'>): boolean {
  return exploration !== undefined && step >= exploration.maxSteps;
}

/** The tools offered in a step of a run: only the user's agent gets checkpoints and explorations. */
export function offeredIn(step: number, tools: readonly AgentTool[], run: RunKind): readonly AgentTool[] {
  if (isForReport(step, run)) return [];
  if (!run.isSubagent) return tools;
  return tools.filter(({ name, startsRuns = false }) => !isCycleTool(name) && !startsRuns);
}
