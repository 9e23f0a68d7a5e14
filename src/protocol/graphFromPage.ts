import { z } from 'zod';

const id = z.string().min(1).max(1_000);

/** How many nodes the page may ask about at once. */
export const MAX_DESCRIBED = 1_000;

/** What the page of the graph asks of the host. The chat is named: another one may have been opened meanwhile. */
export const graphFromPage = z.discriminatedUnion('type', [
  /** The page is there and has nothing yet, or has missed something. */
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('describeNodes'), chatId: id, ids: z.array(id).max(MAX_DESCRIBED) }),
  z.strictObject({ type: z.literal('previewNode'), chatId: id, id }),
  z.strictObject({ type: z.literal('switchBranch'), chatId: id, branch: id }),
  /** Shows a message in the chat, on a branch that leads to it. */
  z.strictObject({ type: z.literal('showMessage'), chatId: id, messageId: id }),
  z.strictObject({ type: z.literal('compare'), chatId: id, messageIds: z.tuple([id, id]) }),
]);
export type GraphFromPage = z.infer<typeof graphFromPage>;
