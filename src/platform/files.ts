import type { Event } from '../kit/disposable.ts';

export interface ReadOptions {
  /** From which byte on; default: 0. */
  readonly start?: number;
  /** How much longer their buffer may be than the bytes, as a part of them, for whoever adds to them: zeros. */
  readonly spare?: number;
  /** Gets what has been read so far, again and again, while more is being read. */
  readonly meanwhile?: (sofar: Uint8Array<ArrayBuffer>) => void;
}

/**
 * The few things a durable store needs of a file system. Each host brings its own; what resolves is on the disk, not
 * in a cache.
 */
export interface Files {
  /**
   * The bytes of a file; undefined when there is no such file or it is shorter than `start`. Their buffer is the
   * caller's alone.
   * @throws FileTooLargeError before anything is read
   */
  read(path: string, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * Writes a file, in steps small enough not to hold up others who wait for the same disk. Not atomic. Files that are
   * made here and below are their owner's alone, and no link is followed.
   */
  write(path: string, parts: readonly Uint8Array[]): Promise<void>;
  /** Replaces a file as a whole: after a crash it is the old one or the new one, never a mixture. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /** Opens a file that exists, to append to. */
  openLog(path: string): Promise<LogFile>;
  /** Moves a file over another, or over none. Nothing happens when there is nothing to move. */
  move(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes a file that must not exist; false when it does. */
  createExclusively(path: string, text: string): Promise<boolean>;
  /** Says that a file is still in use. */
  touch(path: string): Promise<void>;
  /** Something that differs once a file has changed; undefined when there is none. */
  stamp(path: string): Promise<string | undefined>;
  /** The files in a folder, without folders; none when there is no such folder. `age` is in milliseconds. */
  list(folder: string): Promise<{ readonly name: string; readonly size: number; readonly age: number }[]>;
  /** Makes a folder that only its owner may enter. One that exists stays as it is. */
  ensureFolder(path: string): Promise<void>;
  /** Takes a file or a folder away from everybody but its owner; nothing happens when there is none, or a link. */
  protect(path: string): Promise<void>;
  join(folder: string, name: string): string;
  /** Where all files can be taken away at once, as a browser does that clears what a site keeps. */
  readonly loss?: FilesLoss | undefined;
}

/**
 * From the moment all files were taken away, everything fails with {@link FilesLostError}: what is in memory is not to
 * be replaced by nothing. Once a program has written them anew, they are there for all who knew them before.
 */
export interface FilesLoss {
  /** Tells it once, soon after it has happened. */
  readonly onDidLose: Event<undefined>;
  /** Tells that this program has written them anew. */
  readonly onDidRewrite: Event<undefined>;
  /** Lets `work` write them anew. Until it is done, and when it fails, they count as lost. */
  rewrite<T>(work: () => Promise<T>): Promise<T>;
}

/** A file that only grows, but for a tail that was never acknowledged. */
export interface LogFile {
  /** In bytes. */
  readonly size: number;
  /** Appends, and resolves once it is on the disk. */
  append(bytes: Uint8Array): Promise<void>;
  /** Cuts the file back to `size` bytes. */
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** All files were taken away while they were in use. */
export class FilesLostError extends Error {
  readonly code = 'files-lost';

  constructor() {
    super('The files were removed while they were in use.');
    this.name = 'FilesLostError';
  }
}

/** This program is given no place for files. */
export class FilesUnavailableError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'FilesUnavailableError';
  }
}

/** There is no more room: what was to be written is not there. */
export class NoRoomError extends Error {
  /** As Node has it for a quota that is used up. */
  readonly code = 'EDQUOT';

  constructor(cause: unknown) {
    super('There is no more room.', { cause });
    this.name = 'NoRoomError';
  }
}

/** A file is larger than what can be read at once. */
export class FileTooLargeError extends Error {
  constructor(
    readonly path: string,
    readonly size: number,
    readonly limit: number,
  ) {
    super(`${path} has ${size} bytes, more than the ${limit} that can be read.`);
    this.name = 'FileTooLargeError';
  }
}
