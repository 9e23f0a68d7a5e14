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
  /** Whether it may reach a host, asked at each connection. @param origin such as `https://example.com` */
  readonly mayReach: (origin: URL) => boolean;
}

/** What is between one command and everything else. */
export interface Wall {
  /** The program, and what it is given before the program that it is to start and that one's arguments. */
  readonly start: readonly [program: string, ...options: string[]];
  /** The origins of hosts that the command wanted to reach and may not. */
  refusedHosts(): readonly string[];
  /**
   * Sets aside what the command made of protected files and repositories so far. What does not exist can't be kept from
   * being made.
   */
  sweep(): Promise<SetAside>;
  /** Removes its files once the command has ended, and sweeps; the second time, it does nothing more. */
  close(): Promise<SetAside>;
}

/** Protected files and repositories that a command made. */
export interface SetAside {
  /** By their paths in the folders, before they got another name. */
  readonly made: readonly string[];
  /** There is too much to be looked through: there may be more. */
  readonly isCut: boolean;
}

/** The sandbox of the operating system. docs/sandbox.md says what can be done in it. */
export interface Sandbox {
  /** Why there is none; undefined where there is one. It is tried out once. */
  whyNone(): Promise<NoSandboxReason | undefined>;
  /** Whether hosts can be allowed in it; else it has no network at all. */
  canReachHosts(): Promise<boolean>;
  /** Whether it makes an empty folder there for as long as commands run. @param uri of a folder */
  holds(uri: string): boolean;
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
