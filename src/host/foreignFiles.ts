/** A file of another program; each read opens it again. */
export interface ForeignFile {
  /** Without folders. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  chunks(): AsyncIterable<Uint8Array>;
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

/** Read as data only. Links in their folders are not followed: the targets may not belong to the program. */
export interface ForeignFiles {
  /** Where programs store their sessions, from their environment variables or in the user's folder; as paths. */
  readonly homes: { readonly claudeCode: string; readonly codex: string; readonly pi: string };
  /** The real path of a workspace folder, and the path it was opened by. */
  namesOf(uri: string): Promise<readonly string[]>;
  /** Empty when it does not exist. */
  list(folder: string, ...below: readonly string[]): Promise<ForeignFolder>;
  /** A file that the user chose. @throws FileKindError when it is not a file */
  chosen(uri: string): Promise<ForeignFile>;
  /** A ZIP file that the user chose. @throws FileKindError when it is not a file, and an error when it is not one */
  archive(uri: string): Promise<ForeignArchive>;
}
