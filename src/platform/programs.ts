/** How a program is started. */
export interface ProgramStart {
  /** Where it is on this machine. */
  readonly program: string;
  /** One argument each; no shell reads them. */
  readonly options: readonly string[];
  /** The URI of the folder it runs in. */
  readonly folder: string;
  /** Ends it. */
  readonly signal: AbortSignal;
}

export interface ProgramEnd {
  /** Its exit code; null when it was ended. */
  readonly status: number | null;
  /** The beginning of what it wrote about errors. */
  readonly problem: string;
}

/** Other programs of this machine. */
export interface Programs {
  /** Where ripgrep is; undefined: nowhere. */
  ripgrep(): string | undefined;
  /** What stands between the parts of the paths they write. */
  readonly separator: string;
  /** Runs a program until it ends, or `onLine` has enough of what it writes. */
  run(start: ProgramStart, onLine: (line: string) => boolean): Promise<ProgramEnd>;
  /** Works with a file that has this text, for programs to read. It is gone afterwards. @param work gets its path */
  withTextFile<T>(text: string, work: (path: string) => Promise<T>): Promise<T>;
}
