import { foldEffects, type MessageEffects, type PathEffects } from '../../engine/effects.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { MessageData } from '../../engine/graph.ts';
import { PathFold, type PathStep, type PathStore } from '../../engine/pathFold.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { plainText } from '../plainText.ts';
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
  /** Of the PDFs that go with it. */
  readonly pages: number;
}

/** What stands on the way to a head: the messages with their tokens, state and artifacts. */
export interface PathContext {
  readonly messages: readonly MessageTokens[];
  readonly tokens: number;
  /** Of all PDFs; what they take depends on the model. */
  readonly pages: number;
  readonly effects: PathEffects;
}

/** A message on the way, or what stands there beside messages. */
interface Step extends PathStep {
  /** Undefined for what no model is sent. */
  readonly counted: MessageTokens | undefined;
  readonly effects: MessageEffects | undefined;
  /** Of all messages up to here. */
  readonly tokens: number;
}

/** How much of a message's text is kept to tell it by, in UTF-16 units. */
const BEGINNING = 200;

/** Messages whose count is kept; those of long ago are counted again. */
const MAX_COUNTED = 50_000;

/**
 * Reads what stands on the way to a head. A conversation that has grown costs what it grew by, and a switch what the two
 * branches do not share. A message is counted once however many branches lead over it.
 */
export class PathContextReader implements Disposable {
  private readonly counted = new Map<string, MessageTokens>();
  private readonly fold: PathFold<Step>;

  constructor(
    store: PathStore,
    private readonly tokens: TextTokens,
  ) {
    this.fold = new PathFold(store, async (message, before) => {
      const counted = await this.count(message);
      const tokens = (before?.tokens ?? 0) + (counted?.tokens ?? 0);
      return { id: message.id, counted, effects: message.effects, tokens };
    });
  }

  /** One after the other: each begins where the last one ended. */
  async read(chatId: string, headId: string | null): Promise<PathContext> {
    const steps = await this.fold.read(chatId, headId);
    return {
      messages: steps.flatMap(({ counted }) => counted ?? []),
      tokens: steps.at(-1)?.tokens ?? 0,
      pages: steps.reduce((sum, { counted }) => sum + (counted?.pages ?? 0), 0),
      effects: foldEffects(steps),
    };
  }

  dispose(): void {
    this.fold.dispose();
  }

  private async count({
    id,
    chatId,
    type,
    data,
    createdAt,
  }: MessageData): Promise<MessageTokens | undefined> {
    // An id may be given to another message once the one that had it is deleted.
    const key = JSON.stringify([chatId, id, createdAt]);
    const known = this.counted.get(key);
    if (known) return known;
    const read = type === 'message' ? readUIMessage(data) : undefined;
    if (!read) return undefined;
    const { text, files, pages } = sentText(read);
    const counted = {
      id,
      name: read.role,
      beginning: plainText(read).slice(0, BEGINNING),
      tokens: await this.tokens.count(text),
      files,
      pages,
    };
    this.counted.set(key, counted);
    const oldest = this.counted.keys().next();
    if (this.counted.size > MAX_COUNTED && oldest.done !== true) this.counted.delete(oldest.value);
    return counted;
  }
}
