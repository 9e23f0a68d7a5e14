import { z } from 'zod';
import { actionFailed, localised } from './everyPage.ts';

/** Who speaks on a node; `note`: a report the agent went back with; `hidden`: a change of state, nothing was said. */
export const graphRole = z.enum(['user', 'assistant', 'system', 'note', 'hidden']);
export type GraphRole = z.infer<typeof graphRole>;

/** What goes on on a branch now. */
const branchActivity = z.enum(['streaming', 'asking']);

export const graphBranch = z.object({
  name: z.string(),
  /** What it is called; left out: by its name. */
  label: z.string().optional(),
  /** Null: nothing was said on it yet. */
  headMessageId: z.string().nullable(),
  isActive: z.boolean(),
  isArchived: z.boolean(),
  activity: branchActivity.optional(),
  /** A task was explored on it. */
  isTask: z.literal(true).optional(),
});
export type GraphBranch = z.infer<typeof graphBranch>;

export const graphCheckpoint = z.object({ name: z.string(), messageId: z.string() });

/** What a node says, in short. */
export const nodeDescription = z.object({
  id: z.string(),
  label: z.string(),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  /** How an answer ended, if not well. */
  status: z.enum(['interrupted', 'failed']).optional(),
});
export type NodeDescription = z.infer<typeof nodeDescription>;

/** What the host tells the page of the graph. */
export const graphFromHost = z.discriminatedUnion('type', [
  localised,
  actionFailed,
  /**
   * The conversation as it is now. Messages never change and are sent in the order they were stored: `ids`, `parents`
   * and `roles` are those from number `from` on (0: all of them). A parent is given by its number; -1: none.
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
  /** The conversation can't be drawn: nothing is, so that nobody takes another one for it. */
  z.strictObject({ type: z.literal('graphFailed'), reason: z.string() }),
]);
export type GraphFromHost = z.infer<typeof graphFromHost>;
export type GraphChanged = Extract<GraphFromHost, { type: 'graphChanged' }>;
