import { deferred } from '../../kit/deferred.ts';
import { MAX_SAVE_LENGTH } from '../../engine/limits.ts';
import { lengthOf, type Group } from '../connection.ts';

export interface GroupCommitOptions<P> {
  /** Resolves once the group is on the disk. @returns where it ends */
  readonly append: (group: Group) => Promise<P>;
  /** Brings memory back to what is on the disk, or the disk to what is in memory. */
  readonly revert: (cause: unknown) => Promise<Reverted<P>>;
}

/** What became of changes that could not be appended: lost, or on the disk all the same. */
export type Reverted<P> = { readonly error: Error } | { readonly end: P };

/** A transaction that is in memory and waits for the disk. */
interface Waiting<P> {
  readonly written: Group;
  readonly resolve: (end: P) => void;
  readonly reject: (error: Error) => void;
}

/** Writes transactions to the disk one group after the other: those that come while it is busy go together. */
export class GroupCommit<P> {
  private waiting: Waiting<P>[] = [];
  private between: (() => void)[] = [];
  private running: Promise<void> | undefined;
  private reverting: Promise<Reverted<P>> | undefined;
  private readonly holds = new Set<Promise<undefined>>();

  constructor(private readonly options: GroupCommitOptions<P>) {}

  /** Resolves once the transaction is on the disk. @returns where it, or what was written with it, ends */
  add(written: Group): Promise<P> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ written, resolve, reject });
      this.start();
    });
  }

  /** Runs `work` while nothing is being written. @returns its result */
  betweenGroups<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      this.between.push(() => resolve(work()));
      this.start();
    });
  }

  /** Runs `work` while memory is what is on the disk: nothing waits, and nothing is done to it. @returns its result */
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

  /** Nothing may be done to memory: it is brought back to what is on the disk, or waits until it is that. */
  get isHeld(): boolean {
    return this.reverting !== undefined || this.holds.size > 0;
  }

  /** Resolves once that may be over. */
  async released(): Promise<void> {
    await this.reverting;
    await Promise.all(this.holds);
  }

  /** Resolves once nothing waits. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private start(): void {
    this.running ??= this.run();
  }

  private async run(): Promise<void> {
    // What is added in the same moment goes together.
    await Promise.resolve();
    while (this.waiting.length > 0 || this.between.length > 0) {
      for (const work of this.between.splice(0)) work();
      if (this.waiting.length > 0) await this.write();
    }
    // In the same moment as the look above: nothing can be added in between that nobody would write.
    this.running = undefined;
  }

  /** How many of those that wait can go together: at least one, and no more than one line can hold. */
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
      // What was added since was built on what is lost.
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
