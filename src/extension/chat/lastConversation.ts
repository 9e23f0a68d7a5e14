import { Debouncer } from '../../base/debouncer.ts';
import type { Disposable } from '../../base/disposable.ts';

/** How long what is shown is left to change before it is kept, in milliseconds. */
const KEEP_MS = 1_000;

/** The most that is kept, in UTF-16 units: the next start reads it before it shows anything. */
const MAX_LENGTH = 262_144;

export interface LastFile {
  begin(): void;
  read(): Promise<Uint8Array | undefined>;
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * The messages with which the page showed its conversation last, in a file: the next start shows that while the store is
 * opened, and what the store says replaces it. The page reads them as it reads any other.
 */
export class LastConversation implements Disposable {
  private isRead = false;
  private isThere = true;
  private next: (() => Promise<readonly object[]>) | undefined;
  private readonly writing: Debouncer;

  /**
   * @param made what has to be the same at the next start: the folder of the extension, which each version has of its own, and the
   * language of the texts
   * @param failed takes an error of the file, which harms nothing
   */
  constructor(
    private readonly file: LastFile,
    private readonly made: string,
    private readonly failed: (error: unknown) => void,
    keepMs = KEEP_MS,
  ) {
    this.writing = new Debouncer(keepMs, () => this.write());
  }

  /** Begins to read it. */
  begin(): void {
    this.file.begin();
  }

  /** The first call gets them, if there are any: afterwards the store is there. */
  async take(): Promise<readonly unknown[]> {
    if (this.isRead) return [];
    this.isRead = true;
    const bytes = await this.file.read();
    const [made, ...messages] = bytes ? new TextDecoder().decode(bytes).split('\n') : [];
    if (made !== this.made) return [];
    try {
      return messages.map((message): unknown => JSON.parse(message));
    } catch (error) {
      this.failed(error);
      return [];
    }
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
    try {
      const messages = await this.next?.();
      const text = [this.made, ...(messages ?? []).map((message) => JSON.stringify(message))].join('\n');
      const isKept = messages !== undefined && text.length <= MAX_LENGTH;
      if (isKept) await this.file.write(text);
      else if (this.isThere) await this.file.remove();
      this.isThere = isKept;
    } catch (error) {
      this.failed(error);
    }
  }
}
