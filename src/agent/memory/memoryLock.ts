import type { Files } from '../../host/files.ts';
import { delay } from '../../host/timers.ts';

/** Runs work while no other window runs such work. */
export type Exclusively = <T>(work: () => Promise<T>) => Promise<T>;

const LOCK = 'memory.lock';

/** How long a try waits for the one after it, in milliseconds. */
const WAIT_MS = 20;

/** After this time the window that holds it has ended, in milliseconds: a change takes a small part of it. */
const STALE_MS = 10_000;

/** @param folder that all windows of the user share */
export function memoryLock(files: Files, folder: string): Exclusively {
  return async (work) => {
    const path = files.join(folder, LOCK);
    await files.ensureFolder(folder);
    while (!(await files.createExclusively(path, ''))) {
      const held = (await files.list(folder)).find(({ name }) => name === LOCK);
      if (held && held.age > STALE_MS) await files.remove(path);
      else await delay(WAIT_MS);
    }
    try {
      return await work();
    } finally {
      await files.remove(path);
    }
  };
}
