import { z } from 'zod';

// The records of a Codex rollout: one per line. Undocumented; only messages are read.

const part = z.union([
  z.object({
    type: z.enum(['input_text', 'output_text', 'text', 'reasoning_text', 'summary_text']),
    text: z.string(),
  }),
  z.object({ type: z.literal('input_image'), image_url: z.string() }),
  z.looseObject({}).transform(() => ({ type: 'other' }) as const),
]);
export type CodexPart = z.infer<typeof part>;

const parts = z.array(part);
const output = z.union([
  z.string(),
  parts,
  z.object({ content: z.string(), success: z.boolean().optional().catch(undefined) }),
  z.unknown().transform((value) => JSON.stringify(value ?? null)),
]);

export const responseItem = z.union([
  z.object({ type: z.literal('message'), role: z.string(), content: parts }),
  z.object({
    type: z.literal('reasoning'),
    summary: parts.optional().catch(undefined),
    content: parts.nullish().catch(undefined),
  }),
  z.object({
    type: z.literal('function_call'),
    name: z.string(),
    arguments: z.string(),
    call_id: z.string(),
  }),
  z.object({ type: z.literal('custom_tool_call'), name: z.string(), input: z.string(), call_id: z.string() }),
  z.object({
    type: z.literal('local_shell_call'),
    call_id: z.string().nullish(),
    id: z.string().nullish(),
    action: z.unknown().optional(),
  }),
  z.object({
    type: z.enum(['function_call_output', 'custom_tool_call_output']),
    call_id: z.string(),
    output,
  }),
  z.object({ type: z.literal('web_search_call'), id: z.string().nullish(), action: z.unknown().optional() }),
]);
export type ResponseItem = z.infer<typeof responseItem>;

export const silentItems = new Set(['ghost_snapshot', 'other', 'compaction', 'compaction_summary']);

export const sessionMeta = z.object({
  id: z.string().min(1),
  cwd: z.string().optional().catch(undefined),
  timestamp: z.string().optional().catch(undefined),
  forked_from_id: z.string().nullish().catch(undefined),
});
export type SessionMeta = z.infer<typeof sessionMeta>;

export const turnContext = z.object({ model: z.string() });

export const compacted = z.object({ message: z.string() });

export const eventMessage = z.union([
  z.object({ type: z.literal('thread_rolled_back'), num_turns: z.int().min(0).max(1_000_000) }),
  z.object({ type: z.literal('thread_name_updated'), thread_name: z.string().nullish() }),
  // The rest repeats items, or describes the session.
  z.object({ type: z.string() }).transform(() => ({ type: 'other' }) as const),
]);

/** A line; in the first versions lines are items themselves, after a header without a type. */
export const rolloutLine = z.object({
  timestamp: z.string().optional().catch(undefined),
  type: z.string(),
  payload: z.unknown().optional(),
});

/** Texts in the user's role that come from the program: instructions and the session's environment. */
const contextual = [
  ...[
    '<environment_context>',
    '<user_instructions>',
    '# AGENTS.md instructions',
    '<permissions instructions>',
  ],
  ...['<turn_aborted>', '<skill>', '<subagent_notification>', '<collaboration_mode>', '<model_switch>'],
];

export function isContextual(text: string): boolean {
  const start = text.trimStart();
  return contextual.some((each) => start.startsWith(each));
}
