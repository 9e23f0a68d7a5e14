import type { Disposable } from '../../base/disposable.ts';
import type { Channels, Platform, Crc32, LockOwner } from '../platform.ts';
import { IndexedDatabase } from './indexedDatabase.ts';
import { IndexedFiles } from './indexedFiles.ts';
import { WebLock } from './webLock.ts';
import crc from 'crc-32';

/** The platform of a durable store in a browser, and the folder to give it. */
export interface WebStorage extends Disposable {
  readonly folder: string;
  readonly platform: Platform;
}

/**
 * Durable storage in a browser, in a page or a dedicated worker. Nothing is opened before the store is.
 * @param name identifies this storage within the site: callers with the same name share it
 * @param wasm returns the bytes of `sql-wasm.wasm`
 */
export function webStorage(name: string, wasm: Platform['wasm']): WebStorage {
  const shared = `offshoot ${name}`;
  const database = new IndexedDatabase(shared);
  const owner = new WebWindow(shared);
  const channels = async (): Promise<Channels> => {
    const { BroadcastChannels } = await import('./broadcastChannels.ts');
    // After this, others may learn of this window.
    await owner.arrived;
    return new BroadcastChannels(shared);
  };
  return {
    folder: name,
    platform: {
      files: new IndexedFiles(database),
      owner,
      crc32: webCrc32,
      channels,
      wasm,
      lock: (path) => new WebLock(`${shared} writer ${path}`),
    },
    dispose: () => {
      owner.dispose();
      database.close();
    },
  };
}

/** A browser has no built-in one. */
const webCrc32: Crc32 = (bytes, start) => crc.buf(bytes, start) >>> 0;

/** Windows of the same browser can reach only each other. */
const HOST = 'browser';

/** Each window holds a browser lock for its lifetime, so that others can query which windows exist. */
class WebWindow implements LockOwner, Disposable {
  readonly pid = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  readonly host = HOST;
  private readonly ended = new Set<number>();
  private readonly asked = new Set<number>();
  private looking: Promise<void> | undefined;
  private readonly arriving = Promise.withResolvers<undefined>();
  private readonly disposing = Promise.withResolvers<undefined>();

  constructor(private readonly name: string) {
    if (!('locks' in navigator)) return;
    navigator.locks
      .request(this.lockOf(this.pid), () => {
        this.arriving.resolve(undefined);
        return this.disposing.promise;
      })
      .catch((error: unknown) => this.arriving.reject(error));
    this.arriving.promise.catch(() => undefined);
  }

  /** Resolves once others see this window as alive. */
  get arrived(): Promise<unknown> {
    return this.arriving.promise;
  }

  /** An unknown window counts as alive until the query returns. */
  readonly isAlive = (pid: number): boolean => {
    if (this.ended.has(pid)) return false;
    this.asked.add(pid);
    this.looking ??= this.look();
    return true;
  };

  readonly looked = async (): Promise<void> => {
    await this.looking;
  };

  dispose(): void {
    this.disposing.resolve(undefined);
  }

  /** Each of these windows took its lock before it was known: without it, it has ended. */
  private async look(): Promise<void> {
    // Calls at the same moment are answered together.
    await Promise.resolve();
    const asked = [...this.asked];
    this.asked.clear();
    try {
      const { held = [] } = await navigator.locks.query();
      const names = new Set(held.map(({ name }) => name));
      for (const pid of asked) if (!names.has(this.lockOf(pid))) this.ended.add(pid);
    } finally {
      this.looking = undefined;
    }
  }

  private lockOf(pid: number): string {
    return `${this.name} window ${pid}`;
  }
}
