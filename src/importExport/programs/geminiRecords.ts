import { z } from 'zod';

// Sessions of Gemini CLI, as its version 0.61 writes them: a line for each message, again when its calls were answered;
// `$set` with the messages that count from then on, `$rewindTo` with the first that was taken back. Older versions write
// one value with all messages.

const blob = z.object({ mimeType: z.string(), data: z.string() });

const part = z.union([
  z.string().transform((text) => ({ type: 'text', text }) as const),
  z
    .object({ text: z.string(), thought: z.boolean().optional().catch(undefined) })
    .transform(({ text, thought }) => ({ type: thought === true ? 'thought' : 'text', text }) as const),
  z.object({ inlineData: blob }).transform(({ inlineData }) => ({ type: 'blob', ...inlineData }) as const),
  z
    .object({ functionCall: z.object({ id: z.string().optional(), name: z.string(), args: z.unknown() }) })
    .transform(({ functionCall }) => ({ type: 'call', ...functionCall }) as const),
  z
    .object({
      functionResponse: z.object({ id: z.string().optional(), name: z.string(), response: z.unknown() }),
    })
    .transform(({ functionResponse }) => ({ type: 'result', ...functionResponse }) as const),
  z.looseObject({}).transform(() => ({ type: 'other' }) as const),
]);
export type GeminiPart = z.infer<typeof part>;

const content = z.union([z.array(part), part.transform((one) => [one])]);

const toolCall = z.object({
  id: z.string(),
  name: z.string(),
  args: z.unknown(),
  result: content.nullish().catch(undefined),
  status: z.string().optional().catch(undefined),
  /** The session of the agent that it started. */
  agentId: z.string().optional().catch(undefined),
});

export const geminiMessage = z.object({
  id: z.string().min(1),
  timestamp: z.string().optional().catch(undefined),
  type: z.string(),
  content: content.catch([]),
  /** What the user typed, where more was sent. */
  displayContent: content.optional().catch(undefined),
  thoughts: z.array(z.object({ subject: z.string().catch(''), description: z.string().catch('') })).catch([]),
  toolCalls: z.array(toolCall).catch([]),
  model: z.string().optional().catch(undefined),
});
export type GeminiMessage = z.infer<typeof geminiMessage>;

export const geminiHeader = z.object({
  sessionId: z.string().min(1),
  projectHash: z.string(),
  kind: z.string().optional().catch(undefined),
  summary: z.string().optional().catch(undefined),
  messages: z.array(z.unknown()).optional().catch(undefined),
});

export const geminiUpdate = z.object({
  $set: z.object({
    summary: z.string().optional().catch(undefined),
    messages: z.array(z.unknown()).optional().catch(undefined),
  }),
});

export const geminiRewind = z.object({ $rewindTo: z.string() });

/** What a session says to its user and not to the model. */
export const geminiNotices: ReadonlySet<string> = new Set(['info', 'warning']);

/** The user stopped the answer. */
export function isGeminiStop({ type, content: parts }: GeminiMessage): boolean {
  return type === 'info' && geminiWords(parts).own.trim() === 'Request cancelled.';
}

/** How the messages begin with which the program tells the model where it is. */
const contexts = [
  '<session_context>',
  '<hook_context>',
  'This is the Gemini CLI. We are setting up the context',
] as const;

/** What stands for the model's answers to them, and to the summary of a conversation. */
const acknowledgements: ReadonlySet<string> = new Set([
  'Got it. Thanks for the context!',
  'Got it. Thanks for the additional context!',
]);

export function isGeminiContext(text: string): boolean {
  const trimmed = text.trimStart();
  return contexts.some((beginning) => trimmed.startsWith(beginning));
}

export function isGeminiAcknowledgement(text: string): boolean {
  return acknowledgements.has(text.trim());
}

/** The message that stands for the conversation before it, once that was compressed. */
export function isGeminiSummary(text: string): boolean {
  return text.includes('<state_snapshot>');
}

/** Around the files that a question named. */
const FILES_BEGIN = '--- Content from referenced files ---';
const FILES_END = '--- End of content ---';

/** The words of a question, and the text of the files it named. */
export function geminiWords(parts: readonly GeminiPart[]): { readonly own: string; readonly files: string } {
  const texts = parts.flatMap((each) => (each.type === 'text' ? [each.text] : []));
  const begin = texts.findIndex((text) => text.trim() === FILES_BEGIN);
  if (begin < 0) return { own: texts.join(''), files: '' };
  const end = texts.findIndex((text, at) => at > begin && text.trim() === FILES_END);
  const stop = end < 0 ? texts.length : end;
  return {
    own: [...texts.slice(0, begin), ...texts.slice(stop + 1)].join(''),
    files: texts
      .slice(begin + 1, stop)
      .join('')
      .trim(),
  };
}
