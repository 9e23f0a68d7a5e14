export type EntryKind = 'file' | 'folder' | 'other';

export interface UriEntry {
  readonly kind: EntryKind;
  /** It is a link to an entry of this kind. */
  readonly isLink: boolean;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** The editor refuses to change it. */
  readonly isReadOnly?: boolean;
}

/** Files on any medium the editor reaches: a disk, a browser, another machine. The targets of links are unknown. */
export interface UriFiles {
  /** Undefined when there is none. */
  stat(uri: string): Promise<UriEntry | undefined>;
  /** @throws when there is none */
  read(uri: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Makes the file if there is none; the folder must exist. */
  write(uri: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when there is no such folder. Links are `other`, independent of their targets. */
  list(uri: string): Promise<readonly { readonly name: string; readonly kind: EntryKind }[] | undefined>;
  makeFolder(uri: string): Promise<void>;
  /** Removes a file or an empty folder. */
  remove(uri: string): Promise<void>;
  /** Whether files there can be changed; undefined when that is not known. */
  isWritable(uri: string): boolean | undefined;
}
