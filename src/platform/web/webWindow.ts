import type { Disposable } from '../../kit/disposable.ts';
import type { LockOwner } from '../processes.ts';

/** Windows of one browser reach each other, and no others. */
const HOST = 'browser';

/**
 * This window, as the others see it. Each holds a lock of the browser for as long as it lives, so that it can be asked
 * who does.
 */
export class WebWindow implements LockOwner, Disposable {
  readonly pid = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  readonly host = HOST;
  private readonly ended = new Set<number>();
  private readonly asked = new Set<number>();
  private looking: Promise<void> | undefined;
  private readonly arriving = Promise.withResolvers<undefined>();
  private readonly disposing = Promise.withResolvers<undefined>();

  /** @param name of the storage that is shared */
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

  /** Resolves once others find this window alive. */
  get arrived(): Promise<unknown> {
    return this.arriving.promise;
  }

  /** One that was never asked after counts as alive; what is known of it shows a moment later. */
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

  /** Whoever is asked after has had its lock before: without it, it has ended. */
  private async look(): Promise<void> {
    // What is asked in this moment is answered together.
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
