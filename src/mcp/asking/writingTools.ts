import type { z } from 'zod';
import {
  addNoteInput,
  createCheckpointInput,
  mergeSummaryInput,
  type AskedWriteName,
} from './askedWrites.ts';

/** A tool that asks the user to allow a write. */
export interface WritingTool {
  readonly name: AskedWriteName;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
}

const ASKS = 'The user is asked in VS Code first, and may decline.';

export const writingTools: readonly WritingTool[] = [
  {
    name: 'create_checkpoint',
    title: 'Create Checkpoint',
    description: `Names a message so that the user finds it again and can restore it. ${ASKS}`,
    input: createCheckpointInput,
  },
  {
    name: 'add_note',
    title: 'Add Note',
    description: `Adds a note to the end of a branch; the user and the model there read it. ${ASKS}`,
    input: addNoteInput,
  },
  {
    name: 'merge_summary',
    title: 'Merge Summary',
    description: `Adds your summary of what came out of one branch to another. ${ASKS}`,
    input: mergeSummaryInput,
  },
];
