import { z } from 'zod';
import { defineTool } from '../tools/tool.ts';
import { CHECKPOINT_TOOL, REWIND_TOOL } from './agentCheckpoint.ts';

export const cycleTools = [
  defineTool({
    name: CHECKPOINT_TOOL,
    description:
      'Only for exploring much that you will not need again, such as reading many files to answer one question: marks ' +
      'this point, and after rewind the conversation goes on from here with your report alone. Not before edits or ' +
      'commands, and not for a few reads. Every checkpoint has to be ended by a rewind.',
    input: z.object({
      goal: z.string().trim().min(1).max(1_000).describe('What you want to find out.'),
      name: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('Only for a checkpoint inside another one that is still active.'),
    }),
    run: ({ goal, name }, { checkpoints }) => {
      const details = checkpoints.begin(goal, name);
      return {
        text: `Checkpoint created.\nGoal: ${goal}\nRun your investigation, then call rewind with a concise report.`,
        details,
      };
    },
  }),
  defineTool({
    name: REWIND_TOOL,
    description:
      'Ends the active checkpoint: of what came after it only your report stays in view. Changed files stay changed.',
    input: z.object({
      report: z
        .string()
        .describe('All that is needed to go on: findings, names, paths, line numbers, decisions.'),
      checkpoint: z
        .string()
        .trim()
        .min(1)
        .optional()
        .describe('The name of the checkpoint to go back to; without it, the innermost one.'),
    }),
    run: ({ report, checkpoint }, { checkpoints }) => {
      const trimmed = report.trim();
      checkpoints.rewind(trimmed, checkpoint);
      return {
        text: 'Rewind requested.\nReport captured for context replacement.',
        details: { report: trimmed, rewound: true },
      };
    },
  }),
] as const;
