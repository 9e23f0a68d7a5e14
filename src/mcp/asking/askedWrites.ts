import { z } from 'zod';

// What a program may ask the user to write. The server validates it before it asks, and the window validates it
// again: its input comes from another process.

/** The longest accepted text, in UTF-16 units: a user must read it before they allow it. */
export const MAX_TEXT = 20_000;

const chat = z.string().min(1).max(500).describe('chat id');
const branch = z.string().min(1).max(1_000);
const text = z.string().trim().min(1).max(MAX_TEXT).describe('Markdown');

export const createCheckpointInput = z.object({
  chat,
  name: z.string().trim().min(1).max(200),
  message: z.string().min(1).max(500).optional().describe('default: the last on the branch'),
  branch: branch.optional().describe('default: the active one'),
});
export const addNoteInput = z.object({
  chat,
  branch: branch.optional().describe('default: the active one'),
  text,
});
export const mergeSummaryInput = z.object({
  chat,
  from: branch.describe('branch that is summarized'),
  into: branch.optional().describe('default: the active one'),
  text: text.describe('the summary, in Markdown'),
});

/** The caller's name for itself: not verified. */
const program = z.string().max(200);

export const askedWrite = z.discriminatedUnion('name', [
  z.object({ name: z.literal('create_checkpoint'), program, given: createCheckpointInput }),
  z.object({ name: z.literal('add_note'), program, given: addNoteInput }),
  z.object({ name: z.literal('merge_summary'), program, given: mergeSummaryInput }),
]);
export type AskedWrite = z.infer<typeof askedWrite>;
export type AskedWriteName = AskedWrite['name'];

export const writtenAnswer = z.object({
  branch: z.string(),
  /** The message that was marked or created. */
  message: z.string(),
});
export type WrittenAnswer = z.infer<typeof writtenAnswer>;

interface WritingTool {
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
