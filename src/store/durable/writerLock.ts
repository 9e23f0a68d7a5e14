import { z } from 'zod';
import type { Files } from '../../host/files.ts';
import type { ProgramLock, LockOwner } from '../../host/platform.ts';
import { every, type BackgroundTimer } from '../../host/timers.ts';

// proper-lockfile, the usual library, was last released in 2021, supports only Node, and detects stale locks by
// comparing the wall clocks of two machines. Here a lock whose process is gone is taken over at once, any other one
// only after it was observed not to change, and the same code runs on any `Files`.

const HEARTBEAT_MS = 2_000;

/** A lock whose owner cannot be checked counts as abandoned after it was observed unchanged for this long. */
const UNKNOWN_OWNER_MS = 6_000;

/** While the owner's process runs it may be busy or suspended; but its process id may also have been reused. */
const LIVING_OWNER_MS = 60_000;

/** After this long without a beat another process may have the lock. Less than `UNKNOWN_OWNER_MS`, for safety. */
const CERTAIN_MS = 4_000;

/** The most that one check adds to the time a lock was observed unchanged: a sleeping machine observes nothing. */
const LOOK_MS = 1_000;

const contentSchema = z.object({
  pid: z.number(),
  host: z.string(),
  token: z.string().regex(/^[\w-]{1,64}$/),
  /** Where it was made; earlier versions wrote none. */
  path: z.string().optional(),
});
type Content = z.infer<typeof contentSchema>;

interface Sighting {
  readonly stamp: string;
  readonly at: number;
  readonly unchangedMs: number;
}

export class WriterLock implements ProgramLock {
  private readonly token = crypto.randomUUID();
  private readonly sightings = new Map<string, Sighting>();
  private heartbeat: BackgroundTimer | undefined;
  private confirmedAt = 0;

  constructor(
    private readonly files: Files,
    private readonly path: string,
    private readonly owner: LockOwner,
    /** Monotonic, in milliseconds. */
    private readonly now = () => performance.now(),
  ) {}

  get isHeld(): boolean {
    return this.heartbeat !== undefined;
  }

  async tryAcquire(): Promise<boolean> {
    // Its file may have been removed since.
    if (this.isHeld) await this.beat();
    if (this.isHeld) return true;
    const { pid, host } = this.owner;
    const content = JSON.stringify({ pid, host, token: this.token, path: this.path } satisfies Content);
    const isNew = await this.files.createExclusively(this.path, content);
    // A removed file may have been put back.
    if (!isNew && !(await this.isOurs()) && !(await this.takeOver(content))) return false;
    if (!(await this.isOurs())) return false;
    this.sightings.clear();
    this.heartbeat = every(HEARTBEAT_MS, () => {
      // A missed beat does no harm: before each write, `confirm` checks again.
      this.beat().catch(() => undefined);
    });
    return true;
  }

  async confirm(): Promise<boolean> {
    if (this.isHeld && this.now() - this.confirmedAt > CERTAIN_MS) await this.beat();
    return this.isHeld;
  }

  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.stopBeating();
    if ((await this.read(this.path))?.token === this.token) await this.files.remove(this.path);
  }

  private async beat(): Promise<void> {
    if (await this.isOurs()) await this.files.touch(this.path);
    else this.stopBeating();
  }

  private stopBeating(): void {
    this.heartbeat?.stop();
    this.heartbeat = undefined;
  }

  private async isOurs(): Promise<boolean> {
    const isOurs = (await this.read(this.path))?.token === this.token;
    if (isOurs) this.confirmedAt = this.now();
    return isOurs;
  }

  /**
   * Replaces an abandoned lock. A process must first create the claim file named after that lock, and then find the
   * lock unchanged: of several processes only one replaces it, and never a newer lock.
   */
  private async takeOver(content: string): Promise<boolean> {
    const holder = await this.read(this.path);
    if (!(await this.isLeftBehind(this.path, holder))) return false;
    const claim = `${this.path}.${holder?.token ?? 'unreadable'}`;
    if (!(await this.files.createExclusively(claim, content))) {
      // The process that made it may be gone as well. In that case the next attempt finds neither.
      if (await this.isLeftBehind(claim, await this.read(claim))) await this.files.remove(claim);
      return false;
    }
    if ((await this.read(this.path))?.token !== holder?.token) {
      await this.files.remove(claim);
      return false;
    }
    await this.files.move(claim, this.path);
    return true;
  }

  private async isLeftBehind(path: string, holder: Content | undefined): Promise<boolean> {
    // After a reboot, the process that left the lock may have had our own process id.
    const isNeighbour = holder?.host === this.owner.host && holder.pid !== this.owner.pid;
    if (isNeighbour && !this.owner.isAlive(holder.pid)) return true;
    // In a copy of a folder, the process that is named may live and know nothing of it. It cannot be told from one that
    // reaches the same folder by another path, which keeps touching its lock.
    const isKnown = isNeighbour && (holder.path ?? this.path) === this.path;
    return (await this.unchangedMs(path)) > (isKnown ? LIVING_OWNER_MS : UNKNOWN_OWNER_MS);
  }

  /** How long a file was observed not to change. Uses only a monotonic clock of this process. */
  private async unchangedMs(path: string): Promise<number> {
    const stamp = (await this.files.stamp(path)) ?? '';
    const at = this.now();
    const before = this.sightings.get(path);
    const unchangedMs = before?.stamp === stamp ? before.unchangedMs + Math.min(at - before.at, LOOK_MS) : 0;
    this.sightings.set(path, { stamp, at, unchangedMs });
    return unchangedMs;
  }

  private async read(path: string): Promise<Content | undefined> {
    const bytes = await this.files.read(path);
    if (!bytes) return undefined;
    try {
      return contentSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      // It is still being written, or was left half-written.
      return undefined;
    }
  }
}
