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

/** How a shell is given a command. */
export interface ShellStart {
  /** Where the shell is on this machine. */
  readonly shell: string;
  readonly command: string;
  /** The URI of the folder it runs in. */
  readonly folder: string;
  /** What it writes, whichever stream that comes by. */
  readonly onOutput: (text: string) => void;
}

/** A shell at work. */
export interface RunningShell {
  /** Gives it input. */
  write(text: string): void;
  /** Ends it and what it started. */
  stop(): void;
  /** Its exit code; null when it was ended, or could not be started. What it left in the background may go on. */
  readonly ended: Promise<number | null>;
}

/** Other programs of this machine. */
export interface Programs {
  /** Where ripgrep is; undefined: nowhere. */
  ripgrep(): string | undefined;
  /** What stands between the parts of the paths they write. */
  readonly separator: string;
  /** Runs a program until it ends, or `onLine` has enough of what it writes. */
  run(start: ProgramStart, onLine: (line: string) => boolean): Promise<ProgramEnd>;
  /** Lets a shell carry out a command. */
  startShell(start: ShellStart): RunningShell;
  /** Works with a file that has this text, for programs to read. It is gone afterwards. @param work gets its path */
  withTextFile<T>(text: string, work: (path: string) => Promise<T>): Promise<T>;
}
