import { z } from 'zod';

/** `chat`: the same is not asked again in this chat; `workspace`: nor in any other of this workspace. */
export const approvalChoice = z.enum(['once', 'chat', 'workspace', 'deny']);
export type ApprovalChoiceView = z.infer<typeof approvalChoice>;

/** What a tool waits for. */
export const approvalView = z.object({
  id: z.string(),
  /** What it wants to do, as a question. */
  question: z.string(),
  /** Why it is asked although the like of it may have been allowed. */
  reason: z.string().optional(),
  /** The command it wants to run, exactly. */
  command: z.string().optional(),
  /** The address it wants to fetch, exactly. */
  address: z.string().optional(),
  choices: z.array(approvalChoice),
  /** What an answer for more than once covers: all edits of files, reading this file, this command, this host, or this tool. */
  covers: z.enum(['edits', 'reading', 'command', 'host', 'tool']),
  /** There are changes to look at. */
  hasChanges: z.boolean(),
});
export type ApprovalView = z.infer<typeof approvalView>;
