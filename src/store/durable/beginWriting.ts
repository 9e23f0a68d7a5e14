import type { Crc32 } from '../../host/platform.ts';
import { SCHEMA_VERSION } from '../sqlite/schema.ts';
import { isFull, type RecoveryReport } from './storageErrors.ts';
import { headerAfter, type JournalHeader, type JournalPosition } from './journal.ts';
import { JournalWriter } from './journalWriter.ts';
import type { Damage, Replica } from './replica.ts';
import { sizeOf, writeSnapshot, type SnapshotFooter } from './snapshot.ts';
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
  options: BeginningOptions,
): Promise<Beginning> {
  const { loss } = storage.files;
  if (loss && replica.hasLostFiles) return loss.rewrite(() => begin(storage, replica, options));
  return begin(storage, replica, options);
}

interface BeginningOptions {
  readonly crc32: Crc32;
  readonly now: number;
}

async function begin(storage: StorageFiles, replica: Replica, options: BeginningOptions): Promise<Beginning> {
  const { crc32 } = options;
  await storage.sweep();
  if (!replica.hasLostFiles) await replica.findStrays();
  const { damage } = replica;
  if (damage) {
    const { footer, bytes, keptAside } = await replaceDamaged(storage, replica, damage, options);
    const journal = await JournalWriter.create(storage, headerAfter(footer), crc32);
    const report = { outcome: damage.outcome, keptAside };
    return { journal, baseGeneration: footer.generation, baseBytes: bytes, sealedBytes: 0, report };
  }
  if (replica.isEmpty) {
    const footer = newFooter(0, undefined);
    const baseBytes = await beginSnapshot(storage, replica, footer, crc32);
    const journal = await JournalWriter.create(storage, headerAfter(footer), crc32);
    return { journal, baseGeneration: 0, baseBytes, sealedBytes: 0, report: undefined };
  }
  for (const position of replica.torn) await (await JournalWriter.resume(storage, position)).close();
  const { baseGeneration, baseBytes, sealedBytes, journal: last } = replica;
  const isCurrent = last?.header.schema === SCHEMA_VERSION;
  const header = last ? headerOfNext(last, replica.store) : replica.firstHeader;
  const journal = isCurrent
    ? await JournalWriter.resume(storage, last)
    : await JournalWriter.create(storage, header, crc32);
  return { journal, baseGeneration, baseBytes, sealedBytes, report: undefined };
}

function headerOfNext({ header }: JournalPosition, store: string | undefined): Omit<JournalHeader, 'schema'> {
  return { generation: header.generation + 1, store, id: crypto.randomUUID() };
}

/** @param store its identity; undefined: it gets one */
function newFooter(generation: number, store: string | undefined): SnapshotFooter {
  return { generation, store: store ?? crypto.randomUUID(), journal: crypto.randomUUID() };
}

/**
 * Makes sure that from the start there is a file that every SQLite tool opens.
 * @returns its size in bytes; 0 when there was no room for it: a journal takes less, and the file is made later
 */
async function beginSnapshot(
  storage: StorageFiles,
  replica: Replica,
  footer: SnapshotFooter,
  crc32: Crc32,
): Promise<number> {
  const { files, snapshot, nextSnapshot } = storage;
  const parts = writeSnapshot(replica.connection.export(), footer, crc32);
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

/**
 * Writes the readable data as the new snapshot, and sets aside the damaged or foreign files. A crash in between changes
 * neither.
 */
async function replaceDamaged(
  storage: StorageFiles,
  replica: Replica,
  { outcome, paths }: Damage,
  { crc32, now }: BeginningOptions,
): Promise<{ footer: SnapshotFooter; bytes: number; keptAside: string[] }> {
  const { files, snapshot, snapshotBackup, nextSnapshot } = storage;
  // Skips one generation, so that no earlier file seems to lead to the data written from now on.
  const footer = newFooter(replica.highestGeneration + 2, replica.store);
  const parts = writeSnapshot(replica.connection.export(), footer, crc32);
  await files.write(nextSnapshot, parts);
  const why = outcome === 'foreign-journal' ? 'foreign' : 'damaged';
  const keptAside: string[] = [];
  for (const path of paths) keptAside.push(await storage.setAside(path, why, now));
  await files.move(snapshot, snapshotBackup);
  await files.move(nextSnapshot, snapshot);
  return { footer, bytes: sizeOf(parts), keptAside };
}
