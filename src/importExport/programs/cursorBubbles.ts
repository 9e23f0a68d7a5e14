import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { ToolCalls } from '../chatBuilder.ts';
import type { ImportReport } from '../importReport.ts';

/** When something was: milliseconds, or a text. */
const time = z
  .union([z.number(), z.string().transform((text) => Date.parse(text))])
  .optional()
  .catch(undefined);

const optionalText = z.string().optional().catch(undefined);

const call = z.object({
  toolCallId: optionalText,
  name: z.string(),
  rawArgs: optionalText,
  params: optionalText,
  result: optionalText,
  status: optionalText,
});

/** A message, or one of several that make up an answer. */
export const cursorBubble = z.object({
  bubbleId: optionalText,
  /** 1: of the user, 2: of the model. */
  type: z.union([z.literal(1), z.literal(2)]),
  text: z.string().catch(''),
  thinking: z.object({ text: z.string() }).optional().catch(undefined),
  toolFormerData: call.optional().catch(undefined),
  images: z.array(z.unknown()).catch([]),
  modelInfo: z.object({ modelName: z.string() }).optional().catch(undefined),
  createdAt: time,
});
export type CursorBubble = z.infer<typeof cursorBubble>;

export const composer = z.object({
  composerId: z.string().min(1),
  name: optionalText,
  createdAt: time,
  modelConfig: z.object({ modelName: z.string() }).optional().catch(undefined),
  /** Which messages there are; each has a row of its own. */
  fullConversationHeadersOnly: z
    .array(z.object({ bubbleId: z.string() }).catch({ bubbleId: '' }))
    .optional()
    .catch(undefined),
  /** The messages themselves, of older versions. */
  conversation: z.array(z.unknown()).optional().catch(undefined),
});
export type Composer = z.infer<typeof composer>;

export function partsOfBubble(bubble: CursorBubble, calls: ToolCalls, report: ImportReport): UIMessagePart[] {
  const { text, thinking, toolFormerData: called, images } = bubble;
  report.add(defineMessage('Pictures that cannot be shown'), images.length);
  const parts: UIMessagePart[] = [];
  if (thinking && thinking.text !== '') parts.push({ type: 'reasoning', text: thinking.text });
  if (text.trim() !== '') parts.push({ type: 'text', text });
  if (!called) return parts;
  const { toolCallId, name, rawArgs, params, result, status = '' } = called;
  const id = toolCallId ?? `call-${calls.size}`;
  const args = rawArgs ?? params ?? '';
  calls.called(id, name, tryParseJson(args) ?? (args === '' ? {} : { arguments: args }));
  const isError = status === 'error' || status === 'cancelled';
  if (result === undefined && !isError) return parts;
  return [
    ...parts,
    calls.result(id, result === undefined ? status : (tryParseJson(result) ?? result), isError),
  ];
}
