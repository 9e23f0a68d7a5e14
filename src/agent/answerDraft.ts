import type { UIMessage } from '../engine/uiMessage.ts';
import type { AnswerMetadata } from './answerMetadata.ts';

export type AnswerPartType = 'text' | 'reasoning';

/** What came in with one piece: where it stands in the message. */
export interface AnswerDelta {
  readonly partIndex: number;
  readonly partType: AnswerPartType;
  readonly text: string;
  /** Length of the part before this piece, in UTF-16 units. */
  readonly offset: number;
}

interface Part {
  readonly type: AnswerPartType;
  text: string;
}

/**
 * An answer while it arrives. Appending costs the length of the piece, not of the answer: JavaScript engines join
 * strings lazily, and nothing here looks at the whole before someone asks for it.
 */
export class AnswerDraft {
  readonly #parts: Part[] = [];
  readonly #indexes = new Map<string, number>();
  #length = 0;

  constructor(readonly messageId: string) {}

  /** UTF-16 units in all parts together. */
  get length(): number {
    return this.#length;
  }

  get hasText(): boolean {
    return this.#parts.some((part) => part.type === 'text');
  }

  /** Adds a piece to the part `key` stands for; a new key begins a new part. Undefined when the piece is empty. */
  append(partType: AnswerPartType, key: string, text: string): AnswerDelta | undefined {
    if (text === '') return undefined;
    const fullKey = `${partType}:${key}`;
    const partIndex = this.#indexes.get(fullKey) ?? this.#parts.push({ type: partType, text: '' }) - 1;
    this.#indexes.set(fullKey, partIndex);
    const part = this.#parts[partIndex];
    if (part === undefined) throw new RangeError(`Part ${partIndex} is missing.`);
    const offset = part.text.length;
    part.text += text;
    this.#length += text.length;
    return { partIndex, partType, text, offset };
  }

  /** The message as far as it has come. */
  message(metadata?: AnswerMetadata): UIMessage {
    const message: UIMessage = {
      id: this.messageId,
      role: 'assistant',
      parts: this.#parts.map(({ type, text }) => ({ type, text })),
    };
    return metadata === undefined ? message : { ...message, metadata };
  }
}
