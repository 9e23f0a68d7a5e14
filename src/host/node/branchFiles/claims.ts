import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BranchFilesError } from '../../branchFilesError.ts';
import type { LockOwner } from '../../platform.ts';

/** How long a program of another machine counts as at work, which can't be asked here: a day, in milliseconds. */
const ELSEWHERE_MS = 86_400_000;

/**
 * Lets one program at a time do something with the files of a branch. Who is at it says so by the name of an empty file
 * next to their folder; where two come at the same time, both may go away.
 */
export class Claims {
  private readonly mine = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly owner: LockOwner,
    /** What is done, as the end of the name. */
    private readonly what: 'busy' | 'check',
  ) {}

  /** @throws BranchFilesError if another is at it */
  async during<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (this.mine.has(id)) throw new BranchFilesError('busy');
    this.mine.add(id);
    const { pid, host } = this.owner;
    const file = path.join(this.folder, `${id}.${pid}.${encodeURIComponent(host)}.${this.what}`);
    try {
      await this.owner.looked?.();
      await mkdir(this.folder, { recursive: true });
      await writeFile(file, '');
      if (await this.isElsewhere(id)) throw new BranchFilesError('busy');
      return await work();
    } finally {
      await rm(file, { force: true });
      this.mine.delete(id);
    }
  }

  /** Those that a program is at, or was when it was killed. */
  async claimed(): Promise<string[]> {
    return (await readdir(this.folder).catch((): string[] => [])).flatMap(
      (name) => this.read(name)?.id ?? [],
    );
  }

  /** Whether another program is at it; what one left that was killed is removed. */
  async isElsewhere(id: string): Promise<boolean> {
    const { pid, host } = this.owner;
    for (const name of await readdir(this.folder).catch((): string[] => [])) {
      const other = this.read(name);
      if (other?.id !== id || (other.host === host && other.pid === pid)) continue;
      const file = path.join(this.folder, name);
      const isAtWork =
        other.host === host
          ? this.owner.isAlive(other.pid)
          : Date.now() - ((await stat(file).catch(() => undefined))?.mtimeMs ?? 0) < ELSEWHERE_MS;
      if (isAtWork) return true;
      await rm(file, { force: true });
    }
    return false;
  }
  private read(name: string): { id: string; pid: number; host: string } | undefined {
    const [, id = '', pid = '', host = '', what] = /^([\da-f-]+)\.(\d+)\.(.*)\.([a-z]+)$/u.exec(name) ?? [];
    return what === this.what ? { id, pid: Number(pid), host: decodeURIComponent(host) } : undefined;
  }
}
