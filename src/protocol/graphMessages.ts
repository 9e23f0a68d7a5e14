import { z } from 'zod';
import { requestOf, actionFailed, localised, type Replies } from './everyPage.ts';

/** The role of a node; `note`: a report the agent went back with; `hidden`: a change of state without text. */
const graphRole = z.enum(['user', 'assistant', 'system', 'note', 'hidden']);
export type GraphRole = z.infer<typeof graphRole>;

const branchActivity = z.enum(['streaming', 'asking']);

const graphBranch = z.object({
  name: z.string(),
  /** Left out: its name. */
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

const graphCheckpoint = z.object({ name: z.string(), messageId: z.string() });

const nodeDescription = z.object({
  id: z.string(),
  label: z.string(),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  /** How an answer ended, if not normally. */
  status: z.enum(['interrupted', 'failed']).optional(),
});
export type NodeDescription = z.infer<typeof nodeDescription>;

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

const id = z.string().min(1).max(1_000);

export const MAX_DESCRIBED = 1_000;

const graphRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('describeNodes'), chatId: id, ids: z.array(id).max(MAX_DESCRIBED) }),
  z.strictObject({ type: z.literal('previewNode'), chatId: id, id }),
]);
export type GraphRequest = z.infer<typeof graphRequest>;

export const graphReplies = {
  describeNodes: z.strictObject({ nodes: z.array(nodeDescription) }),
  /** The beginning of its text; absent when the node is gone. */
  previewNode: z.strictObject({ preview: z.object({ text: z.string(), isCut: z.boolean() }).optional() }),
} satisfies Record<GraphRequest['type'], z.ZodType>;

/** They name the chat, because another one may be open by now. */
export const graphFromPage = z.discriminatedUnion('type', [
  /** The page has no content yet, or has missed something. */
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('switchBranch'), chatId: id, branch: id }),
  /** Shows a message in the chat, on a branch that leads to it. */
  z.strictObject({ type: z.literal('showMessage'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('compare'), chatId: id, messageIds: z.tuple([id, id]) }),
  requestOf(graphRequest),
]);
export type GraphFromPage = z.infer<typeof graphFromPage>;

export interface GraphProtocol {
  readonly fromPage: GraphFromPage;
  readonly replies: Replies<typeof graphReplies>;
  readonly fromHost: GraphFromHost;
}
