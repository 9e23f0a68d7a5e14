import type { Disposable } from '../../kit/disposable.ts';
import type { Channels } from '../channels.ts';
import { IndexedDatabase } from './indexedDatabase.ts';
import { IndexedFiles } from './indexedFiles.ts';
import type { Platform } from '../platform.ts';
import { webCrc32 } from './webCrc32.ts';
import { WebLock } from './webLock.ts';
import { WebWindow } from './webWindow.ts';

/** What a durable store needs of a browser, and the folder to give it. */
export interface WebStorage extends Disposable {
  readonly folder: string;
  readonly platform: Platform;
}

/**
 * Durable storage in a browser, in a page or a dedicated worker. Nothing is opened before the store is.
 * @param name tells this storage from others of the same site: whoever gives the same name shares it
 * @param wasm gives the bytes of `sql-wasm.wasm`
 */
export function webStorage(name: string, wasm: Platform['wasm']): WebStorage {
  const shared = `offshoot ${name}`;
  const database = new IndexedDatabase(shared);
  const owner = new WebWindow(shared);
  const channels = async (): Promise<Channels> => {
    const { BroadcastChannels } = await import('./broadcastChannels.ts');
    // From here on others may hear of this window.
    await owner.arrived;
    return new BroadcastChannels(shared);
  };
  return {
    folder: name,
    platform: {
      ...{ files: new IndexedFiles(database), owner, crc32: webCrc32, channels, wasm },
      lock: (path) => new WebLock(`${shared} writer ${path}`),
    },
    dispose: () => {
      owner.dispose();
      database.close();
    },
  };
}
