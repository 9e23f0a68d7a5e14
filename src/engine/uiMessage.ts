import { z } from 'zod';

/**
 * Part of a message, told apart by `type`. Kinds this program does not know are kept as they are, so that a message
 * written by a newer version, or by another program of the AI SDK, comes back whole.
 */
const unknownPart = z.looseObject({ type: z.string() });

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const reasoningPart = z.looseObject({ type: z.literal('reasoning'), text: z.string() });
const filePart = z.looseObject({ type: z.literal('file'), mediaType: z.string(), url: z.string() });

const knownParts: Readonly<Record<string, z.ZodType>> = {
  text: textPart,
  reasoning: reasoningPart,
  file: filePart,
};

/** A part whose kind is known is checked against it; the others need a `type` only. */
const partSchema = unknownPart.superRefine((part, context) => {
  const problems = knownParts[part.type]?.safeParse(part).error;
  for (const issue of problems?.issues ?? []) {
    context.addIssue({ code: 'custom', message: issue.message, path: issue.path });
  }
});

/** A message as the AI SDK's user interfaces hold it; the shape is theirs, so that either can be given to the other. */
export const uiMessageSchema = z.object({
  id: z.string(),
  role: z.enum(['system', 'user', 'assistant']),
  metadata: z.unknown().optional(),
  parts: z.array(partSchema),
});

export interface TextPart {
  type: 'text';
  text: string;
}

export interface ReasoningPart {
  type: 'reasoning';
  text: string;
}

export interface FilePart {
  type: 'file';
  mediaType: string;
  url: string;
  filename?: string;
}

/** Tool calls, sources, data and whatever else the AI SDK knows; see its documentation for their members. */
export interface OtherPart {
  type: string;
  [member: string]: unknown;
}

export type UIMessagePart = TextPart | ReasoningPart | FilePart | OtherPart;

export interface UIMessage {
  id: string;
  role: 'system' | 'user' | 'assistant';
  metadata?: unknown;
  parts: UIMessagePart[];
}

/** True for a part of visible text. */
export function isTextPart(part: UIMessagePart): part is TextPart {
  return part.type === 'text' && 'text' in part && typeof part.text === 'string';
}

/** True for a part of the model's reasoning. */
export function isReasoningPart(part: UIMessagePart): part is ReasoningPart {
  return part.type === 'reasoning' && 'text' in part && typeof part.text === 'string';
}

/** A message of one text. */
export function textMessage(id: string, role: UIMessage['role'], text: string): UIMessage {
  return { id, role, parts: [{ type: 'text', text }] };
}

/** The visible text: text parts in order, joined by an empty line; no reasoning, no tool calls. */
export function textOf(message: Pick<UIMessage, 'parts'>): string {
  return message.parts
    .filter(isTextPart)
    .map((part) => part.text)
    .join('\n\n');
}

/**
 * Reads a message back from stored data; undefined when it is not one. Checked by hand: the schema would take longer
 * than reading ten thousand messages from the database.
 */
export function readUIMessage(data: unknown): UIMessage | undefined {
  if (!isObject(data) || !Array.isArray(data['parts']) || typeof data['id'] !== 'string') return undefined;
  const { role } = data;
  if (role !== 'system' && role !== 'user' && role !== 'assistant') return undefined;
  const parts: unknown[] = data['parts'];
  if (!parts.every(isPart)) return undefined;
  const message: UIMessage = { id: data['id'], role, parts };
  return data['metadata'] === undefined ? message : { ...message, metadata: data['metadata'] };
}

function isPart(part: unknown): part is UIMessagePart {
  if (!isObject(part) || typeof part['type'] !== 'string') return false;
  const needsText = part['type'] === 'text' || part['type'] === 'reasoning';
  return !needsText || typeof part['text'] === 'string';
}

function isObject(value: unknown): value is Record<'role', unknown> & Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const content: PropertyDescriptor = {
  configurable: true,
  get(this: UIMessage): string {
    return textOf(this);
  },
};

/**
 * Lets a message also be given to functions that want the AI SDK's model messages (`generateText` and its like): its
 * `content` is its visible text. It is no enumerable member, so the message is written and compared as before; messages
 * with tools or files go through the SDK's `convertToModelMessages`.
 */
export function withContent(message: UIMessage): UIMessage & { readonly content: string } {
  // Defined just now.
  return Object.defineProperty(message, 'content', content) as UIMessage & { readonly content: string };
}
