import type { Crc32 } from '../../platform/checksum.ts';
import type { GroupCommit } from './groupCommit.ts';
import { JournalWriter } from './journalWriter.ts';
import type { StorageFiles } from './storageFiles.ts';

/** The journals before a new one. */
export interface Sealed {
  /** The generation of the new one. */
  readonly generation: number;
  /** The size of the previous one. */
  readonly sealedBytes: number;
  /** The database at the end of them, if requested. */
  readonly content?: Uint8Array | undefined;
}

export interface SealOptions {
  readonly storage: StorageFiles;
  readonly crc32: Crc32;
  readonly commits: Pick<GroupCommit<unknown>, 'betweenGroups' | 'quietly'>;
  /** The current journal, if there is one. */
  readonly journal: () => JournalWriter | undefined;
  /** Later saves are written to this journal. */
  readonly goOnWith: (journal: JournalWriter) => void;
  /** The database as it is in memory. */
  readonly content: () => Uint8Array;
}

/**
 * Continues with a new journal.
 * @param takesContent requests the database as well
 * @returns undefined when there is nothing to seal
 */
export type Sealing = (takesContent: boolean) => Promise<Sealed | undefined>;

/**
 * Continues with a new, already existing journal, at a moment when nothing is written.
 * @param takesContent also takes the database, at a moment when memory equals the journals
 * @returns undefined when there is nothing to seal
 */
export async function sealJournal(options: SealOptions, takesContent: boolean): Promise<Sealed | undefined> {
  const { storage, crc32, commits } = options;
  const old = options.journal();
  if (!old) return undefined;
  const fresh = await JournalWriter.create(storage, old.generation + 1, crc32);
  const change = (): Sealed | undefined => {
    // Memory may have been read from scratch meanwhile, with another writer for the journal.
    if (options.journal() !== old) return undefined;
    const content = takesContent ? options.content() : undefined;
    options.goOnWith(fresh);
    return { generation: fresh.generation, sealedBytes: old.size, content };
  };
  const sealed = await (takesContent ? commits.quietly(change) : commits.betweenGroups(change));
  await (sealed ? old : fresh).close();
  return sealed;
}
