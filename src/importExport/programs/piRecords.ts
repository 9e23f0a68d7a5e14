import { z } from 'zod';

// Sessions of pi and its forks: one JSON value per line, the first of type `session`, or the second after a title;
// entries are nodes of a tree by `id` and `parentId`, and in the oldest files a list without either. Messages and
// labels are read; settings are not. Truncated files are read as far as possible.

export const piHeader = z.object({
  type: z.literal('session'),
  timestamp: z.string().optional(),
  cwd: z.string().optional().catch(undefined),
});

export const piEntry = z.looseObject({
  type: z.string().catch(''),
  id: z.string().optional().catch(undefined),
  parentId: z.string().nullish().catch(undefined),
  timestamp: z.string().optional().catch(undefined),
});

const block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.literal('toolCall'), id: z.string(), name: z.string(), arguments: z.unknown() }),
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.string() }).transform(() => ({ type: 'other' as const })),
]);
export type PiBlock = z.infer<typeof block>;

export const piContent = z.union([
  z.string().transform((text): PiBlock[] => [{ type: 'text', text }]),
  z.array(block),
]);

export const piMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: piContent }),
  z.object({ role: z.literal('assistant'), content: piContent }),
  z.object({ role: z.enum(['custom', 'hookMessage']), content: piContent }),
  z.object({ role: z.enum(['branchSummary', 'compactionSummary']), summary: z.string() }),
  z.object({
    role: z.literal('bashExecution'),
    command: z.string(),
    output: z.string().optional(),
    exitCode: z.number().nullable().optional(),
    excludeFromContext: z.boolean().optional(),
  }),
  z.object({
    role: z.literal('toolResult'),
    toolCallId: z.string(),
    toolName: z.string(),
    content: piContent,
    isError: z.boolean().optional(),
  }),
]);

export type PiMessage = z.infer<typeof piMessage>;
export const piRoles = new Set<string>([
  'user',
  'assistant',
  'toolResult',
  'custom',
  'hookMessage',
  'branchSummary',
  'compactionSummary',
  'bashExecution',
]);

export const piMessageEntry = z.object({ message: z.looseObject({ role: z.string() }) });
export const piCustom = z.object({ content: piContent });
export const piLabel = z.object({ targetId: z.string(), label: z.string().nullable().optional() });
export const piSummary = z.object({
  summary: z.string(),
  firstKeptEntryId: z.string().optional().catch(undefined),
});
export const piInfo = z.object({ name: z.string().nullable().optional() });
export const piAnswer = z.object({
  role: z.literal('assistant'),
  model: z.string().optional().catch(undefined),
  stopReason: z.string().optional().catch(undefined),
});
export const piTitle = z.object({ title: z.string() }).or(z.object({ name: z.string() }));

/** What is read, and says nothing. */
export const piNotes = new Set(['session_info', 'label']);

export const piSettings = new Set([
  'model_change',
  'thinking_level_change',
  'custom',
  'usage',
  'context_edit',
]);
