export interface OpenedFolder {
  readonly name: string;
  readonly uri: string;
}

export interface WorkspaceFolder extends OpenedFolder {
  /** Its path on this machine. */
  readonly root: string;
}

export interface FileLocation {
  /** The URI of its workspace folder. */
  readonly folder: string;
  /** Relative to that folder, with `/` between the parts. */
  readonly path: string;
}

export interface FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Permission bits, as in `0o755`; undefined where files have none, or for a default file. */
  readonly mode: number | undefined;
}

/** The file on disk that a path led to at one moment, to detect when it leads to another one. */
export interface FileIdentity {
  /** The file, by its device and inode; undefined: there was none. */
  readonly file: string | undefined;
  /** The existing folders on the path, from the workspace folder on. */
  readonly folders: readonly string[];
}

/** A file whose path is not resolved again, with its identity if it must still be the same one. */
export interface ResolvedFile extends FileLocation {
  readonly identity?: FileIdentity;
}

/** The condition for a write to replace a file. */
export interface ExpectedFile {
  /** The SHA-256 of its content, in hexadecimal; null: there is no file. */
  readonly hash: string | null;
  /** Undefined: any file with that content. */
  readonly identity?: FileIdentity | undefined;
}

/** Nothing outside the folders is accessed, even by later links; git repositories are neither accessed nor made. */
export interface WorkspaceFiles {
  /** Undefined when there is no file, or only a folder. Throws when it cannot be opened. @throws WorkspaceFileError */
  read(file: FileLocation): Promise<FileContent | undefined>;
  isFolder(file: FileLocation): Promise<boolean>;
  /** Does nothing when the file may be written. @throws WorkspaceFileError when `write` would refuse its path */
  checkWrite(file: FileLocation): Promise<void>;
  /**
   * Replaces a file atomically, or makes it and its folders.
   * @param tag names the leftovers if the program ends in between; see `sweep`
   * @param expected checked again right before the file is replaced
   * @returns the folders that were made, as paths, outermost first
   * @throws WorkspaceFileError
   */
  write(file: FileLocation, content: FileContent, tag: string, expected?: ExpectedFile): Promise<string[]>;
  /** Does nothing when there is no file. @throws WorkspaceFileError */
  remove(file: FileLocation, expected?: ExpectedFile): Promise<void>;
  /** Makes a folder and its missing parents. @throws WorkspaceFileError */
  makeFolder(folder: FileLocation): Promise<void>;
  /** Does nothing when it is not empty. */
  removeEmptyFolder(folder: FileLocation): Promise<void>;
  /** Removes the leftovers of a write with this tag that was interrupted. */
  sweep(file: FileLocation, tag: string): Promise<void>;
}

export type WorkspaceFileProblem =
  | 'invalid-path'
  | 'no-folder'
  /** The path does not say which of several folders it is in. */
  | 'which-folder'
  /** It can mean a file in each of several folders: `meant`. */
  | 'ambiguous'
  | 'outside-workspace'
  | 'git-repository'
  | 'not-a-file'
  | 'is-folder'
  | 'not-found'
  /** It has changed since it was last read. */
  | 'changed'
  | 'read-only'
  /** It is in a folder of another machine. */
  | 'other-machine'
  /** An editor has changes of it that only that editor can save. */
  | 'unsaved'
  | 'unreachable';

/** The message may be shown to the user. */
export class WorkspaceFileError extends Error {
  /** What an ambiguous path can mean. */
  readonly meant: readonly string[];

  constructor(
    readonly code: WorkspaceFileProblem,
    readonly path: string,
    { meant = [], ...options }: ErrorOptions & { readonly meant?: readonly string[] } = {},
  ) {
    super(
      messages[code].replaceAll(/\{[01]\}/gu, (gap) => (gap === '{0}' ? path : meant.join(', '))),
      options,
    );
    this.name = 'WorkspaceFileError';
    this.meant = meant;
  }
}

const messages: Readonly<Record<WorkspaceFileProblem, string>> = {
  'invalid-path': '“{0}” is no path of a file in this workspace.',
  'no-folder': 'No folder is open in the editor.',
  'which-folder': '“{0}” does not begin with the name of an open folder.',
  ambiguous: '“{0}” can mean each of these: {1}. Name one of them.',
  'outside-workspace': '“{0}” leads out of the workspace, or did so a moment ago, and was skipped.',
  'git-repository': '“{0}” belongs to a git repository itself, or would make one, and was skipped.',
  'not-a-file': '“{0}” is a link, a folder or a device, not a file, and was skipped.',
  'is-folder': '“{0}” is a folder.',
  'not-found': 'There is no “{0}”.',
  changed: '“{0}” has changed since it was shown, and was skipped.',
  'read-only': '“{0}” cannot be changed: its folder can only be read.',
  'other-machine': '“{0}” was changed on another machine, and stays as it is here.',
  unsaved: '“{0}” has changes in its editor that are not saved, and was skipped. Save or revert it first.',
  unreachable: '“{0}” cannot be reached.',
};

/** A changed file. `unknown`: its content is not known, or is too large to be kept. */
export interface FoundChange extends FileLocation {
  /** Null: the file did not exist. */
  readonly before: FileContent | null | 'unknown';
  /** Null: the file was deleted. */
  readonly after: FileContent | null | 'unknown';
  /** The folders that were made for it, as paths, outermost first. */
  readonly madeFolders: readonly string[];
}

export interface WorkspaceMoment {
  /** The changes since then; undefined: not known, there are too many files. */
  changes(): Promise<readonly FoundChange[] | undefined>;
}

/** Finds changes by others, except in what git ignores, git itself, and, without git, usually ignored folders. */
export interface WorkspaceWatch {
  now(folders: readonly OpenedFolder[]): Promise<WorkspaceMoment>;
}
