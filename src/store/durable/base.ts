import type { SqlJsStatic } from 'sql.js';
import type { Crc32 } from '../../platform/checksum.ts';
import { Connection } from '../connection.ts';
import { SCHEMA_VERSION, schemaVersionOf } from '../schema.ts';
import { FileForSqlite, SPARE } from './fileForSqlite.ts';
import { readSnapshot, SnapshotSum } from './snapshot.ts';
import type { StorageFiles } from './storageFiles.ts';

/** The database that the journals continue. */
export interface Base {
  readonly connection: Connection;
  /** The first journal that follows it; undefined when only a newer version of this program can read that. */
  readonly generation: number | undefined;
  /** The size of its file; 0 when there is none. */
  readonly bytes: number;
  /** A newer version of this program wrote it. */
  readonly isNewer: boolean;
  /** Damaged files that could not be used. */
  readonly damaged: readonly string[];
}

/** Opens the snapshot, or its backup when the snapshot is damaged or a crash left only the backup. */
export async function openBase(sqlite: SqlJsStatic, storage: StorageFiles, crc32: Crc32): Promise<Base> {
  const damaged: string[] = [];
  for (const path of [storage.snapshot, storage.snapshotBackup]) {
    const sum = new SnapshotSum(crc32);
    const bytes = await storage.files.read(path, { spare: SPARE, meanwhile: (sofar) => sum.goOn(sofar) });
    if (!bytes) continue;
    const opened = open(sqlite, bytes, sum);
    if (opened) return { ...opened, damaged };
    damaged.push(path);
  }
  // A new database has no snapshot: its journals follow generation 0.
  return { connection: new Connection(sqlite), generation: 0, bytes: 0, isNewer: false, damaged };
}

function open(
  sqlite: SqlJsStatic,
  bytes: Uint8Array<ArrayBuffer>,
  sum: SnapshotSum,
): Omit<Base, 'damaged'> | undefined {
  const snapshot = readSnapshot(bytes, sum);
  if (!snapshot) return undefined;
  const { database, generation } = snapshot;
  // The line after the database has been read, and SQLite treats the bytes after its file as zeros.
  bytes.fill(0, database.byteLength);
  let connection: Connection | undefined;
  try {
    connection = new Connection(sqlite, new FileForSqlite(database));
    const isNewer = generation === undefined || schemaVersionOf(connection) > SCHEMA_VERSION;
    return { connection, generation, bytes: bytes.byteLength, isNewer };
  } catch {
    // The checksum is valid, but SQLite cannot open it.
    connection?.close();
    return undefined;
  }
}
