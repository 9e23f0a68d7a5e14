import type { Files } from './files.ts';
import { z } from 'zod';

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

/** CRC-32 as in zlib, of `bytes` that continue the data with checksum `start` (0 for none); from 0 to 2^32 - 1. */
export type Crc32 = (bytes: Uint8Array, start: number) => number;

export interface ProgramLock {
  readonly isHeld: boolean;
  /** Takes the lock if it is free, or if its holder is gone. Detecting the latter requires repeated calls. */
  tryAcquire(): Promise<boolean>;
  /** Whether the lock is still ours: if a program is suspended for long, another one may have taken it. */
  confirm(): Promise<boolean>;
  release(): Promise<void>;
}

export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Called only for processes of the same host. */
  isAlive(pid: number): boolean;
  /** Where this cannot be known at once: resolves when it is known for all calls of `isAlive`. */
  readonly looked?: (() => Promise<void>) | undefined;
}

/** The sources of the next snapshot: the files of this database, up to the journal before `generation`. */
export const snapshotRequest = z.object({
  folder: z.string(),
  database: z.string(),
  generation: z.number().int().positive(),
  /** The identities of the store, and of the journal of this generation. */
  store: z.string(),
  journal: z.string(),
});
export type SnapshotRequest = z.infer<typeof snapshotRequest>;

/** Works outside the thread that saves, on files that no longer change, so it needs nothing from the writer. */
export interface SnapshotBuilder {
  /** @returns the size of the file in bytes, once it is on disk */
  build(request: SnapshotRequest, signal: AbortSignal): Promise<number>;
}

/** Whole messages of bytes, in order. An end that sends too much at once, or does not read, is disconnected. */
export interface Link {
  /** The maximum size of the next messages, in bytes. Before authentication it can be small. */
  limit: number;
  send(message: Uint8Array): void;
  /** Delivers no more messages until `resume`; some that have already arrived may still be delivered. */
  pause(): void;
  resume(): void;
  /** Resolves once it is closed. An end that reads still gets what was sent before. */
  close(): Promise<void>;
}

export interface LinkEvents {
  onMessage(message: Uint8Array): void;
  /** Called once, when either end closes it. */
  onClose(): void;
}

/** An address where other processes of the same user can connect. */
export interface Listener {
  readonly address: string;
  /** Accepts no more connections; existing ones stay. */
  close(): Promise<void>;
}

export interface Channels {
  /**
   * Opens an unguessable address.
   * @param folder its location, on systems where addresses are files and this path is short enough
   * @param onLink receives each connection as it is made
   */
  listen(folder: string, onLink: (link: Link) => LinkEvents): Promise<Listener>;
  /** @returns undefined when nobody listens there */
  connect(address: string, onLink: (link: Link) => LinkEvents): Promise<Link | undefined>;
  /** Removes an address that a killed process left behind. */
  discard(address: string): Promise<void>;
}
