import type { Disposable } from '../base/disposable.ts';
import type { FileLocation } from './workspaceFiles.ts';

/** What an object in a repository holds. */
export interface CommittedObject {
  readonly object: string;
  /** In bytes. */
  readonly size: number;
}

/** A version of a file in the history of the branch that is checked out. */
export interface CommittedVersion extends CommittedObject {
  /** Where the file was then, below the folder that was asked for. */
  readonly path: string;
  /** When it was written, and when committed, in milliseconds since 1970: a rebase commits again. The earlier of both. */
  readonly from: number;
  /** The later of both. */
  readonly to: number;
}

/** A file got another name. */
export interface CommittedRename {
  /** Paths below the folder that was asked for. */
  readonly from: string;
  readonly to: string;
  /** An earlier file that had the new name was gone by then; -Infinity: there was none. */
  readonly after: number;
  /** When it was committed; Infinity: it is not yet. */
  readonly at: number;
}

/** What git's history says of a file, by the first parents of its commits. */
export interface FilePast {
  /** Oldest first. */
  readonly versions: readonly CommittedVersion[];
  /** The latest first. */
  readonly renames: readonly CommittedRename[];
  /** All objects that hold the file, with what is staged, and what there was before the oldest version. */
  readonly objects: readonly CommittedObject[];
}

/** It is to be disposed of once nothing is read any more. */
export interface CommittedFile extends Disposable {
  /** The same object as long as git says the same. */
  readonly past: FilePast;
  /** What an object holds, as git keeps it: mostly with `\n` as line ends. Undefined: it is not here. */
  read(object: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** What git knows of the past of files. */
export interface CommittedHistory {
  /**
   * Undefined: the file is in no repository.
   * @param since older commits are not looked for, in milliseconds since 1970
   * @throws when git can't be asked
   */
  open(location: FileLocation, since: number): Promise<CommittedFile | undefined>;
  /** Changes with what is checked out, and with each commit. Undefined as above. @throws when git can't be asked */
  markOf(location: FileLocation): Promise<string | undefined>;
}
