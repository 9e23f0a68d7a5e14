import type { ProtectionReason } from './protectedFiles.ts';
import type { FileIdentity, FileLocation, OpenedFolder } from './workspaceFiles.ts';

/** A file of the open folders, after links were followed once and it was checked that they lead nowhere else. */
export interface GuardedFile extends FileLocation {
  /** The URI of the real file. */
  readonly uri: string;
  /** As the model and the user name it: with the folder's name where several are open. */
  readonly shown: string;
  /** Why a change of it is asked for each time; undefined when it need not be. */
  readonly protection: ProtectionReason | undefined;
  /** It is called as files are that hold passwords or keys. */
  readonly isSecret: boolean;
  readonly identity: FileIdentity;
}

/** A file as a model or an answer names it, or one whose URI is known. */
export type NamedFile = string | { readonly uri: string };

/**
 * What may be named and read of the open folders, and where in them may be written: by tools of the model, links in
 * answers, attachments and instructions. Nothing outside of the folders is reached, whatever is a link by then, and no
 * git repository.
 */
export interface GuardedFiles {
  /** The open folders; they come and go. */
  folders(): readonly OpenedFolder[];
  /** It need not exist, and nothing is created. @throws WorkspaceFileError */
  resolve(named: NamedFile): Promise<GuardedFile>;
  /** As {@link resolve}, for a file that is to be written. @throws WorkspaceFileError */
  resolveForWriting(named: NamedFile): Promise<GuardedFile>;
  /** Which of these files may be named to a model, by their URIs. They are not opened. */
  nameable(uris: readonly string[]): Promise<Pick<GuardedFile, 'uri' | 'shown' | 'isSecret'>[]>;
  /**
   * The bytes of a file.
   * @throws WorkspaceFileError when there is none
   * @throws FileTooLargeError before anything is read
   */
  read(file: GuardedFile, limit: number): Promise<Uint8Array>;
  /** As many bytes of a file as these from its beginning, and how many it has. @throws WorkspaceFileError */
  readStart(
    file: GuardedFile,
    length: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly size: number }>;
  /** What is in a folder, but for repositories. @throws WorkspaceFileError when there is no such folder */
  list(folder: GuardedFile): Promise<{ readonly name: string; readonly isFolder: boolean }[]>;
}
