import type { Event } from '../base/disposable.ts';

export interface ReadOptions {
  /** The first byte to read; default: 0. */
  readonly start?: number;
  /** The maximum number of bytes to read; default: all of them. */
  readonly length?: number;
  /** The spare room of the buffer as a fraction of the bytes, for callers that append: filled with zeros. */
  readonly spare?: number;
  /** Called repeatedly during reading, with the bytes read so far. */
  readonly onProgress?: (sofar: Uint8Array<ArrayBuffer>) => void;
}

/**
 * The file system functions that a durable store needs. Each host implements them; once a call resolves, the data is
 * on disk, not in a cache. Only regular files, and links to them, are ever read, replaced, moved or removed: at
 * anything else each call throws {@link FileKindError} before it opens or changes anything.
 */
export interface Files {
  /**
   * Undefined when there is no such file or it is shorter than `start`. The caller owns the buffer.
   * @throws FileTooLargeError before anything is read
   */
  read(path: string, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * Writes a file, in steps small enough not to delay others that wait for the same disk. Not atomic. Files made here
   * and below are accessible only to their owner, and links are not followed.
   */
  write(path: string, parts: readonly Uint8Array[]): Promise<void>;
  /** Replaces a file atomically: after a crash it is the old one or the new one, never a mixture. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /** Opens an existing file for appending; not through a link. */
  openLog(path: string): Promise<LogFile>;
  /** Moves a file, replacing an existing one. Does nothing when there is no file to move. */
  move(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** False when it already exists. */
  createExclusively(path: string, text: string): Promise<boolean>;
  /** Marks a file as still in use. */
  touch(path: string): Promise<void>;
  /** A value that changes when the file changes; undefined when there is none. */
  stamp(path: string): Promise<string | undefined>;
  /** The files in a folder, without folders; none when there is no such folder. `age` is in milliseconds. */
  list(folder: string): Promise<{ readonly name: string; readonly size: number; readonly age: number }[]>;
  /** The names of everything in a folder, of any kind; none when there is no such folder. */
  names(folder: string): Promise<string[]>;
  /** Makes a folder that only its owner may enter. An existing one stays as it is. */
  ensureFolder(path: string): Promise<void>;
  /** Restricts access to a file or a folder to its owner; does nothing when it does not exist, or is a link. */
  protect(path: string): Promise<void>;
  join(folder: string, name: string): string;
  /** Set where all files can be removed at once, as by a browser that clears a site's data. */
  readonly loss?: FilesLoss | undefined;
}

/**
 * Once all files have been removed, every call fails with {@link FilesLostError}, so that data in memory is not
 * replaced by nothing. After a program has written them again, they are available to all previous users.
 */
export interface FilesLoss {
  /** Fires once, soon after the loss. */
  readonly onDidLose: Event<undefined>;
  readonly onDidRewrite: Event<undefined>;
  /** Lets `work` write them again. Until it is done, and when it fails, they count as lost. */
  rewrite<T>(work: () => Promise<T>): Promise<T>;
}

/** A file that only grows, except for a tail that was never acknowledged. */
export interface LogFile {
  /** In bytes. */
  readonly size: number;
  /** Appends, and resolves once the bytes are on disk. @throws FilesLostError when the file was removed */
  append(bytes: Uint8Array): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** The files were removed while they were in use. */
export class FilesLostError extends Error {
  readonly code = 'files-lost';

  constructor() {
    super('the files were removed while they were in use');
    this.name = 'FilesLostError';
  }
}

/** What a path leads to. `dangling link`: to nothing that exists now; what it means may come back, as a disk does. */
export type FileKind = 'file' | 'folder' | 'link' | 'dangling link' | 'pipe' | 'socket' | 'device';

/** A path leads to something other than the expected file or folder. Nothing was opened or changed. */
export class FileKindError extends Error {
  readonly code = 'not-a-file';

  constructor(
    readonly path: string,
    readonly kind: FileKind,
    readonly expected: 'file' | 'folder',
  ) {
    super(`${path} is a ${kind}, not a ${expected}`);
    this.name = 'FileKindError';
  }
}

/** This program has no place for files. */
export class FilesUnavailableError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'FilesUnavailableError';
  }
}

/** There is no room left: the data was not written. */
export class NoRoomError extends Error {
  /** Node's code for an exhausted quota. */
  readonly code = 'EDQUOT';

  constructor(cause: unknown) {
    super('There is no more room.', { cause });
    this.name = 'NoRoomError';
  }
}

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
