import type { Crc32 } from '../../platform/checksum.ts';
import type { GroupCommit } from './groupCommit.ts';
import { JournalWriter } from './journalWriter.ts';
import type { StorageFiles } from './storageFiles.ts';

/** The journals up to a new one. */
export interface Sealed {
  /** Of the new one. */
  readonly generation: number;
  /** The size of the one before. */
  readonly sealedBytes: number;
  /** The database as they leave it, where it was asked for. */
  readonly content?: Uint8Array | undefined;
}

export interface SealOptions {
  readonly storage: StorageFiles;
  readonly crc32: Crc32;
  readonly commits: Pick<GroupCommit<unknown>, 'betweenGroups' | 'quietly'>;
  /** The journal that is written, if one is. */
  readonly journal: () => JournalWriter | undefined;
  /** What is saved from now on goes to this one. */
  readonly goOnWith: (journal: JournalWriter) => void;
  /** The database as it is in memory. */
  readonly content: () => Uint8Array;
}

/**
 * Goes on with a new journal.
 * @param takesContent asks for the database as well
 * @returns undefined when there is nothing to seal
 */
export type Sealing = (takesContent: boolean) => Promise<Sealed | undefined>;

/**
 * Goes on with a new journal, in a moment in which nothing is written; that one is there already.
 * @param takesContent takes the database too, in a moment in which memory holds what the journals do
 * @returns undefined when there is nothing to seal
 */
export async function sealJournal(options: SealOptions, takesContent: boolean): Promise<Sealed | undefined> {
  const { storage, crc32, commits } = options;
  const old = options.journal();
  if (!old) return undefined;
  const fresh = await JournalWriter.create(storage, old.generation + 1, crc32);
  const change = (): Sealed | undefined => {
    // Memory may have been read anew meanwhile, and another writer made for the journal.
    if (options.journal() !== old) return undefined;
    const content = takesContent ? options.content() : undefined;
    options.goOnWith(fresh);
    return { generation: fresh.generation, sealedBytes: old.size, content };
  };
  const sealed = await (takesContent ? commits.quietly(change) : commits.betweenGroups(change));
  await (sealed ? old : fresh).close();
  return sealed;
}
