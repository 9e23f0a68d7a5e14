import { z } from 'zod';

/** `chat`: do not ask for the same again in this chat; `workspace`: nor in any other chat of this workspace. */
export const approvalChoice = z.enum(['once', 'chat', 'workspace', 'deny']);
export type ApprovalChoiceView = z.infer<typeof approvalChoice>;

/** A pending approval of a tool. */
export const approvalView = z.object({
  id: z.string(),
  /** The requested action, as a question. */
  question: z.string(),
  /** Why approval is required although similar actions may have been allowed. */
  reason: z.string().optional(),
  /** The exact command to run. */
  command: z.string().optional(),
  /** The exact address to fetch. */
  address: z.string().optional(),
  choices: z.array(approvalChoice),
  /**
   * The scope of a permission for several uses: all edits of files, reading this file, this command, this host, or
   * this tool.
   */
  covers: z.enum(['edits', 'reading', 'command', 'host', 'tool']),
  /** There are changes to view. */
  hasChanges: z.boolean(),
});
export type ApprovalView = z.infer<typeof approvalView>;
