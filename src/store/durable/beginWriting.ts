import type { Crc32 } from '../../host/platform.ts';
import { SCHEMA_VERSION } from '../sqlite/schema.ts';
import { isFull, type RecoveryReport } from './storageErrors.ts';
import { JournalWriter } from './journalWriter.ts';
import type { Damage, Replica } from './replica.ts';
import { sizeOf, writeSnapshot } from './snapshot.ts';
import type { StorageFiles } from './storageFiles.ts';

export interface Beginning {
  readonly journal: JournalWriter;
  readonly baseGeneration: number;
  readonly baseBytes: number;
  readonly sealedBytes: number;
  /** Damage that was found and has been replaced by the data in memory. */
  readonly report: RecoveryReport | undefined;
}

/** Prepares the files for appending: nothing torn or damaged, and a journal for the tables of this program. */
export async function beginWriting(
  storage: StorageFiles,
  replica: Replica,
  { crc32, now }: { readonly crc32: Crc32; readonly now: number },
): Promise<Beginning> {
  const { damage } = replica;
  const { loss } = storage.files;
  if (loss && replica.hasLostFiles)
    return loss.rewrite(() => begin(storage, replica, damage, { crc32, now }));
  return begin(storage, replica, damage, { crc32, now });
}

async function begin(
  storage: StorageFiles,
  replica: Replica,
  damage: Damage | undefined,
  { crc32, now }: { readonly crc32: Crc32; readonly now: number },
): Promise<Beginning> {
  await storage.sweep();
  if (damage) {
    const { generation, bytes, keptAside } = await replaceDamaged(storage, replica, damage, { crc32, now });
    const journal = await JournalWriter.create(storage, generation, crc32);
    const report = { outcome: damage.outcome, keptAside };
    return { journal, baseGeneration: generation, baseBytes: bytes, sealedBytes: 0, report };
  }
  if (isNew(replica)) {
    const baseBytes = await beginSnapshot(storage, replica, crc32);
    const journal = await JournalWriter.create(storage, 0, crc32);
    return { journal, baseGeneration: 0, baseBytes, sealedBytes: 0, report: undefined };
  }
  for (const position of replica.torn) await (await JournalWriter.resume(storage, position)).close();
  const { baseGeneration, baseBytes, sealedBytes, journal: last } = replica;
  const isCurrent = last?.header.schema === SCHEMA_VERSION;
  const journal = isCurrent
    ? await JournalWriter.resume(storage, last)
    : await JournalWriter.create(storage, last ? last.header.generation + 1 : baseGeneration, crc32);
  return { journal, baseGeneration, baseBytes, sealedBytes, report: undefined };
}

function isNew({ baseBytes, journal }: Replica): boolean {
  return baseBytes === 0 && !journal;
}

/**
 * Makes sure that from the start there is a file that every SQLite tool opens.
 * @returns its size in bytes; 0 when there was no room for it: a journal takes less, and the file is made later
 */
async function beginSnapshot(storage: StorageFiles, replica: Replica, crc32: Crc32): Promise<number> {
  const { files, snapshot, nextSnapshot } = storage;
  const parts = writeSnapshot(replica.connection.export(), 0, crc32);
  try {
    await files.write(nextSnapshot, parts);
  } catch (error) {
    await files.remove(nextSnapshot);
    if (isFull(error)) return 0;
    throw error;
  }
  await files.move(nextSnapshot, snapshot);
  return sizeOf(parts);
}

/** Writes the readable data as the new snapshot and sets damaged files aside; a crash in between changes neither. */
async function replaceDamaged(
  storage: StorageFiles,
  replica: Replica,
  { paths }: Damage,
  { crc32, now }: { readonly crc32: Crc32; readonly now: number },
): Promise<{ generation: number; bytes: number; keptAside: string[] }> {
  const { files, snapshot, snapshotBackup, nextSnapshot } = storage;
  // Skips one generation, so that no earlier file seems to lead to the data written from now on.
  const generation = replica.highestGeneration + 2;
  const parts = writeSnapshot(replica.connection.export(), generation, crc32);
  await files.write(nextSnapshot, parts);
  const keptAside: string[] = [];
  for (const path of paths) keptAside.push(await storage.setAside(path, now));
  await files.move(snapshot, snapshotBackup);
  await files.move(nextSnapshot, snapshot);
  return { generation, bytes: sizeOf(parts), keptAside };
}
