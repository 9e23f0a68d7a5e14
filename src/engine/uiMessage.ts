import { z } from 'zod';
import { firedReminders, withFiredReminders } from './firedReminders.ts';

type Json = null | boolean | number | string | readonly Json[] | Readonly<JsonMembers>;

/** An object of JSON in a part of a message; undefined is left out when it is stored. */
export interface JsonMembers {
  [member: string]: Json | undefined;
}

/** A piece of text, usually in Markdown. */
export interface TextPart {
  type: 'text';
  text: string;
  /** Metadata for or from a provider, by the provider's name. */
  providerMetadata?: Record<string, JsonMembers>;
}

/** The reasoning of the model before the answer. */
export interface ReasoningPart {
  type: 'reasoning';
  text: string;
  /** What the provider needs to recognize it, such as a signature; by the provider's name. */
  providerMetadata?: Record<string, JsonMembers>;
}

/** A file, for instance an image for the model. */
export interface FilePart {
  type: 'file';
  mediaType: string;
  /** An address, or the file itself as a `data:` URL. */
  url: string;
  filename?: string;
  /** Metadata of the file, by the name of the program or provider. */
  providerMetadata?: Record<string, JsonMembers>;
}

/** A file that the model made while reasoning. */
export interface ReasoningFilePart {
  type: 'reasoning-file';
  mediaType: string;
  url: string;
}

/** A page that the answer relies on. */
export interface SourceUrlPart {
  type: 'source-url';
  sourceId: string;
  url: string;
  title?: string;
}

/** A document that the answer relies on. */
export interface SourceDocumentPart {
  type: 'source-document';
  sourceId: string;
  mediaType: string;
  title: string;
  filename?: string;
}

/** The state of a tool call, which determines the members that are present. */
export type ToolCallState =
  | { state: 'input-streaming'; input?: unknown }
  | { state: 'input-available'; input: unknown }
  | { state: 'approval-requested'; input: unknown; approval: { id: string } }
  | { state: 'approval-responded'; input: unknown; approval: { id: string; approved: boolean } }
  | { state: 'output-available'; input: unknown; output: unknown }
  | { state: 'output-error'; input: unknown; errorText: string }
  | {
      state: 'output-denied';
      input: unknown;
      approval: { id: string; approved: false; reason?: string };
    };

/** A tool call by the model, with its state. */
export type ToolCall = {
  toolCallId: string;
  /** Metadata that must be sent back to a provider, by the provider's name. */
  callProviderMetadata?: Record<string, JsonMembers>;
} & ToolCallState;

/** A call of the tool named in `type`. */
export type ToolPart = { type: `tool-${string}` } & ToolCall;

/** A call of a tool that was not known in advance. */
export type DynamicToolPart = { type: 'dynamic-tool'; toolName: string } & ToolCall;

/** Data that a program keeps in a message; the model does not see it. */
export interface DataPart {
  type: `data-${string}`;
  id?: string;
  data: unknown;
}

/** Content specific to one provider. */
export interface CustomPart {
  type: 'custom';
  kind: `${string}.${string}`;
}

/** A message the user sent while the answer was streaming. */
export interface SteeringMessagePart {
  type: 'steering-message';
  id: string;
  parts: (TextPart | FilePart)[];
}

/** Marks the beginning of another model call. */
export interface StepStartPart {
  type: 'step-start';
}

/**
 * A part of a message, with the kinds and members of AI SDK 7 that every reader can rely on; others are kept
 * unchanged. Kinds added later are treated likewise: read the ones you know by `type`, and ignore the others.
 */
export type UIMessagePart =
  | TextPart
  | ReasoningPart
  | FilePart
  | ReasoningFilePart
  | SourceUrlPart
  | SourceDocumentPart
  | ToolPart
  | DynamicToolPart
  | DataPart
  | CustomPart
  | SteeringMessagePart
  | StepStartPart;

/** A message as the AI SDK's user interfaces hold it; the shapes are compatible in both directions. */
export interface UIMessage {
  id: string;
  role: 'system' | 'user' | 'assistant';
  metadata?: unknown;
  parts: UIMessagePart[];
}

const text = z.looseObject({ text: z.string() });
const file = z.looseObject({ mediaType: z.string(), url: z.string() });

/** The parts that are read without further checks. */
const readParts: Readonly<Record<string, z.ZodType>> = { text, reasoning: text, file };

const partSchema = z
  .looseObject({ type: z.string().min(1) })
  .superRefine((part, context) => {
    for (const { message, path } of readParts[part.type]?.safeParse(part).error?.issues ?? []) {
      context.addIssue({ code: 'custom', message, path });
    }
  })
  // Other kinds are trusted without validation: refusing to keep a conversation would be worse.
  .transform((part) => part as unknown as UIMessagePart);

/**
 * Reads a message from an external source. Unknown kinds of parts and unknown members of parts are kept.
 * @example uiMessageSchema.parse(JSON.parse(text))
 */
export const uiMessageSchema = z.object({
  id: z.string(),
  role: z.enum(['system', 'user', 'assistant']),
  metadata: z.unknown().optional(),
  parts: z.array(partSchema),
});

/** True for a part of text; reminders are text too, see {@link isReminderPart}. */
export function isTextPart(part: UIMessagePart): part is TextPart {
  return part.type === 'text';
}

/** True for a part of the model's reasoning. */
export function isReasoningPart(part: UIMessagePart): part is ReasoningPart {
  return part.type === 'reasoning';
}

/** True for a tool call. */
export function isToolPart(part: UIMessagePart): part is ToolPart | DynamicToolPart {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-');
}

/** The name of the tool that a part calls. */
export function toolNameOf(part: ToolPart | DynamicToolPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
}

/** True for text that only the model sees. */
export function isReminderPart(part: UIMessagePart): boolean {
  return isTextPart(part) && part.providerMetadata?.['offshoot']?.['reminder'] === true;
}

/** True for a message between two steps of an answer: it has the user's role, and holds nothing but reminders. */
export function isReminderMessage({
  role,
  metadata,
  parts,
}: Pick<UIMessage, 'role' | 'metadata' | 'parts'>): boolean {
  return role === 'user' && firedReminders(metadata).alone === true && parts.every(isReminderPart);
}

/** A message with a single text part. */
export function textMessage(id: string, role: UIMessage['role'], text: string): UIMessage {
  return { id, role, parts: [{ type: 'text', text }] };
}

/**
 * The visible text: text parts in order, joined by an empty line; no reminders, no reasoning, no tool calls.
 * @example textOf({ parts: [{ type: 'text', text: 'Hello!' }] }) // 'Hello!'
 */
export function textOf({ parts }: Pick<UIMessage, 'parts'>): string {
  return joined(parts, (part) => !isReminderPart(part));
}

/** The text that the model sees: as {@link textOf}, plus the reminders. */
export function modelTextOf({ parts }: Pick<UIMessage, 'parts'>): string {
  return joined(parts, () => true);
}

function joined(parts: readonly UIMessagePart[], isMeant: (part: UIMessagePart) => boolean): string {
  let text: string | undefined;
  for (const part of parts) {
    if (isTextPart(part) && isMeant(part)) text = text === undefined ? part.text : `${text}\n\n${part.text}`;
  }
  return text ?? '';
}

/**
 * The message as the user sees it, without reminders. One that holds nothing else (see {@link isReminderMessage}) has
 * no parts left.
 */
export function stripReminders<M extends Pick<UIMessage, 'parts'>>(message: M): M {
  const stripped = { ...message, parts: message.parts.filter((part) => !isReminderPart(part)) };
  const metadata: unknown = 'metadata' in message ? message.metadata : undefined;
  if (!isObject(metadata) || !('firedReminders' in metadata)) return stripped;
  // Another message may be made of this one: what fired once was not added to that.
  const { firedReminders: _, ...others } = metadata;
  const isAlone = firedReminders(metadata).alone === true;
  const kept = isAlone ? withFiredReminders(others, { alone: true }) : others;
  if (Object.keys(kept).length > 0) return { ...stripped, metadata: kept };
  delete (stripped as { metadata?: unknown }).metadata;
  return stripped;
}

/** Replaces a malformed part: it keeps its position, and nothing else of it is used. */
const UNREADABLE: DataPart = { type: 'data-unreadable', data: null };

/** True for the placeholder of a part that could not be read. */
export function isUnreadablePart(part: UIMessagePart): boolean {
  return part.type === UNREADABLE.type;
}

/**
 * Reads a message back from stored data; undefined when it is not one. Stored data may come from another program or
 * be forged: each part either matches its kind, or is replaced by a placeholder for unreadable parts. Checked by
 * hand: the schema would take longer than reading ten thousand messages from the database.
 */
export function readUIMessage(data: unknown): UIMessage | undefined {
  if (!isObject(data) || !Array.isArray(data['parts']) || typeof data['id'] !== 'string') return undefined;
  const { role } = data;
  if (role !== 'system' && role !== 'user' && role !== 'assistant') return undefined;
  const parts: unknown[] = data['parts'];
  // Every part was just checked.
  if (parts.every(isPart)) return data as unknown as UIMessage;
  return { ...data, id: data['id'], role, parts: parts.map((part) => (isPart(part) ? part : UNREADABLE)) };
}

function isPart(part: unknown): part is UIMessagePart {
  if (!isObject(part) || typeof part['type'] !== 'string') return false;
  const { type } = part;
  switch (type) {
    case 'text':
    case 'reasoning':
      return typeof part['text'] === 'string';
    case 'file':
      return (
        typeof part['url'] === 'string' &&
        // Bytes in a data URL follow a comma; without one, a request with them could not be made.
        /^(?!data:)|^data:[^,]*,/.test(part['url']) &&
        typeof part['mediaType'] === 'string' &&
        isOptionalText(part['filename']) &&
        isOptionalMetadata(part['providerMetadata'])
      );
    case 'steering-message':
      return Array.isArray(part['parts']) && part['parts'].every(isTextOrFile);
    case 'dynamic-tool':
      return typeof part['toolName'] === 'string' && part['toolName'] !== '' && isCall(part);
    default:
      return type.startsWith('tool-') ? type !== 'tool-' && isCall(part) : type !== '';
  }
}

function isTextOrFile(part: unknown): boolean {
  return isObject(part) && (part['type'] === 'text' || part['type'] === 'file') && isPart(part);
}

function isCall(part: Readonly<Record<string, unknown>>): boolean {
  const { toolCallId, state, approval, callProviderMetadata: metadata } = part;
  if (typeof toolCallId !== 'string' || !isOptionalMetadata(metadata)) return false;
  switch (state) {
    case 'input-streaming':
    case 'input-available':
    case 'output-available':
      return true;
    case 'approval-requested':
    case 'approval-responded':
      return isObject(approval) && typeof approval['id'] === 'string';
    case 'output-error':
      return typeof part['errorText'] === 'string';
    case 'output-denied':
      return isObject(approval) && isOptionalText(approval['reason']);
    default:
      return false;
  }
}

function isOptionalMetadata(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.values(value).every(isObject));
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const content: PropertyDescriptor = {
  configurable: true,
  get(this: UIMessage): string {
    return modelTextOf(this);
  },
};

/**
 * Allows a message to be passed to functions that expect the AI SDK's model messages (such as `generateText`): its
 * `content` is the text for the model. The member is not enumerable, so writing and comparing the message is
 * unaffected; messages with tools or files go through the SDK's `convertToModelMessages`.
 */
export function withContent(message: UIMessage): UIMessage & { readonly content: string } {
  // The property was just defined.
  return Object.defineProperty(message, 'content', content) as UIMessage & { readonly content: string };
}
