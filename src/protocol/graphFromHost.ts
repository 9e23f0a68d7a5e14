import { z } from 'zod';
import { actionFailed, localised } from './everyPage.ts';

/** The role of a node; `note`: a report the agent went back with; `hidden`: a change of state without text. */
export const graphRole = z.enum(['user', 'assistant', 'system', 'note', 'hidden']);
export type GraphRole = z.infer<typeof graphRole>;

/** The current activity on a branch. */
const branchActivity = z.enum(['streaming', 'asking']);

export const graphBranch = z.object({
  name: z.string(),
  /** Its label; left out: its name. */
  label: z.string().optional(),
  /** Null: the branch is empty. */
  headMessageId: z.string().nullable(),
  isActive: z.boolean(),
  isArchived: z.boolean(),
  activity: branchActivity.optional(),
  /** A task was explored on it. */
  isTask: z.literal(true).optional(),
});
export type GraphBranch = z.infer<typeof graphBranch>;

export const graphCheckpoint = z.object({ name: z.string(), messageId: z.string() });

/** A short description of a node. */
export const nodeDescription = z.object({
  id: z.string(),
  label: z.string(),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  /** How an answer ended, if not normally. */
  status: z.enum(['interrupted', 'failed']).optional(),
});
export type NodeDescription = z.infer<typeof nodeDescription>;

/** The host's messages to the graph page. */
export const graphFromHost = z.discriminatedUnion('type', [
  localised,
  actionFailed,
  /**
   * The current conversation. Messages never change and are sent in storage order: `ids`, `parents` and `roles` begin
   * at number `from` (0: all of them). A parent is given by its number; -1: none.
   */
  z.strictObject({
    type: z.literal('graphChanged'),
    chat: z.object({ id: z.string(), title: z.string() }),
    from: z.number().int().nonnegative(),
    ids: z.array(z.string()),
    parents: z.array(z.number().int().min(-1)),
    roles: z.array(graphRole),
    branches: z.array(graphBranch),
    checkpoints: z.array(graphCheckpoint),
    isReadOnly: z.boolean(),
  }),
  /** The conversation cannot be drawn: the page is cleared, so that no other one is mistaken for it. */
  z.strictObject({ type: z.literal('graphFailed'), reason: z.string() }),
]);
export type GraphFromHost = z.infer<typeof graphFromHost>;
export type GraphChanged = Extract<GraphFromHost, { type: 'graphChanged' }>;
