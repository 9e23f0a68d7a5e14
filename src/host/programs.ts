import type { Wall } from './sandbox.ts';

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
  /** What it is started behind; left out: it can do all that the user can. */
  readonly wall?: Pick<Wall, 'start'> | undefined;
  /** Receives its output, from both streams unless there is {@link onErrors}. */
  readonly onOutput: (text: string) => void;
  /** Receives its error output. */
  readonly onErrors?: (text: string) => void;
  /** All that it is given to read; left out: what is written to it. */
  readonly input?: string | undefined;
  /** Set for it, besides what is set for all commands. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Of the environment it gets only what says where things are; what it leaves running is ended with it. */
  readonly isApart?: boolean | undefined;
}

export interface RunningShell {
  write(text: string): void;
  /** Ends it and its child processes. */
  stop(): void;
  /** Its exit code; null when it was killed, or could not be started. Its background processes may continue. */
  readonly ended: Promise<number | null>;
}

/** How far a command has come that was handed to the shell of a terminal. */
export type HandedState =
  /** It was not begun. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly exitCode: number }
  /** What ran it was ended: how it went is not known. */
  | { readonly kind: 'gone' };

/** What a terminal writes right before and after the output of a command; of no other command. */
export interface OutputMarks {
  readonly begin: string;
  readonly end: string;
}

/** A command that the shell of a terminal gets as data, not as keys. */
export interface HandedCommand {
  /**
   * What to type into the terminal, followed by Enter: letters, digits and a colon. The first time has the command shown,
   * and VS Code tell that it begins; the second, to be typed once what comes is read, has it run.
   */
  readonly line: string;
  readonly marks: OutputMarks;
  state(): Promise<HandedState>;
  /** Keeps it from being run. @returns false when it was begun */
  takeBack(): Promise<boolean>;
  /** Removes what is kept of it. */
  forget(): Promise<void>;
}

/** Runs one command after the other in a terminal, each in a shell of its own. */
export interface TerminalShell {
  /** @throws CommandTextError */
  hand(command: Pick<ShellStart, 'command' | 'folder' | 'wall'>): Promise<HandedCommand>;
  /** What the terminal is to run: it shows this command as its line would, and takes that line and those of others. */
  launch(first: HandedCommand): { readonly program: string; readonly options: readonly string[] };
  /** Ends what still runs, and removes its files. */
  close(): Promise<void>;
}

export interface TerminalShellStart {
  /** The path of the shell that each command gets, on this machine. */
  readonly shell: string;
  /** Shown to a user who types something while no command runs. */
  readonly hint: string;
}

export interface Programs {
  /** Its path; undefined: not available. */
  ripgrep(): string | undefined;
  /** The separator in paths that they write. */
  readonly separator: string;
  /** Runs a program until it ends, or `onLine` returns that no more output is needed. */
  run(start: ProgramStart, onLine: (line: string) => boolean): Promise<ProgramEnd>;
  /** @throws CommandTextError */
  startShell(start: ShellStart): RunningShell;
  /** Undefined where terminals can run no such program. */
  openTerminalShell(start: TerminalShellStart): Promise<TerminalShell | undefined>;
  /** Runs `work` with a temporary file that has this text, for programs to read. @param work gets its path */
  withTextFile<T>(text: string, work: (path: string) => Promise<T>): Promise<T>;
}
