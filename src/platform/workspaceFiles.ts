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

/**
 * The files of the workspace folders, and nothing else: whatever a path says, and whatever is a link by the time it is
 * used, nothing outside of them is read or written, and no git repository is.
 */
export interface WorkspaceFiles {
  /**
   * The same file with all links resolved, so that one file has one location. It need not exist.
   * @throws WorkspaceFileError
   */
  locate(file: FileLocation): Promise<FileLocation>;
  /**
   * Undefined when there is none, a folder of that name included. A file that cannot be opened is an error.
   * @throws WorkspaceFileError
   */
  read(file: FileLocation): Promise<FileContent | undefined>;
  /** Whether a folder stands where a file is meant. */
  isFolder(file: FileLocation): Promise<boolean>;
  /**
   * Replaces a file as a whole, or makes it and the folders it lies in.
   * @param tag names what it leaves behind should the program end meanwhile; see `sweep`
   * @returns the folders that had to be made, as paths, outermost first
   * @throws WorkspaceFileError
   */
  write(file: FileLocation, content: FileContent, tag: string): Promise<string[]>;
  /** Nothing happens when there is none. @throws WorkspaceFileError */
  remove(file: FileLocation): Promise<void>;
  /** Removes a folder if nothing is in it. */
  removeEmptyFolder(folder: FileLocation): Promise<void>;
  /** Takes away what a write with this tag left behind when the program ended in the middle of it. */
  sweep(file: FileLocation, tag: string): Promise<void>;
}

export type WorkspaceFileProblem = 'invalid-path' | 'outside-workspace' | 'git-repository' | 'not-a-file';

/** A path that must not be used. The message may be shown as it is. */
export class WorkspaceFileError extends Error {
  constructor(
    readonly code: WorkspaceFileProblem,
    readonly path: string,
  ) {
    super(messages[code].replace('{0}', path));
    this.name = 'WorkspaceFileError';
  }
}

const messages: Readonly<Record<WorkspaceFileProblem, string>> = {
  'invalid-path': '“{0}” is no path of a file in this workspace.',
  'outside-workspace': '“{0}” leads out of the workspace, or did so a moment ago; it was left alone.',
  'git-repository': '“{0}” belongs to a git repository itself; Offshoot never writes there.',
  'not-a-file': '“{0}” is a link, a folder or a device, not a file; it was left alone.',
};

/**
 * The parts of a path below a workspace folder.
 * @throws WorkspaceFileError when it is absolute, leads upwards, or means something else on some system
 */
export function pathParts(path: string): string[] {
  const parts = path.split('/');
  for (const part of parts) {
    // A colon names a drive or a stream on Windows, a backslash separates, and dots and blanks at the end do not count.
    if (part === '' || part === '.' || part === '..' || /[\\:\0]|[. ]$/u.test(part)) {
      throw new WorkspaceFileError('invalid-path', path);
    }
    if (isGitName(part)) throw new WorkspaceFileError('git-repository', path);
  }
  return parts;
}

/** Characters some file systems leave out of names when they compare them. */
const IGNORED_IN_NAMES = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/** Whether a name means `.git` on any file system: capitals, short names of Windows, characters that do not count. */
export function isGitName(name: string): boolean {
  const plain = name.replace(IGNORED_IN_NAMES, '').normalize('NFKC').toLowerCase();
  return /^(?:\.git|git~\d+)$/u.test(plain);
}
