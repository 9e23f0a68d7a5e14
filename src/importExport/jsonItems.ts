import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { ImportError } from '../engine/errors.ts';
import { MAX_SAVE_LENGTH } from '../engine/limits.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';

/** The deepest nesting of an item; deeper ones cannot be stored. */
const MAX_ITEM_DEPTH = 200;

export interface JsonItemsOptions {
  /** The longest item, in bytes; default: what can be stored at once. */
  readonly maxBytes?: number;
  /** Called for each item that is left out: it is too long, or nested too deep. */
  readonly onLeftOut: () => void;
}

/**
 * The items of a JSON list, one after another, while it is read: only one is held in memory.
 * @throws ImportError for a value that is not a list or not JSON, after the items before the error
 */
export async function* jsonItems(
  chunks: AsyncIterable<Uint8Array>,
  options: JsonItemsOptions,
): AsyncGenerator {
  const items = new Items(options);
  for await (const chunk of chunks) yield* items.write(chunk);
  items.end();
}

class Items {
  private readonly tokenizer = new Tokenizer({ stringBufferSize: 65_536, numberBufferSize: 64 });
  private readonly maxBytes: number;
  private complete: unknown[] = [];
  /** Undefined while an item is skipped, and between items. */
  private parser: TokenParser | undefined;
  private depth = 0;
  private startedAt = 0;
  private written = 0;
  private lastTokenAt = 0;
  private isOver = false;
  /** The last token between the list's brackets. */
  private last: '[' | ',' | 'item' = '[';

  constructor(private readonly options: JsonItemsOptions) {
    this.maxBytes = options.maxBytes ?? MAX_SAVE_LENGTH;
    this.tokenizer.onToken = ({ token, value }) => this.take(token, value);
  }

  write(chunk: Uint8Array): unknown[] {
    this.complete = [];
    this.attempt(() => this.tokenizer.write(chunk));
    this.written += chunk.byteLength;
    // A single string of that length would be useless and fill the memory.
    if (this.written - this.lastTokenAt > this.maxBytes + 1_048_576) throw tooLong();
    return this.complete;
  }

  end(): void {
    if (!this.isOver) throw new ImportError(defineMessage('it is not JSON ({0})', 'its end is missing'));
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (cause) {
      if (cause instanceof ImportError) throw cause;
      const reason = cause instanceof Error ? cause.message.slice(0, 200) : 'unreadable';
      throw new ImportError(defineMessage('it is not JSON ({0})', reason), { cause });
    }
  }

  private take(token: TokenType, value: unknown): void {
    this.lastTokenAt = this.written;
    const opens = token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET;
    const closes = token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET;
    if (this.depth === 0) {
      if (token !== TokenType.LEFT_BRACKET || this.isOver)
        throw new ImportError(defineMessage('it is no list'));
      this.depth = 1;
      return;
    }
    if (this.depth === 1 && this.between(token)) return;
    if (closes) this.depth -= 1;
    this.parser?.write({ token, value } as Parameters<TokenParser['write']>[0]);
    if (opens) this.depth += 1;
    if (this.depth === 1) this.parser = undefined;
    else if (this.depth > MAX_ITEM_DEPTH || this.written - this.startedAt > this.maxBytes) this.leaveOut();
  }

  /** Handles tokens between items. @returns false where an item begins @throws ImportError for an invalid token */
  private between(token: TokenType): boolean {
    const isEnd = token === TokenType.RIGHT_BRACKET;
    if (isEnd ? this.last === ',' : (token === TokenType.COMMA) !== (this.last === 'item')) {
      throw new ImportError(defineMessage('it is not JSON ({0})', 'a comma is missing, or too many'));
    }
    this.last = token === TokenType.COMMA ? ',' : 'item';
    if (isEnd) [this.isOver, this.depth] = [true, 0];
    else if (token !== TokenType.COMMA) this.begin();
    return isEnd || token === TokenType.COMMA;
  }

  private begin(): void {
    this.startedAt = this.written;
    const parser = new TokenParser({ paths: ['$'] });
    parser.onValue = ({ value }) => void this.complete.push(value);
    this.parser = parser;
  }

  private leaveOut(): void {
    if (this.parser) this.options.onLeftOut();
    this.parser = undefined;
  }
}

function tooLong(): ImportError {
  return new ImportError(defineMessage('it is nested too deep or too long'));
}
