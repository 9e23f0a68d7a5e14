import type { Unzstd } from '../base/foreignDatabase.ts';

/** A file of another program; each read opens it again. */
export interface ForeignFile {
  /** Without folders. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  chunks(): AsyncIterable<Uint8Array>;
  /**
   * The file whose name is this one's and an ending, such as the log of a database; undefined if there is none now. An
   * entry of an archive has none.
   */
  readonly sibling?: ((ending: string) => Promise<ForeignFile | undefined>) | undefined;
}

export interface ForeignFolder {
  readonly files: readonly ForeignFile[];
  /** The names of the folders in it. */
  readonly folders: readonly string[];
}

/** A ZIP file. Its entries are identified by name and never extracted to disk. */
export interface ForeignArchive {
  /** Their names include folders, with `/` between the parts. */
  readonly entries: readonly ForeignFile[];
  close(): void;
}

/** A folder in which a program keeps its data for the user. */
export interface UserFolder {
  /** The environment variable that names the folder, if it is set. */
  readonly variable?: string;
  /** Electron's `appData`, or the place of data that stays on this machine, such as `~/.local/share`. */
  readonly base: 'home' | 'appData' | 'localData';
  readonly below: readonly string[];
}

/**
 * Read as data only, and changed by {@link ForeignFiles.add} alone. Links in their folders are not followed: the targets
 * may not belong to the program.
 */
export interface ForeignFiles {
  /** A path. @param inside names of folders inside it */
  userFolder(folder: UserFolder, ...inside: readonly string[]): string;
  /** The real path of a workspace folder, and the path it was opened by. */
  namesOf(uri: string): Promise<readonly string[]>;
  /** Empty when it does not exist. */
  list(folder: string, ...below: readonly string[]): Promise<ForeignFolder>;
  /**
   * Adds a file, and the folders to it, which only their owner can read; what is there stays as it is.
   * @param place the folders below the program's folder, then the name of the file
   * @returns its path; undefined when something has that name, or a folder is a link
   */
  add(folder: string, place: readonly string[], bytes: Uint8Array): Promise<string | undefined>;
  /** Undefined where this version of the host has none. */
  readonly unzstd: Unzstd | undefined;
  /** A file that the user chose. @throws FileKindError when it is not a file */
  chosen(uri: string): Promise<ForeignFile>;
  /** A ZIP file that the user chose. @throws FileKindError when it is not a file, and an error when it is not one */
  archive(uri: string): Promise<ForeignArchive>;
}
