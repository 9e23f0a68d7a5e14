import type { Platform, SnapshotRequest } from '../../host/platform.ts';
import { DamagedDataError } from '../../engine/errors.ts';
import { loadSqlite } from '../sqlite/connection.ts';
import { Replica } from './replica.ts';
import { sizeOf, writeSnapshot } from './snapshot.ts';
import { StorageFiles } from './storageFiles.ts';

/**
 * Writes the next snapshot file from the previous one and the journals after it; runs in another thread.
 * @returns its size in bytes
 * @throws DamagedDataError when these files do not suffice
 */
export async function buildSnapshot(
  { files, crc32, wasm }: Pick<Platform, 'files' | 'crc32' | 'wasm'>,
  { folder, database, ...footer }: SnapshotRequest,
): Promise<number> {
  const storage = new StorageFiles(files, folder, database);
  const { generation } = footer;
  const content = await exported();
  const parts = writeSnapshot(content, footer, crc32);
  await files.write(storage.nextSnapshot, parts);
  return sizeOf(parts);

  /** Frees memory before the file is written. */
  async function exported(): Promise<Uint8Array> {
    const sqlite = await loadSqlite(wasm);
    const { connection, damage, isNewer, journal } = await Replica.load(
      { sqlite, storage, crc32, before: generation },
      true,
    );
    try {
      if (damage) throw new DamagedDataError(`${damage.paths.join(', ')} cannot be read`);
      if (isNewer || journal?.header.generation !== generation - 1) {
        throw new DamagedDataError(`nothing leads to generation ${generation}`);
      }
      // The snapshot will replace all its sources, and in this thread the check blocks nothing.
      const check = connection.get('PRAGMA quick_check(1)')?.['quick_check'];
      if (check !== 'ok') throw new DamagedDataError(`SQLite finds: ${String(check)}`);
      return connection.export();
    } finally {
      connection.close();
    }
  }
}
