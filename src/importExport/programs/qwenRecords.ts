import { z } from 'zod';

// Sessions of Qwen Code: one record on each line, each naming its parent. What is said is in the form of Gemini's API.

const inline = z.object({
  inlineData: z.object({ mimeType: z.string(), data: z.string() }),
});
const spoken = z.object({ text: z.string(), thought: z.boolean().optional().catch(undefined) });
const call = z.object({
  functionCall: z.object({ id: z.string(), name: z.string(), args: z.unknown().optional() }),
});
const result = z.object({
  functionResponse: z.object({
    id: z.string(),
    name: z.string(),
    response: z
      .looseObject({ output: z.unknown().optional(), error: z.unknown().optional() })
      .optional()
      .catch(undefined),
    /** Pictures that the tool showed. */
    parts: z.array(z.unknown()).optional().catch(undefined),
  }),
});
const other = z.looseObject({}).transform(() => ({ other: true }) as const);

export const qwenPart = z.union([call, result, inline, spoken, other]);
export type QwenPart = z.infer<typeof qwenPart>;
export const qwenPicture = inline;

const message = z.object({ parts: z.array(qwenPart) });

export const qwenRecord = z.object({
  type: z.enum(['user', 'assistant', 'tool_result', 'system']),
  uuid: z.string().min(1),
  parentUuid: z.string().nullish(),
  sessionId: z.string(),
  timestamp: z.string().optional().catch(undefined),
  subtype: z.string().optional().catch(undefined),
  model: z.string().optional().catch(undefined),
  message: message.optional().catch(undefined),
  toolCallResult: z.object({ status: z.string() }).optional().catch(undefined),
  systemPayload: z.unknown().optional(),
});
export type QwenRecord = z.infer<typeof qwenRecord>;

export const qwenTitle = z.object({ customTitle: z.string() });
/** The question as it was typed, of which files were read. */
export const qwenAtCommand = z.object({ userText: z.string() });
/** What the model is sent from then on: the summary, a word of the model, and messages that stay. */
export const qwenCompression = z.object({
  compressedHistory: z.array(z.object({ role: z.string(), parts: z.array(qwenPart) })).min(1),
});

/** Records of the program about itself. */
export const qwenBookkeeping: ReadonlySet<string> = new Set([
  'ui_telemetry',
  'attribution_snapshot',
  'file_history_snapshot',
  'at_command',
  'rewind',
  'custom_title',
]);

/** A record with what only Qwen Code has: other programs have names of members in common with it. */
export function isQwenRecord(value: unknown): boolean {
  return own.safeParse(value).success;
}

const identity = z.object({ uuid: z.string(), sessionId: z.string() });
const own = z.union([
  identity.extend({
    message: z.object({ role: z.enum(['user', 'model']), parts: z.array(z.looseObject({})) }),
  }),
  identity.extend({ type: z.literal('system'), systemPayload: z.looseObject({}) }),
]);
