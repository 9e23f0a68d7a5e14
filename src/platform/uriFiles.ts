/** What stands under a name. */
export type EntryKind = 'file' | 'folder' | 'other';

export interface UriEntry {
  readonly kind: EntryKind;
  /** It leads to what it says it is. */
  readonly isLink: boolean;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/**
 * Files by their URIs, as the editor reaches them whatever they lie on: a disk, the storage of a browser, another
 * machine. Nothing here says where a link leads.
 */
export interface UriFiles {
  /** Undefined when there is none. */
  stat(uri: string): Promise<UriEntry | undefined>;
  /** @throws when there is none */
  read(uri: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Makes the file if there is none; the folder must be there. */
  write(uri: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when there is no such folder. Links are `other`, whatever they lead to. */
  list(uri: string): Promise<readonly { readonly name: string; readonly kind: EntryKind }[] | undefined>;
  makeFolder(uri: string): Promise<void>;
  /** A file, or a folder with nothing in it. */
  remove(uri: string): Promise<void>;
  /** Whether files there can be changed; undefined when that is not known. */
  isWritable(uri: string): boolean | undefined;
}
