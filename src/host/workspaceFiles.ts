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
  /** Of a link: the path it leads to, which is never followed. Of a folder: none. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Permission bits, as in `0o755`; undefined where files have none, or for a default file. */
  readonly mode: number | undefined;
  /** Left out for a regular file. */
  readonly kind?: 'link' | 'folder' | undefined;
}

/**
 * What the names of the records of writes in place begin with. The host looks for them, so that what reads them is
 * loaded only if there are some.
 */
export const WRITES = 'write.';

/** Whether its mode says that not even its owner may write to it. */
export function hasReadOnlyMode(mode: number | undefined): boolean {
  return mode !== undefined && (mode & 0o200) === 0;
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
  /** It is a link, and is itself replaced or removed. Any other link is refused. */
  readonly isLink?: boolean | undefined;
  /** Undefined: any file with that content. */
  readonly identity?: FileIdentity | undefined;
}

/** Nothing outside the folders is accessed, even by later links; git repositories are neither accessed nor made. */
export interface WorkspaceFiles {
  /** Undefined when there is no file, or only a folder. Throws when it cannot be opened. @throws WorkspaceFileError */
  read(file: FileLocation): Promise<FileContent | undefined>;
  /** As {@link read}, but a link and a folder are content as well. Links above it are refused as ever. */
  readEntry(file: FileLocation): Promise<FileContent | undefined>;
  isFolder(file: FileLocation): Promise<boolean>;
  /** Does nothing when the file may be written. @throws WorkspaceFileError when `write` would refuse its path */
  checkWrite(file: FileLocation): Promise<void>;
  /**
   * Writes a file or a link, and makes the folders it needs. A new file appears whole. A file that exists is written in
   * place, so that it stays what it is to others; see `recover` for what an interruption leaves.
   * @param tag names the leftovers of a new file if the program ends in between; see `sweep`
   * @param expected checked again right before the file is written
   * @returns the folders that were made, as paths, outermost first
   * @throws WorkspaceFileError
   */
  write(file: FileLocation, content: FileContent, tag: string, expected?: ExpectedFile): Promise<string[]>;
  /** Does nothing when there is no file. @throws WorkspaceFileError */
  remove(file: FileLocation, expected?: ExpectedFile): Promise<void>;
  /**
   * Gives a file another name, which must be free, and makes the folders it needs. It stays the same file where the
   * medium has such a call.
   * @param target the identity of the new place, from an earlier check
   * @returns the folders that were made, as paths, outermost first
   * @throws WorkspaceFileError
   */
  move(
    from: FileLocation,
    to: FileLocation,
    expected: ExpectedFile,
    target?: FileIdentity,
  ): Promise<string[]>;
  /**
   * Makes a folder and its missing parents.
   * @param mode of the folder if it is made; its owner may always use it
   * @returns the folders that were made, as paths, outermost first
   * @throws WorkspaceFileError
   */
  makeFolder(folder: FileLocation, mode?: number): Promise<string[]>;
  /** Does nothing when it is not empty. */
  removeEmptyFolder(folder: FileLocation): Promise<void>;
  /** Removes the leftovers of a write with this tag that was interrupted. */
  sweep(file: FileLocation, tag: string): Promise<void>;
  /** Takes back the writes that ended with their program, each once. Those of running programs are left to them. */
  recover(): Promise<readonly RecoveredWrite[]>;
}

export type WriteOutcome =
  /** The file is as it was before. */
  | 'undone'
  /** All of it was written, and stays. */
  | 'written'
  /** The file is gone, or is neither of its versions: it stays as it is. */
  | 'apart'
  /** The record of the write cannot be read. */
  | 'damaged';

/** A write that ended with its program. */
export interface RecoveredWrite {
  /** Of the file, below its workspace folder; empty where the record of the write cannot be read. */
  readonly path: string;
  readonly outcome: WriteOutcome;
  /** Where the versions are that are not in the file, as paths on this machine. */
  readonly kept: readonly string[];
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
  /** It belongs to another user, or is locked, and cannot be written in place. */
  | 'no-permission'
  /** Something is mounted there: it cannot be removed or renamed. */
  | 'mounted'
  /** The new name is on another disk, where it would be another file. */
  | 'other-disk'
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
  'no-permission': '“{0}” cannot be changed: it belongs to another user, or is locked.',
  mounted: '“{0}” is mounted from elsewhere, and can be neither removed nor renamed.',
  'other-disk': '“{0}” is on another disk, where the file would become another one.',
  'other-machine': '“{0}” was changed on another machine, and stays as it is here.',
  unsaved: '“{0}” has changes in its editor that are not saved, and was skipped. Save or revert it first.',
  unreachable: '“{0}” cannot be reached.',
};

/** A changed file, link or folder. `unknown`: it is not known what it holds, or it cannot be kept or written again. */
export interface FoundChange extends FileLocation {
  /** Null: there was nothing. */
  readonly before: FileContent | null | 'unknown';
  /** Null: there is nothing, or a folder whose files are changes of their own. */
  readonly after: FileContent | null | 'unknown';
  /** The folders that were made for it, as paths, outermost first. */
  readonly madeFolders: readonly string[];
}

export interface WorkspaceChanges {
  readonly found: readonly FoundChange[];
  /** What has another owner, other permissions or other attributes now, which no restore brings back. */
  readonly attributes: readonly FileLocation[];
  /** What was not examined or not copied, so that its changes are not known, or cannot be restored. */
  readonly unwatched: readonly FileLocation[];
}

export interface WorkspaceMoment {
  /** The changes since then; undefined: not known, there are too many files. */
  changes(): Promise<WorkspaceChanges | undefined>;
}

/**
 * Finds changes by others: in repositories within repositories, in links and empty folders, in what git ignores. It
 * does not look into git's own data, into folders of generated files, and into what exceeds its limits.
 */
export interface WorkspaceWatch {
  now(folders: readonly OpenedFolder[]): Promise<WorkspaceMoment>;
  /** What a moment taken now would not hold; undefined: anything, there are too many files. */
  unwatched(folders: readonly OpenedFolder[]): Promise<readonly FileLocation[] | undefined>;
}
