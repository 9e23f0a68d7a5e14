/** A line through all texts in which it stood as it is; one that was changed is another one, and says what it was. */
export interface LineId {
  readonly from: readonly LineId[];
}

const NOBODY: readonly number[] = [];

/** A line of a text, with who wrote it. White space is nobody's: formatters change it. */
export class TrackedLine {
  private known: string | undefined;

  /**
   * @param text with its end
   * @param by who wrote the characters of the key: one writer for all, or one for each
   * @param cutBy who deleted something in it
   */
  constructor(
    readonly text: string,
    readonly by: number | readonly number[],
    readonly id: LineId = { from: [] },
    readonly cutBy: readonly number[] = NOBODY,
  ) {}

  /** Its text without white space: of most lines nobody asks for it. */
  get key(): string {
    return (this.known ??= this.text.replaceAll(/\s+/gu, ''));
  }

  /** The same line, where white space has changed. */
  spaced(text: string): TrackedLine {
    return text === this.text ? this : new TrackedLine(text, this.by, this.id, this.cutBy);
  }
}

/** Lines that replaced others in one change. */
export interface LineHunk {
  readonly by: number;
  readonly removed: readonly LineId[];
  readonly added: readonly LineId[];
  /** What stood above and below; undefined at the ends of the text. */
  readonly above: LineId | undefined;
  readonly below: LineId | undefined;
}
