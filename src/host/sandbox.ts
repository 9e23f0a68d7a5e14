/**
 * Why commands cannot be run in a sandbox here. `system`: there is none for this system; `program`: bubblewrap is not
 * installed; `refused`: the system refuses to set it up, or what is set up does not hold.
 */
export type NoSandboxReason = 'system' | 'program' | 'refused';

export interface WallRequest {
  /** Commands of one chat find each other's temporary files. */
  readonly chatId: string;
  /** The path of the shell that is started. */
  readonly shell: string;
  /** The URIs of the folders that may be written below. */
  readonly writable: readonly string[];
  /** The URIs of further folders that may be read. */
  readonly readable: readonly string[];
}

/** What is between one command and everything else. */
export interface Wall {
  /** The program, and what it is given before the program that it is to start and that one's arguments. */
  readonly start: readonly [program: string, ...options: string[]];
  /**
   * The protected files and repositories that came to be in its folders since it was set up, by their paths there. What
   * does not exist can't be kept from being made.
   */
  made(): Promise<readonly string[]>;
  /** Removes its files, once the command has ended. */
  close(): Promise<void>;
}

/** The sandbox of the operating system. docs/sandbox.md says what can be done in it. */
export interface Sandbox {
  /** Why there is none; undefined where there is one. It is tried out once. */
  whyNone(): Promise<NoSandboxReason | undefined>;
  /** @throws WallError where the folders cannot be walled in */
  wall(request: WallRequest): Promise<Wall>;
}

/** Folders that cannot be walled in. */
export class WallError extends Error {
  /** `own-files`: what sets up the wall stands in them. */
  constructor(readonly code: 'too-many-files' | 'own-files') {
    super(
      code === 'too-many-files'
        ? 'There are too many files here to keep the protected ones from a command. Run it outside of the sandbox.'
        : 'The folder for temporary files is open here, and no sandbox can be set up. Open a folder below it.',
    );
    this.name = new.target.name;
  }
}
