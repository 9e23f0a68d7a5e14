import type { AnswerMetadata } from '../answerMetadata.ts';
import type { AgentTool } from '../tools/tool.ts';
import { REWIND_TOOL, type AgentCheckpoint } from './agentCheckpoint.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { createNotice } from '../notice.ts';

/** How often in one run the model is reminded of a missing report before the user is notified instead. */
export const MAX_REMINDERS = 2;

export function hasRewindTool(tools: readonly AgentTool[]): boolean {
  return tools.some(({ name }) => name === REWIND_TOOL);
}

/** What the model is sent when it ends its turn with a checkpoint open. */
export function checkpointReminder({ goal }: AgentCheckpoint): string {
  return (
    `<system-reminder>\nYour checkpoint is still active. Its goal: ${goal}\n` +
    'If you have found out what you wanted to know, call rewind now with a concise report, and then answer. ' +
    'If not, go on with the investigation first.\n</system-reminder>'
  );
}

/** What the user is shown when the report is missing. */
export function openCheckpointNotice({ goal }: AgentCheckpoint): AnswerMetadata['notice'] {
  return createNotice(
    'checkpoint-open',
    defineMessage(
      'The model ended its answer without reporting on its checkpoint “{0}”, though it was asked twice. What it explored stays in this conversation; ask it to report, or rewind yourself.',
      goal,
    ),
  );
}
