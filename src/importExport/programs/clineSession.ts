import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';

// Sessions of Cline since version 3: `<id>.messages.json` with what was said, `<id>.json` about it, and once it was compacted
// `<id>.compaction.json` with what is sent to the model since.

/** What one of several things that a tool was asked for gave, such as one file of those to read. */
const outcome = z.object({
  query: z.string(),
  result: z.unknown().optional(),
  error: z.string().optional().catch(undefined),
  success: z.boolean(),
});

const result = z.looseObject({ type: z.literal('tool_result'), content: z.unknown() });

const picture = z.object({ type: z.literal('image'), data: z.string(), mediaType: z.string() });

/** A file that was named in a question, with what was in it. */
const attached = z.object({ type: z.literal('file') });

/** A message of which the pictures and the results of tools are in the form of Anthropic's API. */
const message = z.looseObject({ content: z.unknown() }).transform(({ content, ...rest }) => ({
  ...rest,
  ...(Array.isArray(content) ? plainBlocks(content) : { content }),
}));

export const clineSession = z.object({
  version: z.number(),
  sessionId: z.string(),
  messages: z.array(z.union([message, z.unknown()])),
});

export const clineManifest = z.object({
  cwd: z.string().optional().catch(undefined),
  metadata: z
    .object({
      title: z.string().optional().catch(undefined),
      fork: z.object({ forkedFromSessionId: z.string() }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

const summary = z.object({
  metadata: z.object({ kind: z.literal('compaction_summary'), summary: z.string(), generatedAt: z.number() }),
});
const keptMessage = z.object({ id: z.string() });

export interface ClineCompaction {
  /** How many messages of the session there were. */
  readonly count: number;
  readonly text: string;
  readonly at: number;
  /** The id of the first message that is sent as well. */
  readonly keptFrom: string | undefined;
}

/** The last one of a session; none where what was left out is not summed up. */
export const clineCompaction = z
  .object({ source_message_count: z.number(), messages: z.tuple([summary], z.unknown()) })
  .transform(({ source_message_count: count, messages: [{ metadata }, ...kept] }): ClineCompaction => {
    const keptFrom = keptMessage.safeParse(kept[0]).data?.id;
    return { count, text: metadata.summary, at: metadata.generatedAt, keptFrom };
  });

function plainBlocks(blocks: readonly unknown[]): { content: unknown[]; attached: number } {
  const content = blocks.filter((block) => !attached.safeParse(block).success);
  return { content: content.map(plainBlock), attached: blocks.length - content.length };
}

function plainBlock(block: unknown): unknown {
  const shown = picture.safeParse(block).data;
  return shown ? plainPicture(shown) : plainResult(block);
}

function plainPicture({ data, mediaType }: z.infer<typeof picture>): unknown {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

function plainResult(block: unknown): unknown {
  const read = result.safeParse(block).data;
  if (!read) return block;
  const { content } = read;
  const given: unknown = typeof content === 'string' ? tryParseJson(content) : content;
  const outcomes = z
    .array(outcome)
    .min(1)
    .safeParse(Array.isArray(given) ? given : [given]).data;
  if (!outcomes) return block;
  const isError = outcomes.every(({ success }) => !success);
  return { ...read, content: outcomes.flatMap(blocksOf), ...(isError ? { is_error: true } : {}) };
}

function blocksOf({ result: given, error = '' }: z.infer<typeof outcome>): unknown[] {
  // A picture is a list of blocks.
  if (Array.isArray(given)) return given.map(plainBlock);
  const text = typeof given === 'string' && given !== '' ? given : given ? JSON.stringify(given) : error;
  return [{ type: 'text', text }];
}
