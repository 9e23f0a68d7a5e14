import { z } from 'zod';
import { requestOf, type Replies } from './envelope.ts';
import { nodeDescription, type GraphFromHost } from './graphFromHost.ts';

const id = z.string().min(1).max(1_000);

/** The maximum number of nodes in one request. */
export const MAX_DESCRIBED = 1_000;

/** The requests of the graph page that have a reply. */
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

/** The graph page's messages to its host. They name the chat, because another one may have been opened meanwhile. */
export const graphFromPage = z.discriminatedUnion('type', [
  /** The page is ready and has no content yet, or has missed something. */
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
