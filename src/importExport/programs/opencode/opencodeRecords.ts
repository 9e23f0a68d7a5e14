import { z } from 'zod';

// What opencode keeps of a session: messages, and the parts of each. Its database has them as JSON, as its older files
// have, and as `opencode export` writes them.

const time = z.object({ created: z.number() });

export const sessionInfo = z.object({
  id: z.string().min(1),
  parentID: z.string().nullish().catch(undefined),
  directory: z.string().nullish().catch(undefined),
  title: z.string().nullish().catch(undefined),
  time: z
    .object({ created: z.number().catch(0), updated: z.number().catch(0) })
    .catch({ created: 0, updated: 0 }),
  revert: z
    .object({ messageID: z.string(), partID: z.string().nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
});
export type SessionInfo = z.infer<typeof sessionInfo>;

const error = z.object({ name: z.string() });

export const messageInfo = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), id: z.string(), time: time.catch({ created: Number.NaN }) }),
  z.object({
    role: z.literal('assistant'),
    id: z.string(),
    time: time.catch({ created: Number.NaN }),
    modelID: z.string().optional().catch(undefined),
    /** It stands for what was said before: the session was compacted. */
    summary: z.boolean().optional().catch(undefined),
    error: error.optional().catch(undefined),
  }),
]);
export type MessageInfo = z.infer<typeof messageInfo>;

const file = z.object({
  type: z.literal('file'),
  mime: z.string(),
  url: z.string(),
  filename: z.string().optional().catch(undefined),
});

const called = { input: z.unknown().optional() };
const state = z.discriminatedUnion('status', [
  z.object({
    ...called,
    status: z.literal('completed'),
    output: z.string(),
    metadata: z
      .object({ sessionId: z.string().optional().catch(undefined) })
      .optional()
      .catch(undefined),
    attachments: z.array(file).optional().catch(undefined),
  }),
  z.object({
    ...called,
    status: z.literal('error'),
    error: z.string(),
    metadata: z
      .object({ sessionId: z.string().optional().catch(undefined) })
      .optional()
      .catch(undefined),
  }),
  z.object({ ...called, status: z.enum(['pending', 'running']) }),
]);

export const messagePart = z.union([
  z.object({
    type: z.literal('text'),
    text: z.string(),
    /** Added by the program, for the model. */
    synthetic: z.boolean().optional().catch(undefined),
    /** Kept from the model. */
    ignored: z.boolean().optional().catch(undefined),
  }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  file,
  z.object({ type: z.literal('tool'), callID: z.string(), tool: z.string(), state }),
  z.object({
    type: z.literal('compaction'),
    /** The first of the messages that are kept as they are. */
    tail_start_id: z.string().nullish().catch(undefined),
  }),
  z.object({ type: z.literal('subtask'), prompt: z.string() }),
  // Steps, snapshots and changes of files, retries, and agents whose names the text has as well.
  z
    .object({ type: z.enum(['step-start', 'step-finish', 'snapshot', 'patch', 'retry', 'agent']) })
    .transform(() => ({ type: 'bookkeeping' }) as const),
  z.looseObject({}).transform(() => ({ type: 'other' }) as const),
]);
export type MessagePart = z.infer<typeof messagePart>;
export type FilePart = z.infer<typeof file>;

/** `opencode export`. */
export const exportedSession = z.object({
  info: sessionInfo,
  messages: z.array(z.object({ info: z.unknown(), parts: z.array(z.unknown()).catch([]) })),
});
