import { foldEffects, type MessageEffects, type PathEffects } from '../../engine/effects.ts';
import { MessageNotFoundError } from '../../engine/errors.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { ContextStore } from '../../engine/store.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { wordsOf } from '../wordsOf.ts';
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

/** A message on the way, or what stands there beside messages. */
interface Step {
  readonly id: string;
  /** Undefined for what no model is sent. */
  readonly counted: MessageTokens | undefined;
  readonly effects: MessageEffects | undefined;
}

interface Known {
  readonly chatId: string;
  readonly headId: string | null;
  /** Root first. */
  readonly steps: readonly Step[];
}

/** How much of a message's text is kept to tell it by, in UTF-16 units. */
const BEGINNING = 200;

/** Messages whose count is kept; those of long ago are counted again. */
const MAX_COUNTED = 50_000;

/**
 * Reads what stands on the way to a head. The last way is kept, so that a conversation that has grown costs what it grew
 * by, and a switch what the two branches do not share. A message is counted once however many branches lead over it.
 */
export class PathContextReader {
  readonly #counted = new Map<string, MessageTokens>();
  #known: Known = { chatId: '', headId: null, steps: [] };
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: Pick<ContextStore, 'getPath' | 'getPathAfter' | 'findCommonAncestor'>,
    private readonly tokens: TextTokens,
  ) {}

  /** One after the other: each begins where the last one ended. */
  read(chatId: string, headId: string | null): Promise<PathContext> {
    const result = this.#queue.then(() => this.#read(chatId, headId));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #read(chatId: string, headId: string | null): Promise<PathContext> {
    const shared = await this.#sharedWith(chatId, headId);
    const steps = [...shared.steps];
    for (const message of shared.rest ?? (headId === null ? [] : await this.store.getPath(chatId, headId))) {
      steps.push({ id: message.id, counted: await this.#count(message), effects: message.effects });
    }
    this.#known = { chatId, headId, steps };
    const messages = steps.flatMap(({ counted }) => counted ?? []);
    return {
      messages,
      tokens: messages.reduce((sum, { tokens }) => sum + tokens, 0),
      effects: foldEffects(steps.flatMap(({ effects }) => (effects ? [{ effects }] : []))),
    };
  }

  /**
   * What the way read last and this one have in common, and what comes after it on this one; nothing and undefined when
   * they have nothing in common, or what was read is gone by now.
   */
  async #sharedWith(
    chatId: string,
    headId: string | null,
  ): Promise<{ readonly steps: readonly Step[]; readonly rest?: readonly MessageData[] }> {
    const known = this.#known;
    if (known.chatId !== chatId || known.headId === null || headId === null) return { steps: [] };
    try {
      const meeting = await this.store.findCommonAncestor(chatId, known.headId, headId);
      const at = known.steps.findLastIndex(({ id }) => id === meeting?.id);
      const rest = meeting && at >= 0 ? await this.store.getPathAfter(chatId, meeting.id, headId) : undefined;
      return rest ? { steps: known.steps.slice(0, at + 1), rest } : { steps: [] };
    } catch (error) {
      if (error instanceof MessageNotFoundError) return { steps: [] };
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
      beginning: wordsOf(read).slice(0, BEGINNING),
      tokens: await this.tokens.count(text),
      files,
    };
    this.#counted.set(key, counted);
    const oldest = this.#counted.keys().next();
    if (this.#counted.size > MAX_COUNTED && oldest.done !== true) this.#counted.delete(oldest.value);
    return counted;
  }
}
