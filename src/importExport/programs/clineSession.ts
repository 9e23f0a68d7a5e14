import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';

// Sessions of Cline since version 3: `<id>.messages.json` with what was said, and `<id>.json` about it.

/** What one of several things that a tool was asked for gave, such as one file of those to read. */
const outcome = z.object({
  query: z.string(),
  result: z.unknown().optional(),
  error: z.string().optional().catch(undefined),
  success: z.boolean(),
});

const result = z.looseObject({ type: z.literal('tool_result'), content: z.unknown() });

/** A message of which the results of tools are in the form of Anthropic's API. */
const message = z.looseObject({ content: z.unknown() }).transform(({ content, ...rest }) => ({
  ...rest,
  content: Array.isArray(content) ? content.map(plainResult) : content,
}));

export const clineSession = z.object({
  version: z.number(),
  sessionId: z.string(),
  messages: z.array(z.union([message, z.unknown()])),
});

export const clineManifest = z.object({
  cwd: z.string().optional().catch(undefined),
  metadata: z
    .object({ title: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

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
  if (Array.isArray(given)) return given;
  const text = typeof given === 'string' && given !== '' ? given : given ? JSON.stringify(given) : error;
  return [{ type: 'text', text }];
}
