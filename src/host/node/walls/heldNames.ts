import { mkdir, readdir, rmdir } from 'node:fs/promises';
import path from 'node:path';

/** What git and VS Code read on their own as soon as it is there. */
const names = ['.git', '.vscode'];

/** Empty folders that keep a name from being used while commands run, shared by those that run at a time. */
export class HeldNames {
  private readonly counts = new Map<string, number>();

  /** @returns the paths of those that nothing else has; each is to be released */
  async hold(folders: readonly string[]): Promise<readonly string[]> {
    const held: string[] = [];
    for (const each of folders.flatMap((folder) => names.map((name) => path.join(folder, name)))) {
      // An empty one is left of a window that was closed.
      if (!this.counts.has(each) && !(await isMade(each)) && !(await isEmpty(each))) continue;
      this.counts.set(each, (this.counts.get(each) ?? 0) + 1);
      held.push(each);
    }
    return held;
  }

  async release(held: readonly string[]): Promise<void> {
    for (const each of held) {
      const left = (this.counts.get(each) ?? 1) - 1;
      if (left > 0) {
        this.counts.set(each, left);
        continue;
      }
      // Another program may have put something into it, or removed it.
      await rmdir(each).catch(() => undefined);
      this.counts.delete(each);
    }
  }

  isHeld(at: string): boolean {
    return this.counts.has(at);
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => ['none'])).length === 0;
}

/** Not where the user may not: a command can't either. */
async function isMade(folder: string): Promise<boolean> {
  return mkdir(folder).then(
    () => true,
    () => false,
  );
}
