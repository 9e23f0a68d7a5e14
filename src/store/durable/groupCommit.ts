import { deferred } from '../../base/deferred.ts';
import { MAX_SAVE_LENGTH } from '../../engine/limits.ts';
import { lengthOf, type Group } from '../sqlite/connection.ts';

export interface GroupCommitOptions<P> {
  /** Resolves once the group is on disk. @returns where it ends */
  readonly append: (group: Group) => Promise<P>;
  /** Restores memory from the disk, or the disk from memory. */
  readonly revert: (cause: unknown) => Promise<Reverted<P>>;
}

/** The result for changes that could not be appended: lost, or on disk anyway. */
export type Reverted<P> = { readonly error: Error } | { readonly end: P };

interface Waiting<P> {
  readonly written: Group;
  readonly resolve: (end: P) => void;
  readonly reject: (error: Error) => void;
}

/** Writes transactions to disk one group after the other: those added while it is busy are written together. */
export class GroupCommit<P> {
  private waiting: Waiting<P>[] = [];
  private between: (() => void)[] = [];
  private running: Promise<void> | undefined;
  private reverting: Promise<Reverted<P>> | undefined;
  private readonly holds = new Set<Promise<undefined>>();

  constructor(private readonly options: GroupCommitOptions<P>) {}

  /** Resolves once the transaction is on disk. @returns where it or its group ends */
  add(written: Group): Promise<P> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ written, resolve, reject });
      this.start();
    });
  }

  /** Runs `work` while nothing is being written. */
  betweenGroups<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      this.between.push(() => resolve(work()));
      this.start();
    });
  }

  /** Runs `work` while memory equals the disk: nothing is pending and memory is not being changed. */
  async quietly<T>(work: () => T): Promise<T> {
    const { promise, resolve } = deferred<undefined>();
    this.holds.add(promise);
    try {
      await this.idle();
      return work();
    } finally {
      this.holds.delete(promise);
      resolve(undefined);
    }
  }

  /** Memory must not be changed: it is being reverted to the state on disk, or waits until they are equal. */
  get isHeld(): boolean {
    return this.reverting !== undefined || this.holds.size > 0;
  }

  /** Resolves once that may be over. */
  async released(): Promise<void> {
    await this.reverting;
    await Promise.all(this.holds);
  }

  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private start(): void {
    this.running ??= this.run();
  }

  private async run(): Promise<void> {
    // Transactions added at the same moment are written together.
    await Promise.resolve();
    while (this.waiting.length > 0 || this.between.length > 0) {
      for (const work of this.between.splice(0)) work();
      if (this.waiting.length > 0) await this.write();
    }
    // Reset at the same moment as the check above: nothing can be added in between and never be written.
    this.running = undefined;
  }

  /** How many pending transactions can be written together: at least one, and no more than one line can hold. */
  private fitting(): number {
    let length = 0;
    const tooMany = this.waiting.findIndex(({ written }) => {
      for (const { parameters } of written) length += lengthOf(parameters);
      return length > MAX_SAVE_LENGTH;
    });
    return tooMany === -1 ? this.waiting.length : Math.max(1, tooMany);
  }

  private async write(): Promise<void> {
    const batch = this.waiting.splice(0, this.fitting());
    let end: P;
    try {
      end = await this.options.append(batch.flatMap(({ written }) => written));
    } catch (cause) {
      // Later transactions were built on the lost ones.
      const concerned = [...batch, ...this.waiting.splice(0)];
      this.reverting = this.options.revert(cause);
      const reverted = await this.reverting;
      this.reverting = undefined;
      for (const { resolve, reject } of concerned) {
        if ('error' in reverted) reject(reverted.error);
        else resolve(reverted.end);
      }
      return;
    }
    for (const { resolve } of batch) resolve(end);
  }
}
