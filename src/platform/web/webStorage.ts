import type { Disposable } from '../../kit/disposable.ts';
import type { Channels } from '../channels.ts';
import { IndexedDatabase } from './indexedDatabase.ts';
import { IndexedFiles } from './indexedFiles.ts';
import type { Platform } from '../platform.ts';
import { webCrc32 } from './webCrc32.ts';
import { WebLock } from './webLock.ts';
import { WebWindow } from './webWindow.ts';

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
