import { Debouncer } from '../../base/debouncer.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { LastConversation } from './lastConversation.ts';

/** How long what is shown is left to change before it is kept, in milliseconds. */
const KEEP_MS = 1_000;

/** The most that is kept, in UTF-16 units: the next start reads it before it shows anything. */
const MAX_LENGTH = 262_144;

/** There is no file. */
const NOTHING = '';

/** Keeps what the page shows for the next start, see {@link LastConversation}. */
export class ConversationKeeper implements Disposable {
  /** What the file has; undefined: nobody has looked yet, or it could not be written. */
  private kept: string | undefined;
  private next: (() => Promise<readonly object[]>) | undefined;
  private readonly writing: Debouncer;

  constructor(
    private readonly last: Pick<LastConversation, 'file' | 'made' | 'failed'>,
    keepMs = KEEP_MS,
  ) {
    this.writing = new Debouncer(keepMs, () => this.write());
  }

  /** Soon, with what was given last. */
  keep(messages: () => Promise<readonly object[]>): void {
    this.next = messages;
    this.writing.soon();
  }

  /** What is shown next differs from it, or is nobody else's business. */
  forget(): void {
    this.next = undefined;
    void this.writing.now();
  }

  dispose(): void {
    this.writing.dispose();
  }

  private async write(): Promise<void> {
    const { file, made, failed } = this.last;
    try {
      const messages = await this.next?.();
      const text = [made(), ...(messages ?? []).map((message) => JSON.stringify(message))].join('\n');
      const wanted = messages !== undefined && text.length <= MAX_LENGTH ? text : NOTHING;
      if (wanted === this.kept) return;
      this.kept = undefined;
      if (wanted === NOTHING) await file.remove();
      else await file.write(wanted);
      this.kept = wanted;
    } catch (error) {
      failed(error);
    }
  }
}
