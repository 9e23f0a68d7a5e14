import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isAlive } from './liveProcesses.ts';

/** Temporary folders whose names tell the machine and the process that they belong to, so that others can remove them. */
export class OwnedFolders {
  /** The start of their names, before the process. */
  readonly prefix: string;
  private swept: Promise<void> | undefined;

  constructor(start: string) {
    this.prefix = `${start}${hostname().replaceAll(/\W+/g, '_')}-`;
  }

  /** Makes one for this process, after those of processes that were killed were removed once. */
  async make(place: string): Promise<string> {
    await (this.swept ??= this.removeAbandoned(place));
    return mkdtemp(path.join(place, `${this.prefix}${process.pid}-`));
  }

  /** Removes the folders of processes that were killed. */
  async removeAbandoned(place: string): Promise<void> {
    for (const name of await readdir(place)) {
      const pid = name.startsWith(this.prefix)
        ? Number.parseInt(name.slice(this.prefix.length), 10)
        : Number.NaN;
      if (Number.isNaN(pid) || isAlive(pid)) continue;
      await rm(path.join(place, name), { recursive: true, force: true }).catch(() => {
        // It is another user's.
      });
    }
  }
}
