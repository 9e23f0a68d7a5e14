import type { ProtectionReason } from './protectedFiles.ts';
import type { FileIdentity, FileLocation, OpenedFolder } from './workspaceFiles.ts';

/** A file of the open folders, with links resolved once and verified to stay inside them. */
export interface GuardedFile extends FileLocation {
  /** The URI of the real file. */
  readonly uri: string;
  /** As the model and the user name it: with the folder's name if several are open. */
  readonly shown: string;
  /** Why each change of it requires approval; undefined when it does not. */
  readonly protection: ProtectionReason | undefined;
  /** Its name is typical of files with passwords or keys. */
  readonly isSecret: boolean;
  /** Its mode lets not even its owner write to it; each change requires approval. False where there is no file. */
  readonly isReadOnly: boolean;
  /** It belongs to the user and has one name. Any other one would come back from a deletion as another file. */
  readonly isPlain: boolean;
  readonly identity: FileIdentity;
}

/** A file as named by a model or an answer, or by its URI. */
export type NamedFile = string | { readonly uri: string };

/**
 * Controls which files in the open folders may be named, read and written: by tools of the model, links in answers,
 * attachments and instructions. Nothing outside the folders is accessible, even through links made later, and no git
 * repository is.
 */
export interface GuardedFiles {
  folders(): readonly OpenedFolder[];
  /** The file need not exist, and nothing is created. @throws WorkspaceFileError */
  resolve(named: NamedFile): Promise<GuardedFile>;
  /** As {@link resolve}, for a file to be written. @throws WorkspaceFileError */
  resolveForWriting(named: NamedFile): Promise<GuardedFile>;
  /** The files that may be named to a model, of these URIs. They are not opened. */
  nameable(uris: readonly string[]): Promise<Pick<GuardedFile, 'uri' | 'shown' | 'isSecret'>[]>;
  /**
   * @throws WorkspaceFileError when it does not exist
   * @throws FileTooLargeError before anything is read
   */
  read(file: GuardedFile, limit: number): Promise<Uint8Array>;
  /** `size` is that of the whole file. @throws WorkspaceFileError */
  readStart(
    file: GuardedFile,
    length: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly size: number }>;
  /** The contents of a folder, except repositories. @throws WorkspaceFileError when there is no such folder */
  list(folder: GuardedFile): Promise<{ readonly name: string; readonly isFolder: boolean }[]>;
}
