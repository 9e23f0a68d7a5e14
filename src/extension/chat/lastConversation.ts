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
export class LastConversation {
  private isTaken = false;

  /**
   * @param made what has to be the same at the next start: the version of the extension, the language of the texts, and
   * where the conversations are
   * @param failed takes an error of the file, which harms nothing
   */
  constructor(
    readonly file: LastFile,
    readonly made: () => string,
    readonly failed: (error: unknown) => void,
  ) {}

  /** The first call gets them, if there are any: afterwards the store is there. */
  async take(): Promise<readonly unknown[]> {
    if (this.isTaken) return [];
    this.isTaken = true;
    const bytes = await this.file.read();
    const [made, ...messages] = bytes ? new TextDecoder().decode(bytes).split('\n') : [];
    if (made !== this.made()) return [];
    try {
      return messages.map((message): unknown => JSON.parse(message));
    } catch (error) {
      this.failed(error);
      return [];
    }
  }
}
