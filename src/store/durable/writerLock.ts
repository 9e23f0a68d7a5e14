import { z } from 'zod';
import type { Disposable } from '../../engine/event.ts';
import type { Files } from '../../platform/files.ts';
import type { LockOwner } from '../../platform/processes.ts';

// proper-lockfile, the usual library, was last released in 2021, knows Node only, and calls a lock stale by the wall
// clock alone; here a lock whose process is gone is taken over at once, and the same code runs on any `Files`.

const HEARTBEAT_MS = 2_000;

/** A lock of another machine, whose processes cannot be asked after, counts as left behind after this long. */
const STALE_MS = 8_000;

const ownerSchema = z.object({ pid: z.number(), host: z.string(), token: z.string() });

/** Makes sure that only one process writes. */
export class WriterLock implements Disposable {
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private readonly token = crypto.randomUUID();

  constructor(
    private readonly files: Files,
    private readonly path: string,
    private readonly owner: LockOwner,
  ) {}

  get isHeld(): boolean {
    return this.heartbeat !== undefined;
  }

  /** Takes the lock if nobody has it, or if whoever had it is gone. */
  async tryAcquire(): Promise<boolean> {
    if (this.isHeld) return true;
    const { pid, host } = this.owner;
    const content = JSON.stringify({ pid, host, token: this.token });
    if (!(await this.files.createExclusively(this.path, content))) {
      if (!(await this.isLeftBehind())) return false;
      // Moved away rather than removed: of two that find it left behind, one moves it and the other finds nothing.
      const abandoned = `${this.path}.${this.token}`;
      await this.files.move(this.path, abandoned);
      await this.files.remove(abandoned);
      if (!(await this.files.createExclusively(this.path, content))) return false;
    }
    this.heartbeat = setInterval(() => {
      // A missed beat does no harm by itself; the next one follows.
      this.files.touch(this.path).catch(() => undefined);
    }, HEARTBEAT_MS);
    return true;
  }

  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.dispose();
    if ((await this.read())?.token === this.token) await this.files.remove(this.path);
  }

  dispose(): void {
    clearInterval(this.heartbeat);
    this.heartbeat = undefined;
  }

  private async isLeftBehind(): Promise<boolean> {
    const stamp = await this.files.stamp(this.path);
    if (!stamp) return true;
    const holder = await this.read();
    // A lock is written a moment after it is made; only one that stays unreadable was left by a crash in between.
    if (!holder) return Math.abs(stamp.age) > STALE_MS;
    // After a restart of the machine our own number may be that of the process that left it: then its beat decides.
    if (holder.host === this.owner.host && holder.pid !== this.owner.pid) {
      return !this.owner.isAlive(holder.pid);
    }
    return Math.abs(stamp.age) > STALE_MS;
  }

  private async read(): Promise<z.infer<typeof ownerSchema> | undefined> {
    const bytes = await this.files.read(this.path);
    if (!bytes) return undefined;
    try {
      return ownerSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      return undefined;
    }
  }
}
