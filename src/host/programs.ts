export interface ProgramStart {
  /** Its path on this machine. */
  readonly program: string;
  /** One argument each; not interpreted by a shell. */
  readonly options: readonly string[];
  /** The URI of the folder it runs in. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

export interface ProgramEnd {
  /** Its exit code; null when it was killed. */
  readonly status: number | null;
  /** The beginning of its error output. */
  readonly problem: string;
}

export interface ShellStart {
  /** The path of the shell on this machine. */
  readonly shell: string;
  readonly command: string;
  /** The URI of the folder it runs in. */
  readonly folder: string;
  /** Receives its output, from both streams. */
  readonly onOutput: (text: string) => void;
}

export interface RunningShell {
  write(text: string): void;
  /** Ends it and its child processes. */
  stop(): void;
  /** Its exit code; null when it was killed, or could not be started. Its background processes may continue. */
  readonly ended: Promise<number | null>;
}

export interface Programs {
  /** Its path; undefined: not available. */
  ripgrep(): string | undefined;
  /** The separator in paths that they write. */
  readonly separator: string;
  /** Runs a program until it ends, or `onLine` returns that no more output is needed. */
  run(start: ProgramStart, onLine: (line: string) => boolean): Promise<ProgramEnd>;
  startShell(start: ShellStart): RunningShell;
  /** Runs `work` with a temporary file that has this text, for programs to read. @param work gets its path */
  withTextFile<T>(text: string, work: (path: string) => Promise<T>): Promise<T>;
}
