/** The holder of a lock, and how to check whether another holder still runs. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Called only for processes of the same host. */
  isAlive(pid: number): boolean;
  /** Where this cannot be known at once: resolves when it is known for all calls of `isAlive`. */
  readonly looked?: (() => Promise<void>) | undefined;
}
