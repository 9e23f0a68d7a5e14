import type { SqlJsStatic } from 'sql.js';
import type { Crc32 } from '../../host/platform.ts';
import { FileForSqlite } from '../sqlite/fileForSqlite.ts';
import { Connection } from '../sqlite/connection.ts';
import { SCHEMA_VERSION, schemaVersionOf } from '../sqlite/schema.ts';
import { readSnapshot, SnapshotSum, type SnapshotFooter } from './snapshot.ts';
import type { StorageFiles } from './storageFiles.ts';

/** The database that the journals continue. */
export interface Base extends Omit<SnapshotFooter, 'generation'> {
  readonly connection: Connection;
  /** Its file; undefined when there is none. */
  readonly path: string | undefined;
  /** The first journal that follows it; undefined when only a newer version of this program can read that. */
  readonly generation: number | undefined;
  /** The size of its file; 0 when there is none. */
  readonly bytes: number;
  /** A newer version of this program wrote it. */
  readonly isNewer: boolean;
  readonly damaged: readonly string[];
}

/** Opens the snapshot, or its backup when the snapshot is damaged or a crash left only the backup. */
export async function openBase(sqlite: SqlJsStatic, storage: StorageFiles, crc32: Crc32): Promise<Base> {
  const damaged: string[] = [];
  for (const path of [storage.snapshot, storage.snapshotBackup]) {
    const sum = new SnapshotSum(crc32);
    const bytes = await storage.files.read(path, { spare: SPARE, onProgress: (sofar) => sum.goOn(sofar) });
    if (!bytes) continue;
    const opened = open(sqlite, bytes, sum);
    if (opened) return { ...opened, path, damaged };
    damaged.push(path);
  }
  // A new database has no snapshot: its journals follow generation 0.
  const connection = new Connection(sqlite);
  return { connection, path: undefined, generation: 0, bytes: 0, isNewer: false, damaged };
}

function open(
  sqlite: SqlJsStatic,
  bytes: Uint8Array<ArrayBuffer>,
  sum: SnapshotSum,
): Omit<Base, 'path' | 'damaged'> | undefined {
  const snapshot = readSnapshot(bytes, sum);
  if (!snapshot) return undefined;
  const { database, generation, store, journal } = snapshot;
  // The line after the database has been read, and SQLite treats the bytes after its file as zeros.
  bytes.fill(0, database.byteLength);
  let connection: Connection | undefined;
  try {
    connection = new Connection(sqlite, new FileForSqlite(database));
    const isNewer = generation === undefined || schemaVersionOf(connection) > SCHEMA_VERSION;
    return { connection, generation, store, journal, bytes: bytes.byteLength, isNewer };
  } catch {
    // The checksum is valid, but SQLite cannot open it.
    connection?.close();
    return undefined;
  }
}

/** The spare room of a file's buffer, as a fraction of its bytes: as much as sql.js would add at once. */
const SPARE = 1 / 8;
