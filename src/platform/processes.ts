/** Who holds a lock, and how to tell whether another holder still lives. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Asked about processes of the same host only. */
  isAlive(pid: number): boolean;
  /** Where that can't be known at once: resolves when all that `isAlive` was asked about is known. */
  readonly looked?: (() => Promise<void>) | undefined;
}
