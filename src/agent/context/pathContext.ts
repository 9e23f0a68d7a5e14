import { foldEffects, type MessageEffects, type PathEffects } from '../../engine/effects.ts';
import { MessageNotFoundError } from '../../engine/errors.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { ContextStore } from '../../engine/store.ts';
import { readUIMessage, textOf } from '../../engine/uiMessage.ts';
import { sentText } from './sentText.ts';
import type { TextTokens } from './textTokens.ts';

/** What a message takes of a model's context window. */
export interface MessageTokens {
  readonly id: string;
  /** `user`, `assistant`, … */
  readonly name: string;
  /** How it begins. */
  readonly beginning: string;
  readonly tokens: number;
  /** Pictures and other files, which are not counted. */
  readonly files: number;
}

/** What stands on the way to a head: the messages with their tokens, state and artifacts. */
export interface PathContext {
  readonly messages: readonly MessageTokens[];
  readonly tokens: number;
  readonly effects: PathEffects;
}

interface Known {
  readonly chatId: string;
  readonly headId: string | null;
  readonly messages: MessageTokens[];
  readonly effects: { readonly effects: MessageEffects }[];
}

/** How much of a message's text is kept to tell it by, in UTF-16 units. */
const BEGINNING = 200;

/** Messages whose count is kept; those of long ago are counted again. */
const MAX_COUNTED = 50_000;

/**
 * Reads what stands on the way to a head. The last way is kept, so that a conversation that has grown costs what it grew
 * by, and a message is counted once however many branches lead over it.
 */
export class PathContextReader {
  readonly #counted = new Map<string, MessageTokens>();
  #known: Known = { chatId: '', headId: null, messages: [], effects: [] };
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: Pick<ContextStore, 'getPath' | 'getPathAfter'>,
    private readonly tokens: TextTokens,
  ) {}

  /** One after the other: each begins where the last one ended. */
  read(chatId: string, headId: string | null): Promise<PathContext> {
    const result = this.#queue.then(() => this.#read(chatId, headId));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #read(chatId: string, headId: string | null): Promise<PathContext> {
    const known = this.#known;
    const grown = await this.#grownTo(chatId, headId);
    const messages = grown ? [...known.messages] : [];
    const effects = grown ? [...known.effects] : [];
    for (const message of grown ?? (headId === null ? [] : await this.store.getPath(chatId, headId))) {
      const counted = await this.#count(message);
      if (counted) messages.push(counted);
      if (message.effects) effects.push({ effects: message.effects });
    }
    this.#known = { chatId, headId, messages, effects };
    return {
      messages,
      tokens: messages.reduce((sum, { tokens }) => sum + tokens, 0),
      effects: foldEffects(effects),
    };
  }

  /** What came after the head read last; undefined when this is another way, or what was read is gone by now. */
  async #grownTo(chatId: string, headId: string | null): Promise<MessageData[] | undefined> {
    const known = this.#known;
    if (known.chatId !== chatId || known.headId === null || headId === null) return undefined;
    try {
      return await this.store.getPathAfter(chatId, known.headId, headId);
    } catch (error) {
      if (error instanceof MessageNotFoundError) return undefined;
      throw error;
    }
  }

  async #count({ id, chatId, type, data }: MessageData): Promise<MessageTokens | undefined> {
    const key = JSON.stringify([chatId, id]);
    const known = this.#counted.get(key);
    if (known) return known;
    const read = type === 'message' ? readUIMessage(data) : undefined;
    if (!read) return undefined;
    const { text, files } = sentText(read);
    const counted = {
      id,
      name: read.role,
      beginning: textOf(read).slice(0, BEGINNING),
      tokens: await this.tokens.count(text),
      files,
    };
    this.#counted.set(key, counted);
    const oldest = this.#counted.keys().next();
    if (this.#counted.size > MAX_COUNTED && oldest.done !== true) this.#counted.delete(oldest.value);
    return counted;
  }
}
