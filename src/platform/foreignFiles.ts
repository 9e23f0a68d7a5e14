/** A file of another program; reading it opens it anew each time. */
export interface ForeignFile {
  /** Without folders. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** All of it, piece by piece. */
  chunks(): AsyncIterable<Uint8Array>;
}

export interface ForeignFolder {
  readonly files: readonly ForeignFile[];
  /** The names of the folders in it. */
  readonly folders: readonly string[];
}

/** A ZIP file. Its entries are known by their names and never written anywhere. */
export interface ForeignArchive {
  /** Their names hold folders, with `/` between the parts. */
  readonly entries: readonly ForeignFile[];
  close(): void;
}

/**
 * Files of other programs, to be read as data only. Links in folders of theirs are not followed: what they lead to is not
 * the program's.
 */
export interface ForeignFiles {
  /** Where programs keep their sessions, by their own variables or in the user's folder; as paths. */
  readonly homes: { readonly claudeCode: string; readonly codex: string; readonly pi: string };
  /** Where a folder of the workspace really is, and as it was opened; as paths. */
  namesOf(uri: string): Promise<readonly string[]>;
  /** What is in a folder; nothing where there is none. */
  list(folder: string, ...below: readonly string[]): Promise<ForeignFolder>;
  /** A file that the user chose. @throws when it is none */
  chosen(uri: string): Promise<ForeignFile>;
  /** A ZIP file that the user chose. @throws when it is none */
  archive(uri: string): Promise<ForeignArchive>;
}
