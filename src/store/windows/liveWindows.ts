import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { LockOwner } from '../../host/platform.ts';
import type { BackgroundTimer } from '../../host/timers.ts';
import type { StorageParts } from '../durable/storageParts.ts';

/** How long a window may take to reconnect, or to connect to a new writer, in milliseconds. */
const GRACE_MS = 10_000;

const ownerName = z.tuple([z.string(), z.number(), z.string()]);

/** The windows that exist, as far as the writing process can know. */
export class LiveWindows implements Disposable {
  private readonly connected = new Set<string>();
  private timer: BackgroundTimer | undefined;
  /** Until then, a window that is not connected may still connect. */
  private graceEnd = 0;
  private isDisposed = false;

  /** @param onGone called when the time of missing windows is over */
  constructor(
    private readonly owner: LockOwner,
    private readonly timers: StorageParts['timers'],
    private readonly onGone: () => void,
  ) {}

  /** From now on existing windows connect. */
  begin(): void {
    this.connected.clear();
    this.allowGrace();
  }

  change(window: string, isThere: boolean): void {
    if (isThere) this.connected.add(window);
    else {
      this.connected.delete(window);
      this.allowGrace();
    }
  }

  /** @param isWriter whether this process is the one that they connect to */
  has(window: string, isWriter: boolean): boolean {
    if (this.connected.has(window)) return true;
    const process = this.processOf(window);
    if (process === 'ended') return false;
    // A window of this process that is not connected has been closed.
    return !isWriter || (process !== 'own' && performance.now() < this.graceEnd);
  }

  dispose(): void {
    this.isDisposed = true;
    this.timer?.stop();
  }

  private processOf(window: string): 'own' | 'other' | 'ended' {
    const read = ownerName.safeParse(tryParseJson(window));
    if (!read.success) return 'ended';
    const [host, pid] = read.data;
    if (host !== this.owner.host) return 'other';
    if (pid === this.owner.pid) return 'own';
    return this.owner.isAlive(pid) ? 'other' : 'ended';
  }

  private allowGrace(): void {
    this.graceEnd = performance.now() + GRACE_MS;
    this.timer?.stop();
    // A connection may end after the database has been closed.
    if (this.isDisposed) return;
    this.timer = this.timers.later(GRACE_MS + 1, this.onGone);
  }
}
