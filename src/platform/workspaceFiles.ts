/** A folder the user has opened. */
export interface OpenedFolder {
  readonly name: string;
  readonly uri: string;
}

/** The same as the host sees it. */
export interface WorkspaceFolder extends OpenedFolder {
  /** Where it is on this machine. */
  readonly root: string;
}

/** A file of the workspace. */
export interface FileLocation {
  /** The URI of its workspace folder. */
  readonly folder: string;
  /** Below that folder, with `/` between the parts. */
  readonly path: string;
}

export interface FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Who may read, write and run it, as in `0o755`; undefined where files have no such bits, or for a usual file. */
  readonly mode: number | undefined;
}

/** Which file of the disk a path led to at one moment, so that it is known when it leads to another one. */
export interface FileIdentity {
  /** The file, by its device and number there; undefined: there was none. */
  readonly file: string | undefined;
  /** The folders on the way, from the workspace folder on, as far as there were any. */
  readonly folders: readonly string[];
}

/** What a file has to be for a write to replace it. */
export interface ExpectedFile {
  /** The SHA-256 of what it holds, in hexadecimal digits; null: there is no file. */
  readonly hash: string | null;
  /** Undefined: it does not matter which file holds that. */
  readonly identity?: FileIdentity | undefined;
}

/**
 * The files of the workspace folders, and nothing else: whatever a path says, and whatever is a link by the time it is
 * used, nothing outside of them is read or written, and no git repository is, nor is one made.
 */
export interface WorkspaceFiles {
  /**
   * Undefined when there is none, a folder of that name included. A file that cannot be opened is an error.
   * @throws WorkspaceFileError
   */
  read(file: FileLocation): Promise<FileContent | undefined>;
  /** Whether a folder stands where a file is meant. */
  isFolder(file: FileLocation): Promise<boolean>;
  /** Nothing happens when it may be written. @throws WorkspaceFileError when `write` would refuse its path */
  checkWrite(file: FileLocation): Promise<void>;
  /**
   * Replaces a file as a whole, or makes it and the folders it lies in.
   * @param tag names what it leaves behind should the program end meanwhile; see `sweep`
   * @param expected looked at once more right before the file is replaced
   * @returns the folders that had to be made, as paths, outermost first
   * @throws WorkspaceFileError
   */
  write(file: FileLocation, content: FileContent, tag: string, expected?: ExpectedFile): Promise<string[]>;
  /** Nothing happens when there is none. @throws WorkspaceFileError */
  remove(file: FileLocation, expected?: ExpectedFile): Promise<void>;
  /** Makes a folder and those on the way to it, as far as they are not there. @throws WorkspaceFileError */
  makeFolder(folder: FileLocation): Promise<void>;
  /** Removes a folder if nothing is in it. */
  removeEmptyFolder(folder: FileLocation): Promise<void>;
  /** Takes away what a write with this tag left behind when the program ended in the middle of it. */
  sweep(file: FileLocation, tag: string): Promise<void>;
}

export type WorkspaceFileProblem =
  | 'invalid-path'
  | 'no-folder'
  /** It does not say in which of several folders it is. */
  | 'which-folder'
  | 'outside-workspace'
  | 'git-repository'
  | 'not-a-file'
  | 'is-folder'
  | 'not-found'
  /** It is not what it was when it was looked at. */
  | 'changed'
  | 'read-only'
  /** It lies in a folder of another machine. */
  | 'other-machine'
  | 'unreachable';

/** A path that must not be used. The message may be shown as it is. */
export class WorkspaceFileError extends Error {
  constructor(
    readonly code: WorkspaceFileProblem,
    readonly path: string,
    options?: ErrorOptions,
  ) {
    super(
      messages[code].replace('{0}', () => path),
      options,
    );
    this.name = 'WorkspaceFileError';
  }
}

const messages: Readonly<Record<WorkspaceFileProblem, string>> = {
  'invalid-path': '“{0}” is no path of a file in this workspace.',
  'no-folder': 'No folder is open in the editor.',
  'which-folder': '“{0}” does not begin with the name of an open folder.',
  'outside-workspace': '“{0}” leads out of the workspace, or did so a moment ago, and was skipped.',
  'git-repository': '“{0}” belongs to a git repository itself, or would make one, and was skipped.',
  'not-a-file': '“{0}” is a link, a folder or a device, not a file, and was skipped.',
  'is-folder': '“{0}” is a folder.',
  'not-found': 'There is no “{0}”.',
  changed: '“{0}” has changed since it was shown, and was skipped.',
  'read-only': '“{0}” cannot be changed: its folder can only be read.',
  'other-machine': '“{0}” was changed on another machine, and stays as it is here.',
  unreachable: '“{0}” cannot be reached.',
};
