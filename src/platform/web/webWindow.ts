import type { Disposable } from '../../kit/disposable.ts';
import type { LockOwner } from '../processes.ts';

/** Windows of the same browser can reach only each other. */
const HOST = 'browser';

/**
 * This window as seen by the others. Each holds a browser lock for its lifetime, so that others can query which
 * windows exist.
 */
export class WebWindow implements LockOwner, Disposable {
  readonly pid = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  readonly host = HOST;
  private readonly ended = new Set<number>();
  private readonly asked = new Set<number>();
  private looking: Promise<void> | undefined;
  private readonly arriving = Promise.withResolvers<undefined>();
  private readonly disposing = Promise.withResolvers<undefined>();

  /** @param name of the shared storage */
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

  /** Resolves once others see this window as alive. */
  get arrived(): Promise<unknown> {
    return this.arriving.promise;
  }

  /** An unknown window counts as alive until the query returns. */
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

  /** Each of these windows took its lock before it was known: without it, it has ended. */
  private async look(): Promise<void> {
    // Calls at the same moment are answered together.
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
