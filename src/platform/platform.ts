import type { Channels } from './channels.ts';
import type { Crc32 } from './checksum.ts';
import type { Files } from './files.ts';
import type { ProgramLock } from './locks.ts';
import type { LockOwner } from './processes.ts';
import type { SnapshotBuilder } from './snapshots.ts';

/** What a durable store needs of the program it runs in. */
export interface Platform {
  readonly files: Files;
  readonly owner: LockOwner;
  readonly crc32: Crc32;
  /** Left out: the writer makes snapshots from memory, which it copies at once. */
  readonly snapshots?: SnapshotBuilder | undefined;
  /** The lock of this name, from a host that frees it when its holder ends; left out: a file is the lock. */
  readonly lock?: ((name: string) => ProgramLock) | undefined;
  /** How processes that share the conversations reach each other; left out: only one of them can write. */
  readonly channels?: (() => Promise<Channels>) | undefined;
  /** Returns the bytes of `sql-wasm.wasm`. */
  readonly wasm: () => Promise<Uint8Array<ArrayBuffer>>;
}
