import { isTextPart, readUIMessage, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import { mergedMetadata, storableMetadata, type PartMetadata } from '../../models/messages/partMetadata.ts';
import { isTagged } from '../../models/requests/taggedReasoning.ts';
import type { AnyToolPart } from '../../models/messages/toolParts.ts';
import type { MessageData } from '../../engine/graph.ts';

export type AnswerPartType = 'text' | 'reasoning';

export interface AnswerDelta {
  readonly partIndex: number;
  readonly partType: AnswerPartType;
  readonly text: string;
  /** Length of the part before this piece, in UTF-16 units. */
  readonly offset: number;
}

export interface PartNote {
  readonly event: 'begun' | 'noted' | 'ended';
  readonly type: AnswerPartType;
  readonly key: string;
  /** As the provider sent it. */
  readonly providerMetadata: unknown;
  /** Milliseconds since 1970. */
  readonly now: number;
}

interface TextPart {
  type: AnswerPartType;
  text: string;
  providerMetadata?: PartMetadata;
}

type Part = TextPart | Exclude<UIMessagePart, { type: AnswerPartType }>;

/**
 * An answer while it arrives. Appending costs the length of the piece, not of the answer: JavaScript engines join
 * strings lazily, and nothing here reads the full text before a caller asks for it.
 */
export class AnswerDraft {
  private readonly parts: Part[] = [];
  private readonly indexes = new Map<string, number>();
  /** Notes for text parts that have no words yet. */
  private readonly notes = new Map<string, PartMetadata>();
  private currentLength = 0;

  constructor(readonly messageId: string) {}

  /** UTF-16 units in all parts together; approximate for tool calls. */
  get length(): number {
    return this.currentLength;
  }

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  get hasText(): boolean {
    return this.parts.some((part) => part.type === 'text');
  }

  /** Starts the next request: from now on, keys name new parts. */
  beginStep(): number | undefined {
    this.indexes.clear();
    this.notes.clear();
    return this.isEmpty ? undefined : this.parts.push({ type: 'step-start' }) - 1;
  }

  /** Adds a piece to the part `key` stands for; a new key begins a new part. Undefined when the piece is empty. */
  append(partType: AnswerPartType, key: string, text: string): AnswerDelta | undefined {
    if (text === '') return undefined;
    const fullKey = `${partType}:${key}`;
    const partIndex = this.indexes.get(fullKey) ?? this.begin(partType, fullKey);
    const part = this.textPart(partIndex);
    const offset = part.text.length;
    part.text += text;
    this.currentLength += text.length;
    return { partIndex, partType, text, offset };
  }

  /**
   * Keeps a note about a part. Reasoning gets its place right away, because it may never show a word and must still
   * be sent back to its provider; a text gets one with its first word.
   * @returns the number of a part that must be shown again
   */
  note({ event, type, key, providerMetadata, now }: PartNote): number | undefined {
    const fullKey = `${type}:${key}`;
    const stored = storableMetadata(providerMetadata);
    const metadata = type === 'reasoning' ? mergedMetadata(stored, timeOf(event, now)) : stored;
    if (stored !== undefined) this.currentLength += 1;
    const known = this.indexes.get(fullKey);
    if (known === undefined && type === 'text') {
      const notes = mergedMetadata(this.notes.get(fullKey), metadata);
      if (notes !== undefined) this.notes.set(fullKey, notes);
      return undefined;
    }
    const index = known ?? this.begin(type, fullKey);
    const part = this.textPart(index);
    const merged = mergedMetadata(part.providerMetadata, metadata);
    if (merged !== undefined) part.providerMetadata = merged;
    if (type === 'text' && event === 'ended' && isTagged(stored)) {
      // Its end showed that it was reasoning.
      part.type = 'reasoning';
      this.indexes.delete(fullKey);
      return index;
    }
    return type === 'reasoning' && event !== 'noted' ? index : undefined;
  }

  part(index: number): UIMessagePart | undefined {
    const part = this.parts[index];
    return part && { ...part };
  }

  private begin(type: AnswerPartType, fullKey: string): number {
    const providerMetadata = this.notes.get(fullKey);
    this.notes.delete(fullKey);
    const index =
      this.parts.push({ type, text: '', ...(providerMetadata === undefined ? {} : { providerMetadata }) }) -
      1;
    this.indexes.set(fullKey, index);
    return index;
  }

  private textPart(index: number): TextPart {
    const part = this.parts[index];
    if (part === undefined || !isText(part)) throw new RangeError(`Part ${index} is missing.`);
    return part;
  }

  /** Stores a tool call: a new one at the end, a known one over its previous state. */
  setCall(part: AnyToolPart, at?: number): number {
    this.currentLength += sizeOf(part);
    if (at === undefined) return this.parts.push(part) - 1;
    this.parts[at] = part;
    return at;
  }

  /** Adds a message to the model on the user's side, between two steps; the user does not see it. */
  remind(id: string, text: string): number {
    this.currentLength += text.length;
    const reminder = { type: 'text', text, providerMetadata: { offshoot: { reminder: true } } } as const;
    return this.parts.push({ type: 'steering-message', id, parts: [reminder] }) - 1;
  }

  message(metadata?: AnswerMetadata): UIMessage {
    const message: UIMessage = {
      id: this.messageId,
      role: 'assistant',
      parts: this.parts.map((part) => ({ ...part })),
    };
    return metadata === undefined ? message : { ...message, metadata };
  }
}

function timeOf(event: PartNote['event'], now: number): PartMetadata | undefined {
  switch (event) {
    case 'begun':
      return { offshoot: { startedAt: now } };
    case 'ended':
      return { offshoot: { finishedAt: now } };
    case 'noted':
      return undefined;
  }
}

function isText(part: Part): part is TextPart {
  return part.type === 'text' || part.type === 'reasoning';
}

/** Roughly how much a call's state adds to what must be saved. */
function sizeOf(part: AnyToolPart): number {
  switch (part.state) {
    case 'input-available':
      return JSON.stringify(part.input ?? null).length;
    case 'output-available':
      return (JSON.stringify(part.output ?? null) as string | undefined)?.length ?? 0;
    default:
      return 1;
  }
}

/** True if the answer has no word, no reasoning and no call. */
export function isWordless({ parts }: Pick<UIMessage, 'parts'>): boolean {
  return parts.every((part) => part.type === 'step-start' || (isTextPart(part) && part.text.trim() === ''));
}

/** Whether a stored message has the same content as one with the same id; else that one was a draft of it. */
export function isStoredAs(
  { data }: Pick<MessageData, 'data'>,
  { parts }: Pick<UIMessage, 'parts'>,
): boolean {
  return JSON.stringify(readUIMessage(data)?.parts) === JSON.stringify(parts);
}
