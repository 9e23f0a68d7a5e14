import type { UIMessage, UIMessagePart } from '../engine/uiMessage.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { AnyToolPart } from './tools/toolParts.ts';

export type AnswerPartType = 'text' | 'reasoning';

/** What came in with one piece: where it stands in the message. */
export interface AnswerDelta {
  readonly partIndex: number;
  readonly partType: AnswerPartType;
  readonly text: string;
  /** Length of the part before this piece, in UTF-16 units. */
  readonly offset: number;
}

interface TextPart {
  readonly type: AnswerPartType;
  text: string;
}

type Part = TextPart | Exclude<UIMessagePart, { type: AnswerPartType }>;

/**
 * An answer while it arrives. Appending costs the length of the piece, not of the answer: JavaScript engines join
 * strings lazily, and nothing here looks at the whole before someone asks for it.
 */
export class AnswerDraft {
  readonly #parts: Part[] = [];
  readonly #indexes = new Map<string, number>();
  #length = 0;

  constructor(readonly messageId: string) {}

  /** UTF-16 units in all parts together; of a call of a tool, about so many. */
  get length(): number {
    return this.#length;
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  get hasText(): boolean {
    return this.#parts.some((part) => part.type === 'text');
  }

  /** What comes from now on belongs to another request: its keys name other parts. */
  beginStep(): number | undefined {
    this.#indexes.clear();
    return this.isEmpty ? undefined : this.#parts.push({ type: 'step-start' }) - 1;
  }

  /** Adds a piece to the part `key` stands for; a new key begins a new part. Undefined when the piece is empty. */
  append(partType: AnswerPartType, key: string, text: string): AnswerDelta | undefined {
    if (text === '') return undefined;
    const fullKey = `${partType}:${key}`;
    const partIndex = this.#indexes.get(fullKey) ?? this.#parts.push({ type: partType, text: '' }) - 1;
    this.#indexes.set(fullKey, partIndex);
    const part = this.#parts[partIndex];
    if (part === undefined || !isText(part)) throw new RangeError(`Part ${partIndex} is missing.`);
    const offset = part.text.length;
    part.text += text;
    this.#length += text.length;
    return { partIndex, partType, text, offset };
  }

  /** Puts the call of a tool at its place: a new one at the end, one that is known over what it was. */
  setCall(part: AnyToolPart, at?: number): number {
    this.#length += sizeOf(part);
    if (at === undefined) return this.#parts.push(part) - 1;
    this.#parts[at] = part;
    return at;
  }

  /** Says something to the model on the person's side, between two steps; the person does not see it. */
  remind(id: string, text: string): number {
    this.#length += text.length;
    const reminder = { type: 'text', text, providerMetadata: { offshoot: { reminder: true } } } as const;
    return this.#parts.push({ type: 'steering-message', id, parts: [reminder] }) - 1;
  }

  /** The message as far as it has come. */
  message(metadata?: AnswerMetadata): UIMessage {
    const message: UIMessage = {
      id: this.messageId,
      role: 'assistant',
      parts: this.#parts.map((part) => ({ ...part })),
    };
    return metadata === undefined ? message : { ...message, metadata };
  }
}

function isText(part: Part): part is TextPart {
  return part.type === 'text' || part.type === 'reasoning';
}

/** About how much a state of a call adds to what has to be saved. */
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
